// @ts-check
/** What the page knows about a session, and which of its positions is shown.  No drawing. */
import { get } from "../api.js";

/** @typedef {import("../types.js").SessionView} SessionView */
/** @typedef {import("../types.js").PositionView} PositionView */
/** @typedef {import("../types.js").Thinking} Thinking */
/** @typedef {import("../types.js").Inside} Inside */
/** @typedef {import("../types.js").Hint} Hint */

export class Following {
  /**
   * @param {SessionView} session @param {string} key
   * @param {import("../types.js").GameDetail} detail @param {import("../types.js").Opponents} opponents
   */
  constructor(session, key, detail, opponents) {
    this.key = key;
    this.detail = detail;
    this.opponents = opponents;
    /** @type {number | null} the ply that is shown, null for the newest */
    this.shown = null;
    /** @type {Map<number, PositionView>} */
    this.positions = new Map();
    /** @type {(number | null)[]} */
    this.values = [];
    /** @type {Thinking | null} what the player to move is thinking */
    this.thinking = null;
    /** @type {Inside | null} */
    this.inside = null;
    /** @type {Hint | null} */
    this.hint = null;
    /** @type {import("../types.js").Compiling | null} what an agent or an analysis waits for */
    this.compiling = null;
    this.isInside = session.seats.every((seat) => seat.agent !== "");
    this.session = session;
    this.received = performance.now();
    this.positions.set(session.ply, session.position);
  }

  /** The session as it is now; forgets positions that are no longer part of it. @param {SessionView} session */
  take(session) {
    const known = this.session.played;
    const same = session.played.findIndex((move, ply) => move.text !== known[ply]?.text);
    const common = same === -1 ? Math.min(known.length, session.played.length) : same;
    for (const ply of this.positions.keys()) if (ply > common) this.positions.delete(ply);
    if (session.ply < this.session.ply || common < known.length) {
      this.values = this.values.slice(0, common + 1);
    }
    this.session = session;
    this.received = performance.now();
    this.positions.set(session.ply, session.position);
    if (this.shown !== null && this.shown >= session.ply) this.shown = null;
    if (this.thinking && this.thinking.ply !== session.ply) this.thinking = null;
    if (this.hint && this.hint.ply !== session.ply) this.hint = null;
  }

  get ply() {
    return this.shown ?? this.session.ply;
  }

  get isNow() {
    return this.shown === null;
  }

  /** Shows the position after so many moves. @param {number} ply */
  go(ply) {
    const target = Math.max(0, Math.min(ply, this.session.ply));
    this.shown = target === this.session.ply ? null : target;
  }

  /** The position that is shown, asked for where it is not known yet. @returns {Promise<PositionView>} */
  async position() {
    const { ply } = this;
    const known = this.positions.get(ply);
    if (known) return known;
    const asked = await get(`/sessions/${this.session.id}/positions/${ply}`, this.key);
    this.positions.set(ply, asked);
    return asked;
  }

  /** Whether whoever looks at this page may move now. */
  get isYourTurn() {
    const { ending, position, seats, yours } = this.session;
    const { mover } = position;
    return !ending && mover !== null && yours.includes(mover) && seats[mover].agent === "";
  }

  /** The seats that a person here plays. */
  get yourSeats() {
    const { seats, yours } = this.session;
    return yours.filter((seat) => seats[seat].agent === "");
  }

  /** Whether an agent's turn waits for the compiler. */
  get isGettingReady() {
    return this.compiling !== null && this.session.is_thinking && !this.session.ending;
  }

  get isWatched() {
    return this.session.seats.every((seat) => seat.agent !== "");
  }

  /** What is known of a position's value for the first player. @param {number} ply @returns {number | null} */
  share(ply) {
    if (ply === this.session.ply && this.session.ending) return ended(this.session.ending.payoffs);
    if (this.isInside && this.inside?.ply === ply && this.inside.thinking) {
      const { share } = this.inside.thinking;
      if (share !== null) return share;
    }
    return this.values[ply] ?? this.session.played[ply - 1]?.share ?? null;
  }
}

/** @param {number[]} payoffs */
function ended(payoffs) {
  if (payoffs.length !== 2) return null;
  return payoffs[0] === payoffs[1] ? 0.5 : Number(payoffs[0] > payoffs[1]);
}
