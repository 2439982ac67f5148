"""`CompiledFunction`: a function that is compiled on its first call, or loaded from the disk.

Other compiled functions get it as a part, Python as a program (see `libraries`).
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event, types
from numba.core.compiler import Flags, _make_subtarget
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import (
    _FunctionCompiler,  # pyright: ignore[reportAttributeAccessIssue]
)
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import ConfigStack
from numba.core.typing.templates import _OverloadFunctionTemplate, make_concrete_template

from plies.compiling import shortcuts
from plies.compiling.cache import DiskCache
from plies.compiling.libraries import Program, find_part, find_program
from plies.compiling.pipeline import PartCompiler, PlainPartCompiler

Arguments = tuple[types.Type, ...]

# The compiler makes many short-lived objects beside many that stay: to look for rubbish as often
# as usual takes an eighth of its time, and saves next to no memory.
COLLECTION = 50_000, 20, 1000


class _Compiler(_FunctionCompiler):
    """What compiles one function, under a name that it has in all processes."""

    def __init__(
        self, function: Any, target: Any, options: dict[str, Any], local_types: Any, pipeline: Any
    ):
        super().__init__(function, target, options, local_types, pipeline)
        self.disk = DiskCache(function)

    def flags(self) -> Flags:
        """The options of the function, as Numba wants them."""
        flags = Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        return flags

    def _compile_core(self, args: Arguments, return_type: Any) -> Any:
        address = self.disk.address(args)
        contexts = (self.targetdescr.typing_context, self.targetdescr.target_context)
        compiler = self.pipeline_class(
            *contexts, None, args, return_type, self.flags(), self.locals
        )
        compiler.number = address.number if address else None
        with compiling_ours():
            return compiler.compile_extra(self.py_func)


class _Nesting:
    """How many functions are being compiled, each for the one before, by whoever has the lock."""

    depth = 0


_nesting = _Nesting()


@contextmanager
def compiling_ours() -> Iterator[None]:
    """While this lasts, what Numba's own functions consist of becomes parts, too."""
    thresholds = gc.get_threshold()
    if 0 < thresholds[0] < COLLECTION[0]:
        gc.set_threshold(*COLLECTION)
    _nesting.depth += 1
    try:
        yield
    finally:
        _nesting.depth -= 1
        gc.set_threshold(*thresholds)


