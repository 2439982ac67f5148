// @ts-check
/** What an analysis, a hint and a line look like on the board. */

/** @typedef {import("../types.js").LineMove} LineMove */
/** @typedef {import("../types.js").MoveValue} MoveValue */
/** @typedef {import("./following.js").Following} Following */

const ARROWS = 3; // moves of a line that are drawn

/**
 * The marks for the position that is shown, where somebody has clicked `chosen` so far.
 * @param {Following} state @param {string[]} chosen
 */
export function marksOf(state, chosen) {
  const { ply, hint, inside, isInside } = state;
  const analysis = isInside && inside?.ply === ply ? inside : null;
  const arrows = lineArrows(analysis?.thinking?.line ?? agentsLine(state));
  if (hint?.ply === ply && hint.move.clicks.length > 1) {
    arrows.push(...lineArrows([hint.move]).map((each) => ({ ...each, kind: "hint" })));
  }
  return {
    arrows,
    values: analysis ? nextValues(analysis.values, chosen) : [],
    hint: hint?.ply === ply ? hint.move.clicks : [],
  };
}

/** What the player to move expects, while looking inside. @param {Following} state @returns {LineMove[]} */
function agentsLine({ isInside, thinking, ply }) {
  return isInside && thinking?.ply === ply ? thinking.line : [];
}

/** @param {LineMove[]} line */
function lineArrows(line) {
  return line.slice(0, ARROWS).filter((move) => move.clicks.length > 0).map((move, index) => ({
    from: move.clicks[0],
    to: move.clicks[1] ?? move.clicks[0],
    kind: index === 0 ? "best" : "line",
  }));
}

/**
 * The best value behind each of the next clicks.
 * @param {MoveValue[]} values @param {string[]} chosen
 */
function nextValues(values, chosen) {
  /** @type {Map<string, MoveValue>} */
  const best = new Map();
  for (const each of values) {
    const point = each.clicks[chosen.length];
    const isOpen = chosen.every((click, index) => each.clicks[index] === click);
    if (!isOpen || point === undefined) continue;
    const known = best.get(point);
    if (!known || each.value > known.value) best.set(point, each);
  }
  return [...best].map(([point, { told, share }]) => ({ point, told, share }));
}
