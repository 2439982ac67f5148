// @ts-check
/** `#/tournaments`: all of them, a new one (`?new`), or one (`#/tournaments/ID`). */
import { openContest } from "../tournaments/contest.js";
import { openForm } from "../tournaments/form.js";
import { openList } from "../tournaments/list.js";

/** @param {HTMLElement} host @param {URLSearchParams} parameters @param {string[]} path */
export function open(host, parameters, path) {
  if (path.length) return openContest(host, path[0], parameters);
  return parameters.has("new") ? openForm(host, parameters) : openList(host);
}
