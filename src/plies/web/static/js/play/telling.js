// @ts-check
/** What is told in words: the state of the game, and what has just happened. */
import { agentName } from "./spec.js";
import { capital } from "../words.js";

/** @typedef {import("./following.js").Following} Following */
/** @typedef {import("../types.js").SessionView} SessionView */

const RESULTS = { "": "", won: "You win.", lost: "You lose.", drawn: "" };

/** The line under the players. @param {Following} state */
export function statusOf(state) {
  const { session, isNow, ply } = state;
  if (!isNow) return ply === 0 ? "The start" : `After ${ply} of ${session.ply} moves`;
  if (session.ending) return [RESULTS[resultOf(state)], capital(session.ending.text)].filter(Boolean).join(" ");
  const { mover } = session.position;
  if (mover === null) return "";
  const { name, agent } = session.seats[mover];
  if (state.isYourTurn) {
    return state.yourSeats.length > 1 ? `${capital(name)} to move` : "Your turn";
  }
  if (!agent) return `Waiting for ${capital(name)}`;
  if (session.problem) return `${capital(session.problem)} Hand the seat to somebody else.`;
  if (session.pace.is_paused) return "Paused";
  return state.isGettingReady ? `${capital(name)} is getting ready …` : `${capital(name)} is thinking …`;
}

/** How the game ended for the one person here, "" where that cannot be said. @param {Following} state @returns {keyof typeof RESULTS} */
export function resultOf({ session, yourSeats }) {
  if (!session.ending || yourSeats.length !== 1) return "";
  const { payoffs } = session.ending;
  const mine = payoffs[yourSeats[0]];
  if (payoffs.every((payoff) => payoff === mine)) return "drawn";
  return mine === Math.max(...payoffs) ? "won" : "lost";
}

/** The title of the window. @param {Following} state */
export function titleOf(state) {
  const { session } = state;
  if (session.ending) return `${capital(session.ending.text)} ${session.title}`;
  return state.isYourTurn && state.yourSeats.length === 1
    ? `Your turn: ${session.title}` : `${session.title} · plies`;
}

/**
 * What a listener should hear of the session as it is now, "" where nothing happened.
 * @param {Following} state as it was @param {SessionView} session as it is
 */
export function newsOf(state, session) {
  const before = state.session;
  const parts = [];
  if (session.ply < before.ply) parts.push("Taken back.");
  for (const move of session.played.slice(before.ply)) {
    parts.push(`${capital(session.seats[move.player].name)} plays ${move.spoken}.`);
  }
  if (session.ending && !before.ending) parts.push(session.ending.text);
  session.seats.forEach((seat, index) => {
    if (seat.agent === before.seats[index].agent) return;
    const who = seat.agent ? agentName(seat.agent, state.opponents) : "a person";
    parts.push(`${capital(seat.name)} is now played by ${who}.`);
  });
  const { mover } = session.position;
  const isYours = mover !== null && session.yours.includes(mover) && !session.seats[mover].agent;
  if (isYours && !session.ending && session.ply !== before.ply) {
    parts.push(state.yourSeats.length > 1 ? `${capital(session.seats[mover].name)} to move.` : "Your turn.");
  }
  return parts.join(" ");
}
