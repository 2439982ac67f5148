// @ts-check
/** What is known of one node, and its position on a small board. */

import { get, post } from "../api.js";
import { fill, h } from "../dom.js";
import { BoardView } from "../board/board.js";
import { childrenOf, nameOf } from "./layout.js";
import { valueText } from "./treeview.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").LabTrace} LabTrace */
/** @typedef {import("../types.js").PositionView} PositionView */
/** @typedef {import("../types.js").Table} Table */

const STATES = { new: "not looked at yet", open: "being looked at", done: "done", cut: "cut", dropped: "left out" };
const ENDS = { leaf: "the game ends", horizon: "the search ends here", rest: "never looked at" };

/** @type {Map<string, Promise<Table>>} */
const tables = new Map();
/** @type {Map<string, PositionView>} */
const positions = new Map();
const MOST_POSITIONS = 500;

export class Details {
  /** @param {LabTrace} trace @param {string} game its spec, empty for an explicit tree */
  constructor(trace, game) {
    this._trace = trace;
    this._game = game;
    this._facts = h("div", { class: "facts" });
    this._board = h("div", { class: "lab-board", hidden: true });
    this._shown = "";
    /** @type {BoardView | null} */
    this._view = null;
    this.element = h("div", { class: "details" }, this._facts, this._board);
  }

  /** @param {Frame} frame @param {number | null} chosen */
  show(frame, chosen) {
    const index = chosen ?? frame.at;
    if (index === null) {
      fill(this._facts, h("p", { class: "soft" }, "Step forward, or choose a node of the tree."));
      this._draw(this._trace.tree[0].position);
      return;
    }
    const node = this._trace.tree[index];
    const rows = this._rows(frame, index);
    fill(this._facts, h("h3", null, nameOf(this._trace.tree, index)),
      h("dl", null, rows.flatMap(([name, text]) => [h("dt", null, name), h("dd", null, text)])));
    this._draw(node.position);
  }

  /** The same as one sentence. @param {Frame} frame @param {number} index */
  describe(frame, index) {
    const rows = this._rows(frame, index).map(([name, text]) => `${name} ${text}`);
    return `${nameOf(this._trace.tree, index)}: ${rows.join(", ")}`;
  }

  close() {
    this._view?.close();
  }

  /** @param {Frame} frame @param {number} index @returns {[string, string][]} */
  _rows(frame, index) {
    const node = this._trace.tree[index];
    const look = frame.looks[index];
    /** @type {[string, string][]} */
    const rows = [["node", this._kindText(index)], ["state", STATES[look.state]]];
    if (look.value) rows.push([look.visits ? "mean" : "value", valueText(look)]);
    else if (node.value) rows.push(["value", `${node.value}, not yet evaluated`]);
    if (look.window && look.state === "open") rows.push(["window", look.window]);
    if (look.visits) rows.push(["visits", `${look.visits} of ${frame.looks[0].visits}`]);
    if (look.best !== null) rows.push(["best", this._trace.tree[look.best].move]);
    if (look.why) rows.push(["why", look.why]);
    rows.push(...this._childRows(frame, index));
    if (node.hidden) rows.push(["not drawn", `${node.hidden.toLocaleString("en")} below`]);
    return rows;
  }

  /**
   * What the next simulation chooses by: the mean of the mover, scaled to what was seen so far,
   * and more for what was tried less.
   * @param {Frame} frame @param {number} index @returns {[string, string][]}
   */
  _childRows(frame, index) {
    const { tree, options, simulations } = this._trace;
    const { visits } = frame.looks[index];
    const kids = childrenOf(tree)[index].filter((kid) => frame.looks[kid].visits);
    if (!simulations.length || !kids.length) return [];
    const [low, high] = frame.range;
    return kids.map((kid) => {
      const look = frame.looks[kid];
      const mean = (look.means[tree[index].player ?? 0] - low) / (high - low || 1);
      const bound = mean + Number(options.c) * Math.sqrt(Math.log(visits) / look.visits);
      return [tree[kid].move, `${look.visits}×, mean ${mean.toFixed(2)} of 1, upper bound ${bound.toFixed(2)}`];
    });
  }

  /** @param {number} index */
  _kindText(index) {
    const { tree, sides, simulations } = this._trace;
    const { kind, player } = tree[index];
    if (kind === "horizon" && simulations.length) return "played on at random from here";
    if (kind === "leaf" || kind === "horizon" || kind === "rest") return ENDS[kind];
    const side = sides[player ?? 0];
    if (kind === "player") return `${side} to move`;
    const role = kind === "max" ? "Max" : "Min";
    return side === role ? `${role} to move` : `${role}, ${side}, to move`;
  }

  /** @param {string} text of a position */
  async _draw(text) {
    if (!this._game || !text || text === this._shown) return;
    this._shown = text;
    try {
      const [table, position] = await Promise.all([tableOf(this._game), positionOf(this._game, text)]);
      if (this._shown !== text) return; // another one was asked for meanwhile
      this._board.hidden = false;
      this._view ??= new BoardView(this._board, table, { isSmall: true });
      this._view.show(position, { animate: false });
    } catch {
      this._board.hidden = true; // the tree can be read without it
    }
  }
}

/** @param {string} game @returns {Promise<Table>} */
function tableOf(game) {
  const known = tables.get(game) ?? get(`/games/${encodeURIComponent(game)}`).then((detail) => detail.table);
  tables.set(game, known);
  known.catch(() => tables.delete(game));
  return known;
}

/** @param {string} game @param {string} position @returns {Promise<PositionView>} */
async function positionOf(game, position) {
  const name = `${game} ${position}`;
  const known = positions.get(name) ?? await post("/lab/position", { game, position });
  if (positions.size >= MOST_POSITIONS) positions.clear();
  positions.set(name, known);
  return known;
}
