"""How compiled code calls what depends on the types of its arguments.

`overload_by` is Numba's `@overload` with one more answer: another compiled function, which is
then called itself, without a function between.  `constant_by` declares a function whose answer
the types alone decide; the compiler leaves out what such an answer excludes, before it looks at
it any closer.
"""

from collections.abc import Callable
from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import get_definition, guard
from numba.core.typing.templates import infer, infer_global, make_overload_template

Chooser = Callable[..., Any]

# What the types of the arguments decide, by function; None where they do not.
_constants: dict[Any, Chooser] = {}


class _Redirecting:
    """An overload whose function may answer (compiled function, types of its arguments)."""

    def _build_impl(self: Any, cache_key: Any, args: Any, kws: Any) -> Any:
        answer = self._overload_func(*args, **kws)
        if not isinstance(answer, tuple):
            return super()._build_impl(cache_key, args, kws)  # type: ignore[misc]
        function, arguments = answer
        types.Dispatcher(function).get_call_type(self.context, arguments, {})
        self._impl_cache[cache_key] = function, arguments
        return function, arguments


def overload_by(function: Any) -> Callable[[Chooser], Chooser]:
    """Let the decorated function choose, by types, what compiled calls of `function` run."""

    def register(choose: Chooser) -> Chooser:
        plain = make_overload_template(function, choose, {"nopython": True}, True, "never", False)
        template = type(plain.__name__, (_Redirecting, plain), {})
        infer(template)
        infer_global(function, types.Function(template))
        return choose

    return register


def constant_by(function: Any) -> Callable[[Chooser], Chooser]:
    """Let the decorated function answer, from types, the constant that `function` is."""

    def register(answer: Chooser) -> Chooser:
        _constants[function] = answer
        return answer

    return register


@register_pass(mutates_CFG=False, analysis_only=False)
class ResolveConstants(FunctionPass):
    """Put constants in place of calls whose answer the types of the caller's arguments decide."""

    _name = "resolve_constants"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> Any:
        code, changed = state.func_ir, False
        for block in code.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value = _constant(statement.value, code, state.args)
                if value is not None:
                    statement.value = ir.Const(value, statement.loc)
                    code._definitions[statement.target.name] = [statement.value]
                    changed = True
        return changed


def _constant(call: Any, code: Any, kinds: Any) -> Any:
    if not (isinstance(call, ir.Expr) and call.op == "call" and not call.kws):
        return None
    function = guard(get_definition, code, call.func)
    answer = _constants.get(getattr(function, "value", None)) if _is_name(function) else None
    if answer is None:
        return None
    definitions = [guard(get_definition, code, each) for each in call.args]
    known = [kinds[each.index] if isinstance(each, ir.Arg) else None for each in definitions]
    return answer(*known)


def _is_name(definition: Any) -> bool:
    return isinstance(definition, (ir.Global, ir.FreeVar)) and callable(definition.value)
