"""Which line of an author's file the compiler means.

Where it names none, its own stack frames know at which line it was; where it names another
(that of a call, or of what a mistake led to), the file itself has the line to look at.
"""

import ast
import dis
import gc
import linecache
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import numba
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler import run_frontend

COMPILER = Path(numba.__file__).parent / "core"  # beside it lies what runs, such as typed lists
PACKAGE = ("plies/core/", "plies/compiling/")
PLACE = re.compile(r'File "([^"]+)", line (\d+)')
WHOLE = ("int", "len", "round")  # what answers a whole number for a float


def place(path: str, line: int | None) -> str:
    """`hexapawn.py, line 20`."""
    return f"{Path(path).name}, line {line}"


def is_of_package(path: str) -> bool:
    """Whether a file belongs to the package, not to a game."""
    return any(folder in path.replace("\\", "/") for folder in PACKAGE)


def is_of_compiler(error: BaseException) -> bool:
    """Whether an error, of any type, ended the compiler: code that runs has no frames of it."""
    return type(error).__module__.startswith("numba.") or any(_compiler_frames(error))


def compiler_parts(error: BaseException) -> Iterator[Any]:
    """The objects of the compiler whose methods an error went through, the innermost first."""
    for frame in reversed([*_compiler_frames(error)]):
        if "self" in frame.f_locals:
            yield frame.f_locals["self"]


def _compiler_frames(error: BaseException) -> Iterator[FrameType]:
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if COMPILER in Path(frame.f_code.co_filename).parents:
            yield frame


def error_place(error: BaseException, text: str) -> str:
    """The line in the text of the compiler, else the one at which it was; empty if unknown."""
    places = PLACE.findall(text)
    own = [each for each in places if not is_of_package(each[0])] or places
    if own:
        return place(*own[0])
    for loc in [getattr(part, "loc", None) for part in (*compiler_parts(error), error)]:
        if isinstance(loc, ir.Loc) and not is_of_package(loc.filename):
            return place(loc.filename, loc.line)
    return ""


def name_place(address: int, name: str) -> str:
    """Where the function at an address, by which the compiler names it, first uses a name."""
    function = next((each for each in gc.get_objects() if id(each) == address), None)
    if not isinstance(function, FunctionType):
        return ""
    for use in dis.get_instructions(function):
        if use.opname == "LOAD_GLOBAL" and use.argval == name and use.positions:
            return place(function.__code__.co_filename, use.positions.lineno)
    return ""


def loop_place(code: ir.FunctionIR) -> str:
    """Where a loop begins that has no exit; empty if every loop has one."""
    for loop in compute_cfg_from_blocks(code.blocks).loops().values():
        if not loop.exits:
            loc = code.blocks[loop.header].loc  # of `while True`, that is the line below
            lines = _endless_whiles(_function_at(loc.filename, loc.line))
            above = [line for line in lines if line <= loc.line]
            return place(loc.filename, max(above, default=loc.line))
    return ""


def endless_loop(function: Any) -> str:
    """The same for a function in plain Python."""
    return loop_place(run_frontend(function))


def empty_container(path: str, line: int) -> tuple[str, str]:
    """The variable of a line that begins as an empty list, and where it does; else two times ''."""
    function = _function_at(path, line)
    names = set(re.findall(r"\w+", linecache.getline(path, line)))
    for node in ast.walk(function):
        for target, value in _assignments(node):
            if isinstance(target, ast.Name) and target.id in names and _is_empty(value):
                return target.id, place(path, target.lineno)
    return "", ""


def first_place(function: Any) -> str:
    """Where a function begins."""
    return place(function.__code__.co_filename, function.__code__.co_firstlineno)


def float_place(function: Any) -> tuple[str, bool]:
    """Where a function first makes a float, else where it begins; and whether `/` makes it."""
    path, start = function.__code__.co_filename, function.__code__.co_firstlineno
    makers = sorted(_float_makers(_function_at(path, start)), key=lambda node: node.lineno)
    for node in makers:
        return place(path, node.lineno), not isinstance(node, ast.Constant)
    return first_place(function), False


def _function_at(path: str, line: int) -> ast.AST:
    """The innermost function around a line of a file; an empty module if there is none."""
    linecache.checkcache(path)  # it may have been edited since
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except SyntaxError:  # the file has changed
        return ast.Module([], [])
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and _first_line(node) <= line <= _last_line(node)
    ]
    return around[-1] if around else ast.Module([], [])


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _last_line(node: ast.FunctionDef) -> int:
    return node.end_lineno or node.lineno


def _endless_whiles(tree: ast.AST) -> Iterator[int]:
    """The lines of `while True` and `while 1`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.While) and isinstance(node.test, ast.Constant):
            yield node.lineno


def _assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a statement assigns to, and the value."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            yield from zip(targets, values, strict=False)
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value


def _is_empty(node: ast.expr) -> bool:
    match node:
        case ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(func=ast.Name(id="list" | "dict" | "set"), args=[], keywords=[]):
            return True
    return False


def _float_makers(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Divisions and fractions, but for those inside `int(...)`."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in WHOLE:
            return
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()) | ast.Constant(value=float()):
            yield node
    for child in ast.iter_child_nodes(node):
        yield from _float_makers(child)
