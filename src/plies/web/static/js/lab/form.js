// @ts-check
/** What is looked at: a tree or a position, and by which searches. */

import { get } from "../api.js";
import { button, field, fill, h, select } from "../dom.js";
import { joinSpec, splitSpec } from "../play/spec.js";
import { Chooser } from "./chooser.js";
import { randomTree } from "./random.js";

/** @typedef {import("./types.js").Laboratory} Laboratory */
/** @typedef {import("./types.js").Order} Order */
/** @typedef {import("./types.js").Setting} Setting */
/** @typedef {import("../types.js").GameCard} GameCard */
/** @typedef {import("../types.js").OptionView} OptionView */

export class Form {
  /**
   * @param {Laboratory} laboratory
   * @param {GameCard[]} games
   * @param {{onChange: () => void, onExample: (parameters: Record<string, string>) => void}} handlers
   */
  constructor(laboratory, games, { onChange, onExample }) {
    this._laboratory = laboratory;
    this._first = new Chooser("Search", laboratory.algorithms);
    this._second = new Chooser("Compare with", laboratory.algorithms, { canBeNone: true });
    this._tree = h("textarea", { rows: 4, spellcheck: "false", class: "tree-text", "aria-describedby": "tree-help" });
    this._tree.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onChange();
    });
    this._estimate = select(laboratory.estimates.map((name) => [name, name]), laboratory.estimates[0]);
    /** @type {[string, string][]} */
    const titles = games.filter((card) => !card.problem && card.spec !== "tree").map((card) => [card.spec, card.title]);
    const usual = titles.find(([spec]) => spec === "tictactoe") ?? titles[0] ?? [""];
    this._game = select(titles, usual[0], { onchange: () => this._aboutGame(this._game.value) });
    this._options = h("input", { type: "text", placeholder: "as usual", spellcheck: "false", autocomplete: "off",
      onchange: () => this._aboutGame(this._gameSpec()) });
    this._position = h("input", { type: "text", placeholder: "the start", spellcheck: "false", autocomplete: "off" });
    this._evaluator = select([["", "as usual"]], "");
    this.problem = h("p", { class: "notice", role: "alert", hidden: true });
    this._treePart = this._treeFields(onChange);
    this._gamePart = h("div", { class: "source", hidden: true },
      h("div", { class: "lab-options" }, field("Game", this._game), field("Its options", this._options)),
      field("Position", this._position), field("Evaluator", this._evaluator));
    this.element = h("form", { class: "card lab-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); onChange(); },
      onchange: () => onChange() },
    h("div", { class: "what" }, h("div", { class: "row" }, this._sources(),
      this._examples(onExample)), this._treePart, this._gamePart),
    h("div", { class: "searches" }, this._first.element, this._second.element), this.problem);
  }

  /** @param {Setting} setting */
  set(setting) {
    const isGame = setting.game !== "";
    this._show(isGame);
    this._tree.value = setting.tree || this._laboratory.tree;
    if (isGame) {
      const { name, texts } = splitSpec(setting.game);
      if (![...this._game.options].some((option) => option.value === name)) {
        this._game.append(h("option", { value: name }, name)); // the server will say that it is not there
      }
      this._game.value = name;
      this._options.value = joinSpec("", texts).slice(1);
      this._position.value = setting.position;
      this._aboutGame(setting.game, setting.evaluator);
    } else {
      this._estimate.value = setting.evaluator || this._laboratory.estimates[0];
    }
    this._first.set(setting.algorithm, setting.order);
    this._second.set(setting.with, setting.withOrder);
  }

  /** @returns {Setting} */
  get() {
    const isGame = !this._gamePart.hidden;
    const estimate = this._estimate.value === this._laboratory.estimates[0] ? "" : this._estimate.value;
    return {
      tree: isGame ? "" : this._tree.value,
      game: isGame ? this._gameSpec() : "",
      position: isGame ? this._position.value.trim() : "",
      evaluator: isGame ? this._evaluator.value : estimate,
      algorithm: this._first.spec,
      order: this._first.order,
      with: this._second.spec,
      withOrder: this._second.order,
    };
  }

  _gameSpec() {
    const options = this._options.value.trim();
    return options ? `${this._game.value}:${options}` : this._game.value;
  }

  /** @param {boolean} isGame */
  _show(isGame) {
    for (const chooser of [this._first, this._second]) chooser.setUsualDepth(isGame ? "3" : "all");
    this._treePart.hidden = isGame;
    this._gamePart.hidden = !isGame;
    const chosen = this._source.querySelector(`input[value="${isGame ? "game" : "tree"}"]`);
    /** @type {HTMLInputElement} */ (chosen).checked = true;
  }

  _sources() {
    const choice = (/** @type {string} */ value, /** @type {string} */ text) => h("label", null,
      h("input", { type: "radio", name: "source", value, onchange: () => {
        this._show(value === "game");
        if (value === "game") this._aboutGame(this._gameSpec());
      } }), h("span", null, text));
    this._source = h("div", { class: "segments", role: "radiogroup", "aria-label": "What to search" },
      choice("tree", "A tree"), choice("game", "A position"));
    return this._source;
  }

  /** @param {(parameters: Record<string, string>) => void} onExample */
  _examples(onExample) {
    const { examples } = this._laboratory;
    /** @type {[string, string][]} */
    const titles = examples.map((example, index) => [String(index), `${example.title}: ${example.told}`]);
    const chosen = select([["", "Examples …"], ...titles], "", { class: "examples", "aria-label": "Examples",
      onchange: (/** @type {Event} */ event) => {
        event.stopPropagation();
        const example = examples[Number(chosen.value)];
        chosen.value = "";
        onExample(example.parameters);
      } });
    return chosen;
  }

  /** @param {() => void} onChange */
  _treeFields(onChange) {
    return h("div", { class: "source" }, h("label", { class: "field" }, h("span", null, "The tree"), this._tree),
      h("small", { id: "tree-help" }, "M( ) and m( ) are nodes of Max and Min, a number is a leaf, A = names a node; ",
        "for more players 1( ), 2( ) and leaves such as (3, 0, 1)."),
      h("div", { class: "row" }, button("Draw", onChange, { class: "primary" }),
        button("Random tree", () => { this._tree.value = randomTree(); onChange(); }),
        h("label", { class: "field inline" }, h("span", null, "Estimates at the horizon"), this._estimate)));
  }

  /** Which evaluators a game has. @param {string} spec @param {string} [chosen] */
  async _aboutGame(spec, chosen = "") {
    this._offer([], chosen);
    try {
      const detail = await get(`/games/${encodeURIComponent(spec)}`);
      if (spec !== this._gameSpec()) return;
      this._offer(detail.evaluators, chosen);
      this._position.placeholder = detail.position.text;
      this._options.placeholder = detail.options.map((/** @type {OptionView} */ option) => `${option.name}=${option.default}`).join(",");
    } catch {
      this._offer([], chosen); // the search itself will say what is wrong with the game
    }
  }

  /** @param {string[]} evaluators @param {string} chosen */
  _offer(evaluators, chosen) {
    const names = [...new Set(["", ...evaluators, chosen])];
    fill(this._evaluator, names.map((name) => h("option", { value: name }, name || "as usual")));
    this._evaluator.value = chosen;
  }
}
