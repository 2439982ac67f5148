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

/** What an agent is called: its level's name, or its spec. @param {string} spec @param {Opponents | null} opponents */
export function agentName(spec, opponents) {
  return opponents?.levels.find((level) => level.agent === spec)?.name ?? spec;
}
