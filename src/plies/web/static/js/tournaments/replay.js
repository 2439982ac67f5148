// @ts-check
/** A game that has been played, on the board: step through it, or let it run. */
import { BoardView } from "../board/board.js";
import { PieceSet } from "../board/pieces.js";
import { button, fill, h } from "../dom.js";
import { Graph } from "../play/graph.js";
import { Moves } from "../play/moves.js";
import { effort, moveTime } from "../words.js";
import { say } from "../say.js";
import { Stepper } from "../stepper.js";

/** @typedef {import("./types.js").ReplayView} ReplayView */

export class Replay {
  /**
   * @param {HTMLElement} host @param {ReplayView} game
   * @param {{close: () => void, next: (step: number) => void}} ask
   */
  constructor(host, game, ask) {
    this.host = host;
    this.game = game;
    this.shown = 0; // the ply on the board
    this.stepper = new Stepper({ length: game.played.length, unit: "move",
      onStep: (ply) => this.show(Math.abs(ply - this.shown) === 1) });
    // What the list of moves and the graph of the playing page look at.
    this.session = { seats: game.seats.map((name) => ({ name })), played: game.played, ply: game.played.length };
    const go = (/** @type {number} */ ply) => this.go(ply);
    this.moves = new Moves(/** @type {any} */ (this), go);
    this.graph = new Graph(/** @type {any} */ (this), go);
    this.thought = h("p", { class: "soft thought-of" });
    this.situation = h("p", { class: "soft situation" });
    this.here = h("a", { class: "button" }, "Play from here");
    this.title = h("h2", { tabindex: -1 }, `Game ${game.number}: ${game.seats.join(" – ")}`);
    const place = h("div", { class: "board-host" });
    const isColoured = game.table.marks.length > 1 && !new PieceSet(game.table).isBlackAndWhite;
    fill(host, h("div", { class: "replay-head" }, this.title,
      h("div", { class: "row" },
        button("Previous game", () => ask.next(-1), { class: "quiet" }),
        button("Next game", () => ask.next(1), { class: "quiet" }),
        button("Close", ask.close, { class: "quiet" }))),
    h("p", null, `${game.title}: ${game.result}`),
    h("div", { class: isColoured ? "play coloured replay" : "play replay" }, place,
      h("div", { class: "replay-side" }, this.stepper.element, this.thought, this.situation, this.graph.element,
        this.moves.element, h("div", { class: "row" }, this.here))));
    this.board = new BoardView(place, game.table);
    this.keys = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    host.addEventListener("keydown", this.keys);
    this.moves.render();
    this.show(false);
  }

  get ply() {
    return this.stepper.step;
  }

  get last() {
    return this.game.played.length;
  }

  /**
   * The value of a position for the first player: the mean of what each player thought last.
   * @param {number} ply @returns {number | null}
   */
  share(ply) {
    const thoughts = this.session.seats.map((_, seat) =>
      this.game.played.slice(0, ply).findLast((move) => move.player === seat)?.share ?? null);
    const known = thoughts.filter((share) => share !== null);
    return known.length ? known.reduce((sum, share) => sum + share, 0) / known.length : null;
  }

  /** @param {number} ply */
  go(ply) {
    this.stepper.go(ply);
  }

  /** @param {boolean} animate */
  show(animate) {
    const { game, ply } = this;
    this.shown = ply;
    const position = game.positions[ply];
    const move = game.played[ply - 1];
    this.board.show(position, { animate });
    this.moves.follow();
    this.graph.render();
    this.situation.textContent = position.situation;
    const parts = move ? [game.seats[move.player], move.spoken, move.told && `value ${move.told}`, effort(move),
      moveTime(move.seconds || null), move.line.length > 1 && `expects ${move.line.slice(0, 8).join(" ")}`, move.fault]
      : ["The opening: where this game began"];
    this.thought.textContent = parts.filter(Boolean).join(" · ");
    const query = new URLSearchParams({ game: game.game, position: position.text });
    this.here.setAttribute("href", `#/new?${query}`);
    this.here.hidden = position.mover === null;
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const isTyping = /** @type {HTMLElement} */ (event.target).matches("input, select, textarea");
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.go(target);
    const move = this.game.played[this.ply - 1];
    say(move ? `${this.ply}: ${move.spoken}` : "Start of the game");
  }

  focus() {
    this.title.focus({ preventScroll: true });
  }

  close() {
    this.stepper.stop();
    this.host.removeEventListener("keydown", this.keys);
    this.board.close();
  }
}
