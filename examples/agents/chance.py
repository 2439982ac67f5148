"""An agent for any game: a random legal move.  What is said here: docs/protocol.md."""

import json
import random
import sys


def main() -> None:
    chance = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            chance.seed(message["seed"])
            answer = {"type": "ready", "name": "chance"}
        elif message["type"] == "move":
            answer = {"move": chance.choice(message["legal"])}
        else:  # "end": the game is over
            break
        print(json.dumps(answer), flush=True)


main()
