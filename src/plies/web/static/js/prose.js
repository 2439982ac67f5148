// @ts-check
/** Prose as a game's file has it: paragraphs, pictures of characters, `names` and **stress**. */
import { h } from "./dom.js";

/** What stands between signs, each with the element that it becomes. */
const SIGNS = /`([^`]+)`|\*\*([^*]+)\*\*/g;

/** A line of it. @param {string} text @returns {(Node | string)[]} */
export function line(text) {
  /** @type {(Node | string)[]} */
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(SIGNS)) {
    parts.push(text.slice(from, found.index));
    parts.push(found[1] ? h("code", null, found[1]) : h("strong", null, found[2]));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}

/** All of it. @param {string} text @returns {HTMLElement[]} */
export function paragraphs(text) {
  return text.split(/\n\s*\n/).filter((block) => block.trim()).map((block) => {
    const lines = block.replace(/^\n+|\s+$/g, "").split("\n");
    if (lines.every((each) => each.startsWith("  "))) return picture(lines);
    const items = lines.join("\n").split(/^[*-] /m);
    if (items.length > 2 && items[0] === "") {
      return h("ul", null, items.slice(1).map((item) => h("li", null, line(joined(item)))));
    }
    return h("p", null, line(joined(block)));
  });
}

/** @param {string} text */
const joined = (text) => text.trim().split(/\s+/).join(" ");

/** @param {string[]} lines */
function picture(lines) {
  const margin = Math.min(...lines.filter((each) => each.trim()).map((each) => each.search(/\S/)));
  return h("pre", { tabindex: 0 }, lines.map((each) => each.slice(margin)).join("\n"));
}
