// @ts-check
/** A search tree as a picture: nodes, edges, what was cut, and the windows on the way. */

import { svg } from "../dom.js";
import { Camera } from "./camera.js";
import { isWide, roomOf, shownOf } from "./folding.js";
import { HALF, compact, layoutOf, nameOf, subtree, topOf, wayTo } from "./layout.js";
import { drawn, put } from "./parts.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").LabTrace} LabTrace */
/** @typedef {import("./types.js").Look} Look */
/** @typedef {import("./parts.js").Parts} Parts */
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
    this.isWide = isWide(trace);
    this._isFolded = this.isWide;
    this._room = this.isWide ? roomOf(trace) : 0;
    this._shown = ""; // which nodes are, where not all
    /** @type {number[]} what is looked at, besides what is chosen */
    this._seen = [];
    /** @type {Set<number>} the best line */
    this._line = new Set();
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
    this._layout = this._newLayout();
    this._parts = trace.tree.map((_, index) => this._draw(index));
    this._placeAll();
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

  get box() {
    const { width, height } = this._layout;
    return { x: -MARGIN, y: -MARGIN - 6, width: width + 2 * MARGIN, height: height + 2 * MARGIN + 18 };
  }

  /** Whether only a part is drawn, of a wide tree. @param {boolean} isFolded */
  fold(isFolded) {
    this._isFolded = isFolded;
    this._arrange();
    this.camera.use(this.box);
    this.camera.onresize();
  }

  _newLayout() {
    if (!this._isFolded) return layoutOf(this.trace);
    const seen = this.chosen === null ? this._seen : [...this._seen, this.chosen];
    return layoutOf(this.trace, shownOf(this.trace.tree, seen, this._line), this._room);
  }

  /** Draws other nodes, if there are others to be drawn now. */
  _arrange() {
    if (!this.isWide) return;
    const layout = this._newLayout();
    const shown = Object.keys(layout.places).join(" ");
    if (shown === this._shown) return;
    this._shown = shown;
    this._layout = layout;
    this._placeAll();
    this.camera.use(this.box);
  }

  /** Shows what is known at a step. @param {Frame} frame @param {boolean} [isFollowing] */
  show(frame, isFollowing = true) {
    const way = frame.at === null ? [] : wayTo(this.trace.tree, frame.at);
    const best = lineOf(frame.looks);
    this._line = best;
    this._seen = frame.at === null ? [] : [frame.at, frame.recent ?? frame.at];
    this._arrange();
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
    parts.value.textContent = compact(paint.value);
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
    this._arrange();
    if (index === null) {
      this.element.removeAttribute("aria-activedescendant");
    } else {
      const { group } = this._parts[index];
      const w = this._layout.widths[index] / 2 + 6;
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
    const names = { id: `${this._id}-${index}`, "aria-label": nameOf(tree, index) };
    const parts = drawn(tree[index], index, this._layout.widths[index], names, simulations.length > 0);
    this._nodes.append(parts.group);
    if (parts.edge) this._edges.append(parts.edge);
    return parts;
  }

  /** Moves everything to its place, and counts what is folded. */
  _placeAll() {
    const { tree } = this.trace;
    const { places, children } = this._layout;
    this._parts.forEach((parts, index) => {
      const { parent } = tree[index];
      put(parts, places[index], tree[index], parent === null ? null : { place: places[parent], node: tree[parent] });
      const folded = children[index].filter((kid) => !places[kid]).length;
      parts.folded.textContent = folded ? `+${folded}` : "";
    });
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
