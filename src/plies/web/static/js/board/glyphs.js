// @ts-check
/** Drawings of pieces that a game brings along, as text of SVG in a box of 45 x 45. */

import { svg } from "../dom.js";

const GLYPH = 45;

const ELEMENTS = new Set(
  ["g", "path", "circle", "ellipse", "line", "rect", "polygon", "polyline"],
);
const ATTRIBUTES = new Set([
  "d", "cx", "cy", "r", "rx", "ry", "x", "y", "x1", "y1", "x2", "y2", "width", "height", "points",
  "transform", "fill", "fill-rule", "fill-opacity", "opacity", "stroke", "stroke-width",
  "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity",
]);

/** A drawing to be copied for each piece, and what it is called if its text says so. */
export class Glyph {
  /** @param {string} text */
  constructor(text) {
    // Without a namespace it is data and nothing else: no style or script of it ever counts.
    const parsed = new DOMParser().parseFromString(`<glyph>${text}</glyph>`, "text/xml");
    const root = parsed.documentElement;
    /** Words such as `white pawn`, empty if there are none. */
    this.name = root.firstElementChild?.getAttribute("class") ?? "";
    this._parts = copied(root);
  }

  /** Whether nothing could be read. */
  get isEmpty() {
    return !this._parts.length;
  }

  /** The drawing with its middle at the origin. @param {number} size */
  draw(size) {
    const scale = size / GLYPH;
    const transform = `scale(${scale}) translate(${-GLYPH / 2} ${-GLYPH / 2})`;
    return svg("g", { transform }, ...this._parts.map((part) => part.cloneNode(true)));
  }
}

/**
 * Shapes only: whatever else the text holds is left out, so that it can do nothing but look.
 *
 * @param {Element} source
 * @returns {SVGElement[]}
 */
function copied(source) {
  return [...source.children]
    .filter((part) => ELEMENTS.has(part.localName))
    .map((part) => svg(part.localName, attributesOf(part), ...copied(part)));
}

/** The harmless attributes of an element and of its style. @param {Element} part */
function attributesOf(part) {
  const own = [...part.attributes].map(({ name, value }) => [name, value]);
  const declared = (part.getAttribute("style") ?? "").split(";").map((text) => text.split(":"));
  const pairs = [...own, ...declared].map(([name, value = ""]) => [name.trim(), value.trim()]);
  const harmless = pairs.filter(([name, value]) => ATTRIBUTES.has(name) && !value.includes("url"));
  return Object.fromEntries(harmless);
}
