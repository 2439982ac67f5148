"""The compiler's output: parts of programs, and programs that Python calls.

Numba makes a library of every function: it optimises it, makes machine code of it, and does so
again in every caller, whose library contains it.  Most functions are only ever called by other
compiled functions.  So here a function becomes a `Part`, which is LLVM code and nothing more.
A `Program` is made when Python calls a function: it links all the parts that are needed, each
once, and is optimised and becomes machine code as a whole.

Inside a program every function is internal to it: nothing outside can take its place, so the
compiler may do what it likes with it, and equal names in two programs do no harm.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult, compile_result
from numba.core.environment import Environment, _rebuild_env, lookup_environment
from numba.core.runtime.nrt import rtsys

from plies.compiling.cache import PART, PROGRAM, Address, load, save, warn_unusable

MERGED = "linkonce_odr"  # of several modules' functions of one name, one stays
ENVIRONMENT = "_ZN08NumbaEnv"
DYNAMIC = "numba.dynamic.globals"  # addresses that only this process has


class StoredEnvironment(NamedTuple):
    """Python objects that the code of one function refers to by their index."""

    module: str
    objects: list[Any]
    name: str

    @classmethod
    def of(cls, environment: Environment) -> "StoredEnvironment":
        name: Any = environment.globals["__name__"]
        return cls(name, list(environment.consts), environment.env_name)

    def restore(self) -> Environment:
        """The one environment of this name in the process, with at least these objects."""
        environment = _rebuild_env(*self)
        # A program's wrapper adds to the objects of its part.
        if len(environment.consts) < len(self.objects):
            environment.consts[:] = self.objects
        return environment


class Unfinished(NamedTuple):
    """A function that was still being compiled when another one called it."""

    function: Any
    arguments: Any

    @property
    def address(self) -> Address | None:
        return self.function.disk.address(self.arguments)

    @property
    def part(self) -> "Part":
        """Its part, once it is finished."""
        return self.function.parts[self.arguments].library


class StoredPart(NamedTuple):
    """A part on disk: LLVM code, and the addresses of the parts that it calls."""

    code: bytes
    callees: tuple[Address, ...]
    wrapped: list[Any]
    signature: Any
    environment: StoredEnvironment


class StoredProgram(NamedTuple):
    """A program on disk: machine code, and the Python objects that it refers to."""

    code: bytes
    descriptor: Any
    signature: Any
    environments: list[StoredEnvironment]


# Parts that are on disk, and in this process.
_parts: dict[Address, "Part"] = {}


class Part(JITCodeLibrary):
    """The code of one function, to be linked into programs.

    `wrapped` describes what Python may call: the function, behind what its generator needs.
    """

    def __init__(self, owner: Any, name: str):
        super().__init__(owner, name)
        self.wrapped: list[Any] = []
        self.signature: Any = None
        self.environment: Any = None  # the compiler itself refers to it only weakly
        self.address: Address | None = None  # None: it is not on disk
        self.unfinished: list[Unfinished] = []
        self._bitcode = b""

    @property
    def descriptor(self) -> Any:
        """The names and types of the function."""
        return self.wrapped[-1]

    @property
    def module(self) -> Any:
        """The code, of which several copies may be linked."""
        if self._bitcode:
            self._final_module, self._bitcode = llvm.parse_bitcode(self._bitcode), b""
        return self._final_module

    @property
    def finished(self) -> list[Any]:
        """The libraries that this one needs, without those that need this one."""
        return self._linking_libraries

    @property
    def callees(self) -> list[Any]:
        """The libraries that this one needs."""
        return [*self.finished, *(each.part for each in self.unfinished)]

    def add_ir_module(self, ir_module: Any) -> None:
        """Numba hands the code over here, and would check and optimise it; programs do."""
        module = llvm.parse_assembly(normalize_ir_text(str(ir_module)))
        module.data_layout = self._codegen._data_layout
        module.name = ir_module.name
        for function in module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = MERGED
        self._final_module = module

    def finalize(self) -> None:
        """Nothing to do: programs optimise their parts."""
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """For Numba's own libraries, of functions that are compiled without us: all parts."""
        return _linked(_closure(self))

    def result(self, typing_context: Any, context: Any) -> CompileResult:
        """The function as the compiler knows it; others can call it from now on."""
        context.insert_user_function(self, self.descriptor, [self])
        return _result(self, self, self.descriptor, typing_context, context)

    def store(self, address: Address) -> None:
        """Write it to the disk, with those of its callees that are not there themselves."""
        needed = _closure(self, lambda each: [] if _address(each) else each.finished)
        inside = [each for each in needed if isinstance(each, Part) and not each.address]
        calls = [_address(each) for each in needed if _address(each)]
        calls += [each.address for part in inside for each in part.unfinished]
        others = [each for each in needed if each is not rtsys.library and not _address(each)]
        module = _linked(others)
        is_portable = all(calls) and self.environment.can_cache()
        if not is_portable or _is_of_this_process(module):
            return
        callees = tuple(each for each in dict.fromkeys(calls) if each and each != address)
        parts = (self.wrapped, self.signature, StoredEnvironment.of(self.environment))
        if save(address, PART, StoredPart(module.as_bitcode(), callees, *parts)):
            self.address = address
            _parts[address] = self


