"""`shover watch`: an agent plays a map, in a window or in the terminal."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from .solve import AGENTS


def add(commands: Any) -> None:
    watch = commands.add_parser("watch", help="watch an agent play a map, in a window or in the terminal")
    watch.add_argument(
        "map",
        metavar="MAP",
        help="a map file, a file of Sokoban levels, a race track, or the name of one that comes with the package",
    )
    watch.add_argument("--level", type=int, metavar="N", help="of a file of Sokoban levels this one (default: 1)")
    watch.add_argument(
        "--agent", help=f"{AGENTS}; for the grid race greedy, optimal, racer (default: planner; of the race: optimal)"
    )
    watch.add_argument(
        "--rules",
        help="preset: milestone1, walker, phase2; sokoban, pull, fixed, two; race, supercover, landing, cross "
        "(default: what the map asks for)",
    )
    watch.add_argument(
        "--seed", type=int, help="for agents that roll dice (default: 0, in the window that of the menu)"
    )
    watch.add_argument("--speed", type=float, help="seconds a step (default: 0.25, in the window as left last time)")
    watch.add_argument("--terminal", action="store_true", help="in this terminal, without a window")
    watch.add_argument("--time", type=float, help="seconds of thinking at the most, in the terminal (default: 4)")
    watch.add_argument("--all", action="store_true", help="print every board below the last, also without a terminal")
    watch.add_argument("--game", help="shover, sokoban or race (default: what the file looks like)")
    watch.add_argument("--gif", type=Path, metavar="FILE", help="save an animated GIF; no window")
    watch.add_argument("--mp4", type=Path, metavar="FILE", help="save a video, with ffmpeg; no window")
    watch.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from shoverworld.agents import load
    from shoverworld.core.checks import number, seed_number
    from shoverworld.core.errors import ConfigError
    from shoverworld.play.film import checked

    from .files import game_at

    for name in ("speed", "time"):
        if getattr(chosen, name) is not None:
            number(name, getattr(chosen, name), at_least=0)
    if chosen.seed is not None:
        seed_number(chosen.seed)
    for name, path in (("gif", chosen.gif), ("mp4", chosen.mp4)):
        if path is not None:
            checked(path, f".{name}", f"--{name} ")
    game = game_at([chosen.map], chosen.game)
    if chosen.agent is None:
        chosen.agent = "optimal" if game == "race" else "planner"
    load.check(chosen.agent, game)
    if chosen.terminal or chosen.all or chosen.gif or chosen.mp4:
        return _in_terminal(chosen, game)
    if chosen.time is not None:
        raise ConfigError(f"--time {chosen.time:g}: in the window an agent thinks as long as it likes; add --terminal")
    return _in_window(chosen, game)


def _in_window(chosen: argparse.Namespace, name: str) -> int:
    from shoverworld.core.checks import word
    from shoverworld.games import game_named
    from shoverworld.play.places import find
    from shoverworld.play.session import Session
    from shoverworld.play.settings import FASTEST, SLOWEST, Settings

    from .window import open_window

    game = game_named(name)
    if chosen.rules is not None:
        word("rules", chosen.rules, [preset.name for preset in game.presets])
    board = find(chosen.map, name, chosen.level).board
    game.levels.environment(
        board, chosen.rules or board.preset
    )  # rules that do not fit it are told before a window opens
    settings, message = Settings.load()
    settings.seed = settings.seed if chosen.seed is None else chosen.seed
    app = open_window(settings, "watch in the terminal instead: shover watch --terminal MAP")

    from shoverworld.desktop.start import go
    from shoverworld.desktop.table import TableScreen
    from shoverworld.play.autopilot import PACE

    if chosen.speed is not None:
        settings.speed = min(FASTEST, max(SLOWEST, PACE / max(chosen.speed, 1e-6)))

    def table() -> TableScreen:
        return TableScreen(app, Session(game, board, chosen.rules, seed=settings.seed), chosen.agent, watch=True)

    go(app, game, table)
    if message:
        app.say(message)
    return app.run()


def _in_terminal(chosen: argparse.Namespace, game: str) -> int:
    from rich.console import Console

    from shoverworld.agents import match
    from shoverworld.terminal.board import scene
    from shoverworld.terminal.show import show

    task = _task(chosen, game)
    console = Console(highlight=False)
    waiting = Console(stderr=True).status(f"{chosen.agent} is thinking …") if sys.stderr.isatty() else nullcontext()
    with waiting:
        seconds = 4.0 if chosen.time is None else chosen.time
        row = match.run(task, chosen.agent, None, seconds, chosen.seed or 0, prints=True)
    title = f"{task.name}, played by {chosen.agent}"
    if chosen.all:
        for env, state, said in _moments(task, row):
            console.print(scene(env, state, title, said), soft_wrap=not console.is_terminal)
    else:
        show(_moments(task, row), console, 0.25 if chosen.speed is None else chosen.speed, title)
    figures = "".join(f", {name} {value:g}" for name, value in row.figures.items() if name != "steps")
    told = f"{row.outcome} after {row.steps} steps{figures}, {row.seconds:.2f} s of thinking"
    console.print(told + (", proved" if row.proved else ""))
    if row.error:
        console.print(row.error, style="red", markup=False)
    _save(task, row, chosen, console)
    return 0 if row.won else 1


def _task(chosen: argparse.Namespace, game: str) -> Any:
    """The map or level to be played on, the same one that the window would open."""
    from shoverworld.agents.tasks import level_task, map_task, sokoban_presets, track_task
    from shoverworld.core.checks import word
    from shoverworld.games.shover.config import resolve_rules
    from shoverworld.play.places import find

    board = find(chosen.map, game, chosen.level).board
    if game == "sokoban":
        preset = None if chosen.rules is None else word("rules", chosen.rules, sokoban_presets())
        return level_task(board.name, board.level, preset)
    if game == "race":
        return track_task(board.name, board.level.track, chosen.rules or board.preset, chosen.seed or 0)
    return map_task(board.name, board.level.with_start(), resolve_rules(chosen.rules or board.preset))


def _save(task: Any, row: Any, chosen: argparse.Namespace, console: Any) -> None:
    """The films that were asked for."""
    from shoverworld.games import game_named
    from shoverworld.play import film

    for path in filter(None, (chosen.gif, chosen.mp4)):
        states = [state for _, state, _ in _moments(task, row)]
        film.save(film.film_of([(game_named(task.game), states)], path.suffix.lower()), path)
        console.print(f"Saved {path}", markup=False)


def _moments(task: Any, row: Any) -> Iterator[tuple[Any, Any, str]]:
    """The states of the game, with what each step did."""
    env = task.make()
    env.reset(options=task.options)
    yield env, env.get_state(), ""
    for action in row.actions:
        env.step(action)
        yield env, env.get_state(), env.remark()
