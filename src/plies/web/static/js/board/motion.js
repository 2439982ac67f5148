// @ts-check
/** The pieces on a board: each keeps its identity from position to position, and so can move. */

import { svg } from "../dom.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").Place} Place */
/** @typedef {import("./pieces.js").PieceSet} PieceSet */
/** @typedef {{element: SVGElement, symbol: string | null, shown: Place}} Piece */
/** @typedef {[string, string][]} Motions */

const SLIDE = 180; // milliseconds
const CUBES = 420;
const TURN = 0.5; // the part of a cube's motion after which it is pushed in
const BEYOND = 58; // how far outside a cube is pushed in from
const LIFTED = 1.1;

export class PieceLayer {
  /** @param {PieceSet} set @param {Layout} layout */
  constructor(set, layout) {
    this.set = set;
    this.layout = layout;
    this.element = svg("g", { class: "board-pieces", "aria-hidden": "true" });
    /** @type {Map<string, Piece>} by the name of the point */
    this.standing = new Map();
    /** @type {Piece[]} */
    this._dimmed = [];
    /** @type {Animation[]} */
    this._running = [];
    /** @type {SVGElement[]} */
    this._leaving = [];
  }

  /**
   * Shows these pieces.  With motions those that moved slide, others appear or vanish gently;
   * `null` shows everything at once.
   *
   * @param {Record<string, string>} pieces
   * @param {Motions | null} motions
   */
  show(pieces, motions) {
    this.finish();
    const before = this.standing;
    this.standing = new Map();
    const movers = this._movers(before, motions ?? []);
    const isMoved = new Set([...movers.values()].map(({ piece }) => piece));
    for (const [name, symbol] of this._symbols(pieces)) {
      const mover = movers.get(name);
      const here = before.get(name);
      const kept = mover?.piece ?? (here && !isMoved.has(here) ? here : undefined);
      const piece = kept ?? this._made();
      this.standing.set(name, piece);
      const isNew = piece.symbol !== symbol;
      if (isNew) this._redraw(piece, name, symbol);
      const from = piece.shown;
      this._put(piece, this.layout.place(name));
      if (mover && motions) this._slide(piece, from, mover.isFirst);
      else if (isNew && motions) this._pop(piece, kept !== undefined);
    }
    for (const { piece, isFirst } of movers.values()) {
      if (isFirst) this.element.append(piece.element); // above those that it passes
    }
    const staying = new Set(this.standing.values());
    for (const piece of before.values()) {
      if (!staying.has(piece)) this._leave(piece, motions !== null);
    }
  }

  /** Jumps to the end of whatever still moves. */
  finish() {
    for (const animation of this._running) animation.cancel();
    for (const element of this._leaving) element.remove();
    this._running = [];
    this._leaving = [];
  }

  /** Shows a piece elsewhere for the time being, above the others. @param {string} name
   * @param {Place} place */
  displace(name, place) {
    const piece = this.standing.get(name);
    if (!piece) return;
    if (piece.element !== this.element.lastElementChild) this.element.append(piece.element);
    this._put(piece, place);
  }

  /** Everything back to its place. */
  settle() {
    for (const [name, piece] of this.standing) {
      const place = this.layout.place(name);
      if (piece.shown.x !== place.x || piece.shown.y !== place.y) this._put(piece, place);
    }
  }

  /** Dims the pieces of some points, and of no others. @param {string[]} names */
  dim(names) {
    for (const piece of this._dimmed) piece.element.classList.remove("would-go");
    this._dimmed = names.flatMap((name) => this.standing.get(name) ?? []);
    for (const piece of this._dimmed) piece.element.classList.add("would-go");
  }

  /** Tints whole pieces. @param {Record<string, string[]>} tints the points for each kind */
  stain(tints) {
    for (const [name, { element }] of this.standing) {
      for (const [kind, names] of Object.entries(tints)) {
        element.classList.toggle(`is-${kind}`, names.includes(name));
      }
    }
  }

  /** Every place of cubes holds one, blank or not. @param {Record<string, string>} pieces
   * @returns {[string, string][]} */
  _symbols(pieces) {
    if (this.layout.kind !== "cubes") {
      return Object.entries(pieces).filter(([name]) => this.layout.has(name));
    }
    return this.layout.names.map((name) => [name, pieces[name] ?? ""]);
  }

