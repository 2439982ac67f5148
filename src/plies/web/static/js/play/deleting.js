// @ts-check
/** Games are deleted, or an invitation is given up, when asked twice. */
import { ApiProblem, remove } from "../api.js";
import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { forget } from "../keys.js";
import { toast } from "../say.js";

/** @typedef {{id: string, key: string, title: string}} Game */

/** Deletes a game of one's own. @param {Game} game @param {() => void} done @param {() => void} [begin] */
export function openDelete({ id, key, title }, done, begin = () => {}) {
  const told = `${title} is deleted for everybody who plays or watches it, and cannot be brought back.`;
  openDialog("Delete this game?", [h("p", null, told)], {
    action: "Delete",
    submit: async () => {
      begin();
      await remove(`/sessions/${encodeURIComponent(id)}`, key).catch(unlessGone);
      forget(id);
      toast("The game is deleted.");
      done();
    },
  });
}

/** Gives a seat in somebody else's game up. @param {Game} game @param {() => void} done */
export function openForget({ id, title }, done) {
  const told = `${title} belongs to somebody else and goes on; the invitation leads back to it.`;
  openDialog("Leave this game?", [h("p", null, told)], {
    action: "Leave",
    submit: () => {
      forget(id);
      done();
    },
  });
}

/** Somebody else, or time, was quicker. @param {unknown} problem */
function unlessGone(problem) {
  if (!(problem instanceof ApiProblem) || problem.status !== 404) throw problem;
}
