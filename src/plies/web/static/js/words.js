// @ts-check
/** Numbers and moves as people read them. */

/** 1234567 -> "1.2 M". @param {number} count */
export function short(count) {
  for (const [size, unit] of /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"]])) {
    if (count >= size) return `${(count / size).toFixed(count < 10 * size ? 1 : 0)}\u00a0${unit}`;
  }
  return String(Math.round(count));
}

/** How far a search is: "depth 7, 1.2 M nodes, 3.4 M/s". @param {{depth: number, nodes: number, rate?: number}} search */
export function effort({ depth, nodes, rate = 0 }) {
  const parts = [];
  if (depth > 0) parts.push(`depth\u00a0${depth}`);
  if (nodes > 0) parts.push(`${short(nodes)}\u00a0nodes`);
  if (rate > 0) parts.push(`${short(rate)}/s`);
  return parts.join(", ");
}

/** 0.00123 -> "1.2 ms". @param {number | null} seconds */
export function moveTime(seconds) {
  if (seconds === null) return "";
  if (seconds >= 1) return `${seconds.toPrecision(2)} s`;
  return seconds >= 1e-3 ? `${Number((1e3 * seconds).toPrecision(2))} ms` : `${Math.round(1e6 * seconds)} µs`;
}

/** Seconds on a clock: "4:05", "0:09.3". @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  const shown = left < 20 ? Math.floor(left * 10) / 10 : Math.floor(left);
  const minutes = Math.floor(shown / 60);
  const rest = shown - 60 * minutes;
  const digits = left < 20 ? rest.toFixed(1).padStart(4, "0") : String(rest).padStart(2, "0");
  return `${minutes}:${digits}`;
}

/** @param {number | null} share */
export const percent = (share) => (share === null ? "" : `${Math.round(100 * share)} %`);

/** "first (X)" -> "First (X)". @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Why something failed, in one line. @param {unknown} problem */
export const reasonOf = (problem) => (problem instanceof Error ? problem.message : String(problem));
