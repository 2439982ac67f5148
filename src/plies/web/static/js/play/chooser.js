// @ts-check
/** Fields for the options of games and agents, and the choice of who sits on a seat. */
import { field, fill, h } from "../dom.js";
import { line } from "../prose.js";
import { isNamed, joinSpec, splitSpec } from "./spec.js";

/** @typedef {import("../types.js").OptionView} OptionView */
/** @typedef {import("../types.js").Opponents} Opponents */

const YES = new Set(["true", "yes", "on", "1"]);

/**
 * A field for every option.  `texts()` answers those that were given or are not as by default.
 * @param {OptionView[]} options @param {Record<string, string>} given @param {() => void} [changed]
 * @returns {{element: HTMLElement, texts: () => Record<string, string>}}
 */
export function optionFields(options, given, changed = () => {}) {
  const controls = options.map((option) => control(option, given[option.name] ?? option.default));
  const element = h("div", { class: "options", onchange: changed },
    options.map((option, index) =>
      field(worded(option.name), controls[index], option.told && line(option.told))));
  const texts = () => {
    /** @type {Record<string, string>} */
    const found = {};
    options.forEach((option, index) => {
      const text = read(option, controls[index]);
      const isTold = text !== option.default || option.name in given;
      if (isTold && text !== "") found[option.name] = text;
    });
    return found;
  };
  return { element, texts };
}

/** @param {OptionView} option @param {string} value */
function control(option, value) {
  if (option.kind === "yes-no") {
    return h("input", { type: "checkbox", checked: YES.has(value.toLowerCase()) });
  }
  if (option.choices.length) {
    const choices = option.choices.includes(option.default)
      ? option.choices : [option.default, ...option.choices];
    return h("select", { value }, choices.map((choice) =>
      h("option", { value: choice }, choice === "" ? "as usual" : choice)));
  }
  const isNumber = option.kind === "whole" || option.kind === "number";
  return h("input", { type: isNumber ? "number" : "text", value, autocomplete: "off",
    step: option.kind === "number" ? "any" : null, placeholder: option.default,
    maxlength: isNumber ? null : 150 });
}

/** @param {OptionView} option @param {any} made */
function read(option, made) {
  if (option.kind !== "yes-no") return made.value.trim();
  const isDefault = made.checked === YES.has(option.default.toLowerCase());
  return isDefault ? option.default : String(made.checked);
}

/** @param {string} name */
const worded = (name) => name.replaceAll("_", " ");

/**
 * Who plays: a person, a level, a method with its options, or an agent written as text.
 */
export class SeatChooser {
  /** @param {string} label @param {Opponents} opponents @param {string} agent "" for a person */
  constructor(label, opponents, agent) {
    this.opponents = opponents;
    this.more = h("div", { class: "more" });
    /** @type {() => string} */
    this.read = () => "";
    this.choice = h("select", { onchange: () => this.pick() },
      h("option", { value: "person" }, "Person"),
      group("Levels", opponents.levels.map((level) => ["level:" + level.agent, level.name])),
      group("Learned", opponents.learned.map((each) => ["level:" + each.agent, each.name])),
      group("Methods", opponents.kinds.map((kind) => ["kind:" + kind.name, kind.name])),
      h("option", { value: "own" }, "Write it as text…"));
    this.element = h("div", { class: "seat-chooser" }, field(label, this.choice), this.more);
    this.set(agent);
  }

  get value() {
    return this.read();
  }

  /** @param {string} agent */
  set(agent) {
    const { name, texts } = splitSpec(agent);
    const kind = this.opponents.kinds.find((known) => known.name === name);
    const isKnown = kind && Object.keys(texts).every((text) =>
      kind.options.some((option) => option.name === text));
    if (agent === "") this.choose("person", {}, "");
    else if (isNamed(agent, this.opponents)) {
      this.choose("level:" + agent, {}, "");
    } else if (isKnown) this.choose("kind:" + name, texts, "");
    else this.choose("own", {}, agent);
  }

  /** Another one is chosen; a method that could think for ever gets a second. */
  pick() {
    const kind = this.opponents.kinds.find((known) => "kind:" + known.name === this.choice.value);
    const isTimed = kind?.options.some((option) => option.name === "seconds");
    this.choose(this.choice.value, isTimed ? { seconds: "1" } : {}, "");
  }

  /** @param {string} choice @param {Record<string, string>} texts @param {string} written */
  choose(choice, texts, written) {
    this.choice.value = choice;
    const [sort, name] = choice.split(/:(.*)/s);
    const kind = this.opponents.kinds.find((known) => known.name === name);
    if (sort === "kind" && kind) {
      const fields = optionFields(kind.options, texts);
      fill(this.more, h("p", { class: "soft" }, line(kind.summary)), fields.element);
      this.read = () => joinSpec(kind.name, fields.texts());
    } else if (sort === "own") {
      const text = h("input", { type: "text", value: written, maxlength: 200, autocomplete: "off",
        spellcheck: "false", placeholder: "alphabeta:depth=4" });
      fill(this.more, field("Agent", text));
      this.read = () => text.value.trim();
    } else {
      fill(this.more);
      this.read = () => (sort === "level" ? name : "");
    }
  }
}

/** @param {string} label @param {string[][]} options */
function group(label, options) {
  return options.length > 0 && h("optgroup", { label },
    options.map(([value, text]) => h("option", { value }, text)));
}
