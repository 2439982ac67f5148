// @ts-check
/**
 * A tree too wide to be read is folded: drawn are all children of every node on the way to what
 * is looked at, and the best line.
 */
import { childrenOf, layoutOf, wayTo } from "./layout.js";

/** @typedef {import("./types.js").LabNode} LabNode */
/** @typedef {import("./types.js").LabTrace} LabTrace */

const WIDE = 2500; // about twice as wide as a large window

/** @param {LabTrace} trace */
export const isWide = (trace) => layoutOf(trace).width > WIDE;

/**
 * Of every node, whether it is drawn.
 * @param {LabNode[]} tree @param {number[]} seen what is looked at @param {Set<number>} line
 */
export function shownOf(tree, seen, line) {
  const open = new Set([0, ...seen.flatMap((index) => wayTo(tree, index))]);
  /** @type {boolean[]} */
  const shown = [];
  for (const [index, { parent }] of tree.entries()) { // parents come before their children
    shown.push(parent === null || (shown[parent] && (open.has(parent) || line.has(index))));
  }
  return shown;
}

/** The width that is enough whichever node is looked at: then nothing moves more than it must. @param {LabTrace} trace */
export function roomOf(trace) {
  const { tree } = trace;
  const inner = childrenOf(tree).flatMap((kids, index) => (kids.length ? [index] : []));
  return Math.max(...inner.map((index) => layoutOf(trace, shownOf(tree, [index], new Set())).width));
}
