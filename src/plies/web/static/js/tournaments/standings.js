// @ts-check
/** Who is how good: a table with ratings and their error bars, and everybody against everybody. */
import { h, svg } from "../dom.js";
import { moveTime, short } from "../words.js";
import { round } from "./words.js";

/** @typedef {import("./types.js").ContestView} ContestView */
/** @typedef {import("./types.js").StandingView} StandingView */
/** @typedef {import("./types.js").CellView} CellView */

const WIDTH = 160; // of the drawing of a rating
const HEIGHT = 20;
const STRONGEST = 60; // per cent of colour in a cell: numbers in it can still be read

/** @param {ContestView} contest */
export function standingsTable(contest) {
  const { standings } = contest;
  const isRated = standings.some((row) => row.elo !== null);
  const hasFaults = standings.some((row) => row.faults > 0);
  const scale = scaleOf(standings);
  const specs = new Map(contest.agents.map((entry) => [entry.name, entry.agent]));
  const head = [["", "number"], ["Agent", ""], ...(isRated ? [["Elo", "number"], ["95 % interval", "graphic"]] : []),
    ["Score", "number"], ["Points", "number"], ["Won, drawn, lost", ""], ["Time a move", "number more"],
    ["Nodes a move", "number more"], ...(hasFaults ? [["Faults", "number"]] : [])];
  const row = (/** @type {StandingView} */ each, /** @type {number} */ place) => h("tr", null,
    h("td", { class: "number soft" }, each.games ? place + 1 : ""),
    h("th", { scope: "row", class: "agent" }, each.name,
      specs.get(each.name) !== each.name && h("small", null, specs.get(each.name) ?? "")),
    isRated && h("td", { class: "number elo" }, rating(each)),
    isRated && h("td", { class: "graphic" }, errorBar(each, scale)),
    h("td", { class: "number" }, each.games ? `${(100 * each.share).toFixed(1)} %` : ""),
    h("td", { class: "number" }, each.games ? `${round(each.points)} / ${each.games}` : ""),
    h("td", null, shares(each)),
    h("td", { class: "number more" }, moveTime(each.seconds)),
    h("td", { class: "number more" }, each.nodes ? short(each.nodes) : ""),
    hasFaults && h("td", { class: "number" }, each.faults || ""));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Standings" },
    h("table", { class: "standings" },
      h("thead", null, h("tr", null, head.map(([text, kind]) =>
        text === "" ? h("td") : h("th", { scope: "col", class: kind }, text)))),
      h("tbody", null, standings.map(row))));
}

/** @param {StandingView} each */
function rating({ elo, error, low, high }) {
  if (elo === null || low === null || high === null) return "";
  const spread = error === null ? ` ${signed(low)} to ${signed(high)}` : ` ± ${Math.round(error)}`;
  return [signed(elo), h("small", null, spread)];
}

/** @param {number} elo */
function signed(elo) {
  const shown = Math.round(elo) || 0;
  return `${shown > 0 ? "+" : ""}${shown}`;
}

/** Where a rating is drawn. @param {StandingView[]} rows @returns {(elo: number) => number} */
function scaleOf(rows) {
  const ends = rows.flatMap((row) => [row.low ?? 0, row.high ?? 0]);
  const [low, high] = [Math.min(...ends, -1), Math.max(...ends, 1)];
  return (elo) => 4 + ((elo - low) / (high - low)) * (WIDTH - 8);
}

/** @param {StandingView} each @param {(elo: number) => number} x */
function errorBar({ elo, low, high }, x) {
  if (elo === null || low === null || high === null) return "";
  const middle = HEIGHT / 2;
  const told = `${Math.round(elo)}, between ${Math.round(low)} and ${Math.round(high)}`;
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img",
    class: "rating", "aria-label": told },
  svg("title", null, told),
  svg("line", { class: "zero", x1: x(0), x2: x(0), y1: 0, y2: HEIGHT }),
  svg("line", { class: "spread", x1: x(low), x2: x(high), y1: middle, y2: middle }),
  [low, high].map((end) => svg("line", { class: "spread", x1: x(end), x2: x(end), y1: middle - 4, y2: middle + 4 })),
  svg("circle", { cx: x(elo), cy: middle, r: 4.5 }));
}

/** @param {StandingView} each */
function shares({ won, drawn, lost, games }) {
  if (games === 0) return "";
  const parts = /** @type {[string, number][]} */ ([["won", won], ["drawn", drawn], ["lost", lost]]);
  const bar = h("span", { class: "shares", "aria-hidden": "true" }, parts.map(([kind, count]) => {
    const part = h("span", { class: kind });
    part.style.flexGrow = String(count);
    return part;
  }));
  return h("div", { class: "outcomes" }, bar, h("small", null, `${won} / ${drawn} / ${lost}`));
}

/**
 * The pay-off matrix: what the agent of a row got against that of a column.  A cell is a button.
 * @param {ContestView} contest @param {string[]} chosen two names, or none
 * @param {(first: string, second: string) => void} choose
 */
export function matrix(contest, chosen, choose) {
  const { standings } = contest;
  /** @type {Map<string, CellView>} */
  const cells = new Map(contest.cells.map((cell) => [`${cell.agent} ${cell.other}`, cell]));
  const cellOf = (/** @type {number} */ row, /** @type {number} */ column) => {
    const cell = cells.get(`${row} ${column}`);
    const [name, other] = [standings[row].name, standings[column].name];
    if (row === column) return h("td", { class: "self", "aria-hidden": "true" });
    if (!cell) return h("td", { class: "none" }, h("span", { class: "visually-hidden" }, "no games yet"));
    const told = `${name} against ${other}: ${round(cell.points)} of ${cell.games} points, `
      + `${cell.won} won, ${cell.drawn} drawn, ${cell.lost} lost`;
    const made = h("button", { type: "button", class: "cell", title: told, "aria-label": `${told}; show the games`,
      "aria-pressed": String(chosen[0] === name && chosen[1] === other), dataset: { key: `${name}\n${other}` },
      onclick: () => choose(name, other) }, String(Math.round(100 * cell.share)));
    made.style.setProperty("--good", `${Math.round(STRONGEST * Math.max(0, 2 * cell.share - 1))}%`);
    made.style.setProperty("--bad", `${Math.round(STRONGEST * Math.max(0, 1 - 2 * cell.share))}%`);
    return h("td", null, made);
  };
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Pay-off" },
    h("table", { class: "matrix" },
      h("thead", null, h("tr", null, h("td"),
        standings.map((each, place) => h("th", { scope: "col", title: each.name },
          h("span", { "aria-hidden": "true" }, place + 1), h("span", { class: "visually-hidden" }, each.name))))),
      h("tbody", null, standings.map((each, row) => h("tr", null,
        h("th", { scope: "row" }, h("span", { class: "soft" }, `${row + 1} `), each.name),
        standings.map((_, column) => cellOf(row, column)))))));
}
