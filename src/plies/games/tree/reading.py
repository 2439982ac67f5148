"""Reading trees from text and from JSON.

    tree   =  [label "="] (inner | leaf)
    inner  =  mover "(" tree { "," tree } ")"
    mover  =  "M" | "max" | "m" | "min" | player number from 1
    leaf   =  number | "(" number { "," number } ")"

White space is free and `#` begins a comment.  In JSON a leaf is a number or a list
of numbers and an inner node is {"mover": "max", "children": [...]}; "label" is
optional, and a leaf that has one is {"payoff": ..., "label": "A"}.
"""

import json
import re
import sys
from typing import Any, NamedTuple

from plies.core.spec import suggestion
from plies.errors import BadTree
from plies.files import read_file
from plies.games.tree.nodes import (
    MAX_NESTING,
    Inner,
    Leaf,
    Path,
    Tree,
    check,
    path_text,
)

MOVERS = {"M": 0, "max": 0, "m": 1, "min": 1}
WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
TOKEN = re.compile(
    r"""(?P<space>(?:\s|\#[^\n]*)+)
      | (?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<word>[^\W\d]\w*)
      | (?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)


def read_tree(text: str) -> Tree:
    """The tree of a text in either form."""
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith(("{", "[")):
        return _read_json(text)
    return _Reader(text).tree()


def read_tree_file(name: str) -> Tree:
    """The tree in a file; `-` is the standard input."""
    try:
        text = sys.stdin.read() if name == "-" else read_file(name).decode("utf-8")
    except OSError as error:
        raise BadTree(f"{name}: {error.strerror or error}") from error
    except ValueError as error:
        raise BadTree(f"{name}: not a text file in UTF-8") from error
    try:
        return read_tree(text)
    except BadTree as error:
        raise BadTree(f"{'standard input' if name == '-' else name}: {error}") from error


def whole_number(text: str) -> int:
    """A payoff; ValueError with advice for anything but a whole number."""
    if WHOLE.fullmatch(text):
        return int(text)
    decimals = text.partition(".")[2].rstrip("0")
    if decimals.isdecimal() and len(decimals) < 10:
        factor = 10 ** len(decimals)
        raise ValueError(f"payoffs are whole numbers: multiply all by {factor} to write {text}")
    excerpt = text if len(text) <= 20 else f"{text[:20]}..."
    raise ValueError(f"payoffs are whole numbers without point or exponent, not {excerpt}")


class _Token(NamedTuple):
    kind: str  # number, word, mark or end
    text: str
    offset: int

    def __str__(self) -> str:
        return repr(self.text) if self.text else "the end of the text"


class _Reader:
    """A recursive-descent parser of the text form: one method for each rule of the grammar."""

    def __init__(self, text: str):
        self._text = text
        self._tokens = [
            _Token(match.lastgroup or "", match[0], match.start())
            for match in TOKEN.finditer(text)
            if match.lastgroup != "space"
        ]
        self._tokens.append(_Token("end", "", len(text)))
        self._next = 0
        self._nesting = 0
        self._starts: dict[int, _Token] = {}  # by identity of the node

    def tree(self) -> Tree:
        tree = self._node()
        if self._peek().kind != "end":
            raise self._error(f"expected the end of the text, found {self._peek()}")
        check(tree, lambda _, node: self._describe(self._starts[id(node)]))
        return tree

    def _node(self) -> Tree:
        label = ""
        if self._peek().kind == "word" and self._peek(1).text == "=":
            label = self._take().text
            self._take()
        start = self._peek()
        if self._peek(1).text == "(" and start.kind in ("number", "word"):
            node: Tree = self._inner(label)
        elif start.kind == "word" and not label:
            raise self._error(
                f"expected '=' or '(' after {start}, found {self._peek(1)}", self._peek(1)
            )
        else:
            node = Leaf(self._payoff(), label)
        self._starts[id(node)] = start
        return node

    def _inner(self, label: str) -> Inner:
        mover = self._mover()
        if self._nesting == MAX_NESTING:
            raise self._error(f"a tree is nested at most {MAX_NESTING} levels deep")
        self._nesting += 1
        self._take()
        children = [self._node()]
        while self._peek().text == ",":
            self._take()
            children.append(self._node())
        self._expect(")", "',' or ')'")
        self._nesting -= 1
        return Inner(mover, tuple(children), label)

    def _mover(self) -> int:
        token = self._take()
        if token.kind == "word" and token.text in MOVERS:
            return MOVERS[token.text]
        if token.text.isdecimal() and len(token.text) < 10 and int(token.text) > 0:
            return int(token.text) - 1
        raise self._error(
            f"expected M, m, max, min or a player from 1 before '(', found {token}", token
        )

    def _payoff(self) -> int | tuple[int, ...]:
        if self._peek().kind == "number":
            return self._number("a number or a node")
        self._expect("(", "a number or a node")
        numbers = [self._number("a number of a vector")]
        while self._peek().text == ",":
            self._take()
            numbers.append(self._number("a number of a vector"))
        self._expect(")", "',' or ')'")
        return tuple(numbers)

    def _number(self, expected: str) -> int:
        token = self._take()
        if token.kind != "number":
            raise self._error(f"expected {expected}, found {token}", token)
        try:
            return whole_number(token.text)
        except ValueError as error:
            raise self._error(str(error), token) from error

    def _peek(self, ahead: int = 0) -> _Token:
        return self._tokens[min(self._next + ahead, len(self._tokens) - 1)]

    def _take(self) -> _Token:
        token = self._peek()
        self._next += 1
        return token

    def _expect(self, text: str, expected: str) -> None:
        token = self._take()
        if token.text != text:
            raise self._error(f"expected {expected}, found {token}", token)

    def _error(self, problem: str, token: _Token | None = None) -> BadTree:
        return BadTree(f"{self._describe(token or self._peek())}: {problem}")

    def _describe(self, token: _Token) -> str:
        before = self._text[: token.offset]
        column = token.offset - (before.rfind("\n") + 1) + 1
        return f"line {before.count(chr(10)) + 1}, column {column}"


class _Decimal(str):
    """A JSON number with a point or an exponent, as text, so that its error can quote it."""


def _read_json(text: str) -> Tree:
    try:
        value = json.loads(
            text, parse_int=_json_integer, parse_float=_Decimal, parse_constant=_Decimal
        )
    except json.JSONDecodeError as error:
        raise BadTree(f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise BadTree(f"a tree is nested at most {MAX_NESTING} levels deep") from error
    tree = _json_node(value, ())
    check(tree)
    return tree


def _json_integer(text: str) -> Any:
    return int(text) if WHOLE.fullmatch(text) else _Decimal(text)


def _json_node(value: Any, path: Path) -> Tree:
    if len(path) > MAX_NESTING:
        raise BadTree(f"a tree is nested at most {MAX_NESTING} levels deep")
    if not isinstance(value, dict):
        return Leaf(_json_payoff(value, path))
    is_leaf = "payoff" in value
    known = ("payoff", "label") if is_leaf else ("mover", "children", "label")
    for key in value:
        if key not in known:
            raise _json_error(path, f"unknown key {json.dumps(key)}{suggestion(key, known)}")
    label = value.get("label", "")
    if not isinstance(label, str) or isinstance(label, _Decimal):
        raise _json_error(path, f'"label" is a text, not {_shortened(label)}')
    if is_leaf:
        return Leaf(_json_payoff(value["payoff"], path), label)
    children = value.get("children")
    if not isinstance(children, list) or not children:
        raise _json_error(path, 'expected "children": a list of at least one node')
    mover = _json_mover(value.get("mover"), path)
    nodes = [_json_node(child, (*path, index)) for index, child in enumerate(children)]
    return Inner(mover, tuple(nodes), label)


def _json_mover(value: Any, path: Path) -> int:
    if isinstance(value, str) and value in MOVERS:
        return MOVERS[value]
    if type(value) is int and value > 0:
        return value - 1
    quoted = "none" if value is None else _shortened(value)
    raise _json_error(path, f'expected "mover": "max", "min" or a player from 1, found {quoted}')


def _json_payoff(value: Any, path: Path) -> int | tuple[int, ...]:
    if isinstance(value, list):
        return tuple(_json_number(item, path) for item in value)
    return _json_number(value, path)


def _json_number(value: Any, path: Path) -> int:
    if isinstance(value, _Decimal):
        try:
            return whole_number(value)
        except ValueError as error:
            raise _json_error(path, str(error)) from error
    if type(value) is not int:
        raise _json_error(path, f"expected a number or a node, found {_shortened(value)}")
    return value


def _json_error(path: Path, problem: str) -> BadTree:
    return BadTree(f"node {path_text(path)}: {problem}")


def _shortened(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 20 else f"{text[:20]}..."
