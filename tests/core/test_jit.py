"""Tests of the decorators in core/jit.py: what is compiled, how often, and what loading a kernel requires."""

import gc

import pytest

from shoverworld.core.jit import compiles, inner, kernel, part, rare
from tests.core.test_kernel_cache import python

pytestmark = pytest.mark.skipif(not compiles(), reason="nothing is compiled")


@inner
def plus(x, y):
    return x + y


@rare
def squared(x):
    return x * x


@inner
def squared_and_one(x):
    return squared(x) + 1


@part
def halved(x):
    return x // 2


@kernel
def everything(x):
    return plus(x, 1) + plus(x, 2) + squared_and_one(x) + halved(x)


@kernel
def allocating(x):
    return [x]


def test_kernels_can_call_inner_and_rare_and_part_functions():
    assert everything(4) == 5 + 6 + 17 + 2


def compiled_anew(function):
    """Return a kernel that does not use the cache.

    For a kernel from the cache, no callees are compiled and there is no LLVM code.
    """
    compiled = kernel(function)
    compiled._cache.disable()
    return compiled


def test_constant_arguments_do_not_cause_a_function_to_be_compiled_again():
    callee = inner(plus.py_func)

    def with_constants(x):
        return callee(x, 1) + callee(x, 2)

    assert compiled_anew(with_constants)(4) == 5 + 6
    assert [str(types) for types in callee.overloads] == ["(int64, int64)"]


def test_a_rare_function_is_not_inlined_even_if_its_caller_is():
    compiled = compiled_anew(everything.py_func)
    assert compiled(4) == everything(4)
    (code,) = compiled.inspect_llvm().values()
    functions = [line for line in code.splitlines() if line.startswith("define")]
    assert any("7squaredB" in line for line in functions)
    assert not any("squared_and_one" in line for line in functions)


def test_garbage_collection_is_restored_after_a_compilation():
    compiled_anew(everything.py_func)(4)
    assert gc.isenabled()
    with pytest.raises(Exception, match="NRT"):
        allocating(1)
    assert gc.isenabled()
    gc.disable()
    try:
        compiled_anew(halved.py_func)(7)
        assert not gc.isenabled()
    finally:
        gc.enable()


LOAD = """
import sys, tiny
print(tiny.fresh()(3), "numba.np.arraymath" in sys.modules)
"""


def test_a_kernel_in_the_cache_is_loaded_without_the_compiler(tmp_path):
    assert python(tmp_path, LOAD)[0].split() == ["6", "True"]
    assert python(tmp_path, LOAD)[0].split() == ["6", "False"]
