// @ts-check
/**
 * How the pieces of a game look and what they are called.
 *
 * Players differ in colour and in shape: `X` is a cross and `O` a ring; `W` and `B`, where
 * these are the players, are stones; other symbols are written on a disc (first player),
 * a square (second) or a diamond (later ones).  What belongs to nobody is a plain token, or
 * its text when that is a number or a word.  A game's own drawings come before all of this.
 */

import { svg } from "../dom.js";
import { Glyph } from "./glyphs.js";

/** @typedef {import("../types.js").Table} Table */

const COLOURS = 4;

/** Where the upper face of a cube is. */
export const FACE = { x: -46, y: -47, width: 92, height: 87, rx: 14 };

export class PieceSet {
  /** @param {Table} table */
  constructor(table) {
    this.marks = table.marks;
    this.sides = table.sides;
    /** @type {[string, Glyph][]} */
    const drawn = Object.entries(table.glyphs).map(([symbol, text]) => [symbol, new Glyph(text)]);
    /** @type {Map<string, Glyph>} */
    this.glyphs = new Map(drawn.filter(([, glyph]) => !glyph.isEmpty));
    this.hasStones = [...table.marks].sort().join() === "B,W";
    this.isBlackAndWhite = table.sides.join() === "White,Black" || this.hasStones;
  }

  /** The player whose piece it is, -1 for nobody's. @param {string} symbol */
  ownerOf(symbol) {
    return [...symbol].length === 1 ? this.marks.findIndex((own) => own.includes(symbol)) : -1;
  }

  /** `White P`, `white pawn`, `X`, `empty`: what stands on a point. @param {string} symbol */
  nameOf(symbol) {
    if (!symbol) return "empty";
    const glyph = this.glyphs.get(symbol);
    if (glyph?.name) return glyph.name;
    const owner = this.ownerOf(symbol);
    if (owner < 0 && isToken(symbol)) return "piece";
    const side = this.sides[owner] ?? "";
    const isTold = side.toLowerCase().startsWith(symbol.toLowerCase()) || side.includes(`(${symbol})`);
    return isTold ? side : `${side} ${symbol}`.trim();
  }

  /**
   * The player's only symbol: what a new piece will be; empty where it could be several.
   *
   * @param {number | null} player
   */
  onlyMark(player) {
    const own = this.marks[player ?? -1] ?? "";
    return [...own].length === 1 ? own : "";
  }

  /** The glyph of a player that is called by a word, such as queen. @param {string} word
   * @param {number | null} player */
  called(word, player) {
    const own = [...(this.marks[player ?? -1] ?? "")];
    const symbol = own.find((each) => this.glyphs.get(each)?.name.split(" ").includes(word));
    return symbol === undefined ? undefined : this.glyphs.get(symbol);
  }

  /**
   * A piece with its middle at the origin.
   *
   * @param {string} symbol
   * @param {string} kind of the board
   * @param {boolean} isLabel
   */
  draw(symbol, kind, isLabel) {
    if (isLabel) return words(symbol, 40, "piece-label");
    if (kind === "cubes") return svg("g", {}, ...cube(), ...this._face(symbol, "cubes"));
    return svg("g", {}, ...this._face(symbol, kind));
  }

  /** @param {string} symbol @param {string} kind @returns {SVGElement[]} */
  _face(symbol, kind) {
    if (!symbol) return [];
    const glyph = this.glyphs.get(symbol);
    if (glyph) return [glyph.draw(kind === "checkered" ? 96 : 84)];
    const owner = this.ownerOf(symbol);
    if (owner < 0) return neutral(symbol, kind);
    if (this.hasStones) return stone(symbol === "W" ? "piece-white" : "piece-black");
    const colour = `side-${owner % COLOURS}`;
    const ground = kind === "lines" ? [svg("circle", { r: 42, class: "piece-ground" })] : [];
    if (symbol === "X" || symbol === "x") return [...ground, cross(colour)];
    if (symbol === "O" || symbol === "o") return [...ground, ring(colour)];
    return [shape(owner, colour), words(symbol, 44, "piece-letter")];
  }
}

/** Text centred on a point, no wider than a cell. */
export function words(/** @type {string} */ text, /** @type {number} */ size, kind = "") {
  const width = Math.max([...text].length, 1) * 0.6;
  const fitting = Math.min(size, 92 / width);
  return svg("text", { class: kind, "font-size": fitting, y: 0.35 * fitting }, text);
}

function cube() {
  return [
    svg("rect", { class: "cube-side", x: -46, y: -44, width: 92, height: 92, rx: 14 }),
    svg("rect", { class: "cube-face", ...FACE }),
    svg("rect", { class: "cube-light", x: -40, y: -42, width: 80, height: 76, rx: 10 }),
  ];
}

/** @param {string} colour */
function cross(colour) {
  return svg("path", { class: `piece-stroke ${colour}`, d: "M-25 -25L25 25M25 -25L-25 25" });
}

/** @param {string} colour */
function ring(colour) {
  return svg("circle", { class: `piece-stroke ${colour}`, r: 27 });
}

/** @param {string} colour */
function stone(colour) {
  return [
    svg("circle", { class: "piece-shadow", r: 37, cy: 4 }),
    svg("circle", { class: `piece-stone ${colour}`, r: 36 }),
    svg("ellipse", { class: "piece-shine", cx: -9, cy: -14, rx: 17, ry: 11 }),
  ];
}

/** @param {number} owner @param {string} colour */
function shape(owner, colour) {
  if (owner === 0) return svg("circle", { class: `piece-shape ${colour}`, r: 38 });
  const half = owner > 1 ? 30 : 34;
  const transform = owner > 1 ? "rotate(45)" : null;
  const size = { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 9 };
  return svg("rect", { class: `piece-shape ${colour}`, ...size, transform });
}

/** @param {string} symbol @param {string} kind @returns {SVGElement[]} */
function neutral(symbol, kind) {
  if (isToken(symbol)) return stone("piece-token");
  if (kind !== "lines") return [words(symbol, 40, "piece-text")];
  const half = Math.min(49, Math.max(32, [...symbol].length * 13 + 12));
  const size = { x: -half, y: -30, width: 2 * half, height: 60, rx: 18 };
  return [svg("rect", { class: "piece-ground", ...size }), words(symbol, 40, "piece-text")];
}

/** Whether a symbol that belongs to nobody says nothing by itself. @param {string} symbol */
function isToken(symbol) {
  return [...symbol].length === 1 && !/\p{N}/u.test(symbol);
}
