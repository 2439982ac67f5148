// @ts-check
/** The empty board: its panel, cells or lines, coordinates and the names of its points. */

import { svg } from "../dom.js";
import { UNIT } from "./geometry.js";
import { words } from "./pieces.js";

/** @typedef {import("./geometry.js").Layout} Layout */

/** @param {Layout} layout @returns {SVGElement} */
export function surface(layout) {
  const { panel, shape } = layout;
  const cells = layout.names
    .filter((name) => !layout.labels.has(name))
    .map((name) => at(layout, name, socket(layout, name)));
  return svg(
    "g",
    { class: "board-surface", "aria-hidden": "true" },
    svg("rect", { class: "board-panel", ...panel, rx: 16 }),
    ...shape.lines.map(([from, to]) => line(layout, from, to)),
    ...cells,
    ...layout.coordinates.map(({ text, place }) => coordinate(layout, text, place)),
  );
}

/** The names of empty points, where no coordinates tell them. @param {Layout} layout
 * @param {Record<string, string>} pieces */
export function emptyNames(layout, pieces) {
  if (!layout.showsNames) return [];
  const below = layout.kind === "lines" ? 30 : 0;
  return layout.names
    .filter((name) => !pieces[name])
    .map((name) => at(layout, name, words(name, 24, "board-name"), below));
}

/** An element moved to a point. @param {Layout} layout @param {string} name
 * @param {SVGElement} element */
export function at(layout, name, element, below = 0) {
  const { x, y } = layout.place(name);
  return svg("g", { transform: `translate(${x} ${y + below})` }, element);
}

/** A square around the origin. @param {string} kind @param {number} gap @param {number} rx */
export function square(kind, gap, rx) {
  const size = UNIT - 2 * gap;
  return svg("rect", { class: kind, x: gap - UNIT / 2, y: gap - UNIT / 2, width: size,
    height: size, rx });
}

/** Where a piece can stand. @param {Layout} layout @param {string} name */
function socket(layout, name) {
  const marked = layout.shape.marked.includes(name) ? " is-marked" : "";
  switch (layout.kind) {
    case "lines":
      return svg("circle", { class: `board-dot${marked}`, r: marked ? 14 : 10 });
    case "heaps":
      return svg("circle", { class: `board-dot${marked}`, r: 8 });
    case "checkered":
      return square(`board-cell ${layout.isDark(name) ? "is-dark" : "is-light"}${marked}`, 0, 0);
    case "cubes":
      return square(`board-cell${marked}`, 3, 14);
    default:
      return square(`board-cell${marked}`, 2, 8);
  }
}

/** @param {Layout} layout @param {string} from @param {string} to */
function line(layout, from, to) {
  const [one, other] = [layout.place(from), layout.place(to)];
  return svg("line", { class: "board-line", x1: one.x, y1: one.y, x2: other.x, y2: other.y });
}

/** @param {Layout} layout @param {string} text @param {{x: number, y: number}} place */
function coordinate(layout, text, { x, y }) {
  const written = words(text, layout.letters, "board-axis");
  return svg("g", { transform: `translate(${x} ${y})` }, written);
}
