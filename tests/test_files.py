"""Files are written whole or not at all."""

from pathlib import Path

import pytest

from plies.files import CannotWrite, check_writable, data_root, new_file


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_file_appears_when_it_is_complete(tmp_path: Path):
    path = tmp_path / "f.txt"
    with new_file(path) as part:
        part.write_text("new")
        assert not path.exists()
    assert path.read_text() == "new"
    assert names(tmp_path) == ["f.txt"]


@pytest.mark.parametrize(
    ("trouble", "raised"),
    [(OSError(28, "no space left"), CannotWrite), (KeyboardInterrupt(), KeyboardInterrupt)],
    ids=["full disk", "interrupted"],
)
def test_failing_in_the_middle_leaves_the_old_file_as_it_was(
    tmp_path: Path, trouble: BaseException, raised: type[BaseException]
):
    path = tmp_path / "f.txt"
    path.write_text("old")

    def write_half() -> None:
        with new_file(path) as part:
            part.write_text("ne")
            raise trouble

    with pytest.raises(raised):
        write_half()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["f.txt"]


def test_a_file_that_failed_in_the_middle_was_never_there(tmp_path: Path):
    def write_half() -> None:
        with new_file(tmp_path / "f.txt") as part:
            part.write_text("ne")
            raise ValueError("half")

    with pytest.raises(ValueError, match="half"):
        write_half()
    assert names(tmp_path) == []


def test_a_place_where_nothing_can_be_written_is_noticed_before_the_work(tmp_path: Path):
    check_writable(tmp_path / "f.txt")
    assert names(tmp_path) == []
    with pytest.raises(CannotWrite, match="it is a folder"):
        check_writable(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(CannotWrite, match=r"f\.txt cannot be written: Not a directory"):
        check_writable(tmp_path / "file" / "f.txt")


def test_what_a_user_makes_is_kept_where_the_user_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("PLIES_DATA_DIR", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert data_root() == tmp_path / "own"
    monkeypatch.delenv("PLIES_DATA_DIR")
    assert data_root() == tmp_path / "xdg" / "plies"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert data_root() == tmp_path / ".local/share/plies"


def test_who_has_no_home_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch):
    def homeless() -> Path:
        raise RuntimeError

    for name in ("PLIES_DATA_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(CannotWrite, match="set PLIES_DATA_DIR"):
        data_root()
