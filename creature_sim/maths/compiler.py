"""numba's compiler, so arranged that the first run is short.

numba takes each function of a tree of calls for one that Python may call: it gives it two
wrappers, optimises it with all that it calls, translates it to machine code and saves it, and then
does the same again for its caller. Here only what Python calls is finished; what it calls is a
part, and goes into it unfinished. Measured, the first two seconds of a hexapod on hills: 30 s of
one processor before, 24 s so; ticks cost the same.

It is made of parts of numba that may change with any version: `jit.KNOWN` lists those that it was
tried with.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from llvmlite import binding
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder, StateDict
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.environment import lookup_environment
from numba.core.errors import NumbaError
from numba.core.lowering import Lower
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.core.types import Array, Type
from numba.core.types.containers import BaseTuple
from numba.extending import typeof_impl
from numba.np.numpy_support import from_dtype, map_layout
from numpy.typing import NDArray

from creature_sim.maths.caching import KernelCache, cache_in
from creature_sim.maths.garbage import no_garbage
from creature_sim.maths.inlining import Part, kept_whole, part_of
from creature_sim.maths.notice import notice

Types: TypeAlias = tuple[Type, ...]
Value: TypeAlias = Any
"""A value in LLVM's code, or a type that numba has no types for."""

COUNTING = """
declare void @NRT_MemInfo_call_dtor(ptr)

define linkonce_odr void @NRT_incref(ptr %owner) alwaysinline {
    %is_nobody = icmp eq ptr %owner, null
    br i1 %is_nobody, label %done, label %count
count:
    %before = load i64, ptr %owner
    %after = add i64 %before, 1
    store i64 %after, ptr %owner
    br label %done
done:
    ret void
}

define linkonce_odr void @NRT_decref(ptr %owner) alwaysinline {
    %is_nobody = icmp eq ptr %owner, null
    br i1 %is_nobody, label %done, label %count
count:
    %before = load i64, ptr %owner
    %after = sub i64 %before, 1
    store i64 %after, ptr %owner
    %is_last = icmp eq i64 %after, 0
    br i1 %is_last, label %free, label %done
free:
    call void @NRT_MemInfo_call_dtor(ptr %owner) cold
    br label %done
done:
    ret void
}
"""
"""How a kernel counts who uses its own arrays: written out, and not atomic as numba's calls are.

No other thread sees these arrays while a kernel runs, as it holds Python's lock. Calls to count
them took a seventh of a tick of a thousand creatures, and half of what legs take.
"""


