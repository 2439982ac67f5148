"""From the text of a spec to a command."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from plies.errors import BadSpec
from plies.sandbox.program import Program, find_program, refuse_links
from plies.sandbox.readable import needed_by


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_python_file_is_run_by_this_python(here: Path):
    file = here / "agent.py"
    file.touch()
    assert find_program("agent.py") == Program((sys.executable, str(file)), (file,))


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")
def test_a_javascript_file_is_run_by_node(here: Path):
    (here / "agent.js").touch()
    command = find_program("agent.js").command
    assert Path(command[0]).name == "node"
    assert command[1] == str(here / "agent.js")


def test_any_other_file_runs_by_itself(here: Path):
    file = here / "my agent"
    file.touch(mode=0o755)
    assert find_program("'my agent'") == Program((str(file),), (file,))


def test_a_folder_runs_its_agent_and_may_be_read(here: Path):
    file = here / "alice" / "agent.py"
    file.parent.mkdir()
    file.touch()
    folder = here / "alice"
    assert find_program("alice") == Program((sys.executable, str(file)), (folder,), folder)


def test_the_words_of_a_command_that_are_paths_may_be_read(here: Path):
    file = here / "agent.jar"
    file.touch()
    program = find_program("python3 -O agent.jar level=3")
    assert program.command == (sys.executable, "-O", str(file), "level=3")
    assert program.readable == (file,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nowhere.py", "there is no file and no folder nowhere.py"),
        ("empty", "there is no agent.py and no agent.js and no agent in the folder"),
        ("plain", r"cannot be executed; run chmod \+x, or name it .py or .js"),
        ("no-such-program agent.jar", "there is no program no-such-program on this machine"),
        ("'agent", "cannot be split into words: No closing quotation"),
        (" ", "write process:PATH"),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(here: Path, text: str, message: str):
    (here / "empty").mkdir()
    (here / "plain").touch(mode=0o644)
    with pytest.raises(BadSpec, match=message) as caught:
        find_program(text)
    assert "\n" not in str(caught.value)


def test_a_program_in_a_home_folder_opens_no_more_of_it_than_its_libraries(tmp_path: Path):
    program = tmp_path / "bin" / "agent"
    program.parent.mkdir()
    program.touch()
    opened = {path for path in needed_by(program) if tmp_path in path.parents}
    beside = {tmp_path / name for name in ("lib", "lib64", "libexec", "conf")}
    assert opened == {program, *beside}
    assert tmp_path not in needed_by(program)


# Links


@pytest.fixture
def bob(here: Path) -> Path:
    """Another's program, beside a folder of Alice's."""
    for name in ("alice", "bob"):
        (here / name).mkdir()
        (here / name / "agent.py").write_text(f"print('{name}')")
    return here / "bob" / "agent.py"


def refused(text: str) -> str:
    with pytest.raises(BadSpec) as caught:
        refuse_links(find_program(text))
    return str(caught.value)


def test_programs_without_links_are_accepted(bob: Path):
    for text in ("alice", "alice/agent.py", "python3 alice/agent.py"):
        refuse_links(find_program(text))


def test_a_file_that_is_a_link_is_refused(here: Path, bob: Path):
    Path("alice.py").symlink_to("bob/agent.py")
    complaint = f"{here / 'alice.py'} is a link to bob/agent.py; name that, or copy it"
    assert refused("alice.py") == refused("python3 alice.py") == complaint


def test_so_is_a_folder_that_is_one_or_has_one_that_leads_out(here: Path, bob: Path):
    Path("carol").symlink_to("bob")
    assert refused("carol") == f"{here / 'carol'} is a link to bob; name that, or copy it"
    Path("alice/deep").mkdir()
    link = Path("alice/deep/moves.py")
    link.symlink_to(bob)
    assert refused("alice") == f"{here / link} is a link to {bob}, outside its folder"
    link.unlink()
    link.symlink_to(link.name)  # to itself
    refuse_links(find_program("alice"))


def test_links_within_a_folder_and_to_the_system_are_its_own_affair(bob: Path):
    Path("alice/main").symlink_to("agent.py")
    Path("alice/shell").symlink_to("/bin/sh")
    refuse_links(find_program("alice"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_second_name_of_another_users_file_is_refused(here: Path, bob: Path):
    for name in ("alice.py", "alice/moves.py"):
        Path(name).hardlink_to(bob)
    refuse_links(find_program("alice.py"))  # of the same owner: nothing tells whose it is
    os.chown(bob, 65_533, 65_533)
    for text, link in (("alice.py", "alice.py"), ("alice", "alice/moves.py")):
        said = f"{here / link} is a link to a file of another user; put a copy there"
        assert refused(text) == said
