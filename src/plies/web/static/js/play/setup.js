// @ts-check
/** The dialog in which a game is set up: options, seats, start, clock, pace. */
import { get } from "../api.js";
import { field, fill, h, select } from "../dom.js";
import { openDialog } from "../dialog.js";
import { SeatChooser, optionFields } from "./chooser.js";
import { agentName, isNamed, joinSpec, splitSpec } from "./spec.js";
import { detailOf, levelAgent, opponentsOf, start } from "./start.js";
import { capital, reasonOf } from "../words.js";

/** @typedef {import("../types.js").GameDetail} GameDetail */
/** @typedef {import("../types.js").CreateSession} CreateSession */

const CLOCKS = [["", "No clock"], ["60+0", "1 minute"], ["180+2", "3 minutes + 2 seconds a move"],
  ["300+3", "5 minutes + 3 seconds a move"], ["900+10", "15 minutes + 10 seconds a move"]];

/**
 * Opens the dialog with what is given filled in; seats that are not given are a person first,
 * and friendly levels.
 * @param {Partial<CreateSession> & {game: string}} given
 */
export async function openSetup(given) {
  const [games, detail] = await Promise.all([get("/games"), detailOf(given.game)]);
  const setup = new Setup(games, given);
  await setup.take(detail, given.seats ?? null);
  openDialog("Set up a game", [setup.element],
    { action: "Start the game", submit: async () => start(await setup.request()) });
}

class Setup {
  /** @param {import("../types.js").GameCard[]} games @param {Partial<CreateSession> & {game: string}} given */
  constructor(games, given) {
    /** @type {SeatChooser[]} */
    this.choosers = [];
    this.changes = 0;
    this.options = h("div");
    this.seats = h("div", { class: "seats-setup" });
    this.text = h("textarea", { rows: 2, value: given.text ?? "", maxlength: 20000,
      spellcheck: "false", placeholder: "Leave it empty to begin at the start" });
    const clock = given.clock ? `${given.clock.credit}+${given.clock.increment}` : "";
    this.clock = select(withOwn(clock), clock);
    this.pace = h("input", { type: "number", min: 0, max: 60, step: 0.1,
      value: String(given.seconds ?? 0.5) });
    const name = splitSpec(given.game).name;
    const titles = games.filter((card) => !card.problem || card.spec === given.game);
    this.game = select(titles.map((card) => [card.spec, card.title]),
      titles.find((card) => splitSpec(card.spec).name === name)?.spec ?? "",
      { onchange: () => this.change(this.game.value, true) });
    /** @type {Record<string, string>} */
    this.given = splitSpec(given.game).texts;
    this.problem = h("p", { class: "notice", role: "alert", hidden: true });
    this.element = h("div", { class: "setup" }, field("Game", this.game), this.options,
      this.problem, h("h3", null, "Who plays"), this.seats,
      h("h3", null, "More"),
      field("Position or game to begin with", this.text),
      h("div", { class: "pair" }, field("Clock", this.clock),
        field("Seconds between moves when programs play", this.pace)));
    this.swap = h("button", { type: "button", onclick: () => this.turnSeats() }, "Change places");
  }

  /** Shows a game's own fields. @param {GameDetail} detail @param {string[] | null} agents */
  async take(detail, agents) {
    this.detail = detail;
    const opponents = await opponentsOf(detail.spec);
    const levels = this.opponents;
    this.opponents = opponents;
    this.fields = optionFields(detail.options, this.given, () => this.change(this.spec(), false));
    fill(this.options, this.fields.element);
    const friendly = levelAgent(opponents);
    const here = (/** @type {string} */ agent) => // a level may be another agent in this game
      (levels && isNamed(agent, levels) && !isNamed(agent, opponents)
        ? levelAgent(opponents, agentName(agent, levels)) : agent);
    this.choosers = detail.table.sides.map((name, seat) => new SeatChooser(capital(name), opponents,
      here(agents?.[seat] ?? (seat === 0 ? "" : friendly))));
    fill(this.seats, this.choosers.map((chooser) => chooser.element),
      this.choosers.length === 2 && this.swap);
  }

  spec() {
    return joinSpec(this.detail?.name ?? "", this.fields?.texts() ?? {});
  }

  /** Another game, or other options of it: other seats too. @param {string} spec @param {boolean} isNew */
  async change(spec, isNew) {
    const mine = ++this.changes;
    this.problem.hidden = true;
    const agents = isNew ? null : this.choosers.map((chooser) => chooser.value);
    this.given = splitSpec(spec).texts;
    try {
      const detail = await detailOf(spec);
      if (mine !== this.changes) return; // it was changed again
      if (isNew || detail.players !== this.choosers.length) await this.take(detail, agents);
      else this.detail = detail;
    } catch (problem) {
      this.problem.textContent = reasonOf(problem);
      this.problem.hidden = false;
    }
  }

  turnSeats() {
    const agents = this.choosers.map((chooser) => chooser.value).reverse();
    this.choosers.forEach((chooser, seat) => chooser.set(agents[seat]));
  }

  /** @returns {Promise<CreateSession>} */
  async request() {
    const [credit, increment] = this.clock.value.split("+").map(Number);
    return {
      game: this.spec(),
      seats: this.choosers.map((chooser) => chooser.value),
      text: this.text.value.trim(),
      clock: this.clock.value ? { credit, increment } : null,
      seconds: Math.min(60, Math.max(0, Number(this.pace.value) || 0)),
    };
  }
}

/** The clocks to choose from, with one that is not among them. @param {string} clock @returns {[string, string][]} */
function withOwn(clock) {
  const known = /** @type {[string, string][]} */ (CLOCKS);
  const [credit, increment] = clock.split("+");
  return known.some(([value]) => value === clock) ? known
    : [...known, [clock, `${credit} seconds + ${increment} a move`]];
}
