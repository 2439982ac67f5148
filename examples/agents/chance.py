"""An agent for any game: a random legal move, over the protocol of docs/protocol.md."""

import json
import random
import sys


def main() -> None:
    rng = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            rng.seed(message["seed"])
            answer = {"type": "ready", "name": "chance"}
        elif message["type"] == "move":
            answer = {"move": rng.choice(message["legal"])}
        else:  # "end": the game is over
            break
        print(json.dumps(answer), flush=True)


main()
