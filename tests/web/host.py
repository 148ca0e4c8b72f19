"""A host for the WebAssembly modules that follows docs/web.md and knows nothing about the games.

It uses only the stored files, as a page does: the module, the description and the levels.
"""

import base64
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import wasmtime

from shoverworld.web.files import module_bytes, stored

PAGE = 1 << 16
KINDS = {
    "b1": "?",
    "i1": "i1",
    "u1": "u1",
    "i2": "<i2",
    "u2": "<u2",
    "i4": "<i4",
    "u4": "<u4",
    "i8": "<i8",
    "u8": "<u8",
    "f8": "<f8",
}


@cache
def _compiled(game: str) -> tuple[wasmtime.Engine, wasmtime.Module]:
    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, module_bytes(game))


class Module:
    """An instance of a game's module, with free memory that starts at `__heap_base`."""

    def __init__(self, game: str):
        engine, module = _compiled(game)
        self.description = stored(f"{game}.json")
        self._header = stored("index.json")["header"]
        self.store = wasmtime.Store(engine)
        exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.memory: Any = exports["memory"]
        self.functions: dict[str, Any] = {name: exports[name] for name in self.description["functions"]}
        self.free = int(exports["__heap_base"].value(self.store))  # the first address that is not in use
        self.dtypes = {name: self._dtype(name, kind) for name, kind, _ in self.description["arrays"]}

    def call(self, name: str, *arguments: int) -> int:
        return self.functions[name](self.store, *map(int, arguments))

    def reserve(self, size: int) -> int:
        """Return the address of unused memory, which is filled with zeros."""
        address = (self.free + 7) // 8 * 8
        self.free = address + size
        missing = self.free - self.memory.data_len(self.store)
        if missing > 0:
            self.memory.grow(self.store, -(-missing // PAGE))
        return address

    def bytes_at(self, address: int, size: int) -> np.ndarray:
        """Return a view of the memory. It is valid until more memory is reserved."""
        pointer = self.memory.get_buffer_ptr(self.store, size, address)
        return np.frombuffer(pointer, np.uint8)

    def block(self, dimensions: Mapping[str, int]) -> "BlockView":
        """Reserve a block with these dimensions."""
        header = self.reserve(self.description["header_bytes"])
        words = self.bytes_at(header, self.description["header_bytes"]).view("<i4")
        for k, name in enumerate(self.description["dimensions"]):
            words[self._header["dimensions"] + k] = dimensions[name]
        size = self.call("layout", header)
        self.free = header
        return BlockView(self, self.reserve(size), size)

    def preset(self, name: str) -> dict[str, Any]:
        return next(preset for preset in self.description["presets"] if preset["name"] == name)

    def _dtype(self, name: str, kind: str) -> np.dtype:
        if kind != "record":
            return np.dtype(KINDS[kind])
        record = self.description["records"][name]
        names, kinds, offsets = zip(*record["fields"], strict=True)
        formats = [KINDS[kind] for kind in kinds]
        return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": record["bytes"]})


class BlockView:
    """A block of memory: a game, its level and its results."""

    def __init__(self, module: Module, address: int, size: int):
        self.module, self.address, self.size = module, address, size
        description = module.description
        words = module.bytes_at(address, description["header_bytes"]).view("<i4").tolist()
        self.kept = words[1]
        first = 2 + len(description["dimensions"])
        self.places = {
            name: (words[first + 2 * k], words[first + 2 * k + 1])
            for k, (name, _, _) in enumerate(description["arrays"])
        }

    def __getitem__(self, name: str) -> np.ndarray:
        """Return a view of an array."""
        (offset, length), dtype = self.places[name], self.module.dtypes[name]
        return self.module.bytes_at(self.address + offset, length * dtype.itemsize).view(dtype)

    def call(self, name: str, *arguments: int) -> int:
        return self.module.call(name, self.address, *arguments)

    def fill(self, arrays: Mapping[str, Any]) -> None:
        """Copy numbers from a description to the arrays."""
        for name, content in arrays.items():
            if isinstance(content, Mapping):
                for field, number in content.items():
                    self[name][field] = number
            else:
                data = content.tobytes() if isinstance(content, np.ndarray) else base64.b64decode(content)
                self[name].view(np.uint8)[:] = np.frombuffer(data, np.uint8)

    def seed(self, seed: int) -> None:
        words = max(1, -(-seed.bit_length() // 32))
        for k in range(words):
            self["seed"][k] = seed >> 32 * k & 0xFFFFFFFF
        self.call("seed", words)

    def state_hash(self) -> str:
        self.call("state_hash")
        return self["hash"].tobytes().hex()

    def mask(self) -> np.ndarray:
        return self["mask"][: self.call("mask")].copy()

    def state(self) -> dict[str, bytes]:
        """Return the content of the arrays that make up the state."""
        return {name: self[name].tobytes() for name, _, role in self.module.description["arrays"] if role == "state"}


def new_game(module: Module, preset: str, dimensions: Mapping[str, int] | None = None) -> BlockView:
    """Return a block for a game with the rules of a preset."""
    described = module.preset(preset)
    block = module.block({**described["dimensions"], **(dimensions or {})})
    block.fill(described["arrays"])
    return block


def level_game(module: Module, preset: str, level: Mapping[str, Any], **dimensions: int) -> BlockView:
    """Return a block for a game on a level from a collection. `reset` starts the game."""
    block = new_game(module, preset, {**level["dimensions"], **dimensions})
    block.fill(level["arrays"])
    block.fill(level["presets"].get(preset, {}))
    return block
