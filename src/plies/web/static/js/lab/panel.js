// @ts-check
/** One search: its tree, its steps, what they mean. */

import { button, fill, h } from "../dom.js";
import { say } from "../say.js";
import { Stepper } from "../stepper.js";
import { Details } from "./details.js";
import { Exercise } from "./exercise.js";
import { saveDrawing } from "./export.js";
import { legend } from "./legend.js";
import { replayOf } from "./replay.js";
import { TreeView } from "./treeview.js";

/** @typedef {import("./types.js").LabTrace} LabTrace */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {{onStep: (panel: Panel, step: number, isByItself: boolean) => void, game: string}} Setup */

const LONGEST_LOG = 1500; // lines
const ORDERS = { left: "left to right", right: "right to left", best: "best order" };

export class Panel {
  // What belongs to the walk that is shown; usePass makes it.
  /** @type {Stepper} */ stepper;
  /** @type {import("./replay.js").Replay} */ _replay;
  /** @type {HTMLElement[]} */ _lines = [];
  /** @type {Frame} */ _total;
  /** @type {Frame} */ _frame;

  /** @param {LabTrace} trace @param {Setup} setup */
  constructor(trace, { onStep, game }) {
    this.trace = trace;
    this._onStep = onStep;
    this.tree = new TreeView(trace, {
      onChoose: (index) => this._choose(index),
      onEdge: (index) => this._exercise?.toggleCut(index),
      onKey: (key) => this._key(key),
    });
    this._details = new Details(trace, game);
    /** @type {Exercise | null} */
    this._exercise = null;
    this._now = h("p", { class: "now" });
    this._orders = h("p", { class: "soft" }, this._orderText());
    this._counts = h("dl", { class: "counts" });
    this._log = h("ol", { class: "log", tabindex: 0, "aria-label": "Steps so far" });
    this._log.addEventListener("click", (/** @type {MouseEvent} */ event) => this._jump(event));
    this._steps = h("div", { class: "steps" });
    this._work = h("div", { class: "work" });
    this._below = h("div", { class: "below" }, this._log, this._details.element);
    this.pass = trace.passes.length - 1;
    this.element = h("section", { class: "card lab-panel", "aria-label": trace.title },
      h("header", { class: "panel-head" },
        h("div", null, h("h2", null, trace.title), this._orders),
        this._counts),
      trace.notes.map((note) => h("p", { class: "notice" }, note)),
      trace.order !== "left" && trace.ordered_text && h("details", { class: "ordered" },
        h("summary", null, "The tree in this order, as text"), h("code", null, trace.ordered_text)),
      this._passes(), this._now,
      h("div", { class: "canvas" }, this.tree.element),
      h("div", { class: "row under" }, legend(trace), this._tools()), this._steps, this._work, this._below);
    this.usePass(this.pass);
  }

  get step() {
    return this.stepper.step;
  }

  /** Which walk over the tree is shown: of deepening there are several. @param {number} pass */
  usePass(pass) {
    this.pass = pass;
    const radio = /** @type {HTMLInputElement | undefined} */ (this.element.querySelectorAll(".passes input")[pass]);
    if (radio) radio.checked = true;
    this.stepper?.stop();
    this._replay = replayOf(this.trace, Math.max(pass, 0));
    const all = Array.from({ length: this._replay.length }, (_, index) => index + 1);
    const cuts = all.filter((step) => this._replay.at(step).kind === "cut");
    this.stepper = new Stepper({ length: this._replay.length, cuts,
      onStep: (step, isByItself) => this._show(step, isByItself) });
    fill(this._steps, this.stepper.element);
    this._lines = all.slice(0, LONGEST_LOG).map((step) =>
      h("li", { dataset: { step }, class: `log-${this._replay.at(step).kind}` }, this._replay.told(step)));
    fill(this._log, this._lines);
    this._total = this._replay.frame(this._replay.length);
    this._draw(0, false);
  }

  /** Starts or ends the exercise. @param {boolean} isOn */
  setExercise(isOn) {
    this.stepper.stop();
    this._exercise = isOn ? new Exercise(this.tree, this._replay, () => this.reveal()) : null;
    fill(this._work, this._exercise?.element);
    this._hide(isOn);
    if (!isOn) this._draw(this.step, false);
  }

  /** Shows the solution under what the student did. */
  reveal() {
    this._hide(false);
    this.stepper.go(this.stepper.length);
    this._draw(this.step, false);
  }

  /** What would give the solution away. @param {boolean} isHidden */
  _hide(isHidden) {
    for (const part of [this._steps, this._below, this._now, this._counts, this._orders]) part.hidden = isHidden;
  }

  close() {
    this.stepper.stop();
    this.tree.close();
    this._details.close();
  }

  /** @param {number} step @param {boolean} isByItself */
  _show(step, isByItself) {
    this._draw(step, true);
    if (!isByItself || step === this.stepper.length) say(this._replay.told(step));
    this._onStep(this, step, isByItself);
  }

