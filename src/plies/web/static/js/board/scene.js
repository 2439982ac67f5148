// @ts-check
/** The drawing of one board: its surface, what is painted on it, its pieces and its points. */

import { svg } from "../dom.js";
import { PieceLayer } from "./motion.js";
import { arrow, chip, offered, tint } from "./overlay.js";
import { Points } from "./points.js";
import { at, emptyNames, surface } from "./surface.js";

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./overlay.js").Marks} Marks */
/** @typedef {import("./pieces.js").PieceSet} PieceSet */

const HELP = "Board. Arrow keys go from point to point, Enter chooses, Escape takes it back.";

/**
 * What is shown of a position.
 *
 * @typedef {object} Shown
 * @property {Record<string, string>} pieces
 * @property {string[]} last
 * @property {number | null} mover
 */

export class Scene {
  /** @param {Layout} layout @param {PieceSet} set @param {string} key what it was made from */
  constructor(layout, set, key) {
    this.key = key;
    this.layout = layout;
    this.set = set;
    this.under = svg("g", { "aria-hidden": "true" });
    this.pieces = new PieceLayer(set, layout);
    this.ghosts = svg("g", { class: "board-ghosts", "aria-hidden": "true" });
    this.over = svg("g", { class: "board-over", "aria-hidden": "true" });
    this.points = new Points(layout);
    const layers = [this.under, this.pieces.element, this.ghosts, this.over];
    const points = layout.isSmall ? [] : [this.points.element];
    const told = layout.isSmall
      ? { role: "img" }
      : { role: "application", "aria-roledescription": "board", "aria-label": HELP, tabindex: "-1" };
    const kind = `board-drawing is-${layout.kind}`;
    const look = { class: set.isBlackAndWhite ? `${kind} is-black-and-white` : kind };
    const drawn = [surface(layout), ...layers, ...points];
    this.element = svg("svg", { viewBox: layout.viewBox, ...told, ...look }, ...drawn);
    if (!layout.isSmall) this.element.style.minWidth = `${layout.leastWidth}px`;
  }

  /**
   * Paints what shows besides the pieces.
   *
   * @param {Shown} shown
   * @param {Marks} marks
   * @param {Choice | null} choice
   */
  paint(shown, marks, choice) {
    const { layout } = this;
    const chosen = choice?.chosen ?? [];
    const next = this.known(choice?.next ?? []);
    const kind = chosen.length ? "target" : "start";
    const tints = { last: shown.last, hint: marks.hint, chosen };
    const under = Object.entries(tints).flatMap(([kind, names]) =>
      this.known(names).map((name) => tint(layout, name, `board-tint is-${kind}`)),
    );
    this.under.replaceChildren(...emptyNames(layout, shown.pieces), ...under);
    if (layout.kind === "cubes") this.pieces.stain(tints);
    this.over.replaceChildren(
      ...next.map((name) => offered(layout, name, this.isEmpty(shown, name), kind)),
      ...marks.arrows.flatMap((each) => arrow(layout, each)),
      ...marks.values.flatMap((each) => chip(layout, each)),
    );
  }

  /**
   * Shows a piece that is not there yet, on its own; without a name none.
   *
   * @param {string | null} name
   * @param {string} symbol
   */
  haunt(name, symbol) {
    for (const dot of this.over.querySelectorAll("[data-offered]")) {
      dot.classList.toggle("is-hidden", dot.getAttribute("data-offered") === name);
    }
    const drawn = () => this.set.draw(symbol, this.layout.kind, false);
    this.ghosts.replaceChildren(...(name === null ? [] : [at(this.layout, name, drawn())]));
  }

  /** Brings the last move into sight on a board too wide for its frame. @param {string[]} last */
  reveal(last) {
    const frame = this.element.parentElement;
    if (!frame || frame.scrollWidth <= frame.clientWidth) return;
    const name = this.known(last).at(-1);
    const start = this.layout.kind === "lines" ? 0.5 : 0;
    const part = name === undefined ? start : this.layout.part(name).left;
    frame.scrollLeft = part * frame.scrollWidth - frame.clientWidth / 2;
  }

  /** @param {Shown} shown @param {string} name */
  isEmpty(shown, name) {
    return this.layout.kind !== "cubes" && !shown.pieces[name];
  }

  /** Those that are points of this board. @param {string[]} names */
  known(names) {
    return names.filter((name) => this.layout.has(name));
  }

  /** Says in words what is where and what can be done. @param {Shown} shown
   * @param {Choice | null} choice */
  tell(shown, choice) {
    if (this.layout.isSmall) {
      this.element.setAttribute("aria-label", this._description(shown.pieces));
      return;
    }
    const nameOf = (/** @type {string} */ name) => this._nameAt(name, shown.pieces[name] ?? "");
    const nothing = () => /** @type {const} */ ("");
    const canDrag = (/** @type {string} */ name) => choice?.begins.has(name) ?? false;
    this.points.tell(nameOf, choice?.roles ?? nothing, canDrag);
  }

  /** @param {string} name @param {string} symbol */
  _nameAt(name, symbol) {
    if (symbol === name) return "a label";
    return !symbol && this.layout.kind === "cubes" ? "blank" : this.set.nameOf(symbol);
  }

  /** `X on a1, b2; O on c3`. @param {Record<string, string>} pieces */
  _description(pieces) {
    /** @type {Map<string, string[]>} */
    const places = new Map();
    for (const [name, symbol] of Object.entries(pieces)) {
      if (name !== symbol) places.set(symbol, [...(places.get(symbol) ?? []), name]);
    }
    const told = [...places].map(
      ([symbol, names]) => `${this.set.nameOf(symbol)} on ${names.join(", ")}`,
    );
    return told.join("; ") || "an empty board";
  }
}
