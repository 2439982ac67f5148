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

/**
 * Nodes that are not shown have no place.
 * @typedef {{places: Place[], widths: number[], children: number[][], width: number, height: number}} Layout
 */

/**
 * The places of all nodes, or of those that are shown, in the middle of so much room.
 * @param {LabTrace} trace @param {boolean[] | null} [shown] @param {number} [room] @returns {Layout}
 */
export function layoutOf(trace, shown = null, room = 0) {
  const children = childrenOf(trace.tree);
  const widths = nodeWidths(trace, children);
  const columns = widths.map((width, index) =>
    Math.max(width, Math.min(trace.tree[index].label.length * 6.6, WIDEST)));
  const places = shown
    ? packed(children.map((kids) => kids.filter((kid) => shown[kid])), columns)
    : sideBySide(children, columns, widths);
  const used = Math.max(...places.flatMap(({ x }, index) => x + columns[index] / 2)); // without holes
  const across = Math.max(used, room);
  const depth = depthOf(trace.tree);
  const rise = Math.min(Math.max(across / ASPECT / Math.max(depth, 1), LOWEST), HIGHEST);
  places.forEach((place, index) => {
    place.x += (across - used) / 2;
    place.y *= rise;
    place.width = widths[index];
  });
  return { places, widths, children, width: across, height: depth * rise };
}

/**
 * Leaves in one row of columns, whatever their ply.
 * @param {number[][]} children @param {number[]} columns @param {number[]} widths @returns {Place[]}
 */
function sideBySide(children, columns, widths) {
  /** @type {Place[]} */
  const places = [];
  let next = 0;
  /** @param {number} index @param {number} ply @returns {number} */
  const place = (index, ply) => {
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
      x = next + columns[index] / 2;
      next += columns[index] + GAP;
    }
    places[index] = { x, y: ply, width: 0 };
    return x;
  };
  place(0, 0);
  return places;
}

/**
 * Every ply a row of its own: what has nothing below it stands above the neighbours' children.
 * @param {number[][]} children @param {number[]} columns @returns {Place[]}
 */
function packed(children, columns) {
  /** @type {Place[]} */
  const places = [];
  /** @type {number[]} by ply, where the next node may begin */
  const free = [];
  /** @param {number} index @param {number} ply @returns {number} */
  const place = (index, ply) => {
    const least = (free[ply] ?? 0) + columns[index] / 2;
    const across = children[index].map((kid) => place(kid, ply + 1));
    const middle = across.length ? (across[0] + across[across.length - 1]) / 2 : least;
    const shift = Math.max(0, least - middle);
    for (const below of subtree(children, index).slice(1)) places[below].x += shift;
    for (let under = ply + 1; across.length && under < free.length; under++) free[under] += shift;
    places[index] = { x: middle + shift, y: ply, width: 0 };
    free[ply] = middle + shift + columns[index] / 2 + GAP;
    return middle + shift;
  };
  place(0, 0);
  return places;
}

/** The plies to the deepest node. @param {LabNode[]} tree */
function depthOf(tree) {
  /** @type {number[]} */
  const plies = [];
  for (const { parent } of tree) plies.push(parent === null ? 0 : plies[parent] + 1);
  return Math.max(...plies);
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

/** @type {WeakMap<LabTrace, number[]>} a drawing is laid out again and again */
const measured = new WeakMap();

/** Room for the longest value, of all inner nodes and of all others. @param {LabTrace} trace @param {number[][]} children */
function nodeWidths(trace, children) {
  const known = measured.get(trace) ?? measure(trace, children);
  measured.set(trace, known);
  return known;
}

/** @param {LabTrace} trace @param {number[][]} children */
function measure(trace, children) {
  const least = trace.simulations.length ? 5 : 2;
  const longest = { inner: least, end: least };
  const note = (/** @type {number} */ node, /** @type {number} */ length) => {
    const kind = children[node].length ? "inner" : "end";
    longest[kind] = Math.max(longest[kind], length);
  };
  trace.tree.forEach((node, index) => note(index, letters(node.value)));
  for (const { steps } of trace.passes) {
    for (const step of steps) note(step.node, letters(step.value) + (step.bound.startsWith("at") ? 2 : 0));
  }
  return children.map((kids) => {
    const most = kids.length ? longest.inner : longest.end;
    return Math.min(Math.max(most * LETTER + 8, NARROWEST), WIDEST);
  });
}

/** What several players get, short enough for a node: `W4, L4, L4`. @param {string} text */
export const compact = (text) =>
  (text.includes(", ") ? text.replaceAll("win in ", "W").replaceAll("loss in ", "L") : text);

/** Its length, of which capitals take a little more. @param {string} text */
const letters = (text) => compact(text).length + Number(compact(text) !== text);

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
