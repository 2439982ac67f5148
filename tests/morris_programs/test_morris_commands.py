"""The command line of the eight morris programs: what they print, write and refuse."""

import errno
import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from plies import morris_programs
from plies.morris_programs.command import main
from plies.morris_programs.programs import MAX_DEPTH, PROGRAMS, answer
from plies.search import workspace

ROOT = Path(__file__).parents[2]
BOARD = "WWxxxxxWWWWBBBBxxBWBxB"


@pytest.fixture(autouse=True)
def no_compile_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether something is compiled depends on which test ran before."""
    monkeypatch.setenv("PLIES_QUIET", "1")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a board, as the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board1.txt").write_text(BOARD)
    return tmp_path


THREE_LINES = """\
Board Position: WWxxxxxWWWWBBBBWxxxBxB
Positions evaluated by static estimation: 410.
MINIMAX estimate: 981.
"""


def test_three_lines_are_printed_and_the_board_is_written(files, capsys):
    assert main("MiniMaxGame", ["board1.txt", "board2.txt", "2"]) == 0
    assert capsys.readouterr() == (THREE_LINES, "")
    assert (files / "board2.txt").read_text() == "WWxxxxxWWWWBBBBWxxxBxB\n"


def test_alpha_beta_prints_the_same_third_line(files, capsys):
    assert main("ABGame", ["board1.txt", "board2.txt", "2"]) == 0
    assert capsys.readouterr().out == THREE_LINES.replace("410", "355")


def test_a_file_may_be_read_and_written(files, capsys):
    assert main("MiniMaxGame", ["board1.txt", "board1.txt", "2"]) == 0
    assert (files / "board1.txt").read_text() == "WWxxxxxWWWWBBBBWxxxBxB\n"


@pytest.mark.parametrize("text", ["{}\n", "{}\r\n", " {} \n\n", "\ufeff{}\r\n"])
def test_space_around_a_board_does_not_matter(text, files, capsys):
    (files / "board1.txt").write_bytes(text.format(BOARD).encode())
    assert main("MiniMaxGame", ["board1.txt", "board2.txt", "2"]) == 0
    assert capsys.readouterr().out == THREE_LINES


def test_options_may_stand_before_the_files(files, capsys):
    (files / "board1.txt").write_text(BOARD + "x")
    assert main("MiniMaxOpening", ["--board", "23", "board1.txt", "board2.txt", "2"]) == 0
    found = answer("MiniMaxOpening", BOARD + "x", 2, "23")
    assert capsys.readouterr().out.splitlines()[0] == f"Board Position: {found.board}"


def test_json_holds_the_answer_and_the_question(files, capsys):
    assert main("ABGame", ["board1.txt", "board2.txt", "2", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document.pop("cpu_seconds") >= 0
    assert document.pop("cutoffs") > 0
    assert document == {
        "program": "ABGame",
        "depth": 2,
        "input": BOARD,
        "variant": "22",
        "view": "mover",
        "board": "WWxxxxxWWWWBBBBWxxxBxB",
        "positions": 355,
        "estimate": 981,
        "move": "f5-e4-d5",
    }


@pytest.mark.parametrize(
    ("name", "view", "estimate"),
    [
        ("MiniMaxOpeningBlack", "mover", 1),
        ("MiniMaxOpeningBlack", "white", -1),
        ("MiniMaxGame", "mover", 981),
        ("MiniMaxGame", "white", 981),
    ],
)
def test_the_estimate_is_told_from_the_side_that_is_asked_for(name, view, estimate, files, capsys):
    assert main(name, ["board1.txt", "board2.txt", "2", "--view", view]) == 0
    assert capsys.readouterr().out.splitlines()[2] == f"MINIMAX estimate: {estimate}."


ALL = "board1.txt board2.txt 2"
MISTAKES = [
    ("", BOARD, "the following arguments are required: input, output, depth; see MiniMaxGame --"),
    ("board1.txt board2.txt", BOARD, "the following arguments are required: depth"),
    (f"{ALL} 3", BOARD, "unrecognized arguments: 3"),
    (f"{ALL} --fast", BOARD, "unrecognized arguments: --fast"),
    (f"{ALL} --board 25", BOARD, "argument --board: invalid choice: '25'"),
    (f"{ALL} --view red", BOARD, "argument --view: invalid choice: 'red'"),
    ("missing.txt board2.txt 2", BOARD, "cannot read missing.txt: No such file or directory"),
    (". board2.txt 2", BOARD, "cannot read .: Is a directory"),
    ("board1.txt board2.txt two", BOARD, "the depth is a whole number from 1 to 127, not 'two'"),
    ("board1.txt board2.txt 0", BOARD, "the depth is a whole number from 1 to 127, not '0'"),
    ("board1.txt board2.txt -1", BOARD, "the depth is a whole number from 1 to 127, not '-1'"),
    ("board1.txt board2.txt 2.5", BOARD, "the depth is a whole number from 1 to 127, not '2.5'"),
    ("board1.txt board2.txt 128", BOARD, "the depth is a whole number from 1 to 127, not '128'"),
    (f"board1.txt board2.txt {'9' * 5000}", BOARD, "127, not '99999999999999999999...'"),
    (f"board1.txt board2.txt 000001{'9' * 5000}", BOARD, "127, not '00000199999999999999...'"),
    ("board1.txt folder 2", BOARD, "cannot write folder: Is a directory"),
    ("board1.txt no/board2.txt 2", BOARD, "cannot write no/board2.txt: there is no folder no"),
    ("board1.txt board1.txt/b 2", BOARD, "cannot write board1.txt/b: there is no folder board1"),
    (ALL, BOARD[1:], "board1.txt: board 22 has 22 points: write one letter for each, not 21"),
    (ALL, BOARD[1:], "did you mean --board 21b or 21n or 21x?"),
    (ALL, "", "board1.txt: board 22 has 22 points: write one letter for each, not 0"),
    (ALL, "w" + BOARD[1:], "board1.txt: letter 1 (a0) is 'w'; write W, B or x"),
    (ALL, f"{BOARD[:3]} {BOARD[4:]}", "board1.txt: write the board in one line, without spaces"),
    (ALL, f"{BOARD[:11]}\n{BOARD[11:]}", "board1.txt: write the board in one line"),
    (ALL, f"{BOARD}\n{BOARD}", "board1.txt: write the board in one line"),
    (ALL, " ".join(BOARD), "without spaces between the letters\n"),
    (ALL, BOARD[:-1] + "é", "board1.txt: letter 22 (g6) is"),
    (ALL, "x" * 22, "no move is possible: White cannot move on xxxxxxxxxxxxxxxxxxxxxx"),
]


@pytest.mark.parametrize(("arguments", "board", "said"), MISTAKES)
def test_a_mistake_is_one_line_and_changes_no_file(arguments, board, said, files, capsys):
    (files / "board1.txt").write_text(board, encoding="latin-1")
    (files / "board2.txt").write_text("as it was")
    (files / "folder").mkdir()
    assert main("MiniMaxGame", arguments.split()) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("MiniMaxGame: ")
    assert output.err.count("\n") == 1
    assert said in output.err
    assert (files / "board2.txt").read_text() == "as it was"
    assert sorted(path.name for path in files.iterdir()) == ["board1.txt", "board2.txt", "folder"]


def test_a_mistake_with_a_line_break_in_it_is_still_one_line(files, capsys):
    assert main("MiniMaxGame", ["two\nlines", "board2.txt", "2"]) == 2
    said = "MiniMaxGame: cannot read two lines: No such file or directory\n"
    assert capsys.readouterr().err == said


def test_an_opening_program_needs_an_empty_point(files, capsys):
    (files / "board1.txt").write_text("WB" * 11)
    assert main("MiniMaxOpeningBlack", ["board1.txt", "board2.txt", "1"]) == 2
    said = f"MiniMaxOpeningBlack: no move is possible: Black cannot add a piece on {'WB' * 11}\n"
    assert capsys.readouterr().err == said
    assert not (files / "board2.txt").exists()


def test_an_output_without_the_right_to_write_is_refused(files, capsys, monkeypatch):
    open_file = Path.open

    def refuse(path: Path, mode: str = "r", **options: object) -> object:
        if mode != "r":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return open_file(path, mode, **options)  # pyright: ignore[reportCallIssue, reportArgumentType]

    (files / "board2.txt").write_text("as it was")
    monkeypatch.setattr(Path, "open", refuse)  # a superuser may write everywhere
    assert main("MiniMaxGame", ["board1.txt", "board2.txt", "2"]) == 2
    assert capsys.readouterr().err == "MiniMaxGame: cannot write board2.txt: Permission denied\n"


def test_a_folder_without_the_right_to_write_is_refused(files, capsys, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert main("MiniMaxGame", ["board1.txt", "board2.txt", "2"]) == 2
    said = "MiniMaxGame: cannot write board2.txt: no right to write into folder .\n"
    assert capsys.readouterr().err == said


def test_an_output_that_cannot_be_written_whole_stays_as_it_was(files, capsys, monkeypatch):
    def fill(path: Path, text: str, **options: object) -> None:
        path.write_bytes(text[:5].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    (files / "board2.txt").write_text("as it was")
    monkeypatch.setattr(Path, "write_text", fill)
    assert main("MiniMaxGame", ["board1.txt", "board2.txt", "2"]) == 2
    said = "MiniMaxGame: cannot write board2.txt: No space left on device\n"
    assert capsys.readouterr() == ("", said)
    assert (files / "board2.txt").read_text() == "as it was"
    assert {path.name for path in files.iterdir()} >= {"board1.txt", "board2.txt"}
    assert not [path.name for path in files.iterdir() if path.name.startswith(".")]


def test_an_output_keeps_its_rights_and_a_link_stays_a_link(files, capsys):
    (files / "real.txt").write_text("as it was")
    (files / "real.txt").chmod(0o600)
    (files / "board2.txt").symlink_to("real.txt")
    assert main("MiniMaxGame", ["board1.txt", "board2.txt", "2"]) == 0
    assert (files / "board2.txt").is_symlink()
    assert (files / "real.txt").read_text() != "as it was"
    assert (files / "real.txt").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_one_line(files, capsys):
    assert main("MiniMaxGame", ["board1.txt", "/dev/full", "2"]) == 2
    said = "MiniMaxGame: cannot write /dev/full: No space left on device\n"
    assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_shows_an_example(name, capsys):
    assert main(name, ["--help"]) == 0
    assert f"Example:  {name} board1.txt board2.txt 2" in capsys.readouterr().out


def test_every_program_is_a_command():
    with (ROOT / "pyproject.toml").open("rb") as file:
        scripts = tomllib.load(file)["project"]["scripts"]
    for name in PROGRAMS:
        module, _, attribute = scripts[name].partition(":")
        assert module == "plies.morris_programs"
        assert getattr(morris_programs, attribute).args == (name,)


def test_the_depth_is_one_that_a_search_has_room_for():
    assert MAX_DEPTH == workspace.MAX_DEPTH


# Processes


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own, with its own environment."""
    command = [sys.executable, "-m", "plies.morris_programs", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}
    )


