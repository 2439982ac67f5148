// @ts-check
/** A student fills in values and marks what the search leaves out; the trace knows the answers. */

import { button, fill, h } from "../dom.js";
import { say } from "../say.js";
import { compact, nameOf } from "./layout.js";

/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {import("./treeview.js").TreeView} TreeView */
/** @typedef {"right" | "wrong"} Mark */

export class Exercise {
  /** @param {TreeView} tree @param {Replay} replay @param {() => void} onReveal */
  constructor(tree, replay, onReveal) {
    this._tree = tree;
    this._nodes = tree.trace.tree;
    this._replay = replay;
    this._solution = replay.frame(replay.length).looks;
    this._asked = order(replay, tree).filter((index) => this._solution[index].state === "done");
    /** @type {{texts: Map<number, string>, cuts: Set<number>, marks: Map<number, Mark>}} */
    this._answers = { texts: new Map(), cuts: new Set(), marks: new Map() };
    /** @type {number | null} */
    this._hinted = null;
    this._told = h("p", { class: "told", role: "status" });
    this._field = h("input", { type: "text", autocomplete: "off", size: 8, maxlength: 40,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this._typed(event), oninput: () => this._store() });
    this._name = h("span", null, "Choose a node");
    this._cut = button("Not visited", () => this._toggleChosen(),
      { "aria-pressed": "false", title: "Mark the branch to this node as left out (X)" });
    this.element = h("div", { class: "exercise" },
      h("p", { class: "soft" }, "What is every node worth, and which branches does the search never enter? ",
        "Choose a node and type its value; click a branch to cut it."),
      h("div", { class: "row" }, h("label", { class: "field answer" }, this._name, this._field), this._cut,
        button("Check", () => this.check(), { class: "primary" }), button("Hint", () => this.hint()),
        button("Show the solution", () => onReveal())),
      this._told);
    this._show();
  }

  /** @param {number | null} index */
  choose(index) {
    const isInner = index !== null && this._tree.children[index].length > 0;
    this._name.textContent = index === null ? "Choose a node"
      : isInner ? `Value of ${nameOf(this._nodes, index)}` : nameOf(this._nodes, index);
    this._field.disabled = !isInner;
    this._field.value = index === null ? "" : this._answers.texts.get(index) ?? "";
    this._cut.setAttribute("aria-pressed", String(index !== null && this._answers.cuts.has(index)));
    this._cut.disabled = index === null || index === 0;
  }

  /** A key that was pressed in the tree. @param {string} key */
  key(key) {
    if (key.toLowerCase() === "x") this._toggleChosen();
    else if (/^[-+0-9]$/.test(key) && this._tree.chosen !== null && !this._field.disabled) {
      this._field.value = ""; // the key itself arrives in the field
      this._field.focus();
    } else if (key === "Enter") this._field.focus();
  }

  /** @param {number} index the child at the end of the branch */
  toggleCut(index) {
    const { cuts, marks } = this._answers;
    if (!cuts.delete(index)) cuts.add(index);
    marks.delete(index);
    this._show();
    say(`${nameOf(this._nodes, index)}: ${cuts.has(index) ? "marked as not visited" : "no longer marked"}`);
    if (this._tree.chosen === index) this.choose(index);
  }

  /** @param {number} index */
  describe(index) {
    const { texts, cuts, marks } = this._answers;
    const value = this._nodes[index].value || texts.get(index) || "no answer yet";
    return [nameOf(this._nodes, index), this._nodes[index].kind, value,
      cuts.has(index) && "marked as not visited", marks.get(index)].filter(Boolean).join(", ");
  }

