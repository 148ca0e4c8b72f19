# pyright: basic
# Numba has no type stubs.
"""The compiler for functions that only kernels call.

Numba optimises every function, translates it to machine code, and then links its optimised LLVM code into its callers,
which are optimised again. For functions that only kernels call, the first optimisation and the translation to machine
code are wasted work, so this compiler skips them.
"""

from typing import Any

from llvmlite.binding import Linkage
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class CalleeCompiler(Compiler):
    """A variant of Numba's compiler that produces only LLVM code, which is then linked into kernels."""

    def __init__(
        self, typing: Any, target: Any, library: Any, arguments: Any, result: Any, flags: Any, local_types: Any
    ):
        library = CalleeLibrary(target.codegen(), "callee")
        library.is_inlined = flags.forceinline
        super().__init__(typing, target, library, arguments, result, flags, local_types)


class CalleeLibrary(JITCodeLibrary):
    """The LLVM code of a function and of the functions that it calls."""

    is_inlined: bool = True

    def add_llvm_module(self, module: Any) -> None:
        for function in module.functions:
            if not (self.is_inlined or function.is_declaration) and function.linkage == Linkage.external:
                function.add_function_attribute("noinline")
        super().add_llvm_module(module)

    def _optimize_final_module(self) -> None:
        """Leave the optimisation to the kernels."""

    def _finalize_final_module(self) -> None:
        """Finish the library without machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # as Numba does for every function that Python cannot call

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing. Only machine code needs an environment."""


def for_all_values(dispatcher: Any) -> Any:
    """Return the dispatcher, modified so that constant arguments do not make it compile its function again.

    Numba compiles `f(x, 0)` and `f(x, 1)` separately, although inlining already makes use of the constants.
    """
    template_of = dispatcher.get_call_template

    def template_without_literals(arguments: Any, keywords: Any) -> Any:
        return template_of(
            tuple(map(types.unliteral, arguments)), {name: types.unliteral(kind) for name, kind in keywords.items()}
        )

    dispatcher.get_call_template = template_without_literals
    return dispatcher
