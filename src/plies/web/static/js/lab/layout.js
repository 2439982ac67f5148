// @ts-check
/** Where the nodes of a drawing are: leaves side by side, every other node above its children. */

/** @typedef {import("./types.js").LabNode} LabNode */
/** @typedef {import("./types.js").LabTrace} LabTrace */
/** @typedef {import("./types.js").Place} Place */

export const HALF = 13; // of the height of a node
const PEAK = 9; // what makes a node of Max point up, and one of Min down
const ASPECT = 2.7; // width to height
const LOWEST = 74; // from ply to ply
const HIGHEST = 120;
const GAP = 6; // between neighbours
const LETTER = 8.4; // width of a letter
const NARROWEST = 26;
const WIDEST = 130;

/** @typedef {{places: Place[], children: number[][], width: number, height: number}} Layout */

/** @param {LabTrace} trace @returns {Layout} */
export function layoutOf(trace) {
  const children = childrenOf(trace.tree);
  const widths = nodeWidths(trace, children);
  /** @type {Place[]} */
  const places = [];
  let next = 0;
  let depth = 0;

  /** @param {number} index @param {number} ply @returns {number} */
  const place = (index, ply) => {
    depth = Math.max(depth, ply);
    const kids = children[index];
    let x;
    if (kids.length) {
      const start = next;
      const across = kids.map((kid) => place(kid, ply + 1));
      const spare = Math.max(0, start + widths[index] + GAP - next); // wider than all below it
      for (const below of subtree(children, index).slice(1)) places[below].x += spare / 2;
      next += spare;
      x = (across[0] + across[across.length - 1] + spare) / 2;
    } else {
      const room = Math.max(widths[index], Math.min(trace.tree[index].label.length * 6.6, WIDEST));
      x = next + room / 2;
      next += room + GAP;
    }
    places[index] = { x, y: ply, width: widths[index] };
    return x;
  };
  place(0, 0);
  const across = Math.max(next - GAP, widths[0]);
  const rise = Math.min(Math.max(across / ASPECT / Math.max(depth, 1), LOWEST), HIGHEST);
  for (const each of places) each.y *= rise;
  return { places, children, width: across, height: depth * rise };
}

/** The children of every node. @param {LabNode[]} tree */
export function childrenOf(tree) {
  /** @type {number[][]} */
  const children = tree.map(() => []);
  tree.forEach((node, index) => {
    if (node.parent !== null) children[node.parent].push(index);
  });
  return children;
}

/** A node and everything below it. @param {number[][]} children @param {number} index @returns {number[]} */
export function subtree(children, index) {
  return [index, ...children[index].flatMap((kid) => subtree(children, kid))];
}

/** From the root to a node, itself included. @param {LabNode[]} tree @param {number} index */
export function wayTo(tree, index) {
  /** @type {number[]} */
  const way = [];
  for (let at = /** @type {number | null} */ (index); at !== null; at = tree[at].parent) way.unshift(at);
  return way;
}

/** What a node is called: the moves that lead to it. @param {LabNode[]} tree @param {number} index */
export function nameOf(tree, index) {
  return wayTo(tree, index).slice(1).map((at) => tree[at].move).join(" ") || "the root";
}

/** Room for the longest value, of all inner nodes and of all others. @param {LabTrace} trace @param {number[][]} children */
function nodeWidths(trace, children) {
  const least = trace.simulations.length ? 5 : 2;
  const longest = { inner: least, end: least };
  const note = (/** @type {number} */ node, /** @type {number} */ length) => {
    const kind = children[node].length ? "inner" : "end";
    longest[kind] = Math.max(longest[kind], length);
  };
  trace.tree.forEach((node, index) => note(index, node.value.length));
  for (const { steps } of trace.passes) {
    for (const step of steps) note(step.node, step.value.length + (step.bound.startsWith("at") ? 2 : 0));
  }
  return children.map((kids) => {
    const letters = kids.length ? longest.inner : longest.end;
    return Math.min(Math.max(letters * LETTER + 8, NARROWEST), WIDEST);
  });
}

/** The outline of a node around the origin. @param {string} kind @param {number} width */
export function outline(kind, width) {
  const w = width / 2;
  if (kind === "max") return `M${-w} ${HALF}H${w}V${-HALF + 3}L0 ${-HALF - PEAK}L${-w} ${-HALF + 3}Z`;
  if (kind === "min") return `M${-w} ${-HALF}H${w}V${HALF - 3}L0 ${HALF + PEAK}L${-w} ${HALF - 3}Z`;
  const r = kind === "leaf" ? 3 : HALF;
  const side = 2 * (HALF - r);
  return `M${-w + r} ${-HALF}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${side}a${r} ${r} 0 0 1 ${-r} ${r}`
    + `h${-(width - 2 * r)}a${r} ${r} 0 0 1 ${-r} ${-r}v${-side}a${r} ${r} 0 0 1 ${r} ${-r}Z`;
}

/** Where an edge ends at the child, below the peak of its outline. @param {string} kind */
export const topOf = (kind) => (kind === "max" ? -HALF - PEAK : -HALF);
/** Where edges begin. @param {string} kind */
export const bottomOf = (kind) => (kind === "min" ? HALF + PEAK : HALF);
