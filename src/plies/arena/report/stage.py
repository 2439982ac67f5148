"""The part of the page where every game can be stepped through.

What is drawn is made here; the script of the page only puts it together.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from plies.arena.plan import points_of
from plies.arena.report.pictures import Pictures
from plies.arena.report.replay import Replay
from plies.arena.report.words import result_told
from plies.arena.store import Finished
from plies.core.scores import value_text
from plies.pages.page import script_json, text
from plies.records import MoveRecord

STAGE = """
<div class="replay">
<div id="list"><div class="filters">{filters}</div>
<div class="long"><table id="games"><thead><tr><th class="number">game</th><th>seats</th>
<th>result</th><th class="number">plies</th></tr></thead><tbody>{rows}</tbody></table></div>
<p class="hint" id="shown"></p></div>
<div id="stage"><p id="told"><strong id="title"></strong><span id="result"></span></p>
<div id="board" role="img" aria-label="the board"></div>
<div class="buttons"><button id="first" title="start (Home)">«</button>
<button id="back" title="back (left arrow)">‹</button>
<button id="run">Play</button>
<button id="next" title="on (right arrow)">›</button>
<button id="last" title="end (End)">»</button>
<input id="ply" type="range" min="0" value="0" aria-label="ply"><span id="count"></span></div>
<p id="thought" aria-live="polite"></p>
<p class="hint">Arrow keys step through the game, Page Up and Page Down through the list.
Values are those of the player who moves.</p></div>
<div id="sheet"><div class="long"><table id="moves"><thead><tr><th class="number">ply</th>
<th>move</th><th class="number">value</th><th class="number">depth</th>
<th class="number">nodes</th><th class="number">seconds</th><th>line</th></tr></thead>
<tbody></tbody></table></div></div>
</div>
"""


def stage(played: Sequence[Finished], replays: Sequence[Replay | str], pictures: Pictures) -> str:
    """Every game in a list, and a board to show them on."""
    agents = list(dict.fromkeys(name for each in played for name in each.planned.seats))
    kinds = list(dict.fromkeys(each.planned.game for each in played))
    ends = list(dict.fromkeys(each.record.termination for each in played))
    rows = "".join(
        _row(each, [agents.index(name) for name in each.planned.seats], kinds) for each in played
    )
    filters = [_choice("agent", "agent", "all agents", dict(enumerate(agents)))]
    results = {"won": "won", "drawn": "drawn", "lost": "lost"}
    filters.append(_choice("outcome", "result", "all results", results))
    if len(kinds) > 1:
        filters.append(_choice("kind", "game", "all games", dict(enumerate(kinds))))
    if len(ends) > 1:
        filters.append(_choice("end", "end", "all ends", {end: end for end in ends}))
    drawn = {"parts": pictures.parts, "openings": pictures.openings}
    data = [
        f'<script type="application/json" id="game-{each.planned.number}">'
        f"{script_json(game_data(each, replay))}</script>"
        for each, replay in zip(played, replays, strict=True)
    ]
    shown = STAGE.format(filters="".join(filters), rows=rows)
    pool = f'<script type="application/json" id="pictures">{script_json(drawn)}</script>'
    return "\n".join([shown, pool, *data])


def _choice(name: str, label: str, everything: str, options: dict[Any, str]) -> str:
    shown = "".join(
        f'<option value="{text(key)}">{text(told)}</option>' for key, told in options.items()
    )
    return (
        f'<label>{label} <select id="{name}"><option value="">{everything}</option>'
        f"{shown}</select></label>"
    )


def _row(finished: Finished, seats: Sequence[int], kinds: Sequence[str]) -> str:
    """One game of the list; seats and games are told by their number in the filters."""
    planned, record = finished.planned, finished.record
    points = points_of(record.payoffs)
    best = [seat for seat, point in enumerate(points) if point]
    names = " – ".join(planned.seats)
    title = f"{planned.number}: {planned.game}, {names}"
    kind = f"<br><small>{text(planned.game)}</small>" if len(kinds) > 1 else ""
    return (
        f'<tr data-number="{planned.number}" data-kind="{kinds.index(planned.game)}"'
        f' data-seats="{_spaced(seats)}" data-best="{_spaced(best)}"'
        f' data-end="{text(record.termination)}" data-title="{text(title)}">'
        f'<td class="number">{planned.number}</td><td>{text(names)}{kind}</td>'
        f'<td>{text(_short_result(points))}</td><td class="number">{len(record.moves)}</td></tr>'
    )


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _short_result(points: Sequence[float]) -> str:
    return "–".join({0.0: "0", 0.5: "½", 1.0: "1"}.get(point, f"{point:.2g}") for point in points)


def game_data(finished: Finished, replay: Replay | str) -> dict[str, Any]:
    """What the page needs to show a game; columns that say nothing are left out."""
    record = finished.record
    data: dict[str, Any] = {
        "seats": finished.planned.seats,
        "result": result_told(finished, "" if isinstance(replay, str) else replay.ending),
        "players": [move.player for move in record.moves],
        "moves": [move.text for move in record.moves],
        **_thoughts(record.moves),
    }
    if isinstance(replay, str):
        return data | {"problem": replay}
    return data | {"moves": replay.texts, "opening": replay.opening, "changes": replay.changes}


def _thoughts(moves: Sequence[MoveRecord]) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {
        "values": ["" if move.value is None else value_text(move.value) for move in moves],
        "depths": [move.depth for move in moves],
        "nodes": [move.nodes for move in moves],
        # A line begins with the move itself: alone, it says nothing.
        "lines": [" ".join(move.line) if len(move.line) > 1 else "" for move in moves],
    }
    told: dict[str, Any] = {name: column for name, column in columns.items() if any(column)}
    told["seconds"] = [float(f"{move.seconds:.3g}") for move in moves]
    if faults := {ply: move.fault for ply, move in enumerate(moves, start=1) if move.fault}:
        told["faults"] = faults
    return told
