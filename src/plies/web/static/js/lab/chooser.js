// @ts-check
/** Choosing a search, its options, and in which order it looks at children. */

import { fill, h, select } from "../dom.js";
import { joinSpec, splitSpec } from "../play/spec.js";

/** @typedef {import("./types.js").LabAlgorithm} LabAlgorithm */
/** @typedef {import("./types.js").LabOption} LabOption */
/** @typedef {import("./types.js").Order} Order */

/** @type {[string, string][]} */
const ORDERS = [["left", "left to right"], ["right", "right to left"], ["best", "best order"]];

export class Chooser {
  /**
   * @param {string} name what is chosen, for the label
   * @param {LabAlgorithm[]} algorithms
   * @param {{canBeNone?: boolean}} [how]
   */
  constructor(name, algorithms, { canBeNone = false } = {}) {
    this._algorithms = algorithms;
    this._usualDepth = "all";
    this._options = h("div", { class: "lab-options" });
    /** @type {Record<string, any>} */
    this._fields = {};
    /** @type {[string, string][]} */
    const titles = algorithms.map((each) => [each.name, each.title]);
    this._name = select(canBeNone ? [["", "nothing"], ...titles] : titles, "", { onchange: () => this._offer({}) });
    this._order = select(ORDERS, "left");
    this._orderField = h("label", { class: "field" }, h("span", null, "Order of children"), this._order);
    this._told = h("small");
    this.element = h("fieldset", { class: "chooser" }, h("legend", null, name),
      h("div", { class: "lab-options" }, h("label", { class: "field wide" },
        h("span", { class: "visually-hidden" }, name), this._name), this._orderField),
      this._options, this._told);
  }

  /** The algorithm, null for none. */
  get algorithm() {
    return this._algorithms.find((each) => each.name === this._name.value) ?? null;
  }

  /** Only what differs from the defaults; a depth only if one is given. */
  get spec() {
    /** @type {Record<string, string>} */
    const texts = {};
    for (const option of this.algorithm?.options ?? []) {
      const text = this._fields[option.name].value.trim();
      const usual = option.name === "depth" ? "" : option.default;
      if (text && text !== usual) texts[option.name] = text;
    }
    return this._name.value && joinSpec(this._name.value, texts);
  }

  /** @returns {Order} */
  get order() {
    return this._order.value;
  }

  /** @param {string} spec @param {Order} order */
  set(spec, order) {
    const { name, texts } = splitSpec(spec);
    this._name.value = name;
    this._order.value = order;
    this._offer(texts);
  }

  /** What an empty depth means. @param {string} text */
  setUsualDepth(text) {
    this._usualDepth = text;
    this._fields.depth?.setAttribute("placeholder", text);
  }

  /** @param {Record<string, string>} texts */
  _offer(texts) {
    const { algorithm } = this;
    this._fields = {};
    fill(this._options, (algorithm?.options ?? []).map((option) => {
      const field = this._field(option, texts[option.name]);
      this._fields[option.name] = field;
      return h("label", { class: "field", title: option.told }, h("span", null, option.name), field);
    }));
    this._orderField.hidden = !algorithm;
    this._told.textContent = algorithm?.told ?? "";
  }

  /** @param {LabOption} option @param {string | undefined} text */
  _field(option, text) {
    if (option.kind === "choice") {
      return select(option.choices.map((choice) => [choice, choice]), text ?? option.default);
    }
    const isDepth = option.name === "depth";
    return h("input", {
      type: "number", min: option.least, max: option.most, step: option.kind === "whole" ? 1 : "any",
      value: text ?? (isDepth ? "" : option.default), placeholder: isDepth ? this._usualDepth : null,
    });
  }
}
