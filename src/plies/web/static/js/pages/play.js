// @ts-check
/** `#/play/ID`: a game that is played or watched. */
import { ApiProblem, get } from "../api.js";
import { fill, h } from "../dom.js";
import { forget, keep, keptSession, keyOf, takeKey } from "../keys.js";
import { Following } from "../play/following.js";
import { PlayPage } from "../play/page.js";
import { detailOf, opponentsOf, whenReady } from "../play/start.js";

/** @param {HTMLElement} host @param {URLSearchParams} parameters @param {string[]} path */
export async function open(host, parameters, path) {
  const id = path[0] ?? "";
  const invited = parameters.get("key");
  if (invited) {
    takeKey(id, invited);
    history.replaceState(null, "", `#/play/${encodeURIComponent(id)}`); // a copied address is no key
  }
  const key = keyOf(id);
  const gone = () => showGone(host, id);
  fill(host, h("p", { class: "soft" }, "Setting up the board …"));
  try {
    const session = await whenReady((signal) =>
      get(`/sessions/${encodeURIComponent(id)}`, key, signal));
    const [detail, opponents] = await Promise.all([detailOf(session.game), opponentsOf(session.game)]);
    named(session);
    fill(host);
    const page = new PlayPage(host, new Following(session, key, detail, opponents), gone);
    return () => page.close();
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.status !== 404) throw problem;
    gone();
    return () => {};
  }
}

/** An invitation says nothing of its game: now it is known. @param {import("../types.js").SessionView} session */
function named({ id, game, title }) {
  const kept = keptSession(id);
  if (kept && !kept.title) keep({ ...kept, game, title });
}

/** The game is not there any more: what can be done now. @param {HTMLElement} host @param {string} id */
function showGone(host, id) {
  const kept = keptSession(id);
  forget(id);
  document.title = "plies";
  fill(host, h("section", { class: "card narrow" }, h("h1", null, "This game is gone"),
    h("p", null, "Games that nobody comes back to are put away after a while, or the address is not complete."),
    h("p", { class: "row" },
      kept?.game && h("a", { class: "button primary",
        href: `#/new?game=${encodeURIComponent(kept.game)}` }, `New game of ${kept.title}`),
      h("a", { class: "button", href: "#/" }, "All games"))));
}
