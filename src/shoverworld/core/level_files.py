"""The levels at a path: those in one file, or those in all files of a folder.

A malformed level in a file, or a stray or malformed file in a folder, does not make the other levels unavailable. It is
skipped, and its error is returned with the levels, so that each program can report it.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from .errors import MapError, MapNotFound, ShoverWorldError
from .game import Game
from .ui import Board, count


class FoundLevels(NamedTuple):
    """The levels that could be read, and an error for each file or level that was skipped.

    `numbered`: the levels of a single file in order, with an error in place of each unreadable level.
    """

    boards: list[Board]
    skipped: list[ShoverWorldError]
    numbered: Sequence[Board | ShoverWorldError] = ()

    @property
    def highest(self) -> int:
        """The highest level number."""
        return len(self.numbered or self.boards)

    def only(self, number: int) -> int:
        """Return the index in `boards` of the level with this number, from 1 to `highest`.

        If the level cannot be read, raise its error.
        """
        numbered = self.numbered or self.boards
        if isinstance(found := numbered[number - 1], ShoverWorldError):
            raise found
        return sum(not isinstance(other, ShoverWorldError) for other in numbered[: number - 1])


def about_skipped(skipped: Sequence[ShoverWorldError]) -> str:
    """Describe the skipped files or levels in one sentence. Return "" if there are none."""
    if not skipped:
        return ""
    of_levels = all(getattr(error, "number", None) is not None for error in skipped)
    return f"Skipped {count(len(skipped), 'level' if of_levels else 'file')}{':' if len(skipped) == 1 else '; the first:'} {skipped[0]}"


def files_in(folder: str | os.PathLike[str], suffixes: tuple[str, ...]) -> list[Path]:
    """Return the level files in a folder and its subfolders, sorted by path. Hidden files are not level files."""
    root = Path(folder)
    found = (path for path in root.rglob("*") if path.suffix.lower() in suffixes and not path.is_dir())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(root).parts))


def levels_in(game: Game, place: str, most_skipped: int | None = None) -> FoundLevels:
    """Return the levels of a game in a file, a folder or a packaged collection.

    In a folder, the names of the levels begin with the names of the subfolders. A folder without level files does not
    hide the packaged collection of the same name. Raise an error if no levels are found.
    Also raise an error if the number of unreadable files exceeds both `most_skipped` and the number of levels found so
    far: someone may have opened the wrong folder, such as a whole disk.
    """
    levels, word = game.levels, game.level_word
    files = files_in(place, levels.suffixes) if os.path.isdir(place) else []
    packaged = place in [collection.name for collection in levels.collections()]
    if not os.path.isdir(place) or (packaged and not files):
        return (
            FoundLevels(levels.boards(place), []) if packaged and not os.path.isfile(place) else _in_file(game, place)
        )
    boards: list[Board] = []
    skipped: list[ShoverWorldError] = []
    for path in files:
        within = path.parent.relative_to(place)
        try:
            if not path.is_file():  # reading a pipe or a device could block forever
                raise MapError.at("not a regular file", str(path))
            found = _in_file(game, str(path))
            boards += [replace(board, name=(within / board.name).as_posix()) for board in found.boards]
            skipped += found.skipped
        except ShoverWorldError as error:
            skipped.append(error)
            if most_skipped is not None and len(skipped) > max(most_skipped, len(boards)):
                what = f"not a folder of {word}s: {len(boards)} of the first {len(boards) + len(skipped)} files are {word}s"
                raise MapError.at(f"{what}; the first error: {skipped[0]}", place) from None
    if boards:
        return FoundLevels(boards, skipped)
    if len(skipped) == 1:
        raise skipped[0]
    if skipped:
        raise MapError.at(f"no file in this folder can be read; the first error: {skipped[0]}", place)
    endings = ", ".join(f"*{suffix}" for suffix in levels.suffixes)
    raise MapNotFound.at(f"the folder contains no {word} files ({endings})", place)


def _in_file(game: Game, path: str) -> FoundLevels:
    found = game.levels.read_each(path)
    boards = [board for board in found if not isinstance(board, ShoverWorldError)]
    return FoundLevels(boards, [error for error in found if isinstance(error, ShoverWorldError)], found)
