// @ts-check
/** Every tournament that is here, the latest first. */
import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { lead, moment, progress, STATES } from "./words.js";

/** @typedef {import("./types.js").ContestCard} ContestCard */
/** @typedef {import("./types.js").ContestList} ContestList */

/** Tournaments to begin with: what they ask, and who plays what; without agents the levels of the game.
 * @typedef {{name: string, told: string, game: string, agents: string[][]}} Ready */
/** @type {Ready[]} */
const READY = [
  { name: "The levels", told: "Tic-tac-toe between the first three levels: how much does a level matter?",
    game: "tictactoe", agents: [] },
  { name: "How deep?", told: "Quixo by alpha-beta of depth 1 to 4: what is one more ply worth?",
    game: "quixo", agents: [1, 2, 3, 4].map((depth) => [`Depth ${depth}`, `alphabeta:depth=${depth},choice=random`]) },
  { name: "Trees or dice?", told: "Seega: alpha-beta against Monte Carlo tree search and a random player.",
    game: "seega", agents: [["Alpha-beta", "alphabeta:depth=3,choice=random"], ["Monte Carlo", "mcts:simulations=500"],
      ["Random", "random"]] },
];
const AGAIN = 2000; // milliseconds between two looks while one of them is being played

/** @param {HTMLElement} host */
export async function openList(host) {
  document.title = "Tournaments · plies";
  let isOpen = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const body = h("div");
  fill(host,
    h("div", { class: "contests-head" },
      h("div", null, h("h1", null, "Tournaments"),
        h("p", { class: "soft" }, "Let agents play each other, and see who is better and by how much.")),
      h("a", { class: "button primary", href: "#/tournaments?new=1" }, "New tournament")),
    body);
  const look = async () => {
    /** @type {ContestList} */
    const { tournaments } = await get("/tournaments");
    if (!isOpen) return;
    draw(body, tournaments);
    if (tournaments.some((each) => each.state === "running")) {
      waiting = setTimeout(() => look().catch(() => {}), AGAIN);
    }
  };
  await look();
  return () => {
    isOpen = false;
    clearTimeout(waiting);
  };
}

/** @param {HTMLElement} body @param {ContestCard[]} tournaments */
function draw(body, tournaments) {
  const here = document.activeElement?.getAttribute("href");
  if (tournaments.length === 0) {
    fill(body, h("p", null, "There is none yet. Begin with one of these; a small one takes less than a minute."),
      h("ul", { class: "contests" }, READY.map((each) => h("li", null, readyCard(each)))),
      h("p", { class: "soft" }, "You see who leads, with error bars, while it is played; you can replay every game, ",
        "stop and resume. What ", h("code", null, "plies tournament"), " keeps in the folder of runs is shown here, too."));
    return;
  }
  fill(body, h("ul", { class: "contests" }, tournaments.map((each) => h("li", null, cardOf(each)))));
  const links = /** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll("a"));
  if (here) [...links].find((link) => link.getAttribute("href") === here)?.focus();
}

/** @param {Ready} each */
function readyCard({ name, told, game, agents }) {
  const query = new URLSearchParams([["new", "1"], ["name", name], ["game", game],
    ...agents.flatMap(([called, agent]) => [["called", called], ["agent", agent]])]);
  return h("article", { class: "card contest-card" }, h("h2", null, h("a", { href: `#/tournaments?${query}` }, name)),
    h("p", { class: "soft" }, told));
}

/** @param {ContestCard} each */
function cardOf(each) {
  if (each.problem && each.kind === "") {
    return h("article", { class: "card contest-card" }, h("h2", null, each.name),
      h("p", { class: "notice" }, each.problem));
  }
  return h("article", { class: "card contest-card" },
    h("h2", null, h("a", { href: `#/tournaments/${encodeURIComponent(each.id)}` }, each.name)),
    h("span", { class: `state ${each.state}` }, STATES[each.state]),
    h("p", { class: "soft" }, lead(each.kind, each.games, each.agents)),
    h("p", { class: "soft when" }, `${progress(each)} · ${moment(each.begun)}`),
    each.state !== "finished" && bar(each.played, each.total),
    each.problem && h("p", { class: "notice" }, each.problem));
}

/** How much has been played. @param {number} played @param {number} total */
export function bar(played, total) {
  return h("progress", { max: Math.max(total, 1), value: played, "aria-label": "games played" });
}
