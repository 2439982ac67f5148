// @ts-check
/** Copying a position or a game, pasting one, and links to it. */
import { get } from "../api.js";
import { copyText } from "../clipboard.js";
import { button, field, h } from "../dom.js";
import { openDialog } from "../dialog.js";
import { keptSession } from "../keys.js";
import { say } from "../say.js";
import { create, goTo } from "./start.js";
import { capital, reasonOf } from "../words.js";

/** @typedef {import("./following.js").Following} Following */

/** @param {Following} state */
export async function openShare(state) {
  const { session, key } = state;
  const [texts, position] = await Promise.all([
    get(`/sessions/${session.id}/text`, key), state.position()]);
  const invites = state.session.role === "owner" ? keptSession(session.id)?.invites ?? [] : [];
  const text = h("textarea", { rows: 3, maxlength: 20000, spellcheck: "false" });
  const close = openDialog("Share and copy", [
    copied("This position", position.text),
    copied("The whole game", texts.game, true),
    copied("Link to this position", address("new", { game: session.game, position: position.text })),
    copied("Link to watch this game", address(`play/${session.id}`, {})),
    ...invites.map((invite, seat) => session.seats[seat].agent === "" && invite
      ? copied(`Link to play ${capital(session.seats[seat].name)} from another browser`,
        address(`play/${session.id}`, { key: invite }))
      : null),
    h("hr"),
    field("Paste a position or a game, and go on from there", text),
    h("div", { class: "row" }, button("Go on from there", async () => {
      if (text.value.trim() === "") return text.focus();
      try {
        const seats = session.seats.map((seat) => seat.agent);
        const created = await create({ game: session.game, seats, text: text.value.trim() });
        close();
        goTo(created.session.id);
      } catch (problem) {
        refuse(text, problem);
      }
    })),
  ]);
}

/** An address of this page. @param {string} page @param {Record<string, string>} parameters */
function address(page, parameters) {
  const query = new URLSearchParams(parameters).toString();
  return `${location.origin}${location.pathname}#/${page}${query && `?${query}`}`;
}

/** A text with a button that copies it. @param {string} label @param {string} text @param {boolean} [isLong] */
function copied(label, text, isLong = false) {
  const shown = isLong
    ? h("textarea", { rows: 3, readOnly: true, value: text })
    : h("input", { type: "text", readOnly: true, value: text });
  const copy = button("Copy", async () => {
    const isDone = await copyText(text);
    if (!isDone) shown.select();
    copy.textContent = isDone ? "Copied" : "Press Ctrl+C";
    if (isDone) say("Copied.");
    setTimeout(() => { copy.textContent = "Copy"; }, 2000);
  }, { "aria-label": `Copy: ${label}` });
  return h("div", { class: "copied" }, field(label, shown), copy);
}

/** @param {HTMLTextAreaElement} text @param {unknown} problem */
function refuse(text, problem) {
  const told = reasonOf(problem);
  const holder = /** @type {HTMLElement} */ (text.parentElement);
  holder.querySelector(".notice")?.remove();
  holder.append(h("span", { class: "notice", role: "alert" }, told));
}
