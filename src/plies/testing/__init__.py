"""Does a game keep the contract?  Named checks that any author can run.

    >>> from plies import game
    >>> from plies.testing import check_game
    >>> all(result.passed for result in check_game(game("tictactoe"), games=2))
    True

In a test file of one's own: `assert_game(plies.game("my_game.py"))`.

Every check looks at positions of seeded random games, so the same seed gives the
same answer.  A check that fails names a position and what was expected there; a rule
that raises an error, or does not compile, fails the checks that ask it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from inspect import isfunction
from types import ModuleType

from plies.core.contract import Game
from plies.core.rules import RULES
from plies.errors import PliesError
from plies.testing import compiling, optional, rules, texts
from plies.testing.sample import Check, Problems, Sample, one_line

__all__ = ["CheckResult", "assert_game", "check_game", "checks"]


def _checks_of(module: ModuleType) -> dict[str, Check]:
    """Its public functions are checks, in their order; a name is what a check promises."""
    own = (
        each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__
    )
    return {
        each.__name__.replace("_", " "): each
        for each in own
        if isfunction(each) and each.__name__[0] != "_"
    }


OPTIONAL = _checks_of(optional)
# First those of `compiling`: plain Python shows where it hangs, and random games make the
# positions that all others look at.
CHECKS = {**_checks_of(compiling), **_checks_of(rules), **OPTIONAL, **_checks_of(texts)}


@dataclass(frozen=True)
class CheckResult:
    """One promise of the contract: its name, whether the game keeps it, and a remark."""

    name: str
    passed: bool
    detail: str = ""


def result_of(name: str, problems: Problems) -> CheckResult:
    """The first of the problems, or the remark where there is none."""
    try:
        return CheckResult(name, False, one_line(next(problems)))
    except StopIteration as end:
        return CheckResult(name, True, end.value or "")
    except PliesError as error:
        return CheckResult(name, False, one_line(error))


def checks(game: Game, seed: int = 0, games: int = 20) -> Iterator[CheckResult]:
    """The results as they come; there are no more when not a single move can be played."""
    sample = Sample(game, seed, games)
    for name in CHECKS:
        yield _check(name, sample)
        if sample.played and not sample.has_positions:
            return


def check_game(game: Game, seed: int = 0, games: int = 20) -> list[CheckResult]:
    """Every check on positions of `games` random games."""
    return list(checks(game, seed, games))


def assert_game(game: Game, seed: int = 0, games: int = 20) -> None:
    """Raise AssertionError with a line for every check that fails."""
    failed = [result for result in checks(game, seed, games) if not result.passed]
    if failed:
        lines = [f"{game.name} breaks the contract:"]
        lines += [f"  {result.name}: {result.detail}" for result in failed]
        raise AssertionError("\n".join(lines))


def _check(name: str, sample: Sample) -> CheckResult:
    sample.at = None
    rules = [rule.name for rule in RULES if rule.check == name]
    if name in OPTIONAL and rules and not any(map(sample.game.says, rules)):
        return CheckResult(name, True, "none declared")

    def problems() -> Problems:
        try:
            return (yield from CHECKS[name](sample.game, sample))
        except Exception as error:  # a rule may raise anything: that is a result too
            yield sample.failure(error)
            return None

    result = result_of(name, problems())
    return result if result.passed else replace(result, detail=sample.place() + result.detail)
