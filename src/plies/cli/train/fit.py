"""`plies train fit`: a forest or a perceptron that predicts what a search will say."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plies.cli.errors import UsageError, complain
from plies.cli.parameters import Json, Workers

if TYPE_CHECKING:
    from plies.learn.splits import FitPlan
    from plies.models.files import Model

Data = Annotated[
    list[Path],
    typer.Argument(metavar="DATA...", help="Datasets of `plies train data`.", show_default=False),
]
Out = Annotated[Path, typer.Option(metavar="FILE", help="The model (.npz).", show_default=False)]
Kind = Annotated[
    Literal["forest", "mlp"],
    typer.Option("--model", help="A random forest, or a multi-layer perceptron."),
]
Inputs = Annotated[
    str,
    typer.Option(
        metavar="NAMES", help="What it looks at: value, all, or names with commas between them."
    ),
]
Grid = Annotated[
    Literal["study", "small", "none"],
    typer.Option(help="What is tried: the study's grid, a few, or the study's best alone."),
]
TrustedGame = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="SPEC",
        help="The game of the datasets; needed only where it is a file, which is then run.",
        show_default=False,
    ),
]
Folds = Annotated[int, typer.Option(metavar="N", help="Of the cross-validation.", min=2)]
FitSeed = Annotated[int, typer.Option(metavar="N", help="Random seed.", min=0)]
Plots = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Draw the learning curve and predicted against true there.",
        show_default=False,
    ),
]


def command(
    data: Data,
    out: Out,
    kind: Kind = "forest",
    inputs: Inputs = "all",
    grid: Grid = "small",
    folds: Folds = 5,
    seed: FitSeed = 1,
    game: TrustedGame = "",
    workers: Workers = 0,
    plots: Plots = None,
    as_json: Json = False,
) -> None:
    """Fit a predictor to datasets, measure it on a fifth laid aside, and keep it.

    Every combination of the grid is cross-validated on the other four fifths, and the one
    with the least mean squared error is fitted to them.  The model plays as pred:FILE (if
    the value is its only input) or mi_pred:FILE, and serves any search as eval=FILE.
    Interrupted work is kept in FILE.parts; the same command goes on.

    \b
    Example:  plies train fit chess.parquet --model forest --inputs all --out forest.npz
              plies match chess mi_pred:forest.npz random --pairs 10
    """
    from plies.cli.output import print_json
    from plies.cli.train.progress import kept_when_stopped, progress
    from plies.learn.predictors import fit
    from plies.learn.regressors import combinations
    from plies.learn.splits import fit_plan

    if plots is not None:
        check_folder(plots)
    plan = fit_plan(data, kind, inputs, folds, seed, game)
    with kept_when_stopped(out), progress("trials") as tell:
        model = fit(
            plan,
            combinations(kind, grid),
            out,
            workers=workers,
            has_curve=plots is not None,
            on_trial=tell,
        )
    warned = next((each["warning"] for each in model.card["trials"] if each["warning"]), "")
    if warned := model.card["warning"] or warned:
        complain(f"scikit-learn: {warned}")
    drawn = draw(plan, model, plots) if plots is not None else []
    if as_json:
        print_json({"file": str(out), "game": model.game, "kind": kind, **model.card})
    else:
        print_model(model)
        print(
            f"\nkept in {out}; to see it play: plies match {model.game} {player(model, out)} random"
        )
        if drawn:
            print(f"drawn: {', '.join(map(str, drawn))}")


def check_folder(path: Path) -> None:
    """Refuse, before the work, what is no folder for drawings and cannot become one."""
    from plies.files import check_writable

    if path.exists() and not path.is_dir():
        raise UsageError(f"--plots is a folder, and {path} is none")
    if not path.exists() and not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent} to make {path.name} in")
    check_writable(path / "predicted.svg" if path.exists() else path)


def player(model: "Model", path: Path) -> str:
    """The spec of the agent that looks one ply ahead with a model."""
    return f"{'pred' if model.card['inputs'] == ['value'] else 'mi_pred'}:{path}"


def print_model(model: "Model") -> None:
    """How it was found and what it is worth, as a person reads it."""
    from plies.cli.output import print_facts
    from plies.core.verbs import Measure
    from plies.learn.regressors import combination_text

    card = model.card
    found = card["figures"]
    measure = Measure(**card["measure"])

    def mse(of: str) -> str:
        return f"MSE {found[of] / measure.points**2:.4g} {measure.name}s^2"

    mae = f"MAE {found['mae'] / measure.points:.4g} {measure.name}s"
    facts = {
        "model": f"{model.kind} for {model.game}",
        "predicts": f"{card['search']} from {', '.join(card['inputs'])}",
        "best": f"{combination_text(card['best'])} (of {len(card['trials'])})",
        "rows": f"{card['rows']:,} to learn from, {card['test_rows']:,} to test it",
        "train": mse("train_mse"),
        "test": f"{mse('mse')}, {mae}, R2 {found['r2']:.3f}",
        "static value": f"{mse('static_mse')} on the test rows, without learning",
        "mean target": f"{mse('mean_mse')} on the test rows",
        "exactness": f"{found['difference']:.1e} from scikit-learn, at most",
    }
    print_facts(facts)


def draw(plan: "FitPlan", model: "Model", folder: Path) -> list[Path]:
    """The two charts as SVG and PNG."""
    from plies.core.verbs import Measure
    from plies.files import new_file
    from plies.learn.predictor_charts import learning_curve, predicted_against_true
    from plies.learn.predictors import answers_laid_aside
    from plies.pages.charts import picture

    folder.mkdir(exist_ok=True)
    measure = Measure(**model.card["measure"])
    charts: dict[str, Any] = {
        "learning_curve": learning_curve(model.card["curve"], measure),
        "predicted": predicted_against_true(*answers_laid_aside(plan, model), measure),
    }
    files = []
    for name, shown in charts.items():
        for kind in ("svg", "png"):
            path = folder / f"{name}.{kind}"
            with new_file(path) as part:
                part.write_bytes(picture(shown, kind))
            files.append(path)
    return files
