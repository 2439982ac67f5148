// @ts-check
/** Specs such as `alphabeta:depth=4,eval=lines`: taken apart and put together. */

/** @param {string} spec @returns {{name: string, texts: Record<string, string>}} */
export function splitSpec(spec) {
  const [name, rest = ""] = spec.split(/:(.*)/s);
  /** @type {Record<string, string>} */
  const texts = {};
  for (const part of rest.split(",").filter(Boolean)) {
    const [key, value = ""] = part.split(/=(.*)/s);
    texts[key.trim()] = value.trim();
  }
  return { name: name.trim(), texts };
}

/** @param {string} name @param {Record<string, string>} texts */
export function joinSpec(name, texts) {
  const parts = Object.entries(texts).map(([key, value]) => `${key}=${value}`);
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

/** @typedef {import("../types.js").Opponents} Opponents */

/** Those with a name, to be chosen at once. @param {Opponents} opponents */
const named = (opponents) => [...opponents.levels, ...opponents.learned];

/** @param {string} spec @param {Opponents} opponents */
export const isNamed = (spec, opponents) => named(opponents).some((each) => each.agent === spec);

/** What an agent is called: its level's name, or its spec. @param {string} spec @param {Opponents | null} opponents */
export function agentName(spec, opponents) {
  return (opponents && named(opponents).find((each) => each.agent === spec)?.name) ?? spec;
}
