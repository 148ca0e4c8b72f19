"""Link a WebAssembly object file with wasm-ld, from Debian's package `lld` or from the PyPI package `ziglang`."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

STACK = 1 << 16  # bytes


class LinkerMissing(RuntimeError):
    """There is no wasm-ld on this machine."""


def wasm_ld() -> list[str]:
    """Return the command that runs wasm-ld. Raise LinkerMissing if there is none."""
    if found := shutil.which("wasm-ld"):
        return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise LinkerMissing("wasm-ld was not found: install Debian's package lld, or `pip install ziglang`")


def link(code: bytes, exports: Iterable[str]) -> bytes:
    """Return a module with these exports. The module has no imports: an undefined symbol is an error."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "game.o"), Path(folder, "game.wasm")
        source.write_bytes(code)
        options = ["--no-entry", "--gc-sections", "--strip-all", "--stack-first", f"-zstack-size={STACK}"]
        names = [f"--export={name}" for name in ("__heap_base", *exports)]
        run = subprocess.run([*wasm_ld(), *options, *names, source, "-o", target], capture_output=True, text=True)
        if run.returncode != 0:
            raise RuntimeError(f"wasm-ld failed: {run.stderr.strip()}")
        return target.read_bytes()
