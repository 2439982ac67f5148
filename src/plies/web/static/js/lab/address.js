// @ts-check
/** What is looked at as the parameters of an address, and back. */

/** @typedef {import("./types.js").Order} Order */
/** @typedef {import("./types.js").Setting} Setting */

const ORDERS = ["left", "right", "best"];

/** @param {URLSearchParams} parameters @returns {Setting} */
export function settingOf(parameters) {
  const text = (/** @type {string} */ name) => parameters.get(name) ?? "";
  return {
    tree: text("tree"),
    game: text("game"),
    position: text("position"),
    evaluator: text("evaluator"),
    algorithm: text("algorithm") || "alphabeta",
    order: orderOf(text("order")),
    with: text("with"),
    withOrder: orderOf(text("with-order")),
  };
}

/** Only what is not as usual; `usual` is the tree to begin with. @param {Setting} setting @param {string} usual */
export function parametersOf(setting, usual) {
  const isUsual = setting.tree.trim() === usual.trim();
  /** @type {[string, string][]} */
  const all = [["tree", isUsual ? "" : setting.tree.trim()], ["game", setting.game],
    ["position", setting.position], ["evaluator", setting.evaluator], ["algorithm", setting.algorithm],
    ["order", setting.order === "left" ? "" : setting.order], ["with", setting.with],
    ["with-order", setting.with && setting.withOrder !== "left" ? setting.withOrder : ""]];
  return new URLSearchParams(all.filter(([, value]) => value));
}

/** @param {string} text @returns {Order} */
const orderOf = (text) => /** @type {Order} */ (ORDERS.includes(text) ? text : "left");