def test_compiling_is_told_once_and_only_on_stderr(files):
    folder = str(files / "cache")
    arguments = ("MiniMaxGame", "board1.txt", "board2.txt", "2")
    first = process(*arguments, PLIES_CACHE_DIR=folder, PLIES_QUIET="")
    second = process(*arguments, PLIES_CACHE_DIR=folder, PLIES_QUIET="")
    assert (first.returncode, first.stdout) == (0, THREE_LINES)
    assert first.stderr.count("\n") == 1
    assert "compiling" in first.stderr
    assert (second.returncode, second.stdout, second.stderr) == (0, THREE_LINES, "")


def test_help_and_mistakes_load_no_compiler(files):
    code = """
import sys
from plies.morris_programs.command import main
main("ABGame", ["--help"])
main("ABGame", ["board1.txt", "board2.txt", "none"])
print([name for name in ("numba", "numpy", "rich", "typer") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="not on this system")
def test_standard_output_is_written_to_and_never_replaced(files):
    words = ("MiniMaxGame", "board1.txt", "/dev/stdout", "1")
    piped = process(*words)
    assert (piped.returncode, piped.stderr) == (0, "")
    board, *lines = piped.stdout.splitlines()
    assert lines[0] == f"Board Position: {board}"
    assert len(lines) == 3
    command = [sys.executable, "-m", "plies.morris_programs", *words]
    with Path("out.txt").open("w") as file:
        subprocess.run(command, stdout=file, check=True)
    assert Path("out.txt").read_text() == piped.stdout
    reader, writer = os.pipe()
    os.close(reader)  # as head does when it has seen enough
    gone = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (gone.returncode, gone.stderr) == (141, "")


def test_a_name_that_is_no_program_is_one_line(files):
    done = process("MiniMax", "board1.txt", "board2.txt", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "MiniMaxOpening, MiniMaxGame" in done.stderr


# Says when the second search begins: the first one only lets the compiler finish.
ANNOUNCE = """
from plies.search.minimax import Minimax
decide, calls = Minimax.decide, []
def announcing(*arguments):
    calls.append(arguments)
    if len(calls) == 2:
        print("searching", flush=True)
    return decide(*arguments)
Minimax.decide = announcing
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_search_and_leaves_the_output_alone(files):
    arguments = ["board1.txt", "board2.txt", "40"]
    code = f"from plies.morris_programs.command import run; run('MiniMaxGame', {arguments})"
    with subprocess.Popen(
        [sys.executable, "-c", ANNOUNCE + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "searching\n"
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert errors == "MiniMaxGame: interrupted\n"
    assert not (files / "board2.txt").exists()
