// @ts-check
/** The players: who sits where, whose turn it is, their clocks, and what they are thinking. */
import { put } from "../api.js";
import { PieceSet } from "../board/pieces.js";
import { button, fill, h, svg } from "../dom.js";
import { openDialog } from "../dialog.js";
import { SeatChooser } from "./chooser.js";
import { agentName } from "./spec.js";
import { capital, clockText, effort } from "../words.js";

/** @typedef {import("./following.js").Following} Following */

const TICK = 100; // milliseconds between two looks at a running clock

export class Seats {
  /** @param {Following} state */
  constructor(state) {
    this.state = state;
    this.pieces = new PieceSet(state.detail.table);
    this.rows = state.session.seats.map((_, seat) => this.row(seat));
    this.element = h("ul", { class: "seats", "aria-label": "Players" },
      this.rows.map((row) => row.element));
    this.ticking = setInterval(() => this.tick(), TICK);
  }

  /** @param {number} seat */
  row(seat) {
    const who = h("span", { class: "who" });
    const name = h("strong");
    const thought = h("span", { class: "thought" });
    const clock = h("span", { class: "clock", role: "timer", hidden: true });
    const element = h("li", { class: "seat", dataset: { seat } },
      this.badge(seat),
      h("span", { class: "names" }, name, who, thought), clock);
    return { element, name, who, thought, clock, shown: "" };
  }

  /** A piece of that player's, or a number where there is none. @param {number} seat */
  badge(seat) {
    const [mark] = this.state.detail.table.marks[seat] ?? "";
    return mark
      ? h("span", { class: "badge board", "aria-hidden": "true" },
        svg("svg", { class: "board-drawing", viewBox: "-50 -50 100 100" },
          this.pieces.draw(mark, "cells", false)))
      : h("span", { class: "badge number", "aria-hidden": "true" }, seat + 1);
  }

  render() {
    const { session, opponents } = this.state;
    session.seats.forEach((seat, index) => {
      const row = this.rows[index];
      const isMoving = !session.ending && session.position.mover === index;
      row.element.classList.toggle("moving", isMoving);
      row.name.textContent = capital(seat.name);
      const text = seat.agent ? agentName(seat.agent, opponents) : this.personName(index);
      const shown = `${text}|${session.yours}|${seat.agent}`;
      if (shown !== row.shown) {
        row.shown = shown;
        const mayHandOver = session.role === "owner" || session.yours.includes(index);
        fill(row.who, mayHandOver
          ? button(text, () => this.handOver(index), { class: "quiet hand",
            title: seat.agent || "a person", "aria-label": `${capital(seat.name)}: ${text}. Hand over…` })
          : h("span", { title: seat.agent }, text));
      }
    });
    this.think();
    this.tick();
  }

  /** @param {number} seat */
  personName(seat) {
    const { yourSeats, session } = this.state;
    if (yourSeats.includes(seat)) return yourSeats.length > 1 ? "Person" : "You";
    return session.seats[seat].is_taken ? "Guest" : "Person";
  }

  /** What the player to move is thinking. */
  think() {
    const { session, thinking } = this.state;
    this.rows.forEach((row, seat) => {
      const isThinking = session.is_thinking && session.position.mover === seat && !session.ending;
      const news = thinking?.seat === seat ? thinking : null;
      const told = news ? effort(news) : "";
      row.thought.textContent = !isThinking || this.state.isGettingReady ? "" : `thinking … ${told}`;
    });
  }

  tick() {
    const { session, received } = this.state;
    session.seats.forEach((seat, index) => {
      const { clock } = this.rows[index];
      clock.hidden = seat.left === null;
      if (seat.left === null) return;
      const isRunning = !session.ending && session.position.mover === index && !session.pace.is_paused;
      const gone = isRunning ? (performance.now() - received) / 1000 : 0;
      const text = clockText(seat.left - gone);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("low", seat.left - gone < 20);
    });
  }

  /** @param {number} seat */
  handOver(seat) {
    const { session, opponents, key } = this.state;
    const chooser = new SeatChooser("Who plays on", opponents, session.seats[seat].agent);
    openDialog(`Hand over ${capital(session.seats[seat].name)}`, [chooser.element], {
      action: "Hand over",
      submit: () => put(`/sessions/${session.id}/seats/${seat}`, { agent: chooser.value }, key),
    });
  }

  close() {
    clearInterval(this.ticking);
  }
}
