// @ts-check
/** `#/`: all games, each one click away from being played. */
import { get } from "../api.js";
import { BoardView } from "../board/board.js";
import { button, field, fill, h, select } from "../dom.js";
import { keptSessions } from "../keys.js";
import { line } from "../prose.js";
import { startAgainst, startFrom } from "../play/start.js";
import { complain } from "../say.js";

/** @typedef {import("../types.js").GameCard} GameCard */

/** The names of most games' levels; a game without one of them has a friendly one instead. */
const LEVELS = ["Beginner", "Easy", "Medium", "Hard", "Strongest"];
const RECENT = 4;

/** @param {HTMLElement} host */
export async function open(host) {
  document.title = "plies";
  fill(host, h("h1", null, "Games"), h("p", { class: "soft" }, "Setting up the boards …"));
  /** @type {GameCard[]} */
  const cards = await get("/games");
  /** @type {any[]} */
  const boards = [];
  const level = levelChoice();
  fill(host,
    h("div", { class: "welcome" },
      h("div", null, h("h1", null, "Pick a board"),
        h("p", { class: "soft" }, "Play it, watch it played, and look inside the search.")),
      level.element),
    recent(),
    h("ul", { class: "games" }, cards.map((card) =>
      h("li", null, cardOf(card, level.value, boards)))),
    pasting(cards, level.value));
  requestIdle(() => import("./play.js")); // which comes next
  return () => boards.forEach((board) => board.close());
}

/** Runs something when nothing else is to be done. @type {(action: () => void) => void} */
const requestIdle = window.requestIdleCallback ?? ((action) => setTimeout(action, 500));

/** @param {string} game */
const setUp = async (game) => (await import("../play/setup.js")).openSetup({ game });

/** Whom a game is played against, remembered. */
function levelChoice() {
  const kept = recall();
  const radios = LEVELS.map((name) => h("label", null,
    h("input", { type: "radio", name: "level", value: name, checked: name === kept,
      onchange: () => remember(name) }), h("span", null, name)));
  const element = h("fieldset", { class: "level" }, h("legend", { class: "soft" }, "Your opponent"),
    h("div", { class: "segments" }, radios));
  return { element, value: () => element.querySelector("input:checked")?.value ?? "Easy" };
}

/** @param {GameCard} card @param {() => string} level @param {any[]} boards */
function cardOf(card, level, boards) {
  const title = h("h2", null, card.title);
  if (card.problem) {
    return h("article", { class: "card game" }, title, h("p", { class: "notice" }, card.problem));
  }
  const begin = (/** @type {boolean} */ isWatched) =>
    startAgainst(card.spec, card.players, level(), { isWatched }).catch(complain);
  const thumb = h("div", { class: "thumb", "aria-hidden": "true", onclick: () => begin(false) });
  const board = new BoardView(thumb, card.table, { isSmall: true });
  board.show({ ply: 0, text: "", mover: null, pieces: card.pieces, moves: [], last: [],
    motions: [], situation: "", picture: card.picture }, { animate: false });
  boards.push(board);
  const named = (/** @type {string} */ text) => ({ "aria-label": `${text}: ${card.title}` });
  return h("article", { class: "card game" }, thumb,
    h("div", { class: "about" }, title, h("small", null, `${card.players} players`),
      card.summary && h("p", { class: "soft" }, line(card.summary))),
    h("div", { class: "row" },
      button("Play", () => begin(false), { class: "primary", ...named("Play") }),
      button("Watch", () => begin(true), named("Watch")),
      button("Set up…", () => setUp(card.spec).catch(complain),
        { class: "quiet", ...named("Set up") })));
}

/** The last games of this browser. */
function recent() {
  const element = h("nav", { class: "recent", "aria-label": "Your last games" });
  const list = () => {
    const kept = keptSessions().filter((session) => session.title).slice(0, RECENT);
    element.hidden = kept.length === 0;
    fill(element, h("span", { class: "soft" }, "Go on with"), kept.map((session) => entryOf(session, list)));
  };
  list();
  return element;
}

/** One of them, and a way to be rid of it. @param {import("../keys.js").Kept} session @param {() => void} list */
function entryOf(session, list) {
  const isOwn = session.invites.length > 0; // whoever began it has the invitations
  const away = button("×", async () => {
    const { openDelete, openForget } = await import("../play/deleting.js");
    (isOwn ? openDelete : openForget)(session, list);
  }, { class: "quiet icon", title: isOwn ? "Delete this game…" : "Leave this game…",
    "aria-label": `${isOwn ? "Delete" : "Leave"}: ${session.title}, ${ago(session.at)}` });
  return h("span", { class: "kept" },
    h("a", { href: `#/play/${session.id}` }, session.title, h("small", null, ago(session.at))), away);
}

/** @param {number} at */
function ago(at) {
  const minutes = Math.max(0, Math.round((Date.now() - at) / 60_000));
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`;
}

/** A position or a game as text, to go on from. @param {GameCard[]} cards @param {() => string} level */
function pasting(cards, level) {
  const good = cards.filter((card) => !card.problem);
  const game = select(good.map((card) => [card.spec, card.title]),
    (good.find((card) => card.spec === "chess") ?? good[0])?.spec ?? "");
  const text = h("textarea", { rows: 2, maxlength: 20000, spellcheck: "false",
    placeholder: "FEN or PGN for chess, the text of the position or game for others" });
  const go = button("Go on from there", async () => {
    if (text.value.trim() === "") text.focus();
    else await startFrom(game.value, text.value.trim(), level()).catch(complain);
  });
  return h("section", { class: "card paste" }, h("h2", null, "Paste a position or a game"),
    h("div", { class: "pasting" }, field("Game", game), field("Text", text), go));
}

function recall() {
  try {
    const kept = localStorage.getItem("plies.level") ?? "";
    return LEVELS.includes(kept) ? kept : "Easy";
  } catch {
    return "Easy";
  }
}

/** @param {string} name */
function remember(name) {
  try {
    localStorage.setItem("plies.level", name);
  } catch { /* it holds for this page only */ }
}
