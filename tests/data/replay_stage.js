// Runs the script of a report on a page that is not drawn.
// Standard input: {"code": ..., "data": {id: text}, "rows": [dataset, ...], "filters": [{...}]}.
// Prints for every game the pictures that are shown, and for every choice of filters the
// places of the rows that are left.
"use strict";

const vm = require("vm");
const { code, data, rows, filters } = JSON.parse(require("fs").readFileSync(0, "utf8"));

function made(more = {}) {
  const known = new Set();
  return {
    dataset: {}, value: "", textContent: "", innerHTML: "", scrollTop: 0, clientHeight: 0,
    tBodies: [{ rows: [], replaceChildren(...children) { this.rows = children; } }],
    classList: {
      toggle: (name, is_on) => { if (is_on) known.add(name); else known.delete(name); },
      contains: (name) => known.has(name),
    },
    addEventListener() {}, append() {},
    get parentElement() { return made(); },
    ...more,
  };
}

const list = rows.map((dataset) => made({ dataset }));
const elements = new Map(Object.entries(data).map(([id, text]) => [id, made({ textContent: text })]));
const document = {
  getElementById(id) {
    if (!elements.has(id)) elements.set(id, made());
    return elements.get(id);
  },
  querySelectorAll: (selector) => (selector.startsWith("#games") ? list : []),
  createElement: () => made(),
  addEventListener() {},
};
const board = document.getElementById("board");
const tell = (told) => process.stdout.write(JSON.stringify(told));
const loop = `
  const pictured = rows.map((row) => {
    open(row);
    return [...Array(game.moves.length + 1).keys()].map((index) => {
      show(index);
      return board.innerHTML || board.textContent;
    });
  });
  const filtered = filters.map((chosen) => {
    Object.entries(chosen).forEach(([id, value]) => { element(id).value = value; });
    filter();
    return [...rows.keys()].filter((place) => !rows[place].hidden);
  });
  tell({ pictured, filtered });
`;
const timers = { clearInterval() {}, setInterval() {} };
vm.runInNewContext(code + loop, { document, board, filters, tell, ...timers });
