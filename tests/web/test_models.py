"""Learned players: files that the server was started with can be played against by name."""

import os
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from learning_samples import COINS, coins, forest, mlp
from plies.cli.main import main
from plies.errors import BadSpec, PliesError
from plies.models.files import save_model
from plies.models.moves import moves_model
from plies.web.app import Site, make_app
from plies.web.catalogue import Catalogue
from plies.web.contests.names import Names
from plies.web.opponents import allowed_agent, checked, opponents
from plies.web.warming import Warmer
from web_samples import ADDRESS, begin, wait_until


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models of the game of coins in files of the same name, one of them an evaluator's."""
    folder = tmp_path_factory.mktemp("models")
    for name, model in {"a/lead.npz": forest(), "b/my forest.npz": mlp()}.items():
        (folder / name).parent.mkdir()
        save_model(folder / name, model)
    return folder


@pytest.fixture(scope="module")
def paths(folder: Path) -> list[Path]:
    return [folder / "a" / "lead.npz", folder / "b" / "my forest.npz"]


@pytest.fixture(scope="module")
def catalogue(paths: list[Path]) -> Catalogue:
    return Catalogue([coins()], paths)


def test_models_are_offered_under_names_that_no_evaluator_has(catalogue: Catalogue) -> None:
    game = catalogue.find("coins")
    found = opponents(game, catalogue.models)
    assert [(each.name, each.agent) for each in found.learned] == [
        ("Random forest, 5 inputs (lead-2)", "mi_pred:lead-2"),
        ("Perceptron, 2 inputs (my-forest)", "mi_pred:my-forest"),
    ]
    for each in found.learned:
        assert checked(each.agent, game, catalogue.models) == each.agent
    greedy = next(kind for kind in found.kinds if kind.name == "greedy")
    evaluators = next(option for option in greedy.options if option.name == "eval").choices
    assert evaluators == ["", "lead", "zero", "lead-2", "my-forest"]
    assert checked("greedy:eval=my-forest", game, catalogue.models) == "greedy:eval=my-forest"
    assert opponents(game).learned == []
    with pytest.raises(BadSpec, match="mi_pred has no such model here; there are lead-2, my-for"):
        checked("mi_pred:model=other", game, catalogue.models)


def test_another_process_compiles_for_a_model_that_it_finds_by_its_path(
    catalogue: Catalogue, paths: list[Path]
) -> None:
    player = allowed_agent("greedy:eval=my-forest", catalogue.find("coins"), catalogue.models)
    job = Warmer(catalogue).agent(player)
    assert job is not None
    assert job.specs == (f"greedy:eval={paths[1]}",)


@pytest.mark.parametrize("spec", ["mi_pred:{}", "mi_pred:model={}", "q:{}", "greedy:eval={}"])
def test_a_path_is_refused_whether_or_not_the_server_has_that_model(
    spec: str, paths: list[Path], catalogue: Catalogue
) -> None:
    game = catalogue.find("coins")
    for path in (str(paths[0]), os.path.relpath(paths[0]), "lead.npz"):
        for models in (Catalogue([coins()]).models, catalogue.models):
            with pytest.raises(BadSpec) as error:
                checked(spec.format(path), game, models)
            assert "does not play here" in str(error.value) or "has no" in str(error.value)


def test_a_model_plays_in_the_browser_and_its_path_is_told_to_nobody(
    paths: list[Path], tmp_path: Path
) -> None:
    site = Site([coins()], tmp_path, models=paths)
    with TestClient(make_app(site), base_url=ADDRESS) as client:
        offered = client.get("/api/agents", params={"game": "coins"})
        seat = offered.json()["learned"][0]["agent"]
        owner = begin(client, "", seat, game="coins")
        first = owner.ask("GET")["position"]["moves"][0]["text"]
        session = owner.move(first)
        assert (session["ply"], session["seats"][1]["agent"]) == (2, seat)
        wanted = {"game": "coins", "seats": ["", f"mi_pred:{paths[0]}"]}
        refused = client.post("/api/sessions", json=wanted)
        assert refused.status_code == 400
        for text in (offered.text, str(session), refused.text):
            assert str(paths[0].parent) not in text


