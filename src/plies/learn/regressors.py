"""scikit-learn's forest and perceptron: their grids, and what is fitted as plain arrays."""

from collections.abc import Mapping, Sequence
from itertools import groupby, product
from typing import Any, Literal

import numpy as np

from plies.models import forest, mlp

Kind = Literal["forest", "mlp"]
GridName = Literal["study", "small", "none"]
Combination = Mapping[str, Any]
Axes = Mapping[str, Sequence[Any]]  # all values of each parameter

MOST_STEPS = 300  # of the optimiser of a perceptron
TREES = "n_estimators"
LAYERS: Axes = {"hidden_layer_sizes": ((100,), (100,) * 2, (100,) * 3, (100,) * 4)}
ENDS: Axes = {"hidden_layer_sizes": ((100,), (100,) * 4)}

# scikit-learn heeds the learning rate with `sgd` alone: with `adam` all rates are the same fit.
ADAM: Axes = {"solver": ("adam",), "learning_rate": ("constant",)}
SGD: Axes = {"solver": ("sgd",), "learning_rate": ("constant", "adaptive")}

# `study`: for forests the study's own grid; of its grid for perceptrons only the parameters
# and the best combination are known, and of that not how many layers there were: the print
# breaks off after three, which we read as four.  `none`: the best combination of the study.
GRIDS: dict[tuple[Kind, GridName], list[Axes]] = {
    ("forest", "study"): [
        {
            TREES: (50, 100, 200),
            "max_depth": (5, 10, 20, None),
            "min_samples_split": (2, 5, 10),
            "min_samples_leaf": (1, 2, 4),
        }
    ],
    ("forest", "small"): [
        {
            TREES: (50, 100),
            "max_depth": (5, 10, None),
            "min_samples_split": (10,),
            "min_samples_leaf": (4,),
        }
    ],
    ("forest", "none"): [
        {TREES: (100,), "max_depth": (5,), "min_samples_split": (10,), "min_samples_leaf": (4,)}
    ],
    ("mlp", "study"): [
        {**LAYERS, "activation": ("relu", "tanh"), "alpha": (1e-4, 1e-3, 1e-2), **ADAM},
        {**ENDS, "activation": ("relu", "tanh"), "alpha": (1e-4,), **SGD},
    ],
    ("mlp", "small"): [
        {**ENDS, "activation": ("relu", "tanh"), "alpha": (1e-4,), **ADAM},
    ],
    ("mlp", "none"): [
        {"hidden_layer_sizes": ((100,) * 4,), "activation": ("relu",), "alpha": (1e-4,), **ADAM}
    ],
}


def combinations(kind: Kind, grid: GridName) -> list[Combination]:
    """Every combination of a grid."""
    return [
        dict(zip(axes, values, strict=True))
        for axes in GRIDS[kind, grid]
        for values in product(*axes.values())
    ]


def families(combinations: Sequence[Combination]) -> list[list[Combination]]:
    """Combinations that are alike but for the number of trees, fewest trees first.

    A larger forest begins with the trees of a smaller one, so that none is grown twice.
    """

    def others(combination: Combination) -> str:
        return combination_text({**combination, TREES: ""})

    ordered = sorted(combinations, key=lambda each: (others(each), each.get(TREES, 0)))
    return [list(family) for _, family in groupby(ordered, others)]


def combination_text(combination: Combination) -> str:
    """`n_estimators=50,max_depth=5`: short, and fit for the name of a file."""
    return ",".join(f"{name}={_text(value)}" for name, value in combination.items())


def _text(value: Any) -> str:
    return "-".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def regressor(kind: Kind, combination: Combination, seed: int) -> Any:
    """Not yet fitted.

    A perceptron sees inputs and target made alike (mean 0, deviation 1) and stops when a
    tenth of its rows, kept out, is no longer predicted any better.
    """
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.neural_network import MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    options: dict[str, Any] = dict(combination)
    if kind == "forest":
        # With a warm start more trees can be added, the same that it would have had at once.
        return RandomForestRegressor(random_state=seed, warm_start=True, **options)
    network = MLPRegressor(max_iter=MOST_STEPS, early_stopping=True, random_state=seed, **options)
    return TransformedTargetRegressor(
        regressor=make_pipeline(StandardScaler(), network), transformer=StandardScaler()
    )


def flattened(kind: Kind, fitted: Any) -> dict[str, np.ndarray]:
    """The arrays of a model of that kind."""
    arrays = _forest_arrays(fitted) if kind == "forest" else _mlp_arrays(fitted)
    wanted = forest.ARRAYS if kind == "forest" else mlp.ARRAYS
    return {name: np.ascontiguousarray(arrays[name], wanted[name]) for name in wanted}


def _forest_arrays(fitted: Any) -> dict[str, np.ndarray]:
    """The nodes of all trees one after another."""
    trees = [estimator.tree_ for estimator in fitted.estimators_]
    roots = np.cumsum([0, *(tree.node_count for tree in trees[:-1])])
    parts: dict[str, list[np.ndarray]] = {name: [] for name in forest.ARRAYS if name != "roots"}
    for root, tree in zip(roots, trees, strict=True):
        is_leaf = tree.children_left < 0
        parts["feature"].append(np.where(is_leaf, -1, tree.feature))
        parts["threshold"].append(np.where(is_leaf, 0.0, tree.threshold))
        parts["left"].append(np.where(is_leaf, 0, tree.children_left + root))
        parts["right"].append(np.where(is_leaf, 0, tree.children_right + root))
        parts["value"].append(tree.value[:, 0, 0])
    return {name: np.concatenate(found) for name, found in parts.items()} | {"roots": roots}


def _mlp_arrays(fitted: Any) -> dict[str, np.ndarray]:
    scaler, network = (step for _, step in fitted.regressor_.steps)
    target = fitted.transformer_
    return {
        "sizes": np.array([len(network.coefs_[0]), *map(len, network.intercepts_)]),
        "weights": np.concatenate([layer.ravel() for layer in network.coefs_]),
        "biases": np.concatenate(network.intercepts_),
        "means": np.append(scaler.mean_, target.mean_),
        "scales": np.append(scaler.scale_, target.scale_),
    }


def extra_card(kind: Kind, combination: Combination) -> dict[str, Any]:
    """What the kernel has to know besides the arrays."""
    return {} if kind == "forest" else {"activation": combination["activation"]}
