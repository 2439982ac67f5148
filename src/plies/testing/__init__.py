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
from dataclasses import dataclass

from plies.core.contract import Game
from plies.core.rules import RULES
from plies.testing import compiling, optional, rules, texts
from plies.testing.sample import Check, ContractError, Sample, one_line

__all__ = ["CheckResult", "assert_game", "check_game", "checks"]

CHECKS: tuple[Check, ...] = (
    rules.a_game_begins_with_whole_numbers,
    compiling.the_rules_compile,
    compiling.compiled_rules_equal_the_interpreted,  # plain Python first: it shows where it hangs
    rules.random_games_run,  # makes the positions that all others look at
    *rules.CHECKS,
    *optional.CHECKS,
    *compiling.CHECKS,
    *texts.CHECKS,
)


@dataclass(frozen=True)
class CheckResult:
    """One promise of the contract: its name, whether the game keeps it, and a remark."""

    name: str
    passed: bool
    detail: str = ""


def checks(game: Game, seed: int = 0, games: int = 20) -> Iterator[CheckResult]:
    """The results as they come; there are no more when not a single move can be played."""
    sample = Sample(game, seed, games)
    for check in CHECKS:
        yield _result(check, sample)
        if sample.walks and not sample.has_positions:
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


def name_of(check: Check) -> str:
    return check.__name__.replace("_", " ")


def _result(check: Check, sample: Sample) -> CheckResult:
    name = name_of(check)
    sample.at = None
    rules = [rule.name for rule in RULES if rule.check == name]
    if check in optional.CHECKS and rules and not any(map(sample.game.says, rules)):
        return CheckResult(name, True, "none declared")
    try:
        return CheckResult(name, True, check(sample) or "")
    except ContractError as broken:
        return CheckResult(name, False, sample.place() + one_line(broken))
    except Exception as error:  # a rule may raise anything: that is a result too
        return CheckResult(name, False, sample.place() + sample.story(error))
