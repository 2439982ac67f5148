// @ts-check
/** What the shapes of a drawing mean. */

import { h, svg } from "../dom.js";
import { compact, outline } from "./layout.js";

/** @typedef {import("./types.js").LabTrace} LabTrace */

/** @param {LabTrace} trace */
export function legend(trace) {
  const kinds = new Set(trace.tree.map((node) => node.kind));
  const [first, second] = trace.sides;
  const names = /** @type {Record<string, string>} */ ({
    max: first === "Max" || trace.sides.length > 2 ? "Max" : `Max, ${first}`,
    min: second === "Min" || trace.sides.length > 2 ? "Min" : `Min, ${second}`,
    player: "the player whose number it has",
    leaf: "the game ends",
    horizon: trace.simulations.length ? "played on at random" : "estimated: the search ends",
    rest: "never looked at",
  });
  return h("p", { class: "legend" }, Object.entries(names).filter(([kind]) => kinds.has(/** @type {any} */ (kind)))
    .map(([kind, told]) => h("span", null,
      svg("svg", { viewBox: "-22 -24 44 48", "aria-hidden": "true" },
        svg("g", { class: `node ${kind} is-done` }, svg("path", { class: "shape", d: outline(kind, 34) }))), told)),
  trace.tree.some(({ value }) => value !== compact(value)) && h("span", null, "W4: win in 4, L4: loss in 4"),
  trace.simulations.length > 0 && h("span", null, trace.sides.length === 2 ? `means are those of ${first}` : "means of all players"));
}
