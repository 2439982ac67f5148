// @ts-check
/** The games of a tournament: the latest, all, or those of two agents; and one of them on the board. */
import { get } from "../api.js";
import { button, fill, h } from "../dom.js";
import { complain } from "../say.js";
import { Replay } from "./replay.js";
import { result } from "./words.js";

/** @typedef {import("./types.js").ContestView} ContestView */
/** @typedef {import("./types.js").GameList} GameList */
/** @typedef {import("./types.js").GameRow} GameRow */

const PAUSE = 2000; // milliseconds between two looks at a list that grows

export class GamesPanel {
  /** @param {string} address @param {() => void} changed told when other agents are chosen */
  constructor(address, changed) {
    this.address = address;
    this.changed = changed;
    /** @type {string[]} two agents, or none */
    this.pair = [];
    this.isAll = false;
    /** @type {ContestView | null} */
    this.contest = null;
    /** @type {GameList} */
    this.list = { games: [], left_out: 0 };
    this.asked = -1; // games that had ended when the list was asked for
    this.at = 0;
    /** @type {Replay | null} */
    this.replay = null;
    this.number = -1;
    this.isClosed = false;
    this.element = h("section", { class: "card games-panel" });
    this.stage = h("section", { class: "card replay-stage", hidden: true, "aria-label": "A game on the board" });
  }

  /** @param {ContestView} contest */
  take(contest) {
    const isFirst = this.contest === null;
    this.contest = contest;
    if (this.pair.length === 0 && !this.isAll) this.list = { games: contest.latest, left_out: 0 };
    else if (contest.played !== this.asked && (Date.now() - this.at > PAUSE || contest.state !== "running")) {
      this.load().catch(() => {});
      return;
    }
    if (isFirst || !this.isSameList()) this.draw();
  }

  isSameList() {
    return this.drawn === this.list.games.map((game) => game.number).join();
  }

  /** What the address asks for. @param {URLSearchParams} parameters */
  restore(parameters) {
    const [first, second] = [parameters.get("first"), parameters.get("second")];
    if (first && second) this.choose(first, second).catch(complain);
    else if (parameters.has("all")) this.showAll().catch(complain);
    const number = parameters.get("game");
    if (number !== null && /^\d+$/.test(number)) this.open(Number(number)).catch(complain);
  }

  /** The games of two agents. @param {string} first @param {string} second */
  async choose(first, second) {
    this.pair = [first, second];
    this.isAll = false;
    this.changed();
    await this.load();
    this.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  async showAll() {
    this.pair = [];
    this.isAll = true;
    this.changed();
    await this.load();
  }

  showLatest() {
    this.pair = [];
    this.isAll = false;
    this.changed();
    if (this.contest) this.take(this.contest);
    this.draw();
    this.remember();
  }

  async load() {
    this.asked = this.contest?.played ?? 0;
    this.at = Date.now();
    const query = new URLSearchParams(this.pair.length ? { first: this.pair[0], second: this.pair[1] } : {});
    const found = await get(`${this.address}/games?${query}`);
    if (this.isClosed || (this.pair.length === 0 && !this.isAll)) return;
    this.list = found;
    this.draw();
    this.remember();
  }

  draw() {
    const { games, left_out } = this.list;
    const hasKinds = (this.contest?.games.length ?? 0) > 1;
    const title = this.pair.length ? `${this.pair[0]} against ${this.pair[1]}` : this.isAll ? "All games" : "Latest games";
    const key = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.number;
    const kept = this.element.querySelector(".long")?.scrollTop ?? 0;
    fill(this.element, h("h2", null, title),
      h("div", { class: "row" },
        (this.pair.length > 0 || this.isAll) && button("Latest", () => this.showLatest(), { class: "quiet" }),
        !this.isAll && button("All games", () => this.showAll().catch(complain), { class: "quiet" })),
      games.length === 0 ? h("p", { class: "soft" }, "No game has ended yet.")
        : h("div", { class: "long" }, h("table", null,
          h("thead", { class: "visually-hidden" }, h("tr", null, ["Game", "Result", "Plies"].map((name) =>
            h("th", { scope: "col" }, name)))),
          h("tbody", null, games.map((game) => this.row(game, hasKinds))))),
      left_out > 0 && h("p", { class: "soft hint" }, `… and ${left_out} more: choose a cell to see fewer.`));
    this.drawn = games.map((game) => game.number).join();
    const long = this.element.querySelector(".long");
    if (long) long.scrollTop = kept;
    if (key !== undefined) this.element.querySelector(`[data-number="${CSS.escape(key)}"]`)?.focus?.();
  }

  /** @param {GameRow} game @param {boolean} hasKinds */
  row(game, hasKinds) {
    const best = Math.max(...game.points);
    const names = game.seats.map((name, seat) => [seat > 0 && " – ",
      h("span", { class: game.points[seat] === best && best === 1 ? "winner" : "" }, name)]);
    return h("tr", { class: game.number === this.number ? "here" : "" },
      h("td", null, h("button", { type: "button", class: "quiet pick", dataset: { number: game.number },
        onclick: () => this.open(game.number).catch(complain) },
      h("span", { class: "soft number" }, `${game.number} `), h("span", null, names.flat()),
      hasKinds && h("small", null, game.game))),
      h("td", { class: "number" }, result(game.points)),
      h("td", { class: "number soft" }, `${game.plies} plies`,
        game.termination !== "normal" && h("small", { class: "fault" }, game.termination)));
  }

  /** A game on the board. @param {number} number */
  async open(number) {
    const game = await get(`${this.address}/games/${number}`);
    if (this.isClosed) return;
    this.replay?.close();
    this.number = number;
    this.stage.hidden = false;
    this.replay = new Replay(this.stage, game, {
      close: () => this.shut(),
      next: (step) => this.step(step),
    });
    this.draw();
    this.remember();
    this.stage.scrollIntoView({ block: "nearest", behavior: "smooth" });
    this.replay.focus();
  }

  /** The game before or after this one in the list. @param {number} step */
  step(step) {
    const { games } = this.list;
    const here = games.findIndex((game) => game.number === this.number);
    const target = games[here === -1 ? 0 : here + step];
    if (target) this.open(target.number).catch(complain);
  }

  shut() {
    this.replay?.close();
    this.replay = null;
    const { number } = this;
    this.number = -1;
    this.stage.hidden = true;
    this.draw();
    this.remember();
    this.element.querySelector(`[data-number="${number}"]`)?.focus?.();
  }

  /** Keep what is shown in the address, so that it can be shared and survives a reload. */
  remember() {
    const query = new URLSearchParams();
    if (this.pair.length) {
      query.set("first", this.pair[0]);
      query.set("second", this.pair[1]);
    }
    if (this.isAll) query.set("all", "1");
    if (this.number >= 0) query.set("game", String(this.number));
    const [path] = location.hash.split("?");
    history.replaceState(null, "", query.size ? `${path}?${query}` : path);
  }

  close() {
    this.isClosed = true;
    this.replay?.close();
  }
}
