"""Chess, parts 3 and 4: agents that predict what a search would say, against the search."""

from collections.abc import Mapping, Sequence
from typing import Any

from plies.core.verbs import Measure
from plies.learn.regressors import combination_text
from plies.pages.page import Table
from plies.studies.predictor_steps import (
    AT_RANDOM,
    CHANCE,
    CYCLES,
    DRAWN,
    FIRST,
    MODELS,
    PAWN,
    REFERENCE,
    SEARCHER,
    SOURCES,
    plan,
)
from plies.studies.study import Compared, Findings, Scale, Shown, Study
from plies.studies.telling import RESULTS, counts, percent, results, share, standing, step_of

Meetings = Mapping[tuple[str, str], Any]  # by the names of both

# Published: train MSE, test MSE, MAE, R2; the report names no unit, its evaluation is in pawns.
PUBLISHED = {
    "pred forest": (78.44, 84.17, 7.66, 0.693),
    "mi_pred mlp": (64.11, 85.66, 7.16, 0.697),
}
PUBLISHED_COLUMNS = (
    "material, pawn_structure, center_control_val, mobility_val, king_safety_val, phase,"
    " num_pieces, num_moves, opponent_pieces, evaluation, best_value"
)
PUBLISHED_BEST = {
    "pred forest": "n_estimators=100, max_depth=5, min_samples_split=10, min_samples_leaf=4, of a"
    " grid of 3 x 4 x 3 x 3, 5 folds, by the MSE",
    "mi_pred mlp": "layers of 100 (the list is cut off in print after three), activation=relu,"
    " alpha=0.0001, solver=adam, learning_rate=constant",
}
BETTER = "pred better than branch-limited (L=4, BF=2, l=1)"
DEFENSIVE = "many draws, no wins, defensive, cycles"
KINDS = {"forest": "random forest", "mlp": "perceptron"}
SEEN = {"value": "H_0", "all": "the features"}
PRED, MI_PRED = "pred forest", "mi_pred mlp"  # the two that were published


def findings(found: Mapping[str, Any], scale: Scale) -> Findings:
    rows = [*found["games"]["meetings"], *found["direct"]["meetings"]]
    met = {(row["a"], row["b"]): row for row in rows}
    compared = [
        protocol(found),
        *(errors(found, name) for name in MODELS),
        *(best_combination(found, name) for name in PUBLISHED_BEST),
        *better(found, met),
        *defensive(found, met),
    ]
    return Findings(lead(found, met), compared, shown(found, met))


