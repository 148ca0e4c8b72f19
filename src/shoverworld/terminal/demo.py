"""`shover demo`: the solver plays bundled maps in the terminal, a table says how it went, and a GIF is kept."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from shoverworld.agents import PlanAgent
from shoverworld.games.shover.env import ShoverWorldEnv
from shoverworld.games.shover.maps import bundled_preset
from shoverworld.games.shover.state import State

from .film import HOLD, frame, save_gif
from .show import show

SELECTION = [
    "01-first-push",
    "02-chains",
    "05-over-the-edge",
    "08-behind-the-box",
    "09-perfect-square",
    "11-the-ring",
    "12-hellify",
    "15-corridor",
]


def run(names: list[str], out: Path, speed: float, think: float, console: Console) -> None:
    table = Table(
        title="Shover-World, played by the solver",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("map", no_wrap=True)
    table.add_column("rules", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    for column in ("steps", "stamina", "destroyed", "planned"):
        table.add_column(column, justify="right", no_wrap=True)
    frames: list[np.ndarray] = []
    console.print("Getting ready; the very first time the rules are compiled, which takes a moment …", style="dim")
    for name in names or SELECTION:
        table.add_row(*_play(name, frames, speed, think, console))
    console.print(table)
    console.print(f"Saved {len(frames)} frames to [bold]{save_gif(frames, out)}[/bold]")


def _play(name: str, frames: list[np.ndarray], speed: float, think: float, console: Console) -> list[str]:
    """One game on one map; returns its row of the table."""
    preset = bundled_preset(name)
    env = ShoverWorldEnv(rules=preset, map_path=name)
    env.reset(seed=0)
    agent = PlanAgent(env, time_limit=think, seed=0)
    with console.status(f"planning {name} …") if console.is_terminal else nullcontext():
        agent.reset(env.observe()[1])

    def film() -> Iterator[tuple[State, str]]:
        for state, said in _game(env, agent):
            frames.append(frame(state))
            yield state, said

    show(film(), console, speed, f"{name} ({preset})", keep=False)
    frames += [frames[-1]] * HOLD
    _, info = env.observe()
    figures = (info["timestep"], f"{info['stamina']:g}", info["number_destroyed"], f"{agent.plan.seconds:.2f} s")
    return [name, preset, info["outcome"], *map(str, figures)]


def _game(env: ShoverWorldEnv, agent: PlanAgent) -> Iterator[tuple[State, str]]:
    """The states of a game that an agent plays, with what each step did."""
    yield env.get_state(), ""
    while env.outcome is None:
        env.step(agent.act(*env.observe()))
        yield env.get_state(), env.remark()
