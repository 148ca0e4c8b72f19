"""Read levels, pictures and rules with a WebAssembly module, as player/formats.js does."""

from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.phrases import PhraseTable
from shoverworld.core.sheet import COLUMNS, Sheet
from shoverworld.core.sheet_reader import Problem, SheetReader
from tests.web.host import BlockView, Module

SPARE = 64


class ReadLevel(NamedTuple):
    """A level that a module has read."""

    block: BlockView
    levels: int
    title: str
    about: str
    rules: str


class Formats:
    """An instance of a game's module that reads one text after the other."""

    def __init__(self, game: str):
        self.module = Module(game)
        self.phrases = PhraseTable(**self.module.description["problem_words"])
        self.phrases.phrases = self.module.description["problems"]
        self._start = self.module.free

    def new_block(self, preset: str | None = None, /, **dimensions: int) -> BlockView:
        """Return a block with the rules of a preset. All earlier blocks and texts become invalid."""
        self.module.free = self._start
        described = self.module.description["presets"][0] if preset is None else self.module.preset(preset)
        block = self.module.block({**described["dimensions"], **dimensions})
        self._clear(block)
        block.fill(described["arrays"])
        return block

    def _clear(self, block: BlockView) -> None:
        first = self.module.description["header_bytes"]
        self.module.bytes_at(block.address + first, block.size - first)[:] = 0

    def put(self, data: bytes) -> int:
        """Copy bytes to the memory of the module."""
        address = self.module.reserve(max(1, len(data)))
        if data:
            self.module.bytes_at(address, len(data))[:] = np.frombuffer(data, np.uint8)
        return address

    def problem(self, block: BlockView) -> Problem:
        rows = block["sheet"].reshape(-1, COLUMNS)
        found = SheetReader(Sheet(rows, block["sheet_used"]), self.phrases).problem()
        assert found is not None
        return found

    def small(self) -> dict[str, int]:
        return {**dict.fromkeys(self.module.description["dimensions"], 1), "boxes": 0}

    def read(self, data: bytes, number: int = 0) -> ReadLevel | Problem:
        """Return a level in a text, or the error."""
        probe = self.new_block(None, **self.small())
        text = self.put(data)
        out = self.module.reserve(len(data) + SPARE)
        if probe.call("measure", text, len(data), number, out):
            return self.problem(probe)
        found = dict(zip(self.dimensions, map(int, probe["measured"]), strict=False))
        scanned = probe["found"][0].copy() if "found" in probe.places else None
        block = self.module.block({name: max(n, 0) or self.small()[name] for name, n in found.items()})
        self._clear(block)
        block.fill(self.module.description["presets"][0]["arrays"])
        if scanned is not None:
            block["found"][0] = scanned  # saves a second scan of the file
        failed = block.call("read", text, len(data), number, out)
        if failed:
            assert failed == 1
            return self.problem(block)
        reading = block["reading"][0]
        sizes = [int(reading[name]) for name in ("title", "about", "rules")]
        texts = []
        for size in sizes:
            texts.append(self.module.bytes_at(out, size).tobytes().decode("utf-8", "surrogatepass") if size else "")
            out += size + 1
        return ReadLevel(block, int(reading["levels"]), *texts)

    @property
    def dimensions(self) -> list[str]:
        return self.module.description["dimensions"]

    def rules(self, text: str, preset: str | None = None) -> BlockView | Problem:
        """Return a block with these rules, or the error."""
        block = self.new_block(preset, **self.small())
        data = text.encode("utf-8", "surrogatepass")
        address = self.put(data)
        out = self.module.reserve(len(data) + SPARE)
        return self.problem(block) if block.call("parse_rules", address, len(data), out) else block

    def written(self, block: BlockView, function: str = "write", *arguments: Any) -> str:
        size = block.call(function, *arguments)
        return block["text_out"][:size].tobytes().decode("utf-8")