class CompiledFunction(CPUDispatcher):
    """What `@compiled` makes of a function.

    `parts` and `programs` hold what there is of it, by argument types.
    """

    _compiler: _Compiler
    targetctx: Any
    # Of Numba's classes, in C or untyped.
    _insert: Any
    _cache_hits: Any
    _cache_misses: Any

    def __init__(
        self,
        function: Callable[..., Any],
        local_types: dict[str, Any],
        options: dict[str, Any],
        pipeline: type[PlainPartCompiler] = PartCompiler,
    ):
        super().__init__(function, local_types, options, pipeline)
        self._compiler = _Compiler(function, self.targetdescr, options, local_types, pipeline)
        self.disk = self._compiler.disk
        self.parts: dict[Arguments, Any] = {}
        self.programs: dict[Arguments, Any] = {}
        self._under_way: set[Arguments] = set()

    # For other compiled functions

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a call with these types means; Numba asks while it types the caller."""
        python_signature, folded = self._compiler.fold_argument_types(args, kws)
        arguments = tuple(folded)
        if self.is_compiling:  # it calls itself: Numba looks for the types as they are
            self.part(arguments)
        else:
            arguments = self._part_for_all_constants(arguments)
        name = self.py_func.__name__
        signatures = [each.signature for each in self.parts.values()]
        template = make_concrete_template(f"CallTemplate({name})", key=name, signatures=signatures)
        return template, python_signature, arguments, {}

    def _part_for_all_constants(self, arguments: Arguments) -> Arguments:
        """One part for all constants of a type, where a constant's own type is not needed."""
        plain = tuple(map(_without_constant, arguments))
        try:
            self.part(plain)
        except TypingError as error:
            if plain == arguments:
                raise
            try:
                self.part(arguments)  # such as an index into a record of several types
            except TypingError:
                raise error from None
            return arguments
        return plain

    def get_overload(self, sig: Any) -> Any:
        """The part that a caller was typed with."""
        arguments, _ = normalize_signature(sig)
        return self.parts[tuple(arguments)].entry_point

    def part(self, arguments: Arguments) -> Any:
        """The function as a part of others: known, from the disk, or compiled now."""
        with global_compiler_lock, self._compiling_counter:
            known = self.parts.get(arguments)
            if known is None:
                known = self._stored_part(arguments) or self._compile_part(arguments)
                self._add_part(arguments, known)
            return known

    def _add_part(self, arguments: Arguments, part: Any) -> None:
        self.parts[arguments] = self.overloads[arguments] = part

    def _stored_part(self, arguments: Arguments) -> Any:
        address = self.disk.address(arguments)
        self.targetctx.refresh()
        part = find_part(address, self.targetctx.codegen()) if address else None
        return part and part.result(self.typingctx, self.targetctx)

    def _compile_part(self, arguments: Arguments) -> Any:
        with self._announced(arguments):
            result = self._compiler.compile(arguments, None)
            self._add_part(arguments, result)
        if address := self.disk.address(arguments):
            result.library.store(address)
        return result

    @contextmanager
    def _announced(self, arguments: Arguments) -> Iterator[None]:
        """Numba's event, by which others learn what is being compiled: once for one function."""
        if arguments in self._under_way:
            yield
            return
        self._under_way.add(arguments)
        details = {"dispatcher": self, "args": arguments, "return_type": None}
        try:
            with event.trigger_event("numba:compile", data=details):
                yield
        finally:
            self._under_way.discard(arguments)

    # For Python

    def compile(self, sig: Any) -> Any:
        """The program that Python calls with these argument types."""
        arguments, _ = normalize_signature(sig)
        arguments = tuple(arguments)
        with global_compiler_lock:
            program = self.programs.get(arguments)
            if program is None:
                program = self._stored_program(arguments)
                if program is None:
                    with self._announced(arguments):
                        program = self._make_program(arguments)
                self.programs[arguments] = program
                self.overloads.setdefault(arguments, program)
                self._insert([kind._code for kind in arguments], program.entry_point, False)
            return program.entry_point

    def _stored_program(self, arguments: Arguments) -> Any:
        address = self.disk.address(arguments)
        program = find_program(address, self.targetctx) if address else None
        if program is None:
            self._cache_misses[arguments] += 1
            return None
        self._cache_hits[arguments] += 1
        return program.result(self.typingctx, self.targetctx)

    def _make_program(self, arguments: Arguments) -> Any:
        part = self.part(arguments).library
        flags = self._compiler.flags()
        context = _make_subtarget(self.targetctx, flags)
        program = Program(context.codegen(), part.name)
        with ConfigStack().enter(flags), context.push_code_library(program):
            program.link(part, context)
        result = program.result(self.typingctx, context)
        if address := self.disk.address(arguments):
            program.store(address)
        return result


def _without_constant(kind: types.Type) -> types.Type:
    is_number = isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral))
    return types.unliteral(kind) if is_number else kind


def _part_decorator(template: Any) -> Any:
    """How an `@overload` of Numba's or ours is compiled."""
    if _nesting.depth == 0:
        return _numba_decorator(template)

    def decorator(**options: Any) -> Any:
        local_types = options.pop("locals", {})
        return lambda function: CompiledFunction(function, local_types, options, PlainPartCompiler)

    return decorator


shortcuts.install()
_numba_decorator = _OverloadFunctionTemplate._get_jit_decorator
_OverloadFunctionTemplate._get_jit_decorator = _part_decorator  # type: ignore[method-assign]