  /** @param {number} step @param {boolean} isFollowing */
  _draw(step, isFollowing) {
    this._frame = this._replay.frame(step);
    if (this.tree.chosen !== null && isFollowing) this.tree.choose(null);
    this.tree.show(this._frame, isFollowing);
    this._now.textContent = step === this.stepper.length ? this._endText() : this._frame.told;
    this._now.className = `now did-${this._frame.kind}`;
    this._count();
    this._details.show(this._frame, this.tree.chosen);
    this._lines.forEach((line, index) => {
      if (line.hidden !== index >= step) line.hidden = index >= step;
    });
    this._log.querySelector(".is-here")?.classList.remove("is-here");
    this._lines[step - 1]?.classList.add("is-here");
    this._log.scrollTop = this._log.scrollHeight;
  }

  _endText() {
    const { value, line_text: line, is_complete: isComplete } = this.trace;
    const isLast = this.pass === this.trace.passes.length - 1;
    if (!isLast && this.trace.passes.length) return this._frame.told;
    const told = this.trace.simulations.length ? "The best move gets" : "The value is";
    return `${isComplete ? "Done" : "Stopped"}: ${told} ${value}${line ? `, by ${line}` : ""}.`;
  }

  _count() {
    const { trace, _frame: frame } = this;
    const total = this._total;
    const isGrowing = trace.simulations.length > 0;
    const whole = trace.is_whole && !isGrowing ? ` of ${trace.all_leaves}` : "";
    /** @type {[string, number, number, string][]} */
    const rows = [["Nodes", frame.nodes, total.nodes, ""],
      [isGrowing ? "Simulations" : "Leaves", frame.leaves, total.leaves, whole]];
    if (!isGrowing) rows.push(["Cuts", frame.cutoffs, total.cutoffs, ""]);
    fill(this._counts, rows.map(([name, now, most, rest]) => h("div", { title: `${now} so far, ${most} in all` },
      h("dt", null, name), h("dd", { dataset: { count: name.toLowerCase() } },
        h("strong", null, now.toLocaleString("en")), h("span", { class: "soft" }, ` / ${most.toLocaleString("en")}${rest}`)))));
  }

  _orderText() {
    const { orders, order, is_best_proven: isProven } = this.trace;
    const here = `Children ${order === "best" ? "in the best order" : `from ${ORDERS[order]}`}.`;
    if (!orders) return here;
    const told = Object.entries(orders).map(([name, count]) =>
      `${ORDERS[/** @type {"left"} */ (name)]} ${count}`);
    return `${here} Alpha-beta evaluates: ${told.join(", ")}${isProven ? "" : " (not proven)"} leaves.`;
  }

  _passes() {
    if (this.trace.passes.length < 2) return null;
    const name = `pass-${Math.random().toString(36).slice(2)}`;
    return h("div", { class: "row passes" }, h("span", { class: "soft" }, "Pass to depth"),
      h("div", { class: "segments", role: "radiogroup", "aria-label": "Pass" },
        this.trace.passes.map((each, index) => h("label", null,
          h("input", { type: "radio", name, value: index, checked: index === this.pass,
            onchange: () => { this.usePass(index); this._exercise && this.setExercise(true); } }),
          h("span", null, String(each.depth ?? index + 1))))));
  }

  _tools() {
    const { camera } = this.tree;
    const tool = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ action) =>
      button(text, action, { class: "icon", "aria-label": label, title: label });
    const all = button("Whole tree", () => {
      const isWhole = all.getAttribute("aria-pressed") === "false";
      all.setAttribute("aria-pressed", String(isWhole));
      this.tree.fold(!isWhole);
    }, { "aria-pressed": "false", title: "Draw all nodes, or only those near the current one" });
    return h("div", { class: "tools" }, this.tree.isWide && all,
      tool("+", "Larger", () => camera.zoom(1.25)), tool("−", "Smaller", () => camera.zoom(0.8)),
      tool("⤢", "Fit it in", () => camera.fit()),
      button("Save as SVG", () => saveDrawing(this.tree, this.trace.title), { class: "small", title: "Save the drawing as it is now" }));
  }

  /** @param {number | null} index */
  _choose(index) {
    if (this._exercise) this._exercise.choose(index);
    this._details.show(this._frame, index);
    if (index === null) return;
    const text = this._exercise ? this._exercise.describe(index) : this._details.describe(this._frame, index);
    this.tree.label(index, text);
    say(text);
  }

  /** What the drawing does not know. @param {string} key */
  _key(key) {
    if (this._exercise) this._exercise.key(key);
    else if (key === "-") this.tree.camera.zoom(0.8);
  }

  /** @param {MouseEvent} event */
  _jump(event) {
    const line = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-step]"));
    if (line) this.stepper.go(Number(line.dataset.step));
  }
}
