// Shows the games of the page.  Pictures come in parts that Python has drawn; nothing
// here knows a rule of any game.
"use strict";

const element = (id) => document.getElementById(id);
const read = (id) => JSON.parse(element(id).textContent);
const rows = [...document.querySelectorAll("#games tbody tr")];
const pictures = rows.length ? read("pictures") : null;
const WHOLE = /^<\w.*(\/>|<\/\w+>)$/s; // a part that is an element, and no single tag
const SLOW = 700; // milliseconds between moves that play by themselves

let game = null; // the data of the game that is shown
let frames = []; // one list of part numbers for every position
let fresh = []; // for every position the part numbers that were not in the one before
let ply = 0;
let timer = 0;

function edited(picture, changes, added) {
  const result = [...picture];
  for (let index = 0, shift = 0; index < changes.length;) {
    const [place, removed, count] = changes.slice(index, index + 3);
    const numbers = changes.slice(index + 3, index + 3 + count);
    result.splice(place + shift, removed, ...numbers);
    numbers.forEach((number) => added.add(number));
    shift += count - removed;
    index += 3 + count;
  }
  return result;
}

function open(row) {
  stop();
  rows.forEach((each) => each.classList.toggle("here", each === row));
  game = read(`game-${row.dataset.number}`);
  frames = game.changes ? [pictures.openings[game.opening]] : [];
  fresh = [new Set()];
  for (const changes of game.changes ?? []) {
    const added = new Set();
    frames.push(edited(frames.at(-1), changes, added));
    fresh.push(added);
  }
  element("title").textContent = row.dataset.title;
  element("result").textContent = game.result;
  element("ply").max = game.moves.length;
  fillMoves();
  show(0);
}

function cell(text, kind) {
  const made = document.createElement("td");
  made.textContent = text ?? ""; // a column that says nothing is left out
  made.className = kind;
  return made;
}

function fillMoves() {
  const made = game.moves.map((text, index) => {
    const row = document.createElement("tr");
    const told = game.faults?.[index + 1];
    row.append(
      cell(index + 1, "number"),
      cell(text, told ? "fault" : ""),
      cell(game.values?.[index], "number"),
      cell(game.depths?.[index] || "", "number"),
      cell(game.nodes?.[index] ? game.nodes[index].toLocaleString("en") : "", "number"),
      cell(game.seconds?.[index], "number"),
      cell(told ?? game.lines?.[index], told ? "fault" : "line"),
    );
    row.title = game.seats[game.players[index]];
    row.addEventListener("click", () => { stop(); show(index + 1); });
    return row;
  });
  element("moves").tBodies[0].replaceChildren(...made);
}

function picture(index) {
  return frames[index].map((number) => {
    const part = pictures.parts[number];
    const stands = fresh[index].has(number) && WHOLE.test(part);
    return stands ? `<g class="new">${part}</g>` : part;
  }).join("");
}

function show(index) {
  ply = Math.max(0, Math.min(index, game.moves.length));
  const board = element("board");
  if (frames.length) board.innerHTML = picture(ply);
  else board.textContent = game.problem;
  element("ply").value = ply;
  element("count").textContent = `${ply} / ${game.moves.length}`;
  element("thought").textContent = ply ? thought(ply - 1) : "The start of the game.";
  [...element("moves").tBodies[0].rows].forEach((row, place) => {
    row.classList.toggle("here", place === ply - 1);
  });
  reveal(element("moves").tBodies[0].rows[ply - 1], element("moves").parentElement);
}

function reveal(row, box) {
  if (!row) box.scrollTop = 0;
  else box.scrollTop = row.offsetTop - box.clientHeight / 2;
}

function thought(index) {
  const said = [`${game.seats[game.players[index]]} plays ${game.moves[index]}`];
  if (game.values?.[index]) said.push(`value ${game.values[index]}`);
  if (game.depths?.[index]) said.push(`depth ${game.depths[index]}`);
  if (game.nodes?.[index]) said.push(`${game.nodes[index].toLocaleString("en")} nodes`);
  if (game.seconds?.[index] !== undefined) said.push(`${game.seconds[index]} s`);
  if (game.lines?.[index]) said.push(`line ${game.lines[index]}`);
  if (game.faults?.[index + 1]) said.push(game.faults[index + 1]);
  return said.join(", ");
}

function stop() {
  clearInterval(timer);
  timer = 0;
  element("run").textContent = "Play";
}

function run() {
  if (timer) { stop(); return; }
  if (ply === game.moves.length) show(0);
  element("run").textContent = "Stop";
  timer = setInterval(() => {
    show(ply + 1);
    if (ply === game.moves.length) stop();
  }, SLOW);
}

function neighbour(step) {
  const shown = rows.filter((row) => !row.hidden);
  const next = shown[shown.findIndex((row) => row.classList.contains("here")) + step];
  if (!next) return;
  open(next);
  reveal(next, element("games").parentElement);
}

function matches(row) {
  const { agent, outcome, kind, end } = Object.fromEntries(
    ["agent", "outcome", "kind", "end"].map((id) => [id, element(id)?.value ?? ""]),
  );
  const seats = row.dataset.seats.split(" ");
  const best = row.dataset.best.split(" "); // the seats that share the point
  if (kind && row.dataset.kind !== kind) return false;
  if (end && row.dataset.end !== end) return false;
  if (agent && !seats.includes(agent)) return false;
  if (!outcome) return true;
  const is_shared = best.length > 1;
  if (outcome === "drawn") return is_shared;
  if (!agent) return !is_shared;
  const has_won = best.some((seat) => seats[seat] === agent);
  return !is_shared && has_won === (outcome === "won");
}

function filter() {
  rows.forEach((row) => { row.hidden = !matches(row); });
  const count = rows.filter((row) => !row.hidden).length;
  element("shown").textContent = `${count} of ${rows.length} games`;
}

const KEYS = {
  ArrowLeft: () => show(ply - 1),
  ArrowRight: () => show(ply + 1),
  Home: () => show(0),
  End: () => show(game.moves.length),
  PageUp: () => neighbour(-1),
  PageDown: () => neighbour(1),
};

function press(event) {
  const is_typing = event.target.matches("select, input, summary");
  if (is_typing || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  if (event.key.startsWith("Arrow")) stop();
  KEYS[event.key]();
}

if (rows.length) {
  rows.forEach((row) => row.addEventListener("click", () => open(row)));
  document.querySelectorAll(".filters select").forEach((each) => {
    each.addEventListener("change", filter);
  });
  for (const [id, act] of Object.entries({
    first: KEYS.Home, back: KEYS.ArrowLeft, next: KEYS.ArrowRight, last: KEYS.End,
  })) element(id).addEventListener("click", () => { stop(); act(); });
  element("run").addEventListener("click", run);
  element("ply").addEventListener("input", (event) => { stop(); show(Number(event.target.value)); });
  document.addEventListener("keydown", press);
  filter();
  open(rows[0]);
}
