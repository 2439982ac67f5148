"""A UCI engine that notes what it hears in a file and says what it was told to say.

    engine.py FILE ANSWER...

Every `go` is answered by these lines; `exit` ends the program, `sleep` lets a minute go by,
`never ready` keeps silent about `isready`, `wait for stop` answers `stop` instead.
"""

import sys
import time

OPTIONS = (
    "option name Hash type spin default 16 min 1 max 1024",
    "option name UCI_LimitStrength type check default false",
    "option name UCI_Elo type spin default 1500 min 1000 max 2000",
)


def main(file: str, answers: list[str]) -> None:
    with open(file, "a", encoding="utf-8", buffering=1) as heard:  # noqa: PTH123
        for line in sys.stdin:
            heard.write(line)
            word = line.split()[0]
            if word == "uci":
                say(*OPTIONS, "uciok")
            elif word == "isready" and "never ready" not in answers:
                say("readyok")
            elif word == ("stop" if "wait for stop" in answers else "go"):
                answer(answers)
            elif word == "quit":
                return


def answer(lines: list[str]) -> None:
    for line in lines:
        if line == "exit":
            sys.exit(3)
        if line == "sleep":
            time.sleep(60)
        if line.startswith(("info", "bestmove")):
            say(line)


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