def find_part(address: Address, owner: Any) -> Part | None:
    """A part that is on disk, with all that it calls; None if anything is missing."""
    found: dict[Address, StoredPart] = {}
    waiting = [address]
    while waiting:
        each = waiting.pop()
        if each not in _parts and each not in found:
            stored = load(each, PART, StoredPart)
            if stored is None:
                return None
            found[each] = stored
            waiting.extend(stored.callees)
    for each, stored in found.items():
        part = _parts[each] = Part(owner, each.name)
        part.wrapped, part.signature = stored.wrapped, stored.signature
        part.environment = stored.environment.restore()
        part._bitcode, part.address, part._finalized = stored.code, each, True
    for each, stored in found.items():  # they may call each other
        callees = [_parts[callee] for callee in stored.callees]
        _parts[each]._linking_libraries = [*callees, rtsys.library]
    return _parts[address]


class Program(JITCodeLibrary):
    """Machine code that Python calls: a function with all the parts that it needs."""

    def __init__(self, owner: Any, name: str):
        super().__init__(owner, name)
        self.enable_object_caching()
        self.descriptor: Any = None
        self.signature: Any = None
        self.environments: list[Any] = []

    def add_llvm_module(self, ll_module: Any) -> None:
        """Numba would optimise it here, and then the whole again."""
        ll_module.data_layout = self._codegen._data_layout
        self._final_module.link_in(ll_module)

    def link(self, part: Part, context: Any) -> None:
        """Make a program of a part and all that it calls."""
        self.descriptor, self.signature = part.descriptor, part.signature
        for each in part.wrapped:
            context.create_cpython_wrapper(self, each, part.environment, None, release_gil=True)
        entries = {each.llvm_cpython_wrapper_name for each in part.wrapped}
        for library in _closure(part):
            self._final_module.link_in(_module_of(library), preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in entries:
                function.linkage = "internal"
        self.finalize()
        names = [each.name for each in self._final_module.global_variables]
        known = [lookup_environment(each) for each in names if each.startswith(ENVIRONMENT)]
        self.environments = [each for each in known if each is not None]

    def _optimize_final_module(self) -> None:
        """Each function by itself, so that the inliner sees what is left of it, then the whole."""
        functions, builder = self._codegen._function_pass_manager()
        for function in self._final_module.functions:
            if not function.is_declaration:
                functions.run(function, builder)
        whole, builder = self._codegen._module_pass_manager()
        whole.run(self._final_module, builder)

    @classmethod
    def stored(cls, owner: Any, stored: StoredProgram) -> "Program":
        """A program from the disk."""
        program = cls(owner, stored.descriptor.qualname)
        program.descriptor, program.signature = stored.descriptor, stored.signature
        program.environments = [each.restore() for each in stored.environments]
        program._set_compiled_object(stored.code)
        program._finalize_final_module()
        names = [each.name for each in stored.environments]
        entry = stored.descriptor.llvm_cpython_wrapper_name
        owner._engine._defined_symbols.update([entry, *names])
        return program

    def store(self, address: Address) -> None:
        """Write it to the disk, unless it refers to what only this process has."""
        if not self._dynamic_globals and all(each.can_cache() for each in self.environments):
            environments = [StoredEnvironment.of(each) for each in self.environments]
            parts = (self.descriptor, self.signature, environments)
            save(address, PROGRAM, StoredProgram(self._get_compiled_object(), *parts))

    def result(self, typing_context: Any, context: Any) -> CompileResult:
        """The function as Python can call it."""
        descriptor = self.descriptor
        environment = Environment.from_fndesc(descriptor)
        entry = context.get_executable(self, descriptor, environment)
        codegen: Any = self._codegen
        for each in self.environments:
            codegen.set_env(each.env_name, each)
        return _result(self, entry, descriptor, typing_context, context)


def find_program(address: Address, context: Any) -> Program | None:
    """A program that is on disk; None if there is none that can be used."""
    stored = load(address, PROGRAM, StoredProgram)
    if stored is None:
        return None
    rtsys.initialize(context)
    try:
        return Program.stored(context.codegen(), stored)
    except Exception as error:
        warn_unusable(error)
        return None


def _result(
    library: Any, entry: Any, descriptor: Any, typing_context: Any, context: Any
) -> CompileResult:
    return compile_result(
        typing_context=typing_context,
        target_context=context,
        entry_point=entry,
        library=library,
        signature=library.signature,
        objectmode=False,
        lifted=(),
        fndesc=descriptor,
    )


def _closure(
    part: Part, needs: Callable[[Part], list[Any]] = lambda each: each.callees
) -> list[Any]:
    """A part and all libraries that it needs, the part itself first, each once."""
    found: dict[Any, None] = {}
    waiting: list[Any] = [part]
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            if isinstance(library, Part):
                waiting.extend(reversed(needs(library)))
    return list(found)


def _linked(libraries: Iterable[Any]) -> Any:
    """One module with the code of them all."""
    first, *others = libraries
    module = _module_of(first).clone()
    for library in others:
        module.link_in(_module_of(library), preserve=True)
    return module


def _module_of(library: Any) -> Any:
    return library.module if isinstance(library, Part) else library._get_module_for_linking()


def _address(library: Any) -> Address | None:
    """Where a library is on disk, so that what calls it need not contain it."""
    return library.address if isinstance(library, Part) else None


def _is_of_this_process(module: Any) -> bool:
    return any(each.name.startswith(DYNAMIC) for each in module.global_variables)