def model_answer(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return found[step_of(name)]


def described(name: str) -> str:
    """`pred forest (random forest on H_0)`."""
    kind, inputs = MODELS[name]
    return f"{name} ({KINDS[kind]} on {SEEN[inputs]})"


def lead(found: Mapping[str, Any], met: Meetings) -> str:
    best = max(MODELS, key=lambda name: model_answer(found, name)["figures"]["r2"])
    answer = model_answer(found, best)
    static = 1 - answer["figures"]["static_mse"] / (PAWN * answer["spread"]) ** 2
    direct = met[PRED, SEARCHER.name]
    defect = defective(found, FIRST, SEARCHER.name)
    return (
        f"What the search says four plies later is predicted at once with R2"
        f" {answer['figures']['r2']:.3f} ({best}); the static value taken for it has"
        f" {static:.3f}. Against the search that it learned from, {PRED} has {counts(direct)}"
        f" (won / drawn / lost), {share(direct)} of the points: the claim that it is better is"
        f" {'confirmed' if standing(direct) == 'ahead' else 'not confirmed'}. mi_pred with the"
        f" same features for every child, as in the report, has {counts(defect)}, and"
        f" {cycles(defect)} of its {defect['draws']} draws are cycles or repetitions."
    )


# Published and ours


def protocol(found: Mapping[str, Any]) -> Compared:
    made = {source: found[f"rows-{source}"] for source in SOURCES}
    low, high = made["random"]["plies"]
    return Compared(
        "rows of the datasets",
        "(H_0, H_4), a row for every move chosen; with many inputs the columns"
        f" {PUBLISHED_COLUMNS}",
        f"{made['games']['rows']:,} for every move that the search chose in games against itself,"
        f" {made['random']['rows']:,} for positions after {low} to {high} random plies",
        "half of ours are positions that no search chose, so that the models see bad moves, too;"
        " a proven mate has no number of pawns and counts as"
        f" {max(card['cap'] for card in made.values()) / PAWN:.1f}, the greatest opinion",
    )


def errors(found: Mapping[str, Any], name: str) -> Compared:
    answer = model_answer(found, name)
    seen = answer["figures"]
    ours = (
        f"{seen['train_mse'] / PAWN**2:.2f}, {seen['mse'] / PAWN**2:.2f},"
        f" {seen['mae'] / PAWN:.2f}, {seen['r2']:.3f}"
    )
    kind, inputs = MODELS[name]
    published, why = "", f"nothing was published for a {KINDS[kind]} on {SEEN[inputs]}"
    if name in PUBLISHED:
        _, mse, _, r2 = PUBLISHED[name]
        published = ", ".join(map(str, PUBLISHED[name]))
        why = (
            f"other positions: the values of ours spread by {answer['spread']:.1f} pawns, those of"
            f" the report, by its MSE and R2, by {(mse / (1 - r2)) ** 0.5:.1f} of a unit that it"
            " does not name; errors grow with the spread, so that only R2 compares"
        )
    what = f"{described(name)}: train MSE, test MSE (pawns^2), test MAE (pawns), test R2"
    return Compared(what, published, ours, why)


def best_combination(found: Mapping[str, Any], name: str) -> Compared:
    """What cross-validation chose, where there was something to choose."""
    answer = model_answer(found, name)
    why = "the combination of the report is fitted here, nothing else is tried"
    if answer["tried"] > 1:
        why = (
            f"the least cross-validated error of {answer['tried']} on {answer['rows']:,} other rows"
        )
        if MODELS[name][0] == "mlp":
            why += (
                "; solver=sgd was tried with one alpha, and learning_rate with sgd alone,"
                " because adam does not heed it; invscaling was left out"
            )
    ours = spaced(answer["best"])
    return Compared(f"{described(name)}: best combination", PUBLISHED_BEST[name], ours, why)


def spaced(combination: Mapping[str, Any]) -> str:
    """A combination as a text that a table can break into lines."""
    return combination_text(combination).replace(",", ", ")


def better(found: Mapping[str, Any], met: Meetings) -> list[Compared]:
    """The claim that pred is better than the search it learned from, tested twice."""
    direct = met[PRED, SEARCHER.name]
    verdict = {"ahead": "as claimed", "behind": "not as claimed"}.get(
        standing(direct), standing(direct)
    )
    seen = found["ranking"][PRED]
    pred, search, static = (
        met[name, REFERENCE.name] for name in (PRED, SEARCHER.name, "static value")
    )
    return [
        Compared(
            f"{PRED} v {SEARCHER.name}: won / drawn / lost",
            BETTER,
            f"{counts(direct)}, {drawn(direct)}",
            f"{verdict}: a function of H_0 alone knows no more of a child than H_0 does, one ply"
            f" ahead, and cannot tell some apart ({seen['tied']:.1f} of {seen['moves']:.0f} moves"
            f" tie for the best, {percent(seen['static'], 0)} of these are the best by H_0, too);"
            " the claim has no figures: likely it rests on few games, or on time, as a move of"
            f" {PRED} takes {found['speed'][PRED]:.2f} ms and one of the search"
            f" {found['speed'][SEARCHER.name]:.2f}",
        ),
        Compared(
            f"points of {PRED}, of {SEARCHER.name}, against the same player (MA, L=2, BF=5, l=0)",
            BETTER,
            f"{share(pred)}, {share(search)}",
            f"choosing by H_0 itself, without a model, takes {share(static)}",
        ),
    ]


def defensive(found: Mapping[str, Any], met: Meetings) -> list[Compared]:
    """What is said of mi_pred, with the features of every child and with the report's defect."""
    rows = []
    for opponent in (SEARCHER.name, REFERENCE.name):
        row = met[MI_PRED, opponent]
        rows.append(
            Compared(
                f"{MI_PRED} v {opponent}: won / drawn / lost",
                DEFENSIVE,
                f"{counts(row)}, {drawn(row)}",
                "here each child has features of its own, in the report all children had the same;"
                " how defensive it plays was not measured",
            )
        )
    reasons = {
        FIRST: "all predictions are equal: who always plays the first of the list moves a piece"
        " to and fro",
        AT_RANDOM: "equal predictions and a choice by chance make a random player",
    }
    rows += [
        Compared(
            f"mi_pred with the same features for every child, plays {row['takes']},"
            f" v {row['b']}: won / drawn / lost",
            DEFENSIVE,
            f"{counts(row)}, {drawn(row)}",
            reasons[row["takes"]],
        )
        for row in found["defect"]
    ]
    return rows


def defective(found: Mapping[str, Any], takes: str, opponent: str) -> Mapping[str, Any]:
    return next(row for row in found["defect"] if (row["takes"], row["b"]) == (takes, opponent))


def cycles(meeting: Mapping[str, Any]) -> int:
    return sum(meeting["drawn_by"].get(reason, 0) for reason in CYCLES)


def drawn(meeting: Mapping[str, Any]) -> str:
    """`40 of 50 draws by cycle or repetition`."""
    if not meeting["draws"]:
        return "no draws"
    return f"{cycles(meeting)} of {meeting['draws']} draws by cycle or repetition"


# Charts and tables


def shown(found: Mapping[str, Any], met: Meetings) -> list[Shown]:
    import numpy as np

    from plies.learn.predictor_charts import learning_curve, predicted_against_true
    from plies.studies.report import charts

    answer = model_answer(found, DRAWN)
    targets, predicted = np.array(answer["targets"]), np.array(answer["predicted"])
    in_pawns = Measure(PAWN, "pawn")
    curve = learning_curve(answer["curve"], in_pawns)
    predictions = predicted_against_true(targets, predicted, in_pawns)

    by = {
        what: [row for row in rows if row["agent"] != CHANCE.name]
        for what, rows in found["games"]["by"].items()
    }

    def against(opponent: str) -> list[dict[str, Any]]:
        return [{**row, "agent": a} for (a, b), row in met.items() if b == opponent]

    return [
        Shown(
            "Against the search that they learned from",
            "Branch-limited, SEF, L=4, BF=2, l=1.",
            charts.results(against(SEARCHER.name), "agent"),
        ),
        Shown(
            "Against the reference",
            "Branch-limited, MA, L=2, BF=5, l=0.",
            charts.results(against(REFERENCE.name), "agent"),
        ),
        Shown("Predicted against true", f"{described(DRAWN)}, rows laid aside.", predictions),
        Shown("Learning curve", f"{described(DRAWN)}, cross-validated.", curve),
        *charts.situations(by, "SEF", "Games against the reference and the random player."),
        Shown("Every match", "Milliseconds are CPU time.", matches(found, met)),
        Shown(
            "Every model",
            "MSE is in pawns^2, MAE in pawns; all but the train MSE on the rows laid aside.",
            models(found),
        ),
        Shown(
            "How they rank moves",
            "Averages; tied: moves that look equally good, and better than all others.",
            rankings(found),
        ),
        Shown(
            "Datasets",
            "In the folder files/ of the run; opinions are in pawns, of the side to move.",
            datasets(found["csv"]),
        ),
    ]


def matches(found: Mapping[str, Any], met: Meetings) -> Table:
    rows = [
        (a, b, *results(row), str(cycles(row)), f"{found['speed'][a]:.2f}")
        for (a, b), row in met.items()
    ]
    return Table(("agent", "against", *RESULTS, "drawn by cycle", "ms a move"), rows)


def models(found: Mapping[str, Any]) -> Table:
    rows = []
    for name in MODELS:
        answer = model_answer(found, name)
        seen = answer["figures"]
        rows.append(
            (
                described(name),
                f"{seen['train_mse'] / PAWN**2:.2f}",
                f"{seen['mse'] / PAWN**2:.2f}",
                f"{seen['mae'] / PAWN:.2f}",
                f"{seen['r2']:.3f}",
                f"{seen['static_mse'] / PAWN**2:.2f}",
                percent(1 - seen["mse"] / seen["static_mse"]),
                f"{spaced(answer['best'])} (of {answer['tried']})",
            )
        )
    columns = ("model", "train MSE", "test MSE", "MAE", "R2", "MSE of H_0", "better by", "best")
    return Table(columns, rows)


def rankings(found: Mapping[str, Any]) -> Table:
    rows = [
        (described(name), f"{row['moves']:.1f}", f"{row['tied']:.1f}", percent(row["static"]))
        for name, row in found["ranking"].items()
    ]
    return Table(("model", "moves", "tied for the best", "of these best by H_0"), rows)


def datasets(files: Sequence[Mapping[str, Any]]) -> Table:
    rows = [(each["file"], f"{each['rows']:,}", ", ".join(each["columns"])) for each in files]
    return Table(("file", "rows", "columns"), rows)


STUDY = Study(
    name="chess-predictors",
    title="Chess, parts 3 and 4: predicting what a search would say",
    about="pred and mi_pred, by forest and perceptron, against the branch-limited search.",
    plan=plan,
    findings=findings,
)
