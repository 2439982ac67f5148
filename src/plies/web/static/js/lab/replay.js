// @ts-check
/** What is known after each step of a search: everything the drawing shows comes from here. */

import { childrenOf, subtree, wayTo } from "./layout.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").LabNode} LabNode */
/** @typedef {import("./types.js").LabStep} LabStep */
/** @typedef {import("./types.js").LabTrace} LabTrace */
/** @typedef {import("./types.js").Look} Look */

/**
 * `at` says cheaply what `frame` says as well: where a step happens, and of which kind it is.
 * @typedef {{length: number, told: (step: number) => string, at: (step: number) => {at: number | null, kind: string}, frame: (step: number) => Frame}} Replay
 */

/** Steps of one pass of a search, or its simulations. @param {LabTrace} trace @param {number} pass @returns {Replay} */
export function replayOf(trace, pass) {
  return trace.passes.length ? ofSteps(trace, pass) : ofSimulations(trace);
}

/** @returns {Look} */
const fresh = () => ({ state: "new", window: "", value: "", bound: "", best: null, why: "", visits: 0, means: [] });
const BEFORE = "Nothing has been looked at yet: step forward, or let it play.";

/** @param {LabTrace} trace @param {number} pass @returns {Replay} */
function ofSteps(trace, pass) {
  const steps = trace.passes[pass].steps;
  const children = childrenOf(trace.tree);
  return {
    length: steps.length,
    told: (step) => (step ? steps[step - 1].told : BEFORE),
    at: (step) => (step ? { at: steps[step - 1].node, kind: steps[step - 1].kind } : { at: null, kind: "" }),
    frame: (step) => {
      const looks = trace.tree.map(fresh);
      for (const each of steps.slice(0, step)) apply(looks, children, each);
      const last = step ? steps[step - 1] : null;
      const counts = last ?? { nodes: 0, leaves: 0, cutoffs: 0 };
      return {
        looks,
        at: last ? last.node : null,
        told: last ? last.told : BEFORE,
        kind: last ? last.kind : "",
        nodes: counts.nodes,
        leaves: counts.leaves,
        cutoffs: counts.cutoffs,
        range: [0, 0],
        recent: recentOf(trace.tree, steps, step),
      };
    },
  };
}

/** The last node below the current one that was looked at. @param {LabNode[]} tree @param {LabStep[]} steps @param {number} step */
function recentOf(tree, steps, step) {
  const at = steps[step - 1]?.node;
  for (let before = step - 1; before > 0 && steps[step - 1].kind !== "enter"; before--) {
    const { node } = steps[before - 1];
    if (node !== at) return wayTo(tree, node).includes(at) ? node : null;
  }
  return null;
}

/** @param {Look[]} looks @param {number[][]} children @param {LabStep} step */
function apply(looks, children, step) {
  const look = looks[step.node];
  if (step.kind === "drop") {
    for (const below of subtree(children, step.node)) looks[below].state = "dropped";
    look.why = step.told;
    return;
  }
  look.window = step.window;
  if (step.kind === "enter") look.state = "open";
  if (step.kind === "cut") {
    look.why = step.told;
    for (const kid of children[step.node]) {
      if (looks[kid].state !== "new") continue;
      for (const below of subtree(children, kid)) looks[below].state = "cut";
      looks[kid].why = step.told;
    }
  }
  if (step.kind === "leaf" || step.kind === "leave") look.state = "done";
  if (step.kind !== "enter") look.value = step.value;
  if (step.kind === "leaf") look.bound = "exact";
  if (step.kind === "update") look.best = step.child;
  if (step.kind === "leave") look.bound = step.bound;
}

/** @param {LabTrace} trace @returns {Replay} */
function ofSimulations(trace) {
  const { simulations, tree } = trace;
  const ways = simulations.map((simulation) => wayTo(tree, simulation.node));
  return {
    length: simulations.length,
    told: (step) => (step ? simulations[step - 1].told : BEFORE),
    at: (step) => ({ at: step ? simulations[step - 1].node : null, kind: step ? "simulation" : "" }),
    frame: (step) => {
      const looks = tree.map(fresh);
      /** @type {number[][]} */
      const totals = tree.map(() => []);
      for (let number = 0; number < step; number++) {
        for (const at of ways[number]) {
          looks[at].visits += 1;
          simulations[number].values.forEach((value, player) => {
            totals[at][player] = (totals[at][player] ?? 0) + value;
          });
        }
      }
      looks.forEach((look, at) => {
        if (!look.visits) return;
        look.state = "done";
        look.bound = "exact";
        look.means = totals[at].map((total) => total / look.visits);
        look.value = meanText(look.means);
        const parent = tree[at].parent;
        if (parent !== null && look.visits > (looks[looks[parent].best ?? -1]?.visits ?? 0)) {
          looks[parent].best = at;
        }
      });
      if (step) for (const at of ways[step - 1]) looks[at].state = "open";
      const nodes = looks.filter((look) => look.visits).length;
      const at = step ? simulations[step - 1].node : null;
      const told = step ? simulations[step - 1].told : BEFORE;
      const got = simulations.slice(0, step).flatMap((simulation) => simulation.values);
      /** @type {[number, number]} */
      const range = [Math.min(...got), Math.max(...got)];
      return { looks, at, told, kind: step ? "simulation" : "", nodes, leaves: step, cutoffs: 0, range, recent: null };
    },
  };
}

/** The first player's mean where one is enough. @param {number[]} means */
function meanText(means) {
  if (means.length === 2 && Math.abs(means[0] + means[1]) < 1e-9) return means[0].toFixed(2);
  return means.map((mean) => mean.toFixed(1)).join(", ");
}
