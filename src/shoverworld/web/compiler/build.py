"""Build the files in `web/static/`.

The same sources and tools give the same bytes. Each module is compiled in a process of its own, in which Numba generates
code for a generic processor.
"""

import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from shoverworld.core.files import write_safely
from shoverworld.core.jit import LLVM_ONLY
from shoverworld.games import game_named

from ..files import data_files, web_games
from ..sprites import sprite_png
from .fingerprint import fingerprint
from .linker import wasm_ld
from .module import compile_module

STATIC = Path(__file__).parent.parent / "static"
GENERIC = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "PYTHONHASHSEED": "0",
    LLVM_ONLY: "1",
    "SHOVERWORLD_QUIET": "1",
}
ONE_MODULE = (
    "import sys; from shoverworld.web.compiler.build import compile_game; compile_game(sys.argv[1], sys.argv[2])"
)


def build(folder: Path = STATIC) -> None:
    """Write all files to a folder and print their sizes."""
    wasm_ld()  # raises an error if there is no linker
    files = {name: text.encode("utf-8") for name, text in data_files().items()}
    for game in web_games():
        files[f"{game.name}.wasm"] = build_module(game.name)
        files[f"{game.name}.png"] = sprite_png(game)
    files["build.json"] = (json.dumps(build_record(), indent=1) + "\n").encode("utf-8")
    for name, content in sorted(files.items()):
        write_safely(folder / name, content)
        print(f"{name:<24}{len(content):>9,} bytes")


def build_module(game: str) -> bytes:
    """Compile the module of a game in another process."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, f"{game}.wasm")
        subprocess.run([sys.executable, "-c", ONE_MODULE, game, target], env={**os.environ, **GENERIC}, check=True)
        return target.read_bytes()


def compile_game(game: str, target: str) -> None:
    """Compile the module of a game in this process."""
    web = game_named(game).web
    assert web is not None
    Path(target).write_bytes(compile_module(web.all_functions()))


def build_record() -> dict[str, dict[str, str]]:
    """Return the tool versions and the module fingerprints. A module with a different fingerprint is out of date."""
    fingerprints = {game.name: fingerprint(game.web.all_functions()) for game in web_games() if game.web is not None}
    return {"tools": tools(), "fingerprints": fingerprints}


def tools() -> dict[str, str]:
    """Return the versions of the tools. Other versions may generate different bytes."""
    linker = subprocess.run([*wasm_ld(), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    python = ".".join(map(str, sys.version_info[:2]))
    return {"python": python, "numba": version("numba"), "llvmlite": version("llvmlite"), "wasm-ld": linker}