  /** Says of every answer whether it is right. */
  check() {
    const { texts, cuts, marks } = this._answers;
    marks.clear();
    for (const [index, text] of texts) if (text) marks.set(index, this._isRight(index, text) ? "right" : "wrong");
    const left = this._left();
    let found = 0;
    for (const index of cuts) {
      const isRight = this._solution[index].state === "cut" || this._solution[index].state === "dropped";
      marks.set(index, isRight ? "right" : "wrong");
      if (left.includes(index)) found += 1;
    }
    const given = this._asked.filter((index) => texts.get(index));
    const right = given.filter((index) => marks.get(index) === "right").length;
    const wrong = [...marks.values()].filter((mark) => mark === "wrong").length;
    const isAll = right === this._asked.length && found === left.length && !wrong;
    this._say(isAll ? "All right: every value and every branch." : `${right} of ${this._asked.length} values right, `
      + `${found} of ${left.length} branches that are never entered found, ${wrong} wrong.`);
    this._show();
  }

  /** The first thing that is missing or wrong: where to look, and when asked again the answer. */
  hint() {
    const { texts, cuts, marks } = this._answers;
    const left = this._left();
    const next = order(this._replay, this._tree).find((index) => (left.includes(index) ? !cuts.has(index)
      : this._asked.includes(index) && !this._isRight(index, texts.get(index) ?? "")));
    if (next === undefined) return this.check();
    const isCut = left.includes(next);
    if (this._hinted !== next) {
      this._hinted = next;
      this._tree.choose(next);
      return this._say(isCut ? `Look at ${nameOf(this._nodes, next)}: what do alpha and beta say there?`
        : `Next comes ${nameOf(this._nodes, next)}: ${this._childrenText(next)}.`);
    }
    if (isCut) cuts.add(next);
    else texts.set(next, this._solution[next].value);
    marks.set(next, "right");
    this._say(isCut ? this._solution[next].why : `${nameOf(this._nodes, next)} is worth ${this._solution[next].value}.`);
    this._show();
    this.choose(next);
  }

  /** The branches that are never entered although their parent is. */
  _left() {
    return this._nodes.flatMap(({ parent }, index) => {
      const isOut = ["cut", "dropped"].includes(this._solution[index].state);
      return isOut && parent !== null && this._solution[parent].state === "done" ? [index] : [];
    });
  }

  /** @param {number} index */
  _childrenText(index) {
    const who = this._nodes[index].kind === "max" ? "Max takes the largest" : this._nodes[index].kind === "min"
      ? "Min takes the smallest" : `player ${(this._nodes[index].player ?? 0) + 1} takes the best`;
    return `${who} value of what is looked at below`;
  }

  /** @param {number} index @param {string} text */
  _isRight(index, text) {
    const look = this._solution[index];
    return look.state === "done" && plain(text) === plain(look.value);
  }

  _store() {
    const index = this._tree.chosen;
    if (index === null) return;
    this._answers.texts.set(index, this._field.value.trim());
    this._answers.marks.delete(index);
    this._show();
  }

  /** @param {KeyboardEvent} event */
  _typed(event) {
    if (event.key !== "Enter") return;
    const todo = this._asked.filter((index) => !this._answers.texts.get(index));
    if (!todo.length) return this.check();
    const here = this._asked.indexOf(this._tree.chosen ?? -1);
    this._tree.choose(todo.find((index) => this._asked.indexOf(index) > here) ?? todo[0]);
    this._field.focus();
  }

  _toggleChosen() {
    if (this._tree.chosen) this.toggleCut(this._tree.chosen);
  }

  /** @param {string} text */
  _say(text) {
    fill(this._told, text);
  }

  _show() {
    this._tree.showAnswers(this._answers);
  }
}

/** Nodes in the order in which the search is done with them, or cuts them. @param {Replay} replay @param {TreeView} tree */
function order(replay, tree) {
  /** @type {number[]} */
  const found = [];
  for (let step = 1; step <= replay.length; step++) {
    const { at, kind } = replay.at(step);
    if (at === null) continue;
    if (kind === "cut") found.push(...tree.children[at].filter((kid) => replay.frame(step).looks[kid].state === "cut"));
    if (kind === "leave" || kind === "drop") found.push(at);
  }
  return found;
}

/** `≤ +3` and `3` are the same answer. @param {string} text */
const plain = (text) => compact(text).toLowerCase().replace(/[≤≥<>=+\s()]/g, "").replace("−", "-");
