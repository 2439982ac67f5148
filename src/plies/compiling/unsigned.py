"""One rule for boards of 64 cells: an int that meets an np.uint64 becomes one.

    board & (board - 1)    board | 1 << square    ~(mine | theirs)    board >> 8

All of these are np.uint64 and count modulo 2**64.  Numba alone makes the first two int64,
whose `>>` keeps the sign, and makes a float of a variable that is now int, now np.uint64.
NumPy alone refuses np.int64 beside np.uint64.  So this module teaches both the rule: compiled
code by `UnsignedWins`, plain Python by `Word`, the type of a state's fields.
"""

import operator
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.core.typing.context import Context
from numba.core.typing.templates import signature

MODULUS = 2**64
# Named classes of states and evaluators, with the declared types of their fields.
record_types: dict[type, Any] = {}

ARITHMETIC = ("add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor")
MIXING = {min, max, *(getattr(operator, name) for name in ARITHMETIC)}
MIXING |= {getattr(operator, f"i{name.strip('_')}") for name in ARITHMETIC}

OPERATORS = {bool, *(each for each in vars(operator).values() if callable(each))}
SCALARS = (types.Integer, types.Boolean, types.Float, types.IntegerLiteral, types.BooleanLiteral)

_known_operators: dict[Any, Any] = {}


class UnsignedWins(Context):
    """Our typing rules before Numba's, which share everything else."""

    def __init__(self, shared: Context):
        self.__dict__ = shared.__dict__

    def __eq__(self, other: object) -> bool:
        """Any two are the same rules: what Numba remembers by context is found again."""
        return isinstance(other, UnsignedWins) and other.__dict__ is self.__dict__

    def __hash__(self) -> int:
        return id(self.__dict__)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        name = getattr(func, "typing_key", None)
        if name in OPERATORS and not kws and all(isinstance(kind, SCALARS) for kind in args):
            return self._resolve_operator(func, tuple(map(types.unliteral, args)))
        return self._resolve(name, func, args, kws)

    def _resolve_operator(self, func: Any, args: Any) -> Any:
        """The same, remembered: half of all calls are operators of a few types."""
        question = func.typing_key, args
        if question not in _known_operators:
            _known_operators[question] = self._resolve(func.typing_key, func, args, {})
        return _known_operators[question]

    def _resolve(self, name: Any, func: Any, args: Any, kws: Any) -> Any:
        if name in MIXING and _is_mixed(*args):
            args = (types.uint64,) * len(args)
        if name is np.arange:  # moves, say: Numba knows no np.uint64 there
            args = tuple(types.int64 if kind == types.uint64 else kind for kind in args)
        answer = super().resolve_function_type(func, args, kws)
        if isinstance(func, types.NamedTupleClass) and func.instance_class in record_types:
            return _with_declared_fields(answer, record_types[func.instance_class])
        return answer

    def unify_pairs(self, first: Any, second: Any) -> Any:
        return types.uint64 if _is_mixed(first, second) else super().unify_pairs(first, second)


def _is_mixed(*kinds: Any) -> bool:
    """Whether np.uint64 meets int, and nothing else."""
    others = {types.unliteral(kind) for kind in kinds} - {types.uint64}
    return bool(others) and others <= types.signed_domain and types.uint64 in kinds


def _with_declared_fields(answer: Any, declared: Any) -> Any:
    """A record made of whole numbers has the declared types: `State(0, ...)` fits np.uint64."""
    if len(answer.args) != len(declared):  # Numba knows no defaults of fields
        raise TypingError(
            f"{declared.instance_class.__name__} has {len(declared)} fields; give all"
        )
    fields = tuple(
        kind if isinstance(argument, types.Integer) and _is_word(kind) else argument
        for argument, kind in zip(answer.args, declared, strict=True)
    )
    return signature(declared, *fields) if fields == tuple(declared) else answer


def _is_word(kind: types.Type) -> bool:
    return kind in (types.int64, types.uint64)


class Word(np.uint64):
    """An np.uint64 that calculates in plain Python as compiled code does, without warnings."""

    __slots__ = ()
    __array_ufunc__ = None  # np.int64 and arrays leave the calculation to a Word

    def __hash__(self) -> int:
        return hash(int(self))


def _calculation(function: Callable[[int, int], int], is_reflected: bool = False) -> Any:
    def calculate(self: Word, other: Any) -> Any:
        try:
            number = _number(other) % MODULUS
        except TypeError:
            return NotImplemented
        pair = (number, int(self)) if is_reflected else (int(self), number)
        return Word(function(*pair) % MODULUS)

    return calculate


def _shift(function: Callable[[int, int], int]) -> Any:
    def shift(self: Word, other: Any) -> Any:
        return Word(function(int(self), _distance(other)) % MODULUS)

    return shift


def _reflected_shift(function: Callable[[int, int], int]) -> Any:
    """An int that is shifted stays one, of 64 bits."""

    def shift(self: Word, other: Any) -> Any:
        number = function(_number(other), _distance(self)) % MODULUS
        return number - MODULUS if number >= MODULUS // 2 else number

    return shift


def _comparison(function: Callable[[int, int], bool]) -> Any:
    def compare(self: Word, other: Any) -> Any:
        try:
            return function(int(self), _number(other))
        except TypeError:
            return NotImplemented

    return compare


def _number(value: Any) -> int:
    return int(value) if isinstance(value, np.bool_) else index(value)


def _distance(value: Any) -> int:
    distance = _number(value)
    if not 0 <= distance < 64:
        raise ValueError(f"a shift by {distance}, which has no meaning with 64 bits")
    return distance


for _name in ARITHMETIC:
    _function, _bare = getattr(operator, _name), _name.strip("_")
    setattr(Word, f"__{_bare}__", _calculation(_function))
    setattr(Word, f"__r{_bare}__", _calculation(_function, is_reflected=True))
for _name in ("lshift", "rshift"):
    setattr(Word, f"__{_name}__", _shift(getattr(operator, _name)))
    setattr(Word, f"__r{_name}__", _reflected_shift(getattr(operator, _name)))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Word, f"__{_name}__", _comparison(getattr(operator, _name)))
Word.__neg__ = lambda self: Word(-int(self) % MODULUS)  # type: ignore[method-assign]
Word.__invert__ = lambda self: Word(~int(self) % MODULUS)  # type: ignore[method-assign]