def test_workers_of_a_tournament_find_a_model_by_its_path(
    paths: list[Path], catalogue: Catalogue
) -> None:
    names, game = Names(catalogue), catalogue.find("coins")
    public = "mi_pred:lead-2,choice=random"
    inner = names.bounded(public, game)
    assert inner == f"mi_pred:{paths[0]},choice=random"
    assert names.told_spec(inner) == public
    assert Names(Catalogue([coins()])).told_spec(inner) == "mi_pred"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("none.npz", "there is no model file"),
        ("text.npz", "is not a model file, or it is damaged"),
        ("lead.npz", "was made for another.py, which is not served here"),
        ("a,b.npz", "has a comma in its path"),
    ],
)
def test_a_model_that_cannot_be_served_is_one_line_at_the_start(
    name: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.npz").write_text("nothing")
    save_model(tmp_path / "lead.npz", forest("another.py"))
    save_model(tmp_path / "a,b.npz", forest())
    words = ["serve", COINS, "--no-browser", "--port", "0", "--data", str(tmp_path / "data")]
    assert main([*words, "--model", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert complaint in said[0]


def test_a_model_whose_file_has_gone_is_refused_without_its_path(tmp_path: Path) -> None:
    path = tmp_path / "gone.npz"
    save_model(path, forest())
    catalogue = Catalogue([coins()], [path])
    path.unlink()
    with pytest.raises(PliesError, match=r"^the model gone can no longer be used$"):
        checked("mi_pred:gone", catalogue.find("coins"), catalogue.models)


@pytest.mark.parametrize(
    "spec", ["mixed:eval={}", "human:eval={}", "random:eval={}", "foo:eval={}"]
)
def test_a_model_is_no_evaluator_of_an_agent_without_one(
    spec: str, paths: list[Path], catalogue: Catalogue
) -> None:
    with pytest.raises(BadSpec) as error:
        checked(spec.format("my-forest"), catalogue.find("coins"), catalogue.models)
    assert str(paths[1]) not in str(error.value)


def test_whatever_goes_wrong_with_a_model_is_told_without_its_path(
    paths: list[Path], catalogue: Catalogue
) -> None:
    told = catalogue.models.without_paths(f"there is no model file {paths[1].absolute()}")
    assert told == "there is no model file my-forest"


def test_a_game_against_a_model_that_is_no_longer_served_can_be_handed_over(
    paths: list[Path], tmp_path: Path
) -> None:
    with TestClient(make_app(Site([coins()], tmp_path, models=paths)), base_url=ADDRESS) as client:
        owner = begin(client, "", "mi_pred:my-forest", game="coins")
    with TestClient(make_app(Site([coins()], tmp_path)), base_url=ADDRESS) as client:
        owner.client = client
        first = owner.ask("GET")["position"]["moves"][0]["text"]
        session = owner.move(first)
        assert "mi_pred does not play here" in str(session)
        assert owner.ask("PUT", "/seats/1", agent="random")["status"] == 200


def test_an_agent_whose_file_goes_away_in_a_game_plays_on(tmp_path: Path) -> None:
    game, path = coins(), tmp_path / "kept" / "known.npz"
    path.parent.mkdir()
    start = game.initial()
    save_model(path, moves_model(game, {game.key(start): game.moves(start)[0]}, {}))
    with TestClient(make_app(Site([game], tmp_path, models=[path])), base_url=ADDRESS) as client:
        owner = begin(client, "", "moves:known", game="coins")
        path.unlink()
        first = owner.ask("GET")["position"]["moves"][0]["text"]
        owner.move(first)
        wait_until(lambda: owner.ask("GET")["ply"] == 2)
        session = owner.ask("GET")
    assert session["problem"] == ""
    assert str(path.parent) not in str(session)
