// @ts-check
/** The search laboratory: `#/lab?tree=...&algorithm=...&order=...&with=...&step=...`. */

import { get, post } from "../api.js";
import { copyText } from "../clipboard.js";
import { button, fill, h } from "../dom.js";
import { complain, patiently, say, toast } from "../say.js";
import { parametersOf, settingOf } from "../lab/address.js";
import { Form } from "../lab/form.js";
import { Panel } from "../lab/panel.js";
import { reasonOf } from "../words.js";

/** @typedef {import("../lab/types.js").Laboratory} Laboratory */
/** @typedef {import("../lab/types.js").LabTrace} LabTrace */
/** @typedef {import("../lab/types.js").Setting} Setting */

const SEARCHING = "Searching …";
const ROOMY = 640; // pixels: a narrower page begins with the tree, not with the form

/** @param {HTMLElement} host @param {URLSearchParams} parameters @returns {Promise<() => void>} */
export async function open(host, parameters) {
  document.title = "Laboratory · plies";
  const [laboratory, games] = await Promise.all([get("/lab"), get("/games")]);
  const page = new LabPage(host, laboratory, games);
  await page.begin(parameters);
  return () => page.close();
}

class LabPage {
  /** @param {HTMLElement} host @param {Laboratory} laboratory @param {import("../types.js").GameCard[]} games */
  constructor(host, laboratory, games) {
    this._laboratory = laboratory;
    /** @type {Panel[]} */
    this._panels = [];
    this._isLeading = false; // one panel takes the other along
    this._asked = ""; // what is being searched
    this._turn = 0; // counts requests: an answer that comes too late is not shown
    this._form = new Form(laboratory, games, {
      onChange: () => this._run(),
      onExample: (parameters) => this._follow(new URLSearchParams(parameters)),
    });
    this._together = h("input", { type: "checkbox", checked: true });
    this._togetherField = h("label", { class: "row", hidden: true }, this._together, "Step together");
    this._modes = this._modeChoice();
    this._setup = h("details", { class: "lab-setup", open: innerWidth >= ROOMY },
      h("summary", null, "What is searched, and how"), this._form.element);
    this._stage = h("div", { class: "lab-stage" });
    fill(host, h("div", { class: "lab" },
      h("div", { class: "row lab-head" }, h("h1", null, "Search laboratory"), this._togetherField,
        this._modes, button("Copy link", () => this._copy())),
      this._setup, this._stage,
      this._help = h("p", { class: "soft keys" }, "Keys: ← and → step, Home and End jump, Space plays and pauses, C goes to the ",
        "next cut. In the tree arrow keys go from node to node.")));
    this._keys = (/** @type {KeyboardEvent} */ event) => this._key(event);
    document.addEventListener("keydown", this._keys);
  }

  /** @param {URLSearchParams} parameters */
  async begin(parameters) {
    this._form.set(settingOf(parameters));
    await this._run();
    this._setMode(parameters.get("mode") === "exercise");
    if (parameters.get("mode") === "exercise") this._setup.open = false;
    const step = Number(parameters.get("step") ?? 0);
    const pass = Number(parameters.get("pass") ?? -1);
    for (const panel of this._panels) {
      if (pass >= 0 && pass < panel.trace.passes.length) panel.usePass(pass);
      if (step > 0) panel.stepper.go(step);
    }
  }

  close() {
    document.removeEventListener("keydown", this._keys);
    this._panels.forEach((panel) => panel.close());
  }

  /** @param {URLSearchParams} parameters */
  _follow(parameters) {
    this._form.set(settingOf(parameters));
    return this._run();
  }

  async _run() {
    const setting = this._form.get();
    const text = JSON.stringify(setting);
    if (text === this._asked) return; // leaving a field and pressing a button ask twice
    this._asked = text;
    const mine = ++this._turn;
    this._stage.setAttribute("aria-busy", "true");
    const giveUp = new AbortController();
    const search = (/** @type {any} */ body) => post("/lab/trace", body, undefined, giveUp.signal);
    try {
      const { tree, game, position, evaluator, algorithm, order } = setting;
      const asked = { tree, game, position, evaluator };
      const wanted = [search({ ...asked, algorithm, order })];
      if (setting.with) {
        wanted.push(search({ ...asked, algorithm: setting.with, order: setting.withOrder }));
      }
      if (!this._panels.length) fill(this._stage, h("p", { class: "soft" }, "Searching …"));
      const traces = await patiently(Promise.all(wanted), SEARCHING, () => giveUp.abort());
      if (mine === this._turn) this._show(setting, traces);
    } catch (problem) {
      if (mine === this._turn) this._refuse(problem);
    }
    if (mine !== this._turn) return;
    this._asked = "";
    this._stage.removeAttribute("aria-busy");
  }

