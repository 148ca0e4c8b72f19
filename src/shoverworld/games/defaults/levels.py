"""The levels of a small game. Each level is a text file: a board in the game's characters, plus `//` comments."""

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoverworld.core.cells import numbered_lines, without_margins
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import LevelError, LevelNotFound, ShoverWorldError
from shoverworld.core.files import NotText, checked_text, decoded, read_file
from shoverworld.core.ui import Board, Collection, Score, count

if TYPE_CHECKING:
    from . import SmallGame

MAX_SIDE = 256
LARGEST_FILE = 4 * 2**20  # size limit in bytes


class TextLevels:
    """The `Levels` of a small game.

    The first comment of a level file is the title of the level; the other comments describe the level.
    """

    suffixes = (".txt",)
    formats = (("text", "one character for each cell"),)

    def __init__(self, game: "SmallGame"):
        self.game = game
        self.preset = game.presets[0].name
        self.packaged = cache(self._packaged)

    # --- text

    def parse(self, text: str, source: str = "level") -> str:
        """Return the rows of a level without the comments.

        Raise LevelError with the position of the error if the text is not a level of this game.
        """
        lines = numbered_lines(checked_text(text, LevelError, source, LARGEST_FILE))
        rows = without_margins((number, line.rstrip()) for number, line in lines if line[:2] != "//")
        if not rows:
            raise LevelError.at("the level is empty", source)
        known = {glyph.character for glyph in self.game.glyphs}
        width = len(rows[0][1])
        for number, row in rows:
            for column, character in enumerate(row, 1):
                if character not in known:
                    there = ", ".join(f"{glyph.character!r} {glyph.name}" for glyph in self.game.glyphs)
                    raise LevelError.at(
                        f"column {column}: unknown character {character!r}; expected {there}", source, line=number
                    )
            if len(row) != width:
                raise LevelError.at(
                    f"this row has {len(row)} cells; expected {width} as in the first row", source, line=number
                )
        if max(width, len(rows)) > MAX_SIDE:
            raise LevelError.at(f"the level is {len(rows)} x {width}; expected at most {MAX_SIDE} x {MAX_SIDE}", source)
        board = "\n".join(row for _, row in rows)
        for glyph in self.game.glyphs:
            if glyph.once and board.count(glyph.character) != 1:
                found = board.count(glyph.character)
                raise LevelError.at(
                    f"found {found} {glyph.character!r} characters ({glyph.name}); expected exactly one", source
                )
        return board

    def board(self, text: str, name: str, path: str | None = None) -> Board:
        """Create a `Board` from the content of a level file."""
        level = self.parse(text, path or name)
        notes = [line[2:].strip() for line in text.splitlines() if line.startswith("//")]
        title = notes[0] if notes else name
        return Board(name, self.preset, level, title, "\n".join(notes[1:]), path)

    # --- the protocol

    def _packaged(self) -> tuple[Board, ...]:
        folder = self.game.level_folder
        files = sorted(folder.glob("*.txt")) if folder else []
        return tuple(self.board(file.read_text(encoding="utf-8"), file.stem) for file in files)

    def collections(self) -> list[Collection]:
        number = len(self.packaged())
        return [Collection(f"{self.game.name}-levels", self.game.title, f"{count(number, 'bundled level')}.")]

    def boards(self, collection: str | None = None) -> list[Board]:
        if collection in (None, self.collections()[0].name):
            return list(self.packaged())
        return [self.read(collection)]

    def read(self, path: str) -> Board:
        for board in self.packaged():
            if board.name == path and not Path(path).exists():
                return board
        try:
            text = decoded(read_file(path, LevelError, LARGEST_FILE))
        except FileNotFoundError:
            names = ", ".join(board.name for board in self.packaged())
            raise LevelNotFound.at(f"the file does not exist; the bundled levels are {names}", path) from None
        except NotText as wrong:
            raise LevelError.at(wrong.what, path, line=wrong.line) from None
        return self.board(text, Path(path).stem, path)

    def read_each(self, path: str) -> list[Board | ShoverWorldError]:
        return [self.read(path)]

    def boards_in(self, text: str, name: str) -> list[Board]:
        return [self.board(text, name)]

    def recognises(self, head: bytes, suffix: str) -> float:
        """Return 1 if the text contains every required character and no unknown characters, otherwise 0."""
        if suffix.lower() not in self.suffixes:
            return 0.0
        rows = [line for line in head.decode("utf-8", "replace").splitlines() if line[:2] != "//"]
        used = set("".join(rows)) - {" ", "\r"}
        known = {glyph.character for glyph in self.game.glyphs}
        required = {glyph.character for glyph in self.game.glyphs if glyph.once}
        return 1.0 if used and required <= used <= known else 0.0

    def random(self, preset: str, seed: int) -> Board:
        """Return the level that the environment plays after `reset(seed=seed)`."""
        env = self.game.env()
        env.reset(seed=seed)
        name = f"random-{seed}"
        return Board(name, self.preset, self.parse(env.map_text()), f"Random level {seed}", seed=seed)

    def environment(self, board: Board, preset: str) -> GridEnv:
        return self.game.env()

    def options(self, board: Board) -> dict[str, Any]:
        return {"map": board.level}

    def identity(self, board: Board, preset: str) -> str:
        return blake2b(f"{self.game.name} {preset}\n{board.level}".encode(), digest_size=8).hexdigest()

    def board_of(self, env: GridEnv) -> Board:
        level = self.parse(env.map_text())
        same = [board for board in self.packaged() if board.level == level]
        return same[0] if same else Board("replay", self.preset, level)

    def score(self, env: GridEnv, state: Any) -> Score | None:
        if state.outcome != self.game.won:
            return None
        steps = int(getattr(state, "steps", 0))
        return Score((steps,), count(steps, "step"))

    def best_known(self, identity: str) -> Score | None:
        return None

    def solution_score(self, board: Board, preset: str) -> Score | None:
        return None
