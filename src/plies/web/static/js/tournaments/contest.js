// @ts-check
/** One tournament: how far it is, who leads, everybody against everybody, its games. */
import { get, listen, post } from "../api.js";
import { button, fill, h } from "../dom.js";
import { banner, complain, say } from "../say.js";
import { ChartsPanel } from "./charts.js";
import { GamesPanel } from "./games.js";
import { bar } from "./list.js";
import { matrix, standingsTable } from "./standings.js";
import { duration, lead, progress, STATES } from "./words.js";

/** @typedef {import("./types.js").ContestView} ContestView */
/** @typedef {import("./types.js").TableView} TableView */

const MAIN = ["Swiss table", "Bracket", "The match"]; // what is decided besides the standings

/** @param {HTMLElement} host @param {string} id @param {URLSearchParams} parameters */
export async function openContest(host, id, parameters) {
  fill(host, h("p", { class: "soft" }, "Reading the games …"));
  const address = `/tournaments/${encodeURIComponent(id)}`;
  const page = new ContestPage(host, address, await get(address));
  page.games.restore(parameters);
  const socket = listen(`${address}/live`, {
    message: (news) => {
      if (news.type === "tournament") page.take(news.tournament);
      else if (news.type === "problem") banner(news.error);
    },
    state: (state) => banner(state === "lost" ? "The connection is lost; trying again …" : ""),
  });
  return () => {
    socket.close();
    page.close();
  };
}

class ContestPage {
  /** @param {HTMLElement} host @param {string} address @param {ContestView} contest */
  constructor(host, address, contest) {
    this.address = address;
    this.contest = contest;
    this.head = h("div", { class: "contest-head" });
    this.standings = h("div");
    this.matrix = h("div");
    this.main = h("div", { class: "contest-tables" });
    this.tables = h("div", { class: "contest-tables" });
    this.games = new GamesPanel(address, () => this.drawMatrix());
    this.charts = new ChartsPanel(address);
    document.title = `${contest.name} · plies`;
    fill(host, this.head,
      h("section", { class: "card" }, h("h2", null, "Standings"), this.standings),
      this.main,
      h("div", { class: "contest-middle" },
        h("section", { class: "card" }, h("h2", null, "Pay-off"),
          h("p", { class: "soft hint" }, "Per cent of the points that the agent of the row got against that of the column. ",
            "Choose a cell to see its games."), this.matrix),
        this.games.element),
      this.games.stage,
      this.charts.element, this.tables);
    this.draw();
  }

  /** News from the server. @param {ContestView} contest */
  take(contest) {
    const before = this.contest;
    this.contest = contest;
    this.draw();
    if (before.state !== contest.state) {
      say(`${contest.name}: ${STATES[contest.state]}`);
      if (contest.state === "finished") say(leader(contest));
    }
  }

  draw() {
    const { contest } = this;
    this.drawHead();
    fill(this.standings, standingsTable(contest),
      contest.remarks.map((text) => h("p", { class: "soft hint" }, text)));
    this.drawMatrix();
    this.games.take(contest);
    this.charts.take(contest);
    const open = new Set([...this.tables.querySelectorAll("details[open]")].map((each) =>
      /** @type {HTMLElement} */ (each).dataset.title));
    const isMain = (/** @type {TableView} */ table) => MAIN.includes(table.title);
    fill(this.main, contest.tables.filter(isMain).map((table) =>
      h("section", { class: "card" }, h("h2", null, table.title), cells(table))));
    fill(this.tables, contest.tables.filter((table) => !isMain(table)).map((table) =>
      folded(table.title, open, cells(table))), folded("What is played", open, settings(contest)));
  }

  drawHead() {
    const { contest } = this;
    const isRunning = contest.state === "running";
    const left = contest.left === null ? "" : ` · about ${duration(contest.left)} left`;
    const note = isRunning && contest.played === 0 ? " · the players are getting ready" : left;
    const held = this.head.contains(document.activeElement);
    fill(this.head,
      h("div", { class: "titles" },
        h("p", { class: "soft" }, h("a", { href: "#/tournaments" }, "‹ All tournaments")),
        h("h1", null, contest.name),
        h("p", { class: "soft" }, lead(contest.kind, contest.games, contest.agents.length))),
      h("div", { class: "row" },
        isRunning && button("Stop", () => this.ask("stop")),
        contest.state === "stopped" && button("Resume", () => this.ask("resume"), { class: "primary" }),
        contest.played > 0 && h("a", { class: "button", target: "_blank", rel: "noopener",
          href: `api${this.address}/report` }, "Whole report")),
      h("div", { class: "how-far" },
        h("p", null, h("span", { class: `state ${contest.state}` }, STATES[contest.state]),
          ` ${progress(contest)}${note}`),
        contest.state !== "finished" && bar(contest.played, contest.total)),
      contest.problem && h("p", { class: "notice" }, contest.problem),
      contest.warnings.map((text) => h("p", { class: "notice" }, text)));
    if (held) this.head.querySelector("button")?.focus();
  }

  drawMatrix() {
    const key = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.key;
    fill(this.matrix, matrix(this.contest, this.games.pair, (first, second) => {
      this.games.choose(first, second).catch(complain);
    }));
    if (key === undefined) return;
    const cells = /** @type {NodeListOf<HTMLElement>} */ (this.matrix.querySelectorAll("[data-key]"));
    [...cells].find((cell) => cell.dataset.key === key)?.focus();
  }

  /** @param {"stop" | "resume"} what */
  async ask(what) {
    try {
      this.take(await post(`${this.address}/${what}`));
    } catch (problem) {
      complain(problem);
    }
  }

  close() {
    this.games.close();
  }
}

/** @param {ContestView} contest */
function leader({ standings }) {
  return standings.length ? `${standings[0].name} leads.` : "";
}

/** @param {string} title @param {Set<string | undefined>} open those that are unfolded @param {HTMLElement} content */
function folded(title, open, content) {
  return h("details", { class: "card", open: open.has(title), dataset: { title } }, h("summary", null, title), content);
}

/** @param {TableView} table */
function cells(table) {
  const heading = (/** @type {string} */ name) => (name === "" ? h("td") : h("th", { scope: "col" }, name));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": table.title }, h("table", null,
    h("thead", null, h("tr", null, table.columns.map(heading))),
    h("tbody", null, table.rows.map((row) => h("tr", null, row.map((cell) => h("td", null, cell)))))));
}

/** @param {ContestView} contest */
function settings(contest) {
  return h("dl", { class: "settings" },
    contest.settings.flatMap(([name, text]) => [h("dt", null, name), h("dd", null, text)]));
}
