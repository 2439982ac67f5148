// @ts-check
/** `#/new?game=SPEC&position=TEXT`: a game that begins there; its page takes this one's place. */
import { fill, h } from "../dom.js";
import { detailOf, start, startAgainst, startFrom } from "../play/start.js";

/** @param {HTMLElement} host @param {URLSearchParams} parameters */
export async function open(host, parameters) {
  const game = parameters.get("game") ?? "";
  const text = parameters.get("position") ?? "";
  const level = parameters.get("level") ?? "";
  const seats = parameters.getAll("seat");
  fill(host, h("p", { class: "soft" }, "Setting up the board …"));
  if (!game) throw new Error("The address does not say which game.");
  if (seats.length) await start({ game, seats, text }, true);
  else if (text) await startFrom(game, text, level, true);
  else await startAgainst(game, (await detailOf(game)).players, level, { isInstead: true });
  return () => {};
}
