"""Model files: what is written is read back, and nothing else is believed."""

import io
import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_samples import COINS, coins, forest, mlp
from plies.core.memory import load
from plies.files import CannotWrite, new_file
from plies.models.files import CARD, BadModel, Model, load_model, save_model
from plies.models.kinds import KINDS, is_for, model_evaluator, read_model
from plies.models.packed import address_of

MODELS = {"forest": forest(), "mlp": mlp()}


def packed(members: dict[str, Any]) -> bytes:
    """A zip archive: texts as they are, arrays as numpy writes them."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, member in members.items():
            if isinstance(member, np.ndarray):
                array = io.BytesIO()
                np.save(array, member, allow_pickle=True)
                member = array.getvalue()
            archive.writestr(name, member)
    return content.getvalue()


def members(model: Model) -> dict[str, Any]:
    card = {"format": 1, "kind": model.kind, "game": model.game, **model.card}
    return {CARD: json.dumps(card)} | {f"{name}.npy": a for name, a in model.arrays.items()}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_a_model_comes_back_as_it_was_written(model: Model, tmp_path: Path):
    save_model(tmp_path / "m.npz", model)
    loaded = load_model(tmp_path / "m.npz")
    assert (loaded.kind, loaded.game, loaded.card) == (model.kind, model.game, model.card)
    assert loaded.arrays.keys() == model.arrays.keys()
    for name, array in model.arrays.items():
        assert loaded.arrays[name].dtype == array.dtype
        assert np.array_equal(loaded.arrays[name], array)


def test_the_same_model_gives_the_same_bytes(tmp_path: Path):
    save_model(tmp_path / "a.npz", forest())
    save_model(tmp_path / "b.npz", forest())
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_the_card_can_be_read_by_any_zip_tool(tmp_path: Path):
    save_model(tmp_path / "m.npz", mlp())
    with zipfile.ZipFile(tmp_path / "m.npz") as archive:
        assert json.loads(archive.read(CARD))["activation"] == "relu"


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path):
    path = tmp_path / "m.npz"
    save_model(path, forest())
    before = path.read_bytes()
    broken = Model("forest", "x", {"score": float("nan")}, {})
    with pytest.raises(ValueError, match="JSON"):
        save_model(path, broken)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["m.npz"]


def test_a_place_that_cannot_be_written_to_is_one_line(tmp_path: Path):
    with pytest.raises(CannotWrite, match="cannot be written"), new_file(tmp_path / "no" / "f"):
        (tmp_path / "no" / "f").write_text("x")


@pytest.mark.parametrize(
    ("path", "message"), [("m.pkl", "ends with .npz"), ("nowhere/m.npz", "no folder")]
)
def test_a_bad_place_is_refused_before_the_work(path: str, message: str, tmp_path: Path):
    with pytest.raises(BadModel, match=message):
        save_model(tmp_path / path, forest())


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in members(forest()).items() if key != name}


# Chosen so that products and sums of 64 bits overflow to just what the other arrays have.
OVERFLOWING = [2, 6917529018652269842, 4611686021822857686, 6917529033234424090, 1]
OBJECTS = np.array([{"a": 1}], dtype=object)
STRANGE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "not a model file, or it is damaged"),
    "text": (b"hello", "not a model file, or it is damaged"),
    "no card": (packed(without(CARD)), "has no card.json"),
    "card of another format": (
        packed({**members(forest()), CARD: '{"format": 2}'}),
        "has format 2",
    ),
    "card that is a list": (packed({CARD: "[]"}), "does not say its format"),
    "card without a kind": (packed({CARD: '{"format": 1, "game": "x"}'}), "does not say its kind"),
    "deep card": (packed({CARD: "[" * 100_000}), "damaged"),
    "card with NaN": (packed({CARD: '{"format": 1, "score": NaN}'}), "damaged"),
    "pickled objects": (packed({**members(forest()), "value.npy": OBJECTS}), "damaged"),
    "something else inside": (packed({**members(forest()), "run.py": "1"}), "holds run.py"),
    "unknown kind": (
        packed({CARD: '{"format": 1, "kind": "tree", "game": "x"}'}),
        "unknown kind tree",
    ),
    "missing array": (packed(without("left.npy")), "it has no array left"),
    "another type": (
        packed({**members(forest()), "left.npy": np.zeros(4, np.float32)}),
        "its array left is not a one-dimensional array of int64",
    ),
    "another byte order": (
        packed({**members(forest()), "left.npy": np.zeros(4, ">i8")}),
        "its array left is not a one-dimensional array of int64",
    ),
    "two dimensions instead of one": (
        packed({**members(forest()), "value.npy": np.zeros((2, 2))}),
        "its array value is not a one-dimensional array of float64",
    ),
    "not finite": (
        packed({**members(forest()), "value.npy": np.array([0.0, np.nan, 0.0, 0.0])}),
        "not finite",
    ),
    "circle": (
        packed({**members(forest()), "left.npy": np.zeros(4, np.int64)}),
        "does not come after its parent",
    ),
    "beyond the end": (
        packed({**members(forest()), "right.npy": np.array([4, 0, 0, 0])}),
        "does not come after its parent",
    ),
    "input that is not there": (
        packed({**members(forest()), "feature.npy": np.array([5, -1, -1, -1])}),
        "tests an input",
    ),
    "roots beyond the end": (
        packed({**members(forest()), "roots.npy": np.array([0, 4])}),
        "not a node",
    ),
    "layers that overflow": (
        packed({**members(mlp()), "sizes.npy": np.array(OVERFLOWING)}),
        "its layers need",
    ),
    "layers that do not fit": (
        packed({**members(mlp()), "sizes.npy": np.array([3, 2, 1])}),
        "do not lead from its inputs",
    ),
    "scale of nothing": (
        packed({**members(mlp()), "scales.npy": np.array([1.0, 0.0, 1.0])}),
        "scales is 0",
    ),
}


@pytest.mark.parametrize("case", STRANGE)
def test_a_strange_file_is_refused_with_one_line(case: str, tmp_path: Path):
    content, message = STRANGE[case]
    (tmp_path / "m.npz").write_bytes(content)
    with pytest.raises(BadModel, match=message) as refused:
        read_model(tmp_path / "m.npz")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "changes",
    [
        *({"inputs": wrong} for wrong in ("own", [], ["own", "own"], None)),
        *({"scale": wrong} for wrong in (0, 1.5, True)),
        {"activation": "sine"},
    ],
    ids=str,
)
def test_a_card_that_does_not_fit_is_refused(changes: dict[str, Any], tmp_path: Path):
    model = mlp()
    save_model(tmp_path / "m.npz", Model("mlp", model.game, model.card | changes, model.arrays))
    with pytest.raises(BadModel):
        read_model(tmp_path / "m.npz")


def test_reading_takes_memory_for_an_array_once(tmp_path: Path):
    """Little on disk may be much in memory, but not several times over."""
    size = 16 * 2**20
    save_model(tmp_path / "m.npz", Model("forest", COINS, {}, {"value": np.zeros(size // 8)}))
    tracemalloc.start()
    try:
        assert len(load_model(tmp_path / "m.npz").arrays["value"]) == size // 8
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size <= peak < 1.5 * size


def test_equal_arrays_are_held_once_and_apart_from_what_they_were_made_of():
    array = np.arange(6).reshape(2, 3)
    address = address_of(array)
    array[0, 0] = 7
    assert load(address, 0) == 0
    assert load(address, 5) == 5
    assert address_of(np.arange(6)) == address
    assert address_of(array) != address
    assert address_of(np.arange(6).view(np.float64)) != address


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path):
    with pytest.raises(BadModel, match="no model file"):
        read_model(tmp_path / "m.npz")
    with pytest.raises(BadModel, match="cannot be read"):
        read_model(tmp_path)


def answers_or_refuses(path: Path) -> None:
    """A damaged file is refused, or it is still a model that predictions with a number."""
    try:
        model = read_model(path)
    except BadModel:
        return
    rows = np.zeros((1, len(model.card["inputs"])))
    assert len(KINDS[model.kind].predictions(model, rows)) == 1


@given(data=st.data(), kind=st.sampled_from(sorted(MODELS)))
def test_a_damaged_file_is_refused_or_works(data, kind, tmp_path_factory):
    path = tmp_path_factory.mktemp("damaged") / "m.npz"
    content = bytearray(packed(members(MODELS[kind])))  # not compressed: bytes of arrays change
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(content)) | st.just(len(content)))
    path.write_bytes(bytes(content[:end]))
    answers_or_refuses(path)


WHOLE = st.integers(-3, 6) | st.integers(-(2**63), 2**63 - 1)
REAL = st.floats(width=64)


@given(data=st.data(), kind=st.sampled_from(sorted(MODELS)))
def test_arrays_of_any_content_are_refused_or_work(data, kind, tmp_path_factory):
    """What a checksum cannot notice: arrays that were written so."""
    path = tmp_path_factory.mktemp("strange") / "m.npz"
    model = MODELS[kind]
    arrays = dict(model.arrays)
    for name in data.draw(st.lists(st.sampled_from(sorted(arrays)), min_size=1, max_size=3)):
        numbers = REAL if arrays[name].dtype == np.float64 else WHOLE
        length = data.draw(st.integers(0, 7) | st.just(len(arrays[name])))
        drawn = data.draw(st.lists(numbers, min_size=length, max_size=length))
        arrays[name] = np.array(drawn, arrays[name].dtype)
    save_model(path, Model(kind, model.game, model.card, arrays))
    answers_or_refuses(path)


def test_a_model_is_for_its_game_and_its_options_only():
    game = coins()
    assert is_for(forest(), game)
    assert is_for(forest(f"{forest().game}:coins=12"), game)  # the default, spelled out
    assert not is_for(forest(f"{forest().game}:coins=10"), game)
    assert not is_for(forest("tictactoe"), game)
    with pytest.raises(BadModel, match="made for tictactoe"):
        model_evaluator(forest("tictactoe"), game)


def test_a_model_whose_features_the_evaluator_has_not_is_refused():
    model = forest()
    card = {**model.card, "inputs": ["own", "other", "first_coin", "luck", "value"]}
    with pytest.raises(BadModel, match="the feature luck"):
        model_evaluator(Model("forest", model.game, card, model.arrays), coins())
    card = {**model.card, "evaluator": "greed"}
    with pytest.raises(BadModel, match="the evaluator greed"):
        model_evaluator(Model("forest", model.game, card, model.arrays), coins())
