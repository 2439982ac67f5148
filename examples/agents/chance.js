// An agent for any game: a random legal move.  What is said here: docs/protocol.md.

const readline = require("node:readline");

let state = 1;

// A whole number from 0 to n - 1; the same ones in every game with the same seed.
function chance(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    state = message.seed;
    console.log(JSON.stringify({ type: "ready", name: "chance" }));
  } else if (message.type === "move") {
    console.log(JSON.stringify({ move: message.legal[chance(message.legal.length)] }));
  } else {
    process.exit(0); // "end": the game is over
  }
});
