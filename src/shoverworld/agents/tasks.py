"""Tasks: what agents are let play, from files, folders and names, in any game."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from shoverworld.core.checks import whole, word
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError, MapError, MapNotFound, ShoverWorldError

from .games import Recipe, made

LONGEST = 10_000  # steps of a game of Sokoban on a level: the usual 200 are for small rooms


@dataclass(frozen=True)
class Task:
    """A map to be cleared or a level to be solved, and the rules it is played by."""

    name: str
    game: str
    recipe: Recipe
    options: dict[str, Any] = field(repr=False)  # of the reset that begins it
    title: str = ""
    number: int | None = None  # of a level in its file, from 1

    def make(self) -> GridEnv:
        """The environment, before the reset with `options` that begins the task."""
        return made(self.recipe)


def tasks_of(
    game: str, places: Iterable[str], rules: str | None = None, level: int | None = None
) -> Iterator[Task | ShoverWorldError]:
    """The maps or levels at these places: files, folders of them, names of those that come with the package. A file that
    cannot be read is an error among the rest. `rules`: a preset, where they should not be those that the map asks for.
    `level`: of a file of levels this one only, from 1.
    No two tasks have the same name: a second one has its folder's name before it, or a number behind it."""
    used: set[str] = set()
    if game != "sokoban" and level is not None:
        raise ConfigError(f"--level {level}: a map file holds one map; files with many levels are Sokoban's")
    for found in (_levels if game == "sokoban" else _maps)(places, rules, level):
        yield found if isinstance(found, ShoverWorldError) else _unused(*found, used)


def _maps(places: Iterable[str], rules: str | None, _: int | None) -> Iterator[tuple[Task, str] | ShoverWorldError]:
    from shoverworld.games.shover.config import resolve_rules
    from shoverworld.games.shover.maps import Map, bundled_preset

    for place in places:
        folder = Path(place)
        found = sorted(map(str, folder.rglob("*.txt"))) if folder.is_dir() else [place]
        if not found:
            yield MapNotFound.at("there is no map (*.txt) in this folder", place)
        for path in found:
            try:
                level = Map.read(path).with_start()
                name = str(Path(path).relative_to(folder).with_suffix("")) if folder.is_dir() else Path(path).stem
                yield map_task(name, level, resolve_rules(rules or bundled_preset(path))), path
            except MapError as error:
                yield error


def map_task(name: str, level: Any, rules: Any) -> Task:
    """A map of Shover-World."""
    from shoverworld.games.shover.record import recipe

    return Task(name, "shover", recipe(rules, None), {"map": level})


def _levels(
    places: Iterable[str], rules: str | None, level: int | None
) -> Iterator[tuple[Task, str] | ShoverWorldError]:
    if rules is not None:
        word("rules", rules, sokoban_presets())
    for place in places:
        place, number = numbered(place)
        number = number if level is None else level
        try:
            found = levels_at(place)
            if number is not None:
                found = [found[whole_level(number, len(found), place) - 1]]
        except ShoverWorldError as error:
            yield error
            continue
        for one in found:
            name = Path(one.source).stem + (f"-{one.number}" if one.number is not None else "")
            try:
                yield level_task(name, one, rules), one.source
            except ShoverWorldError as error:
                yield error


def numbered(place: str) -> tuple[str, int | None]:
    """`levels.xsb#12` is level 12 of a file, unless a file has that very name."""
    head, sign, number = place.rpartition("#")
    if sign and head and number.isdecimal() and not Path(place).exists():
        return head, int(number)
    return place, None


def whole_level(level: int, count: int, place: str) -> int:
    """The number of a level, if there are so many."""
    try:
        return whole("level", level, 1, count)
    except ConfigError:
        there_are = "there is one level" if count == 1 else f"there are {count} levels"
        raise ConfigError(f"{place} has no level {level}: {there_are}; expected a number from 1 to {count}") from None


def sokoban_presets() -> dict[str, Any]:
    """The rules of Sokoban's variants, by the names that people choose them by."""
    from shoverworld.games.sokoban.boards import RULES

    return RULES


def levels_at(place: str) -> list[Any]:
    """The Sokoban levels of a file or a folder, or of a set that comes with the package."""
    from shoverworld.games.sokoban.formats import read_levels
    from shoverworld.games.sokoban.game import GAME

    if place in [known.name for known in GAME.levels.collections()] and not Path(place).exists():
        levels = [board.level for board in GAME.levels.boards(place)]
        return [replace(level, source=place, number=number) for number, level in enumerate(levels, 1)]
    return read_levels(place, players=None)


def level_task(name: str, level: Any, preset: str | None = None, steps: int = LONGEST) -> Task:
    """A level of Sokoban."""
    from shoverworld.games.sokoban.record import recipe
    from shoverworld.games.sokoban.store import name_of

    preset = preset or ("two" if len(level.players) == 2 else "fixed" if level.fixed else "sokoban")
    rules = sokoban_presets()[preset].change(max_steps=steps)
    if len(level.players) != rules.players:
        raise ConfigError(f"{name_of(level)}: there are two players; --rules {preset} is for one" if rules.players == 1
                          else f"{name_of(level)}: there is one player; --rules {preset} is for two")  # fmt: skip
    return Task(name, "sokoban", recipe(rules, None), {"map": level}, level.title, level.number)


def track_task(name: str, track: Any, preset: str = "race", seed: int = 0) -> Task:
    """A track of the race, for one car; its start cell is that of an environment with this seed."""
    from shoverworld.games.race.boards import RULES
    from shoverworld.games.race.env import RaceEnv
    from shoverworld.games.race.record import places_of, recipe

    rules = RULES[word("rules", preset, RULES)]
    env = RaceEnv(track=track, rules=rules)
    env.reset(seed=seed)
    return Task(name, "race", recipe(rules), {"map": track, "starts": places_of(env.get_state())}, track.title)


def _unused(task: Task, path: str, used: set[str]) -> Task:
    """The task, by a name that no other has."""
    name, number = task.name, 2
    if name in used:
        name = first = f"{Path(path).resolve().parent.name}/{Path(name).name}"
        while name in used:
            name, number = f"{first}-{number}", number + 1
    used.add(name)
    return replace(task, name=name)
