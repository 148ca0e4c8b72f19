"""`shover watch`: an agent plays a map in the terminal."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    watch = commands.add_parser("watch", help="watch an agent play a map in the terminal")
    watch.add_argument("map", metavar="MAP", help="a map file or the name of a bundled map")
    watch.add_argument(
        "--agent",
        default="planner",
        help="planner, phase2-astar, phase2-rbfs, greedy, random, or path/to/file.py:Class",
    )
    watch.add_argument("--rules", help="preset: milestone1, walker, phase2 (default: what the map says, or milestone1)")
    watch.add_argument("--time", type=float, default=4.0, help="seconds of thinking at the most (default: %(default)s)")
    watch.add_argument("--seed", type=int, default=0, help="for agents that roll dice (default: %(default)s)")
    watch.add_argument("--speed", type=float, default=0.25, help="seconds a step (default: %(default)s)")
    watch.add_argument("--all", action="store_true", help="print every board below the last, also without a terminal")
    watch.add_argument("--gif", type=Path, metavar="FILE", help="save an animated GIF as well")
    watch.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from rich.console import Console

    from shoverworld.agents import load, match
    from shoverworld.core.checks import number
    from shoverworld.core.errors import ShoverWorldError
    from shoverworld.terminal.board import scene
    from shoverworld.terminal.film import HOLD, frame, save_gif
    from shoverworld.terminal.show import show

    number("speed", chosen.speed, at_least=0)
    number("time", chosen.time, at_least=0)
    load.check(chosen.agent)
    task = next(iter(match.tasks_of([chosen.map], chosen.rules)))
    if isinstance(task, ShoverWorldError):
        raise task
    console = Console(highlight=False)
    waiting = Console(stderr=True).status(f"{chosen.agent} is thinking …") if sys.stderr.isatty() else nullcontext()
    with waiting:
        row = match.run(task, chosen.agent, "steps", chosen.time, chosen.seed, prints=True)
    title = f"{task.name}, played by {chosen.agent}"
    if chosen.all:
        for state, said in _states(task, row):
            console.print(scene(state, title, said))
    else:
        show(_states(task, row), console, chosen.speed, title)
    told = f"{row.outcome} after {row.steps} steps, stamina {row.final_stamina:g}, {row.seconds:.2f} s of thinking"
    console.print(told + (", proved" if row.proved else ""))
    if row.error:
        console.print(row.error, style="red", markup=False)
    if chosen.gif:
        frames = [frame(state) for state, _ in _states(task, row)]
        console.print(f"Saved {save_gif(frames + frames[-1:] * HOLD, chosen.gif)}")
    return 0 if row.cleared else 1


def _states(task: Any, row: Any) -> Iterator[tuple[Any, str]]:
    """The states of the game, with what each step did."""
    from shoverworld.games.shover.env import ShoverWorldEnv

    env = ShoverWorldEnv(rules=task.rules)
    env.reset(options={"map": task.map})
    yield env.get_state(), ""
    for action in row.actions:
        env.step(action)
        yield env.get_state(), env.remark()
