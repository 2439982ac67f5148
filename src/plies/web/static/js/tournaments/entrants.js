// @ts-check
/** Who takes part: a row for every agent, chosen among levels and methods, or written as text. */
import { fill, h } from "../dom.js";
import { isNamed } from "../play/spec.js";

/** @typedef {import("../types.js").Opponents} Opponents */
/** @typedef {import("./types.js").Entrant} Entrant */
/** @typedef {{element: HTMLElement, choice: any, spec: any, name: any}} Row */

const MOST = 16;
const OWN = "";
const FIRST = ["Beginner", "Easy", "Medium"]; // who is there to begin with, where the game has them

export class EntrantRows {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Row[]} */
    this.rows = [];
    /** @type {Opponents} */
    this.opponents = { levels: [], learned: [], kinds: [] };
    this.list = h("ul", { class: "entrants" });
    this.more = h("button", { type: "button", class: "quiet", onclick: () => this.add(this.unused()) }, "+ another agent");
    this.element = h("div", null,
      h("p", { class: "soft hint" }, "Their order is their seeding. An agent is a text such as ",
        h("code", null, "alphabeta:depth=4"), "; its name is up to you. One without a limit of its own has 20 million nodes for a move."),
      this.list, this.more);
  }

  /** Other agents to choose from; those chosen so far stay. @param {Opponents} opponents */
  offer(opponents) {
    this.opponents = opponents;
    if (this.rows.length === 0) {
      const { levels } = opponents;
      const known = levels.filter((level) => FIRST.includes(level.name));
      (known.length > 1 ? known : levels.slice(0, 3)).forEach((level) => this.add({ name: level.name, agent: level.agent }));
      return;
    }
    for (const row of this.rows) {
      fill(row.choice, this.choices());
      row.choice.value = this.isOffered(row.spec.value) ? row.spec.value : OWN;
    }
  }

  choices() {
    const { levels, learned, kinds } = this.opponents;
    return [
      h("optgroup", { label: "Levels" }, levels.map((level) => h("option", { value: level.agent }, level.name))),
      learned.length > 0 && h("optgroup", { label: "Learned" }, learned.map((each) => h("option", { value: each.agent }, each.name))),
      h("optgroup", { label: "Methods" }, kinds.filter((kind) => !levels.some((level) => level.agent === kind.name))
        .map((kind) => h("option", { value: kind.name }, kind.name))),
      h("option", { value: OWN }, "As text"),
    ];
  }

  /** @param {string} spec */
  isOffered(spec) {
    const { kinds } = this.opponents;
    return isNamed(spec, this.opponents) || kinds.some((kind) => kind.name === spec);
  }

  /** A level that does not take part yet. @returns {Entrant} */
  unused() {
    const used = new Set(this.rows.map((row) => row.spec.value));
    const level = this.opponents.levels.find((each) => !used.has(each.agent));
    return level ? { name: level.name, agent: level.agent } : { name: this.free("greedy"), agent: "greedy" };
  }

  /** The name itself, or told apart from those there are. @param {string} name */
  free(name) {
    const used = new Set(this.rows.map((row) => row.name.value));
    if (!used.has(name)) return name;
    for (let number = 2; ; number++) if (!used.has(`${name} ${number}`)) return `${name} ${number}`;
  }

  /** @param {Entrant} entrant */
  add(entrant) {
    if (this.rows.length >= MOST) return;
    const name = h("input", { type: "text", value: entrant.name, maxlength: 60, "aria-label": "Name", autocomplete: "off",
      oninput: () => { name.dataset.own = "yes"; } });
    const spec = h("input", { type: "text", value: entrant.agent, maxlength: 200, "aria-label": "Agent as text",
      autocomplete: "off", spellcheck: "false", class: "spec", oninput: () => {
        choice.value = this.isOffered(spec.value) ? spec.value : OWN;
      } });
    const choice = h("select", { "aria-label": "Agent", onchange: () => {
      if (choice.value === OWN) {
        spec.focus();
        return;
      }
      spec.value = choice.value;
      if (!name.dataset.own) {
        name.value = "";
        name.value = this.free(choice.selectedOptions[0].textContent);
      }
    } }, this.choices());
    choice.value = this.isOffered(entrant.agent) ? entrant.agent : OWN;
    const drop = h("button", { type: "button", class: "quiet icon", "aria-label": "Leave this agent out",
      onclick: () => this.drop(row) }, "×");
    /** @type {Row} */
    const row = { element: h("li", { class: "entrant" }, choice, spec, name, drop), choice, spec, name };
    this.rows.push(row);
    this.list.append(row.element);
    this.settle();
  }

  /** @param {Row} row */
  drop(row) {
    this.rows = this.rows.filter((each) => each !== row);
    row.element.remove();
    this.settle();
    this.more.focus();
  }

  settle() {
    this.more.hidden = this.rows.length >= MOST;
    this.changed();
  }

  /** @returns {Entrant[]} */
  value() {
    return this.rows.map((row) => ({ name: row.name.value.trim(), agent: row.spec.value.trim() }));
  }
}
