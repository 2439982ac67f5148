// @ts-check
/** What a drawing of a tree is made of: a node, and the edge that leads to it. */
import { svg } from "../dom.js";
import { HALF, bottomOf, outline, topOf } from "./layout.js";

/** @typedef {import("./types.js").LabNode} LabNode */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {{group: any, value: any, badge: any, visits: any, folded: any, edge: any, painted: string}} Parts */

/**
 * `isCounted`: how often it was visited is written below it.
 * @param {LabNode} node @param {number} index @param {number} width
 * @param {Record<string, any>} names @param {boolean} isCounted @returns {Parts}
 */
export function drawn(node, index, width, names, isCounted) {
  const { kind } = node;
  const below = bottomOf(kind) + 13;
  const value = svg("text", { class: "value", y: kind === "max" ? 4 : kind === "min" ? 6 : 5.5 });
  const badge = svg("text", { class: "badge", x: width / 2 + 2, y: -HALF + 2 });
  const visits = isCounted ? svg("text", { class: "visits", y: below }) : null;
  const folded = svg("text", { class: "folded", y: below + (isCounted ? 13 : 0) });
  const group = svg("g", { ...names, class: "node", role: "img", dataset: { node: index } },
    svg("path", { class: "shape", d: outline(kind, width) }), value, badge, visits, folded,
    node.label && svg("text", { class: "label", y: topOf(kind) - 5 }, node.label),
    kind === "player" && svg("text", { class: "player", x: -width / 2 - 3, y: -HALF + 3 }, (node.player ?? 0) + 1),
    node.hidden > 0 && kind !== "rest" && svg("text", { class: "hidden-below", y: below - 1 }, "⋮"));
  const edge = node.parent === null ? null : svg("g", { class: "edge", dataset: { edge: index } },
    svg("line", { class: "hit" }), svg("line", { class: "line" }), svg("path", { class: "slash" }));
  return { group, value, badge, visits, folded, edge, painted: "" };
}

/**
 * Moves a node, and its edge, to its place; one without a place is not seen.
 * @param {Parts} parts @param {Place | undefined} place @param {LabNode} node
 * @param {{place: Place, node: LabNode} | null} above
 */
export function put({ group, edge }, place, node, above) {
  for (const part of [group, edge]) if (part) part.style.display = place ? "" : "none";
  if (!place) return;
  group.setAttribute("transform", `translate(${place.x} ${place.y})`);
  if (!edge || !above) return;
  const from = { x: above.place.x, y: above.place.y + bottomOf(above.node.kind) };
  const to = { x: place.x, y: place.y + topOf(node.kind) };
  for (const line of edge.querySelectorAll("line")) {
    for (const [name, at] of [["x1", from.x], ["y1", from.y], ["x2", to.x], ["y2", to.y]]) line.setAttribute(name, at);
  }
  const [x, y] = [from.x + (to.x - from.x) * 0.45, from.y + (to.y - from.y) * 0.45];
  edge.querySelector(".slash").setAttribute("d", `M${x - 7} ${y + 2}l10 -8M${x - 3} ${y + 7}l10 -8`);
}
