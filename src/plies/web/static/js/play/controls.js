// @ts-check
/** The buttons: through the moves, what a player may do, and how fast programs play. */
import { button, h } from "../dom.js";
import { iconButton } from "../icons.js";

/** @typedef {import("./following.js").Following} Following */

/** Seconds from move to move, slow to fast, as the slider goes. */
const SPEEDS = [10, 5, 3, 2, 1.5, 1, 0.7, 0.5, 0.3, 0.2, 0.1, 0];

const ASKED = 4000; // milliseconds that a question stands

/**
 * What the buttons do; those that ask the server answer a promise.
 * @typedef {{
 *   go: (ply: number) => void, undo: () => any, hint: () => any, resign: () => any, flip: () => void,
 *   look: () => void, again: () => any, setUp: () => any, share: () => any, fromHere: () => any, away: () => void,
 *   step: () => any, pace: (pace: import("../types.js").Pace) => any,
 * }} Deeds
 */

export class Controls {
  /** @param {Following} state @param {Deeds} deeds */
  constructor(state, deeds) {
    this.state = state;
    const at = (/** @type {number} */ change) => deeds.go(state.ply + change);
    this.first = iconButton("start", "First position", () => deeds.go(0));
    this.back = iconButton("back", "One move back", () => at(-1));
    this.forward = iconButton("forward", "One move forward", () => at(1));
    this.last = iconButton("end", "Last position", () => deeds.go(Infinity));
    this.now = button("Back to now", () => deeds.go(Infinity), { class: "primary" });
    this.fromHere = button("Play from here", deeds.fromHere);
    this.undo = button("Undo", deeds.undo);
    this.hint = button("Hint", deeds.hint);
    this.flip = button("Flip", deeds.flip, { "aria-label": "Flip the board" });
    this.resign = twice("Resign", "Really resign?", deeds.resign);
    this.look = button("Look inside", deeds.look, { class: "look", "aria-pressed": "false" });
    this.again = button("New game", deeds.again);
    this.away = button("Delete this game…", deeds.away, { class: "quiet away" });
    this.more = h("div", { class: "row earlier" }, this.now, this.fromHere);
    this.pace = new PaceControl(state, deeds);
    this.navigation = h("div", { class: "navigation", role: "group", "aria-label": "Through the moves" },
      this.first, this.back, this.forward, this.last);
    this.element = h("div", { class: "controls" }, this.more, this.pace.element,
      h("div", { class: "row" }, this.undo, this.hint, this.flip, this.resign, this.again,
        button("Set up…", deeds.setUp), button("Share…", deeds.share)), this.look);
  }

  render() {
    const { state } = this;
    const { session, ply, isNow } = state;
    this.first.disabled = this.back.disabled = ply === 0;
    this.forward.disabled = this.last.disabled = isNow;
    this.more.hidden = isNow;
    const plays = state.yourSeats.length > 0;
    this.undo.hidden = this.hint.hidden = this.resign.hidden = !plays;
    this.flip.hidden = !(session.position.board ?? state.detail.table.board);
    this.undo.disabled = session.ply === 0 || !isNow;
    this.hint.disabled = !state.isYourTurn || !isNow;
    this.resign.disabled = session.ending !== null || !isNow;
    this.look.setAttribute("aria-pressed", String(state.isInside));
    this.away.hidden = session.role !== "owner";
    this.again.classList.toggle("primary", session.ending !== null);
    this.pace.render();
  }
}

/** A button that does it only when pressed again. @param {string} text @param {string} asked @param {() => any} action */
function twice(text, asked, action) {
  const calm = () => { made.textContent = text; };
  const made = button(text, () => {
    if (made.textContent === asked) return action();
    made.textContent = asked;
    setTimeout(calm, ASKED);
  }, { onblur: calm });
  return made;
}

/** Pause, one step, and the speed, where programs play each other. */
class PaceControl {
  /** @param {Following} state @param {Deeds} deeds */
  constructor(state, deeds) {
    this.state = state;
    this.pause = button("Pause", () => {
      const { is_paused, seconds } = state.session.pace;
      return deeds.pace({ is_paused: !is_paused, seconds });
    });
    this.step = button("One step", deeds.step);
    this.told = h("small");
    this.slider = h("input", { type: "range", min: 0, max: SPEEDS.length - 1, step: 1,
      "aria-label": "Speed", oninput: () => this.tell(SPEEDS[this.slider.value]),
      onchange: () => deeds.pace({ ...state.session.pace, seconds: SPEEDS[this.slider.value] }) });
    this.element = h("div", { class: "row pace", role: "group", "aria-label": "Watching" },
      this.pause, this.step, h("label", { class: "speed" }, this.slider, this.told));
  }

  render() {
    const { session, isWatched } = this.state;
    const { is_paused, seconds } = session.pace;
    const isOwner = session.role === "owner";
    this.element.hidden = !isOwner || session.ending !== null || !(isWatched || is_paused);
    this.pause.textContent = is_paused ? "Continue" : "Pause";
    this.pause.classList.toggle("primary", is_paused);
    this.step.disabled = !is_paused;
    if (document.activeElement !== this.slider) {
      this.slider.value = String(nearest(seconds));
      this.tell(seconds);
    }
  }

  /** @param {number} seconds */
  tell(seconds) {
    const text = seconds > 0 ? `a move every ${seconds} s` : "as fast as they can";
    this.told.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }
}

/** @param {number} seconds */
function nearest(seconds) {
  const gaps = SPEEDS.map((speed) => Math.abs(speed - seconds));
  return gaps.indexOf(Math.min(...gaps));
}
