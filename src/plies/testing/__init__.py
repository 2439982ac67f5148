"""Does a game keep the contract?  Named checks that any author can run.

    >>> from plies import game
    >>> from plies.testing import check_game
    >>> all(result.passed for result in check_game(game("tictactoe"), games=2))
    True

In a test file of one's own: `assert_game(plies.game("my_game.py"))`.

Every check looks at positions of seeded random games, so the same seed gives the same
results.  A check that fails names a position and what it expected there.  A rule that raises
an error, or does not compile, fails the checks that call it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from inspect import isfunction
from types import ModuleType

from plies.core.contract import Game
from plies.core.rules import RULES
from plies.errors import PliesError
from plies.testing import compiling, optional, rules, texts
from plies.testing.sample import Check, Problems, Sample
from plies.testing.sentences import one_line

__all__ = ["CheckResult", "assert_game", "check_game", "checks"]


def promise(check: Callable[..., Problems]) -> str:
    """What a check promises, by its name."""
    return check.__name__.replace("_", " ")


def _checks_of(module: ModuleType) -> dict[str, Check]:
    """Its public functions in their order, by what they promise."""
    own = (each for each in vars(module).values() if isfunction(each))
    return {
        promise(each): each
        for each in own
        if each.__module__ == module.__name__ and each.__name__[0] != "_"
    }


OPTIONAL = _checks_of(optional)
# Those of `compiling` come first: plain Python shows where a rule hangs, and random games make
# the positions for all the others.
CHECKS = {**_checks_of(compiling), **_checks_of(rules), **OPTIONAL, **_checks_of(texts)}


@dataclass(frozen=True)
class CheckResult:
    """One promise of the contract: its name, whether the game keeps it, and a remark."""

    name: str
    passed: bool
    detail: str = ""


def result_of(name: str, problems: Problems) -> CheckResult:
    """The first of the problems; without any, the check's remark."""
    try:
        return CheckResult(name, False, one_line(next(problems)))
    except StopIteration as end:
        return CheckResult(name, True, end.value or "")
    except PliesError as error:
        return CheckResult(name, False, one_line(error))


def checks(game: Game, seed: int = 0, games: int = 20) -> Iterator[CheckResult]:
    """The results one by one; they end early where no move can be played at all."""
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
    if name in OPTIONAL and rules and not any(map(sample.game.defines, rules)):
        return CheckResult(name, True, "none declared")

    def problems() -> Problems:
        try:
            return (yield from CHECKS[name](sample.game, sample))
        except Exception as error:  # a rule may raise anything: that is a result too
            yield sample.failure(error)
            return None

    result = result_of(name, problems())
    return result if result.passed else replace(result, detail=sample.located(result.detail))