class _PartCode(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function as its callers take it in: neither optimised nor translated."""

    parts: dict[str, Part]
    _joined: Any = None

    def finalize(self) -> None:
        """Let every caller take in a copy, of which one stays."""
        self.parts = {}
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = "linkonce_odr"
                self.parts[function.name] = part_of(str(function))
        self._finalized = True

    def _get_module_for_linking(self) -> object:
        """Its module with all that it calls, for callers that numba compiles in its own way."""
        self._ensure_finalized()
        if self._joined is None:
            self._joined = self._final_module.clone()
            _take_in_called(self, self._joined.link_in)
        return self._joined


class _KernelCode(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel with all that it calls."""

    def finalize(self) -> None:
        """Take in everything that is called, at any depth, once; then optimise and translate it."""
        module = self._final_module
        kernel = part_of(str(module))
        parts = _take_in_called(self, module.link_in)
        self._linking_libraries.clear()
        kept = kept_whole(kernel, parts)
        for function in module.functions:
            if function.name in parts:
                is_kept = function.name in kept
                function.add_function_attribute("noinline" if is_kept else "alwaysinline")
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Do what numba does; what is left of counting after its first half is written out."""
        codegen, module = self._codegen, self._final_module
        first, settings = codegen._module_pass_manager(
            loop_vectorize=codegen._loopvect,
            slp_vectorize=False,
            opt=codegen._opt_level,
            cost="cheap",
        )
        first.run(module, settings)
        for function in module.functions:
            if function.name in ("NRT_incref", "NRT_decref"):
                function.linkage = "available_externally"  # to be replaced
        module.link_in(binding.parse_assembly(COUNTING))
        second, settings = codegen._module_pass_manager()
        second.run(module, settings)

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Keep its machine code and, of LLVM's code, the names: nobody takes in a kernel."""
        self._ensure_finalized()
        defined = [each.name for each in self._final_module.functions if not each.is_declaration]
        names = "".join([f'define void @"{name}"() {{ ret void }}\n' for name in defined])
        code: bytes = binding.parse_assembly(names).as_bitcode()
        return self.name, "object", (self._get_compiled_object(), code)


def _take_in_called(library: CodeLibrary, link: Callable[..., None]) -> dict[str, Part]:
    """Link all that a library calls, callers first: the linker drops what nobody calls yet.

    Returns:
        The parts among it by name.
    """
    called: dict[CodeLibrary, None] = {}

    def visit(caller: CodeLibrary) -> None:
        for callee in caller._linking_libraries:
            if callee not in called:
                if isinstance(callee, _PartCode):
                    visit(callee)
                called[callee] = None

    visit(library)
    parts: dict[str, Part] = {}
    for callee in reversed(called):
        library._reload_init.update(callee._reload_init)
        if isinstance(callee, _PartCode):
            link(callee._final_module, preserve=True)
            parts.update(callee.parts)
        else:
            link(callee._get_module_for_linking(), preserve=True)
    return parts


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):  # type: ignore[misc]
    _name = "lower_part"

    def run_pass(self, state: StateDict) -> bool:
        """Make LLVM's code of a function that only kernels call."""
        state.library = _PartCode(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        key = object()  # by which callers find it; there is nothing that Python could call
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _Borrowing(Lower):  # type: ignore[misc]
    """Arrays that Python hands over belong to it until the kernel is done: nobody counts them.

    Counting them took a fifth of a tick, and a tenth of a microsecond for each array of a call.
    """

    def extract_function_arguments(self) -> list[Value]:
        """The arguments, without owners."""
        types = self.fndesc.argtypes
        self.fnargs = [
            self._without_owner(kind, value)
            for kind, value in zip(types, super().extract_function_arguments(), strict=True)
        ]
        return self.fnargs

    def _without_owner(self, kind: Type, value: Value) -> Value:
        if isinstance(kind, Array):
            nobody = value.type.elements[0](None)  # the first field is the owner
            return self.builder.insert_value(value, nobody, 0)
        if isinstance(kind, BaseTuple):
            for index, member in enumerate(kind.types):
                inner = self.builder.extract_value(value, index)
                inner = self._without_owner(member, inner)
                value = self.builder.insert_value(value, inner, index)
        return value


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerKernel(NativeLowering):  # type: ignore[misc]
    _name = "lower_kernel"
    _borrows = False

    @property
    def lowering_class(self) -> type[Lower]:
        """How it is lowered."""
        return _Borrowing if self._borrows else Lower

    def run_pass(self, state: StateDict) -> bool:
        """Make machine code of a function that Python calls."""
        context = state.targetctx
        models = context.data_model_manager
        self._borrows = not models[state.return_type].contains_nrt_meminfo() and all(
            isinstance(kind, Array | BaseTuple) or not models[kind].contains_nrt_meminfo()
            for kind in state.args
        )
        if self._borrows:
            uncounted = context.subtarget(enable_nrt=False)
            context.create_cpython_wrapper = uncounted.create_cpython_wrapper
        codegen = context.codegen()
        state.library = _KernelCode(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        for variable in state.library._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                codegen.set_env(variable.name, environment)
        return True


class _Compiler(CompilerBase):  # type: ignore[misc]
    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[PassManager]:
        """The passes of numba, with the last step of our own; whoever waits for them is told."""
        notice.compiling()
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [
            (self.lowering if step is NativeLowering else step, name)
            for step, name in passes.passes
        ]
        passes.finalize()
        return [passes]


class _PartCompiler(_Compiler):
    lowering = _LowerPart


class _KernelCompiler(_Compiler):
    lowering = _LowerKernel


class _Part(CPUDispatcher):  # type: ignore[misc]
    """A function as other kernels call it.

    It is inlined into them unless they grow too large (see `inlining`): arrays of a `Creature`
    that is handed on are counted and released at every call otherwise (measured: 6 us of a tick
    of 80).
    """

    def __init__(self, function: Callable[..., object]) -> None:
        """Wait for a first caller."""
        options = _options({"no_cpython_wrapper": True})
        super().__init__(function, {}, options, pipeline_class=_PartCompiler)

    def add_overload(self, result: CompileResult) -> None:
        """Remember it for other kernels only."""
        self.overloads[tuple(result.signature.args)] = result


class Dispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function as Python calls it, once it is called."""

    def __init__(
        self, function: Callable[..., object], folder: Path | None = None, *_: object
    ) -> None:
        """Wait for the types of a first call.

        Args:
            function: to be compiled.
            folder: where compiled users' kernels are kept, beside those of ours; None: nowhere.
            _: what else comes from a pickle, and is always the same.
        """
        super().__init__(function, {}, _options({}), pipeline_class=_KernelCompiler)
        if isinstance(folder, Path):
            self._folder = folder
            del self._cache  # numba's, which keeps nothing

    @cached_property
    def _cache(self) -> KernelCache:
        return cache_in(self._folder, self.py_func)

    def compile(self, signature: Types) -> object:
        """Compile it, without pauses for garbage: what a compiler makes is nearly all in use."""
        with no_garbage:
            return super().compile(signature)


_type_of = cache(from_dtype)
_type_of_array = typeof_impl.dispatch(np.ndarray)


def _quick_type_of_array(value: NDArray[Any], context: object) -> Value:
    """Find the type that numba gives an array.

    At the first call of each kernel numba takes all fields of all its records apart, and imports
    numpy's masked arrays to see that there are none.
    """
    if type(value) is np.ndarray:
        with suppress(NumbaError):  # records that numba does not know: it says so itself
            kind = _type_of(value.dtype)
            return Array(kind, value.ndim, map_layout(value), readonly=not value.flags.writeable)
    return _type_of_array(value, context)


typeof_impl.register(np.ndarray)(_quick_type_of_array)


class Kernel:
    """A function that Python and other kernels call.

    Of a thousand kernels a run calls fifty: numba's objects of the others, and their caches, are
    never made.

    Attributes:
        dispatcher: what Python calls; all other attributes are those of it.
    """

    def __init__(self, function: Callable[..., object], folder: Path | None = None) -> None:
        """Wait for a first call.

        Args:
            function: to be compiled.
            folder: where compiled users' kernels are kept, beside those of ours; None: nowhere.
        """
        update_wrapper(self, function)
        self.py_func, self._folder = function, folder

    def __call__(self, *arguments: object, **named: object) -> object:
        """Call it."""
        return self.dispatcher(*arguments, **named)

    @cached_property
    def dispatcher(self) -> Dispatcher:
        """Made when Python first calls it."""
        return Dispatcher(self.py_func, self._folder)

    @cached_property
    def _part(self) -> _Part:
        return _Part(self.py_func)

    @property
    def _numba_type_(self) -> Value:
        """What numba sees of it in another function: its part."""
        return self._part._numba_type_

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever numba has
        """An attribute of the dispatcher."""
        if name.startswith("__"):  # what Python asks any object for
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def __reduce__(self) -> tuple[object, ...]:
        """How it is pickled: as numba's own, and made a kernel again where it arrives."""
        return _unpickled, (self.dispatcher,)


def _unpickled(dispatcher: Dispatcher) -> Kernel:
    return Kernel(dispatcher.py_func)


def _options(more: dict[str, bool]) -> dict[str, Any]:
    return {"nopython": True, "error_model": "numpy", "no_cfunc_wrapper": True, **more}
