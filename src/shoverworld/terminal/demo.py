"""`shover demo`: the planner at work on bundled maps: how its plans get better, how they play, what is proved."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from shoverworld.agents import PlanAgent
from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan
from shoverworld.core.ui import State
from shoverworld.games import game_named
from shoverworld.play.film import Film, checked, save_gif

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
        title="Shover-World, planned and played",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("map", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    table.add_column("steps found", no_wrap=True)
    for column in ("proved", "stamina", "expanded", "s"):
        table.add_column(column, justify="right", no_wrap=True)
    film, out = Film(), checked(out, ".gif")
    console.print(
        "Getting ready; the very first time everything is compiled, which takes up to a minute …", style="dim"
    )
    for name in names or SELECTION:
        table.add_row(*_play(name, film, speed, think, console))
    console.print(table)
    save_gif(film, out)
    console.print(f"Saved {film.states} frames to [bold]{out}[/bold]")


def _play(name: str, film: Film, speed: float, think: float, console: Console) -> list[str]:
    """One game on one map; returns its row of the table."""
    game = game_named("shover")
    place = game.levels.read(name)
    preset = place.preset
    env: Any = game.levels.environment(place, preset)
    env.reset(seed=0, options=game.levels.options(place))
    found: list[int] = []
    status = console.status(f"planning {name} …") if console.is_terminal else None

    def tell(plan: Plan) -> None:
        if plan.actions and plan.steps not in found:
            found.append(plan.steps)
        if status is not None:
            best = f"{plan.steps} steps" if plan.actions else "no plan yet"
            status.update(
                f"planning {name}: {best}, at least {plan.lower_bound} needed, {plan.expanded:,} games expanded"
            )

    with status or nullcontext():
        agent = PlanAgent(env, time_limit=think, progress=tell, seed=0)
        agent.reset(env.observe()[1])
    if agent.plan.stopped_by == "interrupt":
        raise KeyboardInterrupt

    states: list[State] = []

    def seen() -> Iterator[tuple[GridEnv, State, str]]:
        for state, said in _game(env, agent):
            states.append(state)
            yield env, state, said

    show(seen(), console, speed, f"{name} ({preset})", keep=False)
    film.add(game, states)
    _, info = env.observe()
    plan = agent.plan
    proved = "yes" if plan.proved_optimal else f">= {plan.lower_bound}"
    figures = (f"{info['stamina']:g}", f"{plan.expanded:,}", f"{plan.seconds:.2f}")
    return [name, info["outcome"], _in_short(found), proved, *figures]


def _in_short(found: list[int]) -> str:
    """The lengths of the plans, one after the other as they were found."""
    shown = found if len(found) < 6 else [*found[:2], "…", *found[-2:]]
    return ", ".join(map(str, shown))


def _game(env: Any, agent: PlanAgent) -> Iterator[tuple[State, str]]:
    """The states of a game that an agent plays, with what each step did."""
    yield env.get_state(), ""
    while env.outcome is None:
        env.step(agent.act(*env.observe()))
        yield env.get_state(), env.remark()
