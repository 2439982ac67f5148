"""Which files of compiled code may be loaded: to load one is to run it."""

import errno
import os
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from plies.compiling import cache_files
from plies.compiling.cache_files import (
    explain_distrust,
    find_own_folder,
    find_shared_folders,
    read_code,
    write_code,
)

IDENTITY, CODE = b"module.function (int64,)", b"code\0code"
VERSION = "0123456789abcdef"
SOMEBODY = 65_533  # a user and a group without a name
as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away"
)


@pytest.fixture(autouse=True)
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What has been complained of."""
    messages: list[str] = []
    monkeypatch.setattr(cache_files, "_warned", messages)
    return messages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "cache" / VERSION
    path.mkdir(mode=0o700, parents=True)
    return path


@pytest.fixture
def file(folder: Path) -> Path:
    path = folder / "function-0.bin"
    write_code(path, IDENTITY, CODE)
    return path


def test_what_was_written_is_read_again(file: Path, warnings: list[str]):
    assert read_code(file, IDENTITY) == CODE
    assert read_code(file.with_name("other.bin"), IDENTITY) is None
    assert warnings == []


def damage(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def become_a_link(file: Path) -> None:
    file.rename(file.with_name("target"))
    file.symlink_to("target")


def become_a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, mode=0o600)


def become_a_socket(file: Path) -> None:
    file.unlink()
    here = os.open(".", os.O_RDONLY)
    os.chdir(file.parent)  # such a name must be short
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(file.name)
    finally:
        os.fchdir(here)
        os.close(here)


def become_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def let_the_group_write(file: Path) -> None:
    file.chmod(0o620)


def let_everybody_write(file: Path) -> None:
    file.chmod(0o602)


def give_away(file: Path) -> None:
    os.chown(file, SOMEBODY, SOMEBODY)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (damage, "it is damaged"),
        (become_a_link, "symbolic links"),
        (become_a_pipe, "not a regular file"),
        (become_a_socket, ""),
        (become_a_folder, "not a regular file"),
        (let_the_group_write, "others can write to it"),
        (let_everybody_write, "others can write to it"),
        pytest.param(give_away, "it belongs to another user", marks=as_root),
    ],
)
def test_a_file_that_others_may_have_written_is_not_loaded(
    file: Path, warnings: list[str], change: Callable[[Path], None], complaint: str
):
    change(file)
    assert read_code(file, IDENTITY) is None
    assert len(warnings) == 1
    assert complaint in warnings[0]


def test_a_file_renamed_to_another_function_is_not_loaded(file: Path, warnings: list[str]):
    other = file.rename(file.with_name("other-0.bin"))
    assert read_code(other, b"module.other (int64,)") is None
    assert read_code(other, IDENTITY[:-1]) is None
    assert [line.rpartition(": ")[2] for line in warnings] == ["it is of another function"] * 2


# Folders


def test_a_folder_of_ones_own_is_trusted_below_a_sticky_one(tmp_path: Path, folder: Path):
    folder.parent.chmod(0o1777)
    assert explain_distrust(folder) == ""


@pytest.mark.parametrize("mode", [0o722, 0o702, 0o1777])
def test_a_folder_that_others_can_write_to_is_not_trusted(folder: Path, mode: int):
    folder.chmod(mode)
    assert explain_distrust(folder) == f"others can write to {folder}"


def test_nor_is_one_that_others_could_exchange(tmp_path: Path, folder: Path):
    tmp_path.chmod(0o777)
    assert explain_distrust(folder) == f"others can write to {tmp_path}"


@as_root
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_nor_is_one_of_somebody_else_or_below_one(folder: Path, depth: int):
    owned = (folder, *folder.parents)[depth]
    os.chown(owned, SOMEBODY, SOMEBODY)
    assert explain_distrust(folder) == f"{owned} belongs to another user"


@as_root
def test_nothing_is_created_in_the_home_of_somebody_else(
    tmp_path: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
):
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    home.mkdir()
    temporary.mkdir()
    os.chown(home, SOMEBODY, SOMEBODY)
    monkeypatch.setenv("PLIES_CACHE_DIR", str(home / "cache" / "plies"))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    folder = cache_files.find_own_folder("0" * 16)
    assert "belongs to another user" in warnings[0]
    assert not list(home.iterdir())
    assert folder is not None
    assert temporary in folder.parents


def test_nor_is_one_that_was_removed_while_it_was_looked_at(
    folder: Path, private: Path, monkeypatch: pytest.MonkeyPatch
):
    """In a sticky folder somebody else could put another one in its place."""
    monkeypatch.setenv("PLIES_CACHE_DIR", str(folder.parent))
    monkeypatch.setattr(cache_files, "_make_folder", lambda made: made.rmdir())
    assert find_own_folder(VERSION) is None
    assert explain_distrust(folder) == f"{folder}: No such file or directory"


def test_a_group_with_one_member_is_as_good_as_none(folder: Path, monkeypatch: pytest.MonkeyPatch):
    folder.chmod(0o770)
    for is_private, complaint in ((True, ""), (False, f"others can write to {folder}")):
        monkeypatch.setattr(cache_files, "_is_private_group", lambda _, answer=is_private: answer)
        assert explain_distrust(folder) == complaint


@pytest.mark.parametrize(
    ("name", "listed", "users", "is_private"),
    [
        ("alice", [], {"alice": 7, "bob": 8}, True),
        ("alice", ["alice"], {"alice": 8}, True),
        ("alice", ["bob"], {"alice": 7, "bob": 8}, False),
        ("alice", [], {"alice": 7, "bob": 7}, False),  # whose first group it is as well
        ("students", [], {"alice": 7}, False),  # who joins it next?
        ("alice", [], {}, False),
    ],
)
def test_a_private_group_has_the_name_of_its_only_member(
    name: str,
    listed: list[str],
    users: dict[str, int],
    is_private: bool,
    monkeypatch: pytest.MonkeyPatch,
):
    known = [SimpleNamespace(pw_name=user, pw_gid=group) for user, group in users.items()]
    monkeypatch.setattr("pwd.getpwall", lambda: known)
    monkeypatch.setattr("pwd.getpwuid", lambda _: {each.pw_name: each for each in known}["alice"])
    group = SimpleNamespace(gr_name=name, gr_mem=listed)
    monkeypatch.setattr("grp.getgrgid", lambda _: group)
    assert cache_files._is_private_group.__wrapped__(7) is is_private


def test_where_files_have_no_owners_everything_is_as_before(
    file: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
):
    """As on Windows."""
    monkeypatch.setattr(cache_files, "HAS_OWNERS", False)
    monkeypatch.delattr(os, "geteuid")
    file.chmod(0o666)
    file.parent.chmod(0o777)
    assert explain_distrust(file.parent) == ""
    assert read_code(file, IDENTITY) == CODE


# Which folder


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where compiled code goes when the chosen folder will not do."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / f"plies-{os.geteuid()}"


def test_folders_are_made_for_oneself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path / "a" / "b"))
    before = os.umask(0)
    try:
        own = find_own_folder(VERSION)
    finally:
        os.umask(before)
    assert own is not None
    assert own == tmp_path / "a" / "b" / VERSION
    assert [each.stat().st_mode & 0o777 for each in (own, *own.parents[:2])] == [0o700] * 3


@pytest.mark.parametrize("variable", ["PLIES_CACHE_DIR", "XDG_CACHE_HOME"])
def test_a_shared_folder_is_not_used_and_a_private_one_is(
    tmp_path: Path,
    private: Path,
    warnings: list[str],
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("PLIES_CACHE_DIR", "")
    monkeypatch.setenv(variable, str(shared))
    assert find_own_folder(VERSION) == private / VERSION
    assert len(warnings) == 1
    assert f"others can write to {shared}; set PLIES_CACHE_DIR to a folder" in warnings[0]
    warnings.clear()
    assert os.environ["PLIES_CACHE_DIR"] == str(private)  # which worker processes inherit
    assert find_own_folder(VERSION) == private / VERSION
    assert warnings == []


@as_root
def test_where_even_the_private_folder_is_anothers_nothing_is_stored(
    tmp_path: Path, private: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
):
    private.mkdir()
    os.chown(private, SOMEBODY, SOMEBODY)
    monkeypatch.setenv("PLIES_CACHE_DIR", str(private))
    assert find_own_folder(VERSION) is None
    assert len(warnings) == 1


def refuse(*_: object) -> str:
    raise PermissionError(errno.EACCES, "Permission denied")


def test_folders_that_cannot_be_looked_up_cost_one_line_each(
    private: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PLIES_CACHE_DIR", "here")
    monkeypatch.setenv("PLIES_SHARED_CACHE_DIR", "there")
    monkeypatch.setattr(os.path, "realpath", refuse)
    assert find_own_folder(VERSION) is None
    assert list(find_shared_folders(VERSION)) == []
    assert [line.partition(";")[0] for line in warnings] == [
        "compiled code cannot be kept in here: Permission denied",
        "compiled code in there is not used: Permission denied",
    ]


def test_where_nothing_can_be_written_nothing_is_stored(
    tmp_path: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
):
    """As in a container whose files can only be read: not even temporary ones are possible."""

    def fail() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory own")

    (tmp_path / "file").touch()
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "gettempdir", fail)
    assert find_own_folder(VERSION) is None
    assert len(warnings) == 1


def test_a_warning_cannot_act_on_a_terminal(capsys: pytest.CaptureFixture[str]):
    cache_files.warn("/tmp/\x1b[2J belongs to another user")
    assert capsys.readouterr().err == "plies: warning: /tmp/?[2J belongs to another user\n"


def test_a_link_leads_to_a_folder_that_is_checked_in_its_place(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "link").symlink_to(folder.parent)
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path / "link"))
    assert find_own_folder(VERSION) == folder


def test_shared_folders_are_read_only_where_they_can_be_trusted(
    tmp_path: Path, folder: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
):
    other, missing = tmp_path / "other", tmp_path / "missing"
    (other / VERSION).mkdir(parents=True)
    (other / VERSION).chmod(0o777)
    paths = os.pathsep.join(map(str, (missing, other, folder.parent)))
    monkeypatch.setenv("PLIES_SHARED_CACHE_DIR", paths)
    assert list(find_shared_folders(VERSION)) == [folder]
    assert not missing.exists()
    assert warnings == [
        f"compiled code in {other} is not used: others can write to {other / VERSION}"
    ]