  /** @param {Map<string, Piece>} before @param {Motions} motions
   * @returns {Map<string, {piece: Piece, isFirst: boolean}>} by the point they come to */
  _movers(before, motions) {
    const movers = new Map();
    const free = new Map(before);
    motions.forEach(([from, to], index) => {
      const piece = free.get(from);
      if (piece && this.layout.has(to)) movers.set(to, { piece, isFirst: index === 0 });
      free.delete(from);
    });
    return movers;
  }

  /** @returns {Piece} */
  _made() {
    const element = svg("g", { class: "board-piece" });
    this.element.append(element);
    return { element, symbol: null, shown: { x: 0, y: 0 } };
  }

  /** @param {Piece} piece @param {string} name @param {string} symbol */
  _redraw(piece, name, symbol) {
    const isLabel = this.layout.labels.has(name);
    piece.element.replaceChildren(this.set.draw(symbol, this.layout.kind, isLabel));
    piece.symbol = symbol;
  }

  /** @param {Piece} piece @param {Place} place */
  _put(piece, place) {
    piece.shown = place;
    piece.element.style.transform = moved(place);
  }

  /** @param {Piece} piece @param {Place} from @param {boolean} isFirst */
  _slide(piece, from, isFirst) {
    const to = piece.shown;
    if (from.x === to.x && from.y === to.y) return;
    this.element.append(piece.element);
    if (this.layout.kind !== "cubes") {
      this._animate(piece.element, [{ transform: moved(from) }, { transform: moved(to) }], SLIDE);
    } else if (isFirst) {
      this._animate(piece.element, carried(from, to), CUBES);
    } else {
      const waiting = { transform: moved(from), offset: TURN, easing: "ease-out" };
      const frames = [{ transform: moved(from) }, waiting, { transform: moved(to) }];
      this._animate(piece.element, frames, CUBES);
    }
  }

  /** @param {Piece} piece @param {boolean} isChanged rather than new */
  _pop(piece, isChanged) {
    const to = moved(piece.shown);
    const small = { transform: `${to} scale(0.6)`, opacity: isChanged ? 1 : 0 };
    this._animate(piece.element, [small, { transform: to, opacity: 1 }], SLIDE);
  }

  /** @param {Piece} piece @param {boolean} isGentle */
  _leave({ element, shown }, isGentle) {
    if (!isGentle) {
      element.remove();
      return;
    }
    this.element.prepend(element);
    this._leaving.push(element);
    const frames = [{ opacity: 1 }, { transform: `${moved(shown)} scale(0.7)`, opacity: 0 }];
    const fading = this._animate(element, frames, SLIDE * 1.5);
    fading.onfinish = () => element.remove();
  }

  /** @param {SVGElement} element @param {Keyframe[]} frames @param {number} duration */
  _animate(element, frames, duration) {
    const animation = element.animate(frames, { duration, easing: "ease-out" });
    this._running.push(animation);
    return animation;
  }
}

/**
 * What moves from one position to the next one or the one before; null where they are neither.
 *
 * @param {{ply: number, motions: Motions}} before
 * @param {{ply: number, motions: Motions}} now
 * @returns {Motions | null}
 */
export function motionsBetween(before, now) {
  if (now.ply === before.ply + 1) return now.motions;
  if (now.ply !== before.ply - 1) return null;
  return before.motions.map(([from, to]) => [to, from]);
}

/** A cube is lifted, carried past the other end and pushed in there. @param {Place} from
 * @param {Place} to @returns {Keyframe[]} */
function carried(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const outside = {
    x: to.x + ((to.x - from.x) / length) * BEYOND,
    y: to.y + ((to.y - from.y) / length) * BEYOND,
  };
  return [
    { transform: moved(from), easing: "ease-out" },
    { transform: `${moved(from)} scale(${LIFTED})`, offset: 0.12, easing: "ease-in-out" },
    { transform: `${moved(outside)} scale(${LIFTED})`, offset: TURN, easing: "ease-out" },
    { transform: moved(to) },
  ];
}

/** @param {Place} place */
function moved({ x, y }) {
  return `translate(${x}px, ${y}px)`;
}
