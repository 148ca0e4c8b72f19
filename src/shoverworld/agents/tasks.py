"""Make tasks for any game from files, folders and the names of packaged levels."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.level_files import FoundLevels, levels_in
from shoverworld.core.rules_text import asked_rules, rules_on, set_rules
from shoverworld.core.task import Task, recipe_of
from shoverworld.core.ui import Board

NOTHING: Mapping[str, Any] = {}


def tasks_at(
    game: Game,
    places: Iterable[str],
    rules: str | None = None,
    level: int | None = None,
    settings: Mapping[str, Any] = NOTHING,
    seed: int = 0,
) -> Iterator[Task | ShoverWorldError]:
    """Yield a task for each level in `places`.

    A place is a file, a folder of files, or the name of a packaged level or collection. A file that cannot be read
    yields an error. `rules`: rules that replace or change the rules of the levels (core/rules_text.py). `level`: the
    number (from 1) of the only level to use; a place such as `FILE#12` also selects a single level. `settings`: further
    keyword arguments for the environments. Task names are unique: a folder name or a number is added to a repeated
    name.
    """
    asked_rules(game, rules)  # raises an error if there are no such rules
    used: set[str] = set()
    for place in places:
        for found in _boards(game, place, level):
            if isinstance(found, ShoverWorldError):
                yield found
                continue
            name, board = found
            try:
                yield task_of(game, board, rules, settings, seed, _unused(name, board, used))
            except ConfigError as error:  # the rules do not fit this level
                named = str(error).startswith(board.name)
                yield error if named else ConfigError(f"{board.path or board.name}: {error}")
            except ShoverWorldError as error:
                yield error


def task_of(
    game: Game,
    board: Board,
    rules: str | None = None,
    settings: Mapping[str, Any] = NOTHING,
    seed: int = 0,
    name: str | None = None,
) -> Task:
    """Return a task for one board."""
    rules = rules_on(game, board.preset, rules)
    env_id, keywords = recipe_of(game.levels.environment(board, rules))
    usual = {name: value for name, value in game.agent_settings.items() if name not in set_rules(game, rules)}
    recipe = env_id, {**keywords, **usual, **settings}
    title = game.reports.title(board)
    return Task(name or board.name, game, board, recipe, game.levels.options(board), title, seed, rules)


def random_task(
    game: Game, seed: int, rules: str | None = None, options: Mapping[str, Any] = NOTHING, name: str | None = None
) -> Task:
    """Return a task on a random level. `options`: the generator's options (`Game.generate_options`)."""
    preset = rules_on(game, game.presets[0].name, rules)
    name = name or f"random-{seed}"
    if game.generator is None:
        board = game.levels.random(preset, seed)
    else:
        board = Board(name, preset, game.generator.generate(seed, {**options, "rules": preset}), seed=seed)
    return task_of(game, board, preset, seed=seed, name=name)


def numbered(place: str) -> tuple[str, int | None]:
    """Split a place such as `levels.xsb#12` into file and number, unless a file has exactly this name."""
    head, sign, number = place.rpartition("#")
    if sign and head and number.isdecimal() and not Path(place).exists():
        return head, int(number)
    return place, None


def _boards(game: Game, place: str, level: int | None) -> Iterator[tuple[str, Board] | ShoverWorldError]:
    """Yield each board in a file, a folder or a packaged collection with its name, and an error for each bad file."""
    place, number = numbered(place)
    number = number if level is None else level
    try:
        known = _packaged(game, place)
        levels = FoundLevels(known, []) if known else levels_in(game, place)
        boards, skipped = levels.boards, levels.skipped
        if number is not None:
            _check_number(game, number, levels.highest, place)
            boards = [boards[levels.only(number)]]
            skipped = [] if levels.numbered else skipped  # the other levels in the file do not matter
    except ShoverWorldError as error:
        yield error
        return
    yield from skipped
    for board in boards:
        yield board.name.replace("#", "-"), board


def _packaged(game: Game, name: str) -> list[Board]:
    """Return a list with the packaged level that has this name, or an empty list if there is no such level."""
    if Path(name).exists() or name in [known.name for known in game.levels.collections()]:
        return []
    known = (board for collection in game.levels.collections() for board in game.levels.boards(collection.name))
    return [board for board in known if board.name == name][:1]


def _check_number(game: Game, number: int, count: int, place: str) -> None:
    if 1 <= number <= count:
        return
    there_are = f"there is one {game.level_word}" if count == 1 else f"there are {count} {game.level_word}s"
    raise ConfigError(f"{place} has no {game.level_word} {number}: {there_are}; expected a number from 1 to {count}")


def _unused(name: str, board: Board, used: set[str]) -> str:
    """Return the name, or a similar name if the name is already in use."""
    number = 2
    if name in used:
        parent = Path(board.path).resolve().parent.name if board.path else ""
        name = first = f"{parent}/{Path(name).name}" if parent else name
        while name in used:
            name, number = f"{first}-{number}", number + 1
    used.add(name)
    return name
