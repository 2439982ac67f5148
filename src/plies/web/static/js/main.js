// @ts-check
/**
 * The router: the part of the address after # says which page is open.
 * A page is a module with `open(host, parameters, path)` that draws into `host` and answers a
 * function that closes it.
 */
import { ApiProblem } from "./api.js";
import { button, fill, h } from "./dom.js";
import { banner, complain } from "./say.js";
import { capital, reasonOf } from "./words.js";

/** @type {Record<string, () => Promise<any>>} */
const PAGES = {
  "": () => import("./pages/home.js"),
  new: () => import("./pages/new.js"),
  play: () => import("./pages/play.js"),
  lab: () => import("./pages/lab.js"),
  tournaments: () => import("./pages/tournaments.js"),
};

const host = /** @type {HTMLElement} */ (document.getElementById("page"));
let turn = 0; // counts navigations: a page that opens too late is closed again
/** @type {(() => void) | undefined} */
let close;

/** The pages of an address: its path, and its parameters. */
function place() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return {
    path: path.split("/").filter(Boolean).map(unescaped),
    parameters: new URLSearchParams(query),
  };
}

/** @param {string} text */
function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function show() {
  const mine = ++turn;
  const { path, parameters } = place();
  const name = path[0] ?? "";
  close?.();
  close = undefined;
  banner("");
  mark(name);
  const room = h("div", { class: "room" });
  fill(host, room);
  try {
    if (!Object.hasOwn(PAGES, name)) throw new Error("There is no such page.");
    const page = await PAGES[name]().catch(unreachable);
    if (mine !== turn) return;
    const closing = await page.open(room, parameters, path.slice(1));
    if (mine === turn) close = closing;
    else closing?.();
  } catch (problem) {
    if (mine === turn) fail(room, problem);
  }
  if (mine === turn && mine > 1 && !host.contains(document.activeElement)) {
    host.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

/** A page's files did not come. @returns {never} */
function unreachable() {
  throw new ApiProblem(0, { error: "the server cannot be reached" });
}

/** Loads everything anew, as soon as the server is there: a browser keeps a module that did not come. */
async function again() {
  try {
    await fetch("favicon.svg", { cache: "no-store" });
    location.reload();
  } catch {
    complain("The server cannot be reached yet.");
  }
}

/** @param {string} name */
function mark(name) {
  const page = name === "play" || name === "new" ? "" : name;
  for (const link of document.querySelectorAll("header nav a")) {
    const isHere = /** @type {HTMLElement} */ (link).dataset.page === page;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {HTMLElement} room @param {unknown} problem */
function fail(room, problem) {
  document.title = "plies";
  const text = capital(reasonOf(problem));
  const isPassing = problem instanceof ApiProblem && (problem.status === 0 || problem.status >= 500);
  fill(room, h("section", { class: "card narrow" }, h("h1", null, "That did not work"),
    h("p", null, text), h("p", { class: "row" }, isPassing && button("Try again", again, { class: "primary" }),
      h("a", { class: "button", href: "#/" }, "All games"))));
}

document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault(); // its address is an element, not a page
  host.focus();
});
addEventListener("hashchange", show);
show();
