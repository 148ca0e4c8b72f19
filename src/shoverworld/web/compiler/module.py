"""Compile functions to a WebAssembly module: Numba's LLVM code, optimised and translated by llvmlite for wasm32."""

import re
from collections.abc import Mapping
from typing import Any

from llvmlite import binding as llvm
from numba import types
from numba.core.registry import cpu_target

from shoverworld.core.callees import CalleeLibrary
from shoverworld.core.jit import llvm_code
from shoverworld.core.web import Function, argument_names

from .linker import link

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint"  # every browser since 2021
WRAPPER = """
declare i32 @"{name}"({types})
define i32 @{export}({arguments}) {{
  %result = alloca i32
  %error = alloca ptr
  %status = call i32 @"{name}"(ptr %result, ptr %error, {values})
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %trap, label %done
trap:
  call void @llvm.trap()
  unreachable
done:
  %value = load i32, ptr %result
  ret i32 %value
}}
declare void @llvm.trap()
"""


def compile_module(functions: Mapping[str, Function]) -> bytes:
    """Return a module that exports these functions, its memory and `__heap_base`, the first free address."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    _generate_for_wasm()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=2, reloc="static", features=FEATURES)
    module = _parsed("")
    for export, function in functions.items():
        code, name = _code_of(function)
        module.link_in(_parsed(code))
        module.link_in(_parsed(_wrapper(export, name, function)))
    for defined in (*module.functions, *module.global_variables):
        if not defined.is_declaration and defined.name not in functions:
            defined.linkage = llvm.Linkage.internal
    module.verify()
    _optimise(module, machine)
    return link(machine.emit_object(module), functions)


def _generate_for_wasm() -> None:
    """Make Numba generate code for the sizes and alignments of wasm32, where a pointer has 32 bits.

    Numba cannot run this code, so a process that compiles modules cannot call kernels (`LLVM_ONLY` in core/jit.py).
    """
    target: Any = cpu_target
    target.typing_context.refresh()  # this generates code that Numba itself runs
    target.target_context.refresh()
    codegen = target.target_context.codegen()
    codegen._library_class = CalleeLibrary
    codegen._data_layout, codegen._target_data = LAYOUT, llvm.create_target_data(LAYOUT)


def _code_of(function: Function) -> tuple[str, str]:
    """Return the LLVM code of a function and everything that it calls, and its name in this code."""
    arguments = [types.int32] * len(argument_names(function))
    return llvm_code(function, types.int32(types.voidptr, *arguments))


def _wrapper(export: str, name: str, function: Function) -> str:
    """Return a function with C's calling convention that calls a function with Numba's."""
    given = [("ptr", "%block"), *(("i32", f"%x{k}") for k in range(len(argument_names(function))))]
    pairs = ", ".join(f"{kind} {value}" for kind, value in given)
    kinds = ", ".join(["ptr", "ptr", *(kind for kind, _ in given)])
    return WRAPPER.format(name=name, export=export, types=kinds, arguments=pairs, values=pairs)


def _parsed(code: str) -> Any:
    """Parse LLVM code. Numba names this machine as its target and uses common symbols, which wasm32 does not have."""
    code = re.sub(r"^target (datalayout|triple) = .*$", "", code, flags=re.MULTILINE)
    code = code.replace(" = common ", " = weak ")
    return llvm.parse_assembly(f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n{code}')


def _optimise(module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
