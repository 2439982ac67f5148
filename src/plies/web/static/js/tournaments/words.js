// @ts-check
/** Numbers, times and results of tournaments as people read them. */

/** @typedef {import("./types.js").ContestCard} ContestCard */
/** @typedef {import("./types.js").ContestView} ContestView */

/** Of a tournament: its kind on the wire, its name, and what it means. @type {[string, string, string][]} */
export const KINDS = [
  ["round-robin", "Round robin", "Everybody meets everybody."],
  ["match", "Match", "Two agents, one table of figures."],
  ["gauntlet", "Gauntlet", "The first ones meet all others, and not each other."],
  ["swiss", "Swiss", "A few rounds, in each everybody meets somebody as good."],
  ["knock-out", "Knock-out", "Who loses a meeting is out."],
  ["sprt", "Test (SPRT)", "Two agents play until it is clear whether the first one is stronger."],
];

/** "Round robin of quixo, 4 agents". @param {string} kind @param {string[]} games @param {number} agents */
export function lead(kind, games, agents) {
  const name = KINDS.find(([key]) => key === kind)?.[1] ?? kind;
  return `${name} of ${games.join(", ")}, ${counted(agents, "agent")}`;
}

export const STATES = { running: "being played", stopped: "stopped", finished: "finished" };

/** 75 -> "75 s", 7200 -> "2 h". @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1.5) return "a second";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 36 * 3600 ? `${round(seconds / 3600)} h` : `${round(seconds / 86400)} days`;
}

/** One place after the point, where it says something. @param {number} number */
export const round = (number) => String(Math.round(10 * number) / 10);

/** "120 of 300 games", "12 of at most 40 games". @param {ContestCard | ContestView} contest */
export function progress({ played, total, is_most, state }) {
  if (state === "finished") return counted(played, "game");
  return `${played} of ${is_most ? "at most " : ""}${counted(total, "game")}`;
}

/** @param {number} number @param {string} noun */
export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** What seats got: "1 – 0", "½ – ½". @param {number[]} points */
export function result(points) {
  const halves = /** @type {Record<string, string>} */ ({ 0: "0", 0.5: "½", 1: "1" });
  return points.map((point) => halves[point] ?? point.toFixed(2)).join(" – ");
}

/** A moment of the server as the reader's day and time. @param {string} iso */
export function moment(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? ""
    : date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
