// @ts-check
/** The list of moves, a row for each round; every move is a button that shows its position. */
import { fill, h } from "../dom.js";
import { line } from "../prose.js";
import { effort } from "../words.js";

/** @typedef {import("../types.js").PlayedView} PlayedView */
/** @typedef {import("./following.js").Following} Following */

const MOST_COLUMNS = 3; // with more players the moves follow each other in one column

export class Moves {
  /** @param {Following} state @param {(ply: number) => void} go @param {string} [before] told before the first move */
  constructor(state, go, before = "") {
    this.state = state;
    this.go = go;
    /** @type {PlayedView[]} */
    this.played = [];
    /** @type {HTMLElement[]} */
    this.buttons = [];
    const players = state.session.seats.length;
    this.columns = players > MOST_COLUMNS ? 1 : players;
    this.list = h("ol", { class: "moves", "aria-label": "Moves", tabindex: 0,
      dataset: { columns: this.columns } });
    this.empty = h("p", { class: "soft empty" }, line(before || "No moves yet."));
    this.element = h("div", { class: "moves-box" }, this.empty, this.list);
  }

  render() {
    const { played } = this.state.session;
    const isLonger = this.played.every((move, ply) => move.text === played[ply]?.text
      && move.player === played[ply].player);
    if (!isLonger || played.length < this.played.length) {
      fill(this.list);
      this.buttons = [];
    }
    played.slice(this.buttons.length).forEach((move) => this.add(move));
    this.played = played;
    this.empty.hidden = played.length > 0;
    this.list.hidden = played.length === 0;
    this.follow();
  }

  /** @param {PlayedView} move */
  add(move) {
    const ply = this.buttons.length + 1;
    const made = h("button", { type: "button", class: "move", title: described(move),
      onclick: () => this.go(ply) }, move.spoken, move.fault && h("span", { class: "fault" }, " !"));
    const column = this.columns === 1 ? 0 : move.player;
    let row = this.list.lastElementChild;
    const used = Number(/** @type {HTMLElement | null} */ (row)?.dataset.used ?? this.columns);
    if (!row || column < used) {
      row = h("li", { dataset: { used: 0 } });
      this.list.append(row);
    }
    const from = Number(/** @type {HTMLElement} */ (row).dataset.used);
    for (let gap = from; gap < column; gap++) row.append(h("span", { class: "gap" }, "…"));
    row.append(made);
    /** @type {HTMLElement} */ (row).dataset.used = String(column + 1);
    this.buttons.push(made);
  }

  /** Marks the move that led to the position shown, and keeps it in sight. */
  follow() {
    const { ply } = this.state;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const here = this.buttons[ply - 1];
    here?.setAttribute("aria-current", "step");
    const [top, height] = here ? [here.offsetTop, here.offsetHeight] : [0, 0];
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    else if (top + height > scrollTop + clientHeight) this.list.scrollTop = top + height - clientHeight;
  }
}

/** @param {PlayedView} move */
function described(move) {
  const parts = [move.text, move.told, effort(move), move.fault];
  return parts.filter(Boolean).join(" · ");
}
