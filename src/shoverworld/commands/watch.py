"""`shover watch`: watch an agent play a level, in a window or in the terminal."""

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

from shoverworld.agents import load, match
from shoverworld.agents.base import PLANNING_TIME
from shoverworld.agents.referee import TIME_LIMIT
from shoverworld.agents.tasks import task_of
from shoverworld.core.checks import number, seed_number
from shoverworld.core.errors import ConfigError
from shoverworld.core.game import Game
from shoverworld.core.rules_text import rules_on
from shoverworld.core.ui import Board, count
from shoverworld.play import film
from shoverworld.play.pilot import PACE
from shoverworld.play.places import find
from shoverworld.play.session import Session
from shoverworld.play.settings import FASTEST, SLOWEST, Settings
from shoverworld.terminal.console import SafeConsole
from shoverworld.terminal.show import show, snapshot

from .files import game_at
from .shared import asked, complain, open_window, waiting, without_errors

SPEED = 0.25  # time per step, in seconds


def run(chosen: argparse.Namespace) -> int:
    for name in ("speed", "time"):
        if getattr(chosen, name) is not None:
            number(name, getattr(chosen, name), at_least=0)
    if chosen.seed is not None:
        seed_number(chosen.seed)
    for name, path in (("gif", chosen.gif), ("mp4", chosen.mp4)):
        if path is not None:
            film.checked(path, f".{name}", f"--{name} ")
    game = game_at([chosen.map], chosen.game, partial(complain, chosen=chosen))
    chosen.agent = chosen.agent or game.default_agent
    load.check(chosen.agent, game.name)
    rules = asked(chosen, game)
    in_window = not (chosen.terminal or chosen.all or chosen.gif or chosen.mp4)
    if in_window and chosen.time is not None:
        raise ConfigError(f"--time {chosen.time:g}: the time limit can be changed only in the terminal; add --terminal")
    found = find(chosen.map, game.name, chosen.level)
    without_errors(found.skipped, chosen)
    code = (_in_window if in_window else _in_terminal)(chosen, game, found.board, rules)
    return 2 if found.skipped else code


def _in_window(chosen: argparse.Namespace, game: Game, board: Board, rules: str) -> int:
    preset = rules_on(game, board.preset, rules)
    game.levels.environment(board, preset)  # raises an error if the rules are not suitable for the level
    settings, message = Settings.load()
    settings.seed = settings.seed if chosen.seed is None else chosen.seed
    window, app = open_window(settings, "watch in the terminal instead: shover watch --terminal LEVEL")

    def table() -> Any:
        session = Session(game, board, preset, seed=settings.seed)
        screen = window.TableScreen(app, session, chosen.agent, True, rules)
        if chosen.speed is not None:
            screen.table.pilot.speed = min(FASTEST, max(SLOWEST, PACE / max(chosen.speed, 1e-6)))
        return screen

    window.go(app, game, table)
    if message:
        app.say(message)
    return app.run()


def _in_terminal(chosen: argparse.Namespace, game: Game, board: Board, rules: str) -> int:
    task = task_of(game, board, rules, seed=chosen.seed or 0)
    console = SafeConsole()
    usual = PLANNING_TIME if chosen.agent == match.PLANNER else TIME_LIMIT  # as in the window
    with waiting(f"{chosen.agent} is thinking …"):
        row = match.run(task, chosen.agent, None, usual if chosen.time is None else chosen.time, prints=True)
    changed = f", {rules_on(game, board.preset, rules)}" if rules else ""
    title = f"{task.name}{changed}, played by {chosen.agent}"
    if chosen.all:
        for env, state, remark in _moments(row):
            console.print(snapshot(env, state, title, remark), soft_wrap=not console.is_terminal)
    else:
        show(_moments(row), console, SPEED if chosen.speed is None else chosen.speed, title)
    console.print(_ending(row), soft_wrap=console.columns is None)
    if row.error:
        console.print(row.error, style="red")
    for path in filter(None, (chosen.gif, chosen.mp4)):
        states = [state for _, state, _ in _moments(row)]
        film.save(film.film_of([(game, states)], path.suffix.lower()), path)
        console.print(f"Saved {path}")
    return 0 if row.won else 1


def _ending(row: match.Row) -> str:
    """Describe the result in a sentence."""
    if row.outcome == "unsolvable":
        return f"unsolvable: the planner proved in {row.seconds:.2f} s that no plan exists"
    if row.outcome == "unknown" and row.agent == match.PLANNER:
        more = "a plan may exist; give the planner more time with --time"
        return f"unknown: the planner found no plan in {row.seconds:.2f} s and did not play; {more}"
    if row.outcome == "unknown":
        return f"unknown: {row.agent} found no plan in {row.seconds:.2f} s and gave up after {count(row.steps, 'step')}"
    figures = "".join(f", {name} {value:g}" for name, value in row.figures.items() if name != "steps")
    proved = ", proved" if row.proved else ""
    return f"{row.outcome} after {count(row.steps, 'step')}{figures}, {row.seconds:.2f} s of thinking time{proved}"


def _moments(row: match.Row) -> Iterator[tuple[Any, Any, str]]:
    """Yield the states of the game, with a remark about each step."""
    env = row.task.start()
    yield env, env.get_state(), ""
    for action in row.actions:
        env.step(action)
        yield env, env.get_state(), env.remark()
