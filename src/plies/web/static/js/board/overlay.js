// @ts-check
/** What is painted on a board besides its pieces: the last move, choices, arrows, values. */

import { svg } from "../dom.js";
import { UNIT } from "./geometry.js";
import { at, square } from "./surface.js";
import { FACE, words } from "./pieces.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {{from: string, to: string, kind: string}} Arrow */
/** @typedef {{point: string, told: string, share: number | null}} Value */
/** @typedef {{arrows: Arrow[], values: Value[], hint: string[]}} Marks */

const WIDTHS = { best: 20, hint: 20, line: 13 };
const SHARES = 5; // shades of a value, from lost to won for the first player

/** The whole place of a point, tinted. @param {Layout} layout @param {string} name
 * @param {string} kind */
export function tint(layout, name, kind) {
  switch (layout.kind) {
    case "lines":
    case "heaps":
      return at(layout, name, svg("circle", { class: kind, r: 47 }));
    case "checkered":
      return at(layout, name, square(kind, 0, 0));
    default:
      return at(layout, name, square(kind, 2, 8));
  }
}

/**
 * A sign that a point can be clicked: a dot where it is empty, else an outline.
 *
 * @param {Layout} layout
 * @param {string} name
 * @param {boolean} isEmpty
 * @param {string} kind
 */
export function offered(layout, name, isEmpty, kind) {
  const isWritten = layout.showsNames && layout.kind !== "lines";
  if (isEmpty && !isWritten) {
    const dot = svg("circle", { class: `board-${kind} is-dot`, r: 12, "data-offered": name });
    return at(layout, name, dot);
  }
  return at(layout, name, outline(layout, `board-${kind} is-outline`));
}

/** Around what stands on a point. @param {Layout} layout @param {string} kind */
function outline(layout, kind) {
  if (layout.kind === "cubes") return svg("rect", { class: kind, ...FACE });
  const isRound = layout.kind === "lines" || layout.kind === "heaps";
  return isRound ? svg("circle", { class: kind, r: 45 }) : square(kind, 5, 12);
}

/**
 * An arrow between two points, or a ring where there is only one; nothing where neither is known.
 *
 * @param {Layout} layout
 * @param {Arrow} arrow
 * @returns {SVGElement[]}
 */
export function arrow(layout, { from, to, kind }) {
  const known = [from, to].filter((name) => layout.has(name));
  if (!known.length) return [];
  const kinds = `board-arrow arrow-${kind}`;
  if (known.length === 1 || from === to) {
    return [at(layout, known[0], svg("circle", { class: `${kinds} is-ring`, r: 43 }))];
  }
  const [start, end] = [layout.place(from), layout.place(to)];
  const length = Math.hypot(end.x - start.x, end.y - start.y) - 12;
  const angle = (Math.atan2(end.y - start.y, end.x - start.x) * 180) / Math.PI;
  const half = (WIDTHS[kind] ?? WIDTHS.line) / 2;
  const neck = length - 3.4 * half;
  const d =
    `M14 ${-half}L${neck} ${-half}L${neck} ${-2.3 * half}L${length} 0` +
    `L${neck} ${2.3 * half}L${neck} ${half}L14 ${half}Z`;
  const transform = `translate(${start.x} ${start.y}) rotate(${angle})`;
  return [svg("path", { class: kinds, d, transform })];
}

/**
 * A value as a chip at the foot of a point; its shade says for whom it is good.
 *
 * @param {Layout} layout
 * @param {Value} value
 * @returns {SVGElement[]}
 */
export function chip(layout, { point, told, share }) {
  if (!layout.has(point)) return [];
  const shade = share === null ? "none" : Math.round(share * (SHARES - 1));
  const onLines = layout.kind === "lines";
  const size = Math.min(onLines ? 40 : 26, Math.max(14, 0.03 * layout.panel.width));
  const width = Math.min(UNIT - 4, [...told].length * 0.62 * size + size);
  const frame = { x: -width / 2, y: -0.7 * size, width, height: 1.4 * size, rx: size / 2 };
  const text = words(told, size, "board-chip-text");
  const drawn = svg("g", { class: `board-chip share-${shade}` }, svg("rect", frame), text);
  return [at(layout, point, drawn, onLines ? 36 + 0.7 * size : 46 - 0.7 * size)];
}
