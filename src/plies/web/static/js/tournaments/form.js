// @ts-check
/** Setting up a tournament; how many games it will be is told while one chooses. */
import { get, post } from "../api.js";
import { field, fill, h, select } from "../dom.js";
import { opponentsOf } from "../play/start.js";
import { reasonOf } from "../words.js";
import { EntrantRows } from "./entrants.js";
import { counted, duration, KINDS } from "./words.js";

/** @typedef {import("../types.js").GameCard} GameCard */
/** @typedef {import("./types.js").NewContest} NewContest */
/** @typedef {import("./types.js").ContestPlan} ContestPlan */

const PAUSE = 350; // milliseconds without a change before the plan is asked for
const LONGER = 1200; // more of them before moves are timed, which is work for the server
const OWN = "own"; // a game that is written as text

/** @param {HTMLElement} host @param {URLSearchParams} parameters */
export async function openForm(host, parameters) {
  document.title = "New tournament · plies";
  /** @type {GameCard[]} */
  const cards = (await get("/games")).filter((/** @type {GameCard} */ card) => !card.problem);
  const wanted = parameters.get("game") ?? "";
  const first = cards.find((card) => card.spec === wanted) ?? cards.find((card) => card.spec === "tictactoe") ?? cards[0];
  if (!first) throw new Error("There is no game here to play a tournament of.");
  const form = new Form(host, cards);
  form.name.value = parameters.get("name") ?? "My tournament";
  const names = parameters.getAll("called");
  parameters.getAll("agent").forEach((agent, at) => form.entrants.add({ name: names[at] || agent, agent }));
  await form.setGames([first.spec]);
  return () => form.close();
}

class Form {
  /** @param {HTMLElement} host @param {GameCard[]} cards */
  constructor(host, cards) {
    this.cards = cards;
    this.turn = 0; // counts plans: an answer that comes too late is left alone
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
    const number = (/** @type {number} */ value, /** @type {number} */ min, /** @type {number} */ max, step = 1) =>
      h("input", { type: "number", value: String(value), min, max, step, required: true });
    this.name = h("input", { type: "text", maxlength: 60, required: true, autocomplete: "off" });
    this.games = h("div", { class: "game-choices" });
    this.entrants = new EntrantRows(() => this.changed());
    this.kind = select(KINDS.map(([key, name]) => [key, name]), "round-robin");
    this.about = h("small");
    this.pairs = number(5, 1, 1000);
    this.plies = number(2, 0, 40, 2);
    this.seed = number(1, 0, 2 ** 31);
    this.rounds = number(0, 0, 16);
    this.challengers = number(1, 1, 15);
    this.elo0 = number(0, -200, 200, 5);
    this.elo1 = number(50, -200, 200, 5);
    this.credit = number(0, 0, 86400);
    this.increment = number(0, 0, 3600, 0.1);
    this.perMove = number(0, 0, 3600, 0.1);
    this.special = {
      swiss: field("Rounds", this.rounds, "0: as many as a knock-out would have"),
      gauntlet: field("Challengers", this.challengers, "the first so many agents"),
      sprt: h("div", { class: "pair" }, field("H0: stronger by", this.elo0, "Elo (normalised)"),
        field("H1: stronger by", this.elo1, "Elo (normalised)")),
    };
    this.plan = h("div", { class: "plan", role: "status" });
    this.notice = h("p", { class: "notice", role: "alert", hidden: true });
    this.go = h("button", { type: "submit", class: "primary" }, "Start the tournament");
    this.form = h("form", { class: "contest-form", novalidate: true, onsubmit: (/** @type {Event} */ event) => this.submit(event),
      oninput: () => this.changed(), onchange: () => this.changed() },
    h("section", { class: "card" }, h("h2", null, "What"), field("Name", this.name), this.games),
    h("section", { class: "card" }, h("h2", null, "Who"), this.entrants.element),
    h("section", { class: "card" }, h("h2", null, "How"),
      h("div", { class: "fields" }, h("div", null, field("Kind", this.kind), this.about),
        Object.values(this.special),
        field("Pairs of games for a meeting", this.pairs, "each opening is played from every seat"),
        field("Random plies before a game", this.plies, "so that games differ; even for two players")),
      h("details", null, h("summary", null, "Clock and seed"),
        h("div", { class: "fields" }, field("Seconds for a game", this.credit, "0: no limit"),
          field("More with every move", this.increment, "seconds"),
          field("Seconds for a move, at most", this.perMove, "0: no limit"),
          field("Seed", this.seed, "the same seed, the same openings")))),
    h("section", { class: "card start" }, this.plan, this.notice,
      h("div", { class: "row" }, this.go, h("a", { class: "button", href: "#/tournaments" }, "Cancel"))));
    fill(host, h("h1", null, "New tournament"), this.form);
  }

  /** @param {string[]} specs */
  async setGames(specs) {
    fill(this.games, specs.map((spec, place) => this.gameChoice(spec, place, specs.length)),
      specs.length < 5 && h("button", { type: "button", class: "quiet", onclick: () => {
        const used = this.specs();
        const other = this.cards.find((card) => !used.includes(card.spec)) ?? this.cards[0];
        this.setGames([...used, other.spec]);
      } }, "+ another game"));
    await this.gamesChanged();
  }

