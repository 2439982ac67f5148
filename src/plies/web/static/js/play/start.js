// @ts-check
/** Beginning a game: the request, its key, and the way to its page. */
import { get, post, put } from "../api.js";
import { keep } from "../keys.js";
import { patiently } from "../say.js";

/** @typedef {import("../types.js").Opponents} Opponents */
/** @typedef {import("../types.js").SessionCreated} SessionCreated */

/** The names of levels that a first game is played against, the best fitting first. */
const FRIENDLY = ["Easy", "Medium", "Beginner"];

const READYING = "Getting the game ready …";

/** @type {Map<string, Promise<Opponents>>} */
const asked = new Map();

/**
 * An answer for which a game may have to be compiled first; meanwhile it can be cancelled.
 * @param {(signal: AbortSignal) => Promise<any>} ask
 */
export function whenReady(ask) {
  const giveUp = new AbortController();
  return patiently(ask(giveUp.signal), READYING, () => giveUp.abort());
}

/** All about a game. @param {string} spec @returns {Promise<import("../types.js").GameDetail>} */
export const detailOf = (spec) =>
  whenReady((signal) => get(`/games/${encodeURIComponent(spec)}`, undefined, signal));

/** Who may play a game. @param {string} game @returns {Promise<Opponents>} */
export function opponentsOf(game) {
  const known = asked.get(game);
  if (known) return known;
  const answer = whenReady((signal) =>
    get(`/agents?game=${encodeURIComponent(game)}`, undefined, signal));
  asked.set(game, answer);
  answer.catch(() => asked.delete(game));
  return answer;
}

/** The agent of a level, by its name, or of a friendly one. @param {Opponents} opponents @param {string} [name] */
export function levelAgent(opponents, name = "") {
  const { levels } = opponents;
  const found = [name, ...FRIENDLY].map((wanted) => levels.find((level) => level.name === wanted));
  return (found.find(Boolean) ?? levels[0])?.agent ?? "random";
}

/** Creates a session and keeps its key. @param {import("../types.js").CreateSession} request @returns {Promise<SessionCreated>} */
export async function create(request) {
  const created = await whenReady((signal) => post("/sessions", request, undefined, signal));
  const { id, game, title } = created.session;
  keep({ id, key: created.key, invites: created.invites, game, title });
  return created;
}

/**
 * Goes to a session's page; `isInstead` leaves no way back to where we were.
 * @param {string} id @param {boolean} [isInstead]
 */
export function goTo(id, isInstead = false) {
  const address = `#/play/${encodeURIComponent(id)}`;
  if (isInstead) location.replace(address);
  else location.hash = address;
}

/** Creates a session and goes there. @param {import("../types.js").CreateSession} request @param {boolean} [isInstead] */
export async function start(request, isInstead = false) {
  const created = await create(request);
  goTo(created.session.id, isInstead);
}

/**
 * A game against levels: a person on the first seat, or nobody to watch.
 * @param {string} game @param {number} players @param {string} level
 * @param {{isWatched?: boolean, isInstead?: boolean}} [how]
 */
export async function startAgainst(game, players, level, { isWatched, isInstead } = {}) {
  const agent = levelAgent(await opponentsOf(game), level);
  const seats = Array.from({ length: players }, (_, seat) => (seat || isWatched ? agent : ""));
  await start({ game, seats, seconds: isWatched ? 1 : 0.5 }, isInstead);
}

/**
 * A game that goes on from a text: the person plays whoever is to move, a level the others.
 * @param {string} game @param {string} text @param {string} level @param {boolean} [isInstead]
 */
export async function startFrom(game, text, level, isInstead = false) {
  const [opponents, created] = await Promise.all([opponentsOf(game), create({ game, text })]);
  const { id, seats, position } = created.session;
  const agent = levelAgent(opponents, level);
  for (let seat = 0; position.mover !== null && seat < seats.length; seat++) {
    if (seat !== position.mover) await put(`/sessions/${id}/seats/${seat}`, { agent }, created.key);
  }
  goTo(id, isInstead);
}
