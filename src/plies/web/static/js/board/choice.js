// @ts-check
/** Choosing one of the legal moves by clicks, each of which leaves fewer of them. */

/** @typedef {import("../types.js").MoveView} MoveView */

/** What is clicked so far, and the moves that begin like that. */
export class Choice {
  /** @param {MoveView[]} moves @param {string[]} chosen */
  constructor(moves, chosen = []) {
    this.all = moves;
    this.chosen = chosen;
    this.moves = moves.filter(({ clicks }) => chosen.every((click, at) => clicks[at] === click));
    /** @type {Set<string>} clicks that begin a move which goes on with another */
    this.begins = new Set(moves.flatMap(({ clicks }) => (clicks.length > 1 ? clicks[0] : [])));
  }

  /** What can be clicked next, points and words, each once. */
  get next() {
    const clicks = this.moves.map(({ clicks }) => clicks[this.chosen.length]);
    return [...new Set(clicks.filter((click) => click !== undefined))];
  }

  /** What a click is now: it goes on, was made before, would begin another move, or nothing.
   * @returns {(click: string) => "start" | "target" | "chosen" | "other" | ""} */
  get roles() {
    const next = new Set(this.next);
    const first = new Set(this.anew().next);
    const ahead = this.chosen.length ? "target" : "start";
    return (click) => {
      if (next.has(click)) return ahead;
      if (this.chosen.includes(click)) return "chosen";
      return first.has(click) ? "other" : "";
    };
  }

  /** The moves for which all is clicked. */
  get complete() {
    return this.moves.filter(({ clicks }) => clicks.length === this.chosen.length);
  }

  /** The move that is decided, if it is. */
  get move() {
    return this.chosen.length && this.moves.length === 1 ? this.complete[0] : undefined;
  }

  /** The moves that would be left after a click. @param {string} click */
  after(click) {
    return this.moves.filter(({ clicks }) => clicks[this.chosen.length] === click);
  }

  /** The choice from the start again. */
  anew() {
    return new Choice(this.all);
  }

  /**
   * The choice after a click anywhere.  What goes on is taken; what was clicked before is taken
   * back; what begins another move begins it; anything else gives up.
   *
   * @param {string} click
   */
  click(click) {
    if (this.next.includes(click)) return new Choice(this.all, [...this.chosen, click]);
    const before = this.chosen.lastIndexOf(click);
    if (before >= 0) return new Choice(this.all, this.chosen.slice(0, before));
    const anew = this.anew();
    return anew.next.includes(click) ? new Choice(this.all, [click]) : anew;
  }
}
