// @ts-check
/** Choice words, and moves that have no points, as buttons beside the board. */

import { h, svg } from "../dom.js";

/** @typedef {import("./pieces.js").PieceSet} PieceSet */
/** @typedef {import("./glyphs.js").Glyph} Glyph */
/** @typedef {{text: string, glyph?: Glyph, choose: () => void}} Offer */

export class Buttons {
  /** @param {() => void} onEscape */
  constructor(onEscape) {
    this.element = h("div", { class: "board-choice", role: "group", "aria-label": "Choose" });
    this.element.hidden = true;
    this._shown = "";
    this._isOwed = false;
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      onEscape();
    });
  }

  /**
   * Offers these, at a place of the board (in parts of its width and height) or below it.
   *
   * @param {Offer[]} offers
   * @param {{left: number, top: number} | null} place
   */
  offer(offers, place) {
    const shown = JSON.stringify([offers.map(({ text }) => text), place]);
    if (shown === this._shown) return; // whoever is about to press one keeps it
    this._shown = shown;
    const hadFocus = this.hasFocus || (this._isOwed && document.activeElement === document.body);
    this._isOwed = hadFocus && !offers.length; // the focus, as soon as there are buttons again
    this.element.replaceChildren(...offers.map(button));
    this.element.hidden = !offers.length;
    this.element.classList.toggle("is-over", place !== null);
    this.element.classList.toggle("is-above", place !== null && place.top > 0.5);
    this.element.style.left = place ? `${this._left(place.left)}px` : "";
    this.element.style.top = place ? `${100 * place.top}%` : "";
    if (hadFocus) this.focus();
  }

  /** Its left edge so that it is centred there, but stays on the board. @param {number} part */
  _left(part) {
    const room = this.element.parentElement?.clientWidth ?? 0;
    const width = this.element.offsetWidth;
    return Math.max(0, Math.min(part * room - width / 2, room - width));
  }

  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  /** Lets the keyboard go on from the board to the buttons. */
  focus() {
    this.element.querySelector("button")?.focus();
  }
}

/** @param {Offer} offer */
function button({ text, glyph, choose }) {
  const picture = glyph
    ? svg("svg", { viewBox: "-24 -24 48 48", "aria-hidden": "true" }, glyph.draw(45))
    : null;
  return h("button", { type: "button", dataset: { word: text }, onclick: choose }, picture, text);
}