  /** @param {Setting} setting @param {LabTrace[]} traces */
  _show(setting, traces) {
    this._form.problem.hidden = true;
    this._panels.forEach((panel) => panel.close());
    this._panels = traces.map((trace) => new Panel(trace, {
      game: setting.game,
      onStep: (panel, step, isByItself) => this._stepped(panel, step, isByItself),
    }));
    this._stage.classList.toggle("is-two", traces.length > 1);
    fill(this._stage, this._panels.map((panel) => panel.element));
    this._togetherField.hidden = traces.length < 2;
    const exercise = /** @type {HTMLInputElement} */ (this._modes.querySelector("[value=exercise]"));
    exercise.disabled = !traces[0].is_whole || traces[0].simulations.length > 0;
    exercise.closest("label")?.setAttribute("title", exercise.disabled
      ? "An exercise needs a search whose whole tree is drawn" : "");
    this._setMode(exercise.checked && !exercise.disabled);
    this._keepAddress();
    const counts = traces.map((trace) => `${trace.title}: ${trace.leaves} leaves, ${trace.cutoffs} cuts`);
    say(counts.join("; "));
  }

  /** @param {unknown} problem */
  _refuse(problem) {
    this._form.problem.textContent = reasonOf(problem);
    this._form.problem.hidden = false;
    this._setup.open = true;
  }

  /** @param {Panel} panel @param {number} step @param {boolean} isByItself */
  _stepped(panel, step, isByItself) {
    if (this._isLeading) return; // it is the other one that follows
    this._isLeading = true;
    for (const other of this._panels) {
      if (other !== panel && this._together.checked) other.stepper.go(step, isByItself);
    }
    this._isLeading = false;
    if (!isByItself) this._keepAddress();
  }

  _modeChoice() {
    const choice = (/** @type {string} */ value, /** @type {string} */ text, /** @type {boolean} */ checked) =>
      h("label", null, h("input", { type: "radio", name: "mode", value, checked,
        onchange: () => { this._setMode(value === "exercise"); this._keepAddress(); } }), h("span", null, text));
    return h("div", { class: "segments", role: "radiogroup", "aria-label": "Mode" },
      choice("watch", "Watch", true), choice("exercise", "Exercise", false));
  }

  /** @param {boolean} isExercise */
  _setMode(isExercise) {
    const chosen = this._modes.querySelector(`[value=${isExercise ? "exercise" : "watch"}]`);
    /** @type {HTMLInputElement} */ (chosen).checked = true;
    this._help.hidden = isExercise;
    this._panels.forEach((panel, index) => {
      panel.setExercise(isExercise && index === 0);
      panel.element.hidden = isExercise && index > 0;
    });
  }

  /** The address always says what is seen. */
  _keepAddress() {
    const parameters = parametersOf(this._form.get(), this._laboratory.tree);
    const [panel] = this._panels;
    const isExercise = this._modes.querySelector("[value=exercise]:checked") !== null;
    if (isExercise) parameters.set("mode", "exercise");
    else if (panel?.step) parameters.set("step", String(panel.step));
    if (panel && panel.pass !== panel.trace.passes.length - 1) parameters.set("pass", String(panel.pass));
    history.replaceState(history.state, "", `#/lab?${parameters}`);
  }

  async _copy() {
    this._keepAddress();
    if (await copyText(location.href)) toast("The link is copied.");
    else complain("The link could not be copied: it is in the address bar.");
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTaken = target.closest("input, textarea, select, dialog, .search-tree, .log");
    if (isTaken || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const [panel] = this._panels;
    if (!panel || this._modes.querySelector("[value=exercise]:checked")) return;
    const { stepper } = panel;
    if (event.key === "ArrowRight") stepper.go(stepper.step + 1);
    else if (event.key === "ArrowLeft") stepper.go(stepper.step - 1);
    else if (event.key === "Home") stepper.go(0);
    else if (event.key === "End") stepper.go(stepper.length);
    else if (event.key === " " && !target.closest("button, a, summary")) stepper.toggle();
    else if (event.key.toLowerCase() === "c") stepper.nextCut();
    else return;
    event.preventDefault();
  }
}
