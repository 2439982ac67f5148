"""Control groups: where they are made, what is written to them, and that none is left."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from courts import groups_left

from plies.sandbox import cgroup
from plies.sandbox.cgroup import Groups, make_groups
from plies.sandbox.confined import Confined
from plies.sandbox.limits import Limits

LIMITS = Limits(memory_mb=256).for_kernel()


def unified_tree(top: Path) -> Path:
    """Folders like those of version 2: a slice that hands out all, in it the group of a judge."""
    own = top / "slice" / "judge"
    own.mkdir(parents=True)
    for folder, controllers in ((top, "cpu memory"), (top / "slice", "cpu memory pids"), (own, "")):
        (folder / "cgroup.subtree_control").write_text(controllers)
        (folder / "cgroup.procs").touch()
    return own


def test_the_nearest_group_that_hands_out_most_is_chosen(tmp_path: Path):
    own = unified_tree(tmp_path)
    place, controllers = cgroup._unified_place(own, tmp_path, list(cgroup.GUARDS))
    assert place == tmp_path / "slice"
    assert controllers == {"freezer", "cpu", "memory", "pids"}


@pytest.mark.parametrize(
    ("wanted", "handed_out", "place"),
    [
        (cgroup.GUARDS, "memory pids", "slice"),  # for the processors alone it does not go up
        (cgroup.GUARDS, "cpu", "."),
        (("freezer",), "cpu memory pids", "slice/judge"),
        (("freezer", "memory"), "memory", "slice"),
    ],
)
def test_what_bounds_the_judge_bounds_its_programs_if_possible(
    tmp_path: Path, wanted: tuple[str, ...], handed_out: str, place: str
):
    own = unified_tree(tmp_path)
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory pids")
    (tmp_path / "slice" / "cgroup.subtree_control").write_text(handed_out)
    assert cgroup._unified_place(own, tmp_path, list(wanted))[0] == tmp_path / place


def test_what_version_2_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    judge = unified_tree(tmp_path)
    monkeypatch.setattr(cgroup, "_own_groups", lambda: ({"": judge}, {"": tmp_path}))
    written: dict[str, str] = {}
    monkeypatch.setattr(cgroup, "write", lambda path, text: written.update({path.name: text}))
    groups, missing = make_groups(cgroup.GUARDS, LIMITS)
    assert missing == {}
    assert {folder.parent for folder in groups.folders.values()} == {tmp_path / "slice"}
    assert groups.unified in groups.folders.values()
    groups.freeze()
    assert written == {
        "memory.max": str(256 << 20),
        "memory.swap.max": "0",
        "memory.swappiness": "0",  # which version 2 does not have, and is not missed
        "memory.oom.group": "1",
        "pids.max": "128",
        "cgroup.freeze": "1",
    }
    folder = groups.folders["memory"]
    for own, kills in ((0, 0), (0, 1), (1, 0), (1, 1)):
        (folder / "memory.events").write_text(f"low 0\noom {own}\noom_kill {kills}\n")
        assert groups.is_out_of_memory() is (kills > 0)
        assert groups.has_reached_limit() is (own > 0)


def test_a_guard_without_a_controller_is_missing_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cgroup, "_own_groups", lambda: ({}, {}))
    groups, missing = make_groups(["memory", "watch"], LIMITS)
    assert groups.folders == {}
    assert missing == {"memory": "no control group of this process has the controller memory"}


def test_no_group_is_looked_for_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch):
    def fail() -> str:
        raise FileNotFoundError("/proc/self/ns/pid")

    monkeypatch.setattr(cgroup, "_prefix", fail)
    groups, missing = make_groups(["watch"], LIMITS)
    assert (groups.folders, missing) == ({}, {})


def test_folders_of_others_are_left_alone(tmp_path: Path):
    names = ["x", "1-2", "1-2-3-4", "one-2-3"]
    for name in names:
        (tmp_path / f"{cgroup._prefix()}{name}").mkdir()
    cgroup._sweep(tmp_path)
    assert len(list(tmp_path.iterdir())) == len(names)


def have_groups() -> bool:
    groups, _ = make_groups(["freezer"], LIMITS)
    groups.remove()
    return "freezer" in groups.folders


needs_groups = pytest.mark.skipif(not have_groups(), reason="there are no control groups here")


@needs_groups
def test_all_processes_of_a_program_are_in_its_groups():
    code = "import os; os.fork(); os.fork(); print(); input()"
    program = Confined([sys.executable, "-c", code])
    try:
        program.receive(time.perf_counter() + 20)
        for pid in program._processes():
            text = Path(f"/proc/{pid}/cgroup").read_text()
            for folder in program._groups.folders.values():
                assert f"/{folder.name}\n" in text
    finally:
        program.close()
    assert groups_left(os.getpid()) == []


@needs_groups
@pytest.mark.parametrize("version", [1, 2])
def test_what_a_killed_judge_has_left_is_ended_and_removed(
    version: int, monkeypatch: pytest.MonkeyPatch
):
    own, _ = cgroup._own_groups()
    controller = "freezer" if version == 1 else cgroup.UNIFIED
    if controller not in own or not cgroup._is_ours(own[controller]):
        pytest.skip(f"there is no freezer of version {version} here")
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        past = f"{cgroup._prefix()}{os.getpid()}-1-0"  # this number, and another beginning
        folder = own[controller] / past
        folder.mkdir()
        groups = Groups({"freezer": str(folder)}, str(folder) if version == 2 else "")
        cgroup.write(folder / "cgroup.procs", str(sleeper.pid))
        groups.freeze()
        monkeypatch.setattr(cgroup, "_swept", set())
        cgroup._sweep(own[controller])
        assert sleeper.wait(20) < 0
    assert not folder.exists()


@needs_groups
def test_the_groups_of_judges_who_live_are_left_alone(monkeypatch: pytest.MonkeyPatch):
    groups, _ = make_groups(["freezer"], LIMITS)
    monkeypatch.setattr(cgroup, "_swept", set())
    cgroup._sweep(groups.folders["freezer"].parent)
    assert groups.folders["freezer"].exists()
    groups.remove()


@needs_groups
def test_the_older_freezer_serves_as_well(monkeypatch: pytest.MonkeyPatch):
    own, tops = cgroup._own_groups()
    if "freezer" not in own:
        pytest.skip("there is no freezer of version 1 here")
    old = {name: folder for name, folder in own.items() if name != cgroup.UNIFIED}
    monkeypatch.setattr(cgroup, "_own_groups", lambda: (old, tops))
    program = Confined([sys.executable, "-c", "while True: print(input())"])
    try:
        assert program._groups.unified is None
        for text in ("first", "second"):
            program.send(text)
            assert program.receive(time.perf_counter() + 20) == text
            program.suspend()
            program.resume()
        program.suspend()
    finally:
        program.close()  # although it is frozen
    assert groups_left(os.getpid()) == []