  /** @param {string} spec @param {number} place @param {number} count */
  gameChoice(spec, place, count) {
    const isKnown = this.cards.some((card) => card.spec === spec);
    const text = h("input", { type: "text", value: isKnown ? "" : spec, maxlength: 200, hidden: isKnown,
      placeholder: "nim:rows=3-4-5", "aria-label": "Game as text", autocomplete: "off", spellcheck: "false",
      onchange: () => this.gamesChanged() });
    const choice = select([...this.cards.map((card) => /** @type {[string, string]} */ ([card.spec, card.title])),
      [OWN, "With options, as text …"]], isKnown ? spec : OWN, { onchange: () => {
      text.hidden = choice.value !== OWN;
      if (text.hidden) this.gamesChanged();
      else text.focus();
    } });
    const drop = h("button", { type: "button", class: "quiet icon", "aria-label": "Leave this game out",
      onclick: () => this.setGames(this.specs().filter((_, at) => at !== place)) }, "×");
    return h("div", { class: "game-choice" }, field(place ? "And" : "Game", choice), text, count > 1 && drop);
  }

  specs() {
    return [...this.games.querySelectorAll(".game-choice")].map((row) => {
      const chosen = row.querySelector("select")?.value ?? "";
      return chosen === OWN ? row.querySelector("input")?.value.trim() ?? "" : chosen;
    });
  }

  async gamesChanged() {
    const spec = this.specs().find(Boolean);
    try {
      if (spec) this.entrants.offer(await opponentsOf(spec));
    } catch { /* the plan says what is wrong with the game */ }
    this.changed();
  }

  /** @returns {NewContest} */
  request() {
    const numbered = (/** @type {HTMLInputElement} */ input) => (input.value === "" ? NaN : Number(input.value));
    return {
      name: this.name.value.trim(),
      games: this.specs().filter(Boolean),
      agents: this.entrants.value(),
      kind: this.kind.value,
      pairs: numbered(this.pairs),
      opening_plies: numbered(this.plies),
      seed: numbered(this.seed),
      clock: { credit: numbered(this.credit), increment: numbered(this.increment), per_move: numbered(this.perMove) },
      rounds: numbered(this.rounds),
      challengers: numbered(this.challengers),
      elo0: numbered(this.elo0),
      elo1: numbered(this.elo1),
    };
  }

  changed() {
    this.about.textContent = KINDS.find(([key]) => key === this.kind.value)?.[2] ?? "";
    for (const [kind, element] of Object.entries(this.special)) element.hidden = kind !== this.kind.value;
    clearTimeout(this.waiting);
    this.turn += 1;
    this.waiting = setTimeout(() => this.ask(), PAUSE);
  }

  /** How many games it would be, and then how long they would take. */
  async ask() {
    const mine = this.turn;
    const request = this.request();
    try {
      this.tell(await post("/tournaments/plan", request), mine, true);
      await new Promise((done) => { setTimeout(done, LONGER); });
      if (mine === this.turn) this.tell(await post("/tournaments/plan?timed=true", request), mine, false);
    } catch (problem) {
      if (mine !== this.turn) return;
      const text = reasonOf(problem);
      if (this.plan.dataset.turn !== String(mine)) fill(this.plan, h("p", { class: "wrong" }, text));
      else this.plan.querySelector(".time").textContent = "";
    }
  }

  /** @param {ContestPlan} plan @param {number} turn @param {boolean} isTiming */
  tell(plan, turn, isTiming) {
    if (turn !== this.turn) return;
    this.plan.dataset.turn = String(turn);
    const time = plan.seconds !== null ? `About ${duration(plan.seconds)}: ${plan.basis}.`
      : isTiming ? "How long that takes is being tried out …" : "";
    const few = Object.entries(plan.openings).filter(([, count]) => count < this.request().pairs);
    fill(this.plan,
      h("p", { class: "total" }, h("strong", null, `${plan.is_most ? "At most " : ""}${counted(plan.games, "game")}`),
        plan.stages.length > 1 && h("span", { class: "soft" }, ` ${plan.stages.map((stage) =>
          `${stage.name}: ${stage.games}`).join(", ")}`)),
      h("p", { class: "soft time" }, time),
      few.map(([game, count]) => h("p", { class: "soft" },
        `${game} has only ${counted(count, "such opening")}: some are played more than once.`)));
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    if (this.go.disabled) return;
    this.go.disabled = true;
    this.notice.hidden = true;
    try {
      const begun = await post("/tournaments", this.request());
      location.hash = `#/tournaments/${encodeURIComponent(begun.id)}`;
    } catch (problem) {
      this.notice.textContent = reasonOf(problem);
      this.notice.hidden = false;
      this.go.disabled = false;
    }
  }

  close() {
    clearTimeout(this.waiting);
    this.turn += 1;
  }
}
