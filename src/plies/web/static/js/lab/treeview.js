// @ts-check
/** A search tree as a picture: nodes, edges, what was cut, and the windows on the way. */

import { svg } from "../dom.js";
import { Camera } from "./camera.js";
import { HALF, bottomOf, layoutOf, nameOf, outline, subtree, topOf, wayTo } from "./layout.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").LabTrace} LabTrace */
/** @typedef {import("./types.js").Look} Look */
/** @typedef {{group: any, value: any, badge: any, visits: any, edge: any, painted: string}} Parts */
/** @typedef {{node: string, edge: string, value: string, isKnown: boolean, visits: string, weight: number, badge: string}} Paint */
/** @typedef {{texts: Map<number, string>, cuts: Set<number>, marks: Map<number, "right" | "wrong">}} Answers */

const MARGIN = 26;
const WINDOW_LETTER = 8;
const SIGNS = /** @type {Record<string, string>} */ ({ "at least": "≥ ", "at most": "≤ " });
let drawings = 0; // for identifiers that no two drawings share

export class TreeView {
  /**
   * @param {LabTrace} trace
   * @param {{onChoose: (index: number | null) => void, onEdge: (index: number) => void, onKey: (key: string) => void}} handlers
   *   onEdge is told the child whose edge was clicked, onKey of keys that mean nothing here
   */
  constructor(trace, handlers) {
    this.trace = trace;
    this._handlers = handlers;
    this._layout = layoutOf(trace);
    this._id = `tree-${++drawings}`;
    /** @type {number | null} */
    this.chosen = null;
    this._edges = svg("g", { class: "edges" });
    this._nodes = svg("g", { class: "nodes" });
    this._notes = svg("g", { class: "notes" });
    this.element = svg("svg", {
      class: "search-tree",
      role: "application",
      tabindex: 0,
      "aria-roledescription": "search tree",
      "aria-label": `Search tree of ${trace.tree.length} nodes: arrow keys go from node to node`,
    }, this._edges, this._nodes, this._notes);
    this._parts = trace.tree.map((_, index) => this._draw(index));
    const { width, height } = this._layout;
    this.box = { x: -MARGIN, y: -MARGIN - 6, width: width + 2 * MARGIN, height: height + 2 * MARGIN + 18 };
    this.camera = new Camera(this.element, this.box);
    this._at = 0; // the node that is followed
    this.camera.onresize = () => {
      this.camera.begin(this._layout.places[0]);
      this.camera.follow(this._layout.places[this._at]);
    };
    this.element.addEventListener("click", (/** @type {MouseEvent} */ event) => this._click(event));
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this._key(event));
  }

  get children() {
    return this._layout.children;
  }

  /** Shows what is known at a step. @param {Frame} frame @param {boolean} [isFollowing] */
  show(frame, isFollowing = true) {
    const way = frame.at === null ? [] : wayTo(this.trace.tree, frame.at);
    const best = lineOf(frame.looks);
    const most = Math.max(1, frame.looks[0].visits);
    frame.looks.forEach((look, index) => {
      const parent = this.trace.tree[index].parent;
      const isOut = look.state === "cut" || look.state === "dropped";
      const isTop = isOut && parent !== null && frame.looks[parent].state !== look.state;
      const classes = `is-${look.state}${best.has(index) ? " is-best" : ""}`;
      this._paint(index, {
        node: `${classes}${index === frame.at ? " is-at" : ""}`,
        edge: `${classes}${isTop ? " is-top" : ""}${way.includes(index) ? " is-way" : ""}`,
        value: valueText(look) || this.trace.tree[index].value,
        isKnown: look.value !== "",
        visits: look.visits ? `${look.visits}×` : "",
        weight: 1 + 5 * Math.sqrt(look.visits / most),
        badge: "",
      });
    });
    this._note(frame, way);
    this._at = frame.at ?? 0;
    if (isFollowing) this.camera.follow(this._layout.places[this._at]);
  }

  /** Shows a student's answers instead of what is known. @param {Answers} answers */
  showAnswers({ texts, cuts, marks }) {
    const gone = new Set([...cuts].flatMap((index) => subtree(this.children, index)));
    this._notes.replaceChildren();
    this.trace.tree.forEach((node, index) => {
      const isCut = gone.has(index);
      const mark = marks.get(index) ?? "";
      this._paint(index, {
        node: `is-${isCut ? "cut" : "done"}${mark && ` is-${mark}`}`,
        edge: `is-${isCut ? "cut" : "done"}${cuts.has(index) ? " is-top" : ""}`,
        value: node.value || texts.get(index) || (isCut || node.kind === "rest" ? "" : "?"),
        isKnown: true,
        visits: "",
        weight: 1,
        badge: mark === "right" ? "✓" : mark === "wrong" ? "✗" : "",
      });
    });
  }

  /** Changes what is not so already. @param {number} index @param {Paint} paint */
  _paint(index, paint) {
    const parts = this._parts[index];
    const now = JSON.stringify(paint);
    if (parts.painted === now) return;
    parts.painted = now;
    parts.group.setAttribute("class", `node ${this.trace.tree[index].kind} ${paint.node}`);
    parts.value.textContent = paint.value;
    parts.value.classList.toggle("is-known", paint.isKnown);
    parts.badge.textContent = paint.badge;
    if (parts.visits) parts.visits.textContent = paint.visits;
    parts.edge?.setAttribute("class", `edge ${paint.edge}`);
    parts.edge?.style.setProperty("--weight", String(paint.weight));
  }

  /** @param {number | null} index */
  choose(index) {
    if (this.chosen !== null) this._parts[this.chosen].group.querySelector(".ring")?.remove();
    this.chosen = index;
    if (index === null) {
      this.element.removeAttribute("aria-activedescendant");
    } else {
      const { group } = this._parts[index];
      const w = this._layout.places[index].width / 2 + 6;
      group.prepend(svg("rect", { class: "ring", x: -w, y: -HALF - 12, width: 2 * w, height: 2 * HALF + 24, rx: 8 }));
      this.element.setAttribute("aria-activedescendant", group.id);
      this.camera.follow(this._layout.places[index]);
    }
    this._handlers.onChoose(index);
  }

  /** What a node says of itself. @param {number} index @param {string} text */
  label(index, text) {
    this._parts[index].group.setAttribute("aria-label", text);
  }

  close() {
    this.camera.close();
  }

  /** @param {number} index @returns {Parts} */
  _draw(index) {
    const { tree, simulations } = this.trace;
    const node = tree[index];
    const { x, y, width } = this._layout.places[index];
    const value = svg("text", { class: "value", y: node.kind === "max" ? 4 : node.kind === "min" ? 6 : 5.5 });
    const badge = svg("text", { class: "badge", x: width / 2 + 2, y: -HALF + 2 });
    const visits = simulations.length ? svg("text", { class: "visits", y: bottomOf(node.kind) + 13 }) : null;
    const group = svg("g", {
      id: `${this._id}-${index}`, class: "node", role: "img", "aria-label": nameOf(tree, index),
      transform: `translate(${x} ${y})`, dataset: { node: index },
    }, svg("path", { class: "shape", d: outline(node.kind, width) }), value, badge, visits,
    node.label && svg("text", { class: "label", y: topOf(node.kind) - 5 }, node.label),
    node.kind === "player" && svg("text", { class: "player", x: -width / 2 - 3, y: -HALF + 3 }, (node.player ?? 0) + 1),
    node.hidden > 0 && node.kind !== "rest" && svg("text", { class: "hidden-below", y: bottomOf(node.kind) + 12 }, "⋮"));
    this._nodes.append(group);
    const edge = node.parent === null ? null : this._edge(index, node.parent);
    return { group, value, badge, visits, edge, painted: "" };
  }

  /** @param {number} index @param {number} parent */
  _edge(index, parent) {
    const [from, to] = [this._layout.places[parent], this._layout.places[index]];
    const y1 = from.y + bottomOf(this.trace.tree[parent].kind);
    const y2 = to.y + topOf(this.trace.tree[index].kind);
    const ends = { x1: from.x, y1, x2: to.x, y2 };
    const [mx, my] = [from.x + (to.x - from.x) * 0.45, y1 + (y2 - y1) * 0.45];
    const edge = svg("g", { class: "edge", dataset: { edge: index } },
      svg("line", { class: "hit", ...ends }), svg("line", { class: "line", ...ends }),
      svg("path", { class: "slash", d: `M${mx - 7} ${my + 2}l10 -8M${mx - 3} ${my + 7}l10 -8` }));
    this._edges.append(edge);
    return edge;
  }

  /** The windows beside the nodes on the way. @param {Frame} frame @param {number[]} way */
  _note(frame, way) {
    const notes = way.filter((index) => frame.looks[index].window && this.children[index].length);
    this._notes.replaceChildren(...notes.map((index) => {
      const text = frame.looks[index].window;
      const isClosed = index === frame.at && frame.kind === "cut";
      return svg("text", { class: `window${isClosed ? " is-closed" : ""}`, ...this._beside(index, text) }, text);
    }));
  }

  /** Where there is room for a text: right of a node, left of it, or above. @param {number} index @param {string} text */
  _beside(index, text) {
    const { places } = this._layout;
    const { x, y, width } = places[index];
    const room = text.length * WINDOW_LETTER + 12;
    const row = places.filter((place) => place.y === y);
    const isFree = (/** @type {number} */ from, /** @type {number} */ to) =>
      row.every((place) => place.x === x || place.x + place.width / 2 < from || place.x - place.width / 2 > to);
    const edge = x + width / 2;
    if (isFree(edge, edge + room)) return { x: edge + 6, y: y + 5, "text-anchor": "start" };
    if (isFree(x - width / 2 - room, x - width / 2)) return { x: x - width / 2 - 6, y: y + 5, "text-anchor": "end" };
    return { x, y: y + topOf(this.trace.tree[index].kind) - 20, "text-anchor": "middle" };
  }

  /** @param {MouseEvent} event */
  _click(event) {
    const target = /** @type {Element} */ (event.target);
    const node = /** @type {HTMLElement | null} */ (target.closest("[data-node]"));
    const edge = /** @type {HTMLElement | null} */ (target.closest("[data-edge]"));
    if (node) this.choose(Number(node.dataset.node));
    else if (edge) this._handlers.onEdge(Number(edge.dataset.edge));
    else this.choose(null);
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.chosen;
    if (event.key.startsWith("Arrow")) {
      const next = at === null ? 0 : this._neighbour(at, event.key);
      if (next !== null && next !== undefined) this.choose(next);
    } else if (event.key === "+" || event.key === "=") this.camera.zoom(1.25);
    else if (event.key === "Escape") this.choose(null);
    else {
      this._handlers.onKey(event.key);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} at @param {string} key */
  _neighbour(at, key) {
    const parent = this.trace.tree[at].parent;
    if (key === "ArrowUp") return parent;
    if (key === "ArrowDown") return this.children[at][0];
    const { y, x } = this._layout.places[at];
    const row = this._layout.places.map((place, index) => ({ ...place, index })).filter((place) => place.y === y);
    const side = row.filter((place) => (key === "ArrowLeft" ? place.x < x : place.x > x));
    side.sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x));
    return side[0]?.index;
  }
}

/** `≥ 6`. @param {Look} look */
export const valueText = (look) => (look.value ? (SIGNS[look.bound] ?? "") + look.value : "");

/** The best line from the root, as far as it is known. @param {Look[]} looks */
function lineOf(looks) {
  /** @type {Set<number>} */
  const line = new Set();
  for (let at = looks[0].best; at !== null; at = looks[at].best) line.add(at);
  return line;
}
