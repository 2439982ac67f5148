"""The compiler's passes: Numba's, with our typing rules, and parts in place of machine code."""

from typing import Any

from numba.core import bytecode, compiler, funcdesc, ir, types
from numba.core.cgutils import get_or_insert_function, if_unlikely
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.imputils import fix_returning_optional
from numba.core.lowering import Lower
from numba.core.typed_passes import IRLegalization, NoPythonSupportedFeatureValidation
from numba.core.typing.templates import signature as signature_of
from numba.core.untyped_passes import ExtractByteCode, RewriteSemanticConstants

from plies.compiling.libraries import Part, Unfinished
from plies.compiling.overloads import ResolveConstants
from plies.compiling.unsigned import UnsignedWins


class PartLower(Lower):
    """Lowering to code that does not depend on the process."""

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        """A function is called by its name; Numba also notes where its object is, to no use."""
        is_constant = isinstance(inst.value, (ir.Global, ir.FreeVar))
        if is_constant and isinstance(ty, (types.Dispatcher, types.RecursiveCall)):
            return self.context.get_dummy_value()
        return super().lower_assign(ty, inst)

    def _lower_call_RecursiveCall(self, fnty: Any, expr: Any, signature: Any) -> Any:  # noqa: N802
        """Two functions that call each other are in one program, so a name is enough.

        Numba uses a pointer that only this process has (issue 6061).
        """
        known = fnty.get_overloads(signature.args)
        context, builder = self.context, self.builder
        name = context.mangler(
            known.qualname, signature.args, abi_tags=self.fndesc.abi_tags, uid=known.uid
        )
        if name == self.fndesc.llvm_func_name:
            return super()._lower_call_RecursiveCall(fnty, expr, signature)
        arguments = signature.args
        self.library.unfinished.append(Unfinished(fnty.dispatcher_type.dispatcher, arguments))
        values = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        kind = context.call_conv.get_function_type(signature.return_type, arguments)
        callee = get_or_insert_function(builder.module, kind, name)
        status, answer = context.call_conv.call_function(
            builder, callee, signature.return_type, arguments, values
        )
        with if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return fix_returning_optional(context, builder, signature, status, answer)


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerToPart(LoweringPass):
    """The last pass: the function as a `Part`."""

    _name = "lower_to_part"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> Any:
        context, flags = state.targetctx, state.flags
        part = Part(context.codegen(), state.func_id.func_qualname)
        descriptor = funcdesc.PythonFunctionDescriptor.from_specialized_function(
            *(state.func_ir, state.typemap, state.return_type, state.calltypes),
            mangler=context.mangler,
            inline=flags.forceinline,
            noalias=flags.noalias,
            abi_tags=[flags.get_mangle_string()],
        )
        with context.push_code_library(part):
            lower = PartLower(context, part, descriptor, state.func_ir, metadata=state.metadata)
            lower.lower()
        part.environment = lower.env
        part.wrapped = [*([lower.genlower.gendesc] if lower.genlower else []), descriptor]
        part.signature = signature_of(state.return_type, *state.args)
        descriptor.typemap = descriptor.calltypes = None  # for reports of Numba; they are large
        part.finalize()
        state.cr = part.result(state.typingctx, context)
        return True


class PlainPartCompiler(compiler.CompilerBase):
    """Numba's passes up to lowering.

    `number` becomes part of the function's name in machine code.
    """

    number: int | None = None

    def compile_extra(self, func: Any) -> Any:
        """Compile a Python function."""
        state = self.state
        identity: Any = bytecode.FunctionIdentity.from_function(func)
        if self.number is not None:
            identity.unique_id = self.number
            identity.unique_name = f"{identity.func_qualname}${self.number}"
        state.func_id = identity
        ExtractByteCode().run_pass(state)
        state.lifted, state.lifted_from = (), None
        return self._compile_bytecode()

    def define_pipelines(self) -> list[Any]:
        steps = PassManager("plies")
        builder = DefaultPassBuilder
        for stage in (builder.define_untyped_pipeline, builder.define_typed_pipeline):
            steps.passes.extend(stage(self.state).passes)
        steps.add_pass_after(ResolveConstants, RewriteSemanticConstants)
        for step in (NoPythonSupportedFeatureValidation, IRLegalization, LowerToPart):
            steps.add_pass(step, "")
        steps.finalize()
        return [steps]


class PartCompiler(PlainPartCompiler):
    """The same under our rules of typing."""

    def __init__(self, typing_context: Any, *others: Any):
        super().__init__(UnsignedWins(typing_context), *others)
