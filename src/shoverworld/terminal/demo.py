"""`shover demo` shows the planner at work: how its plans improve, what happens when they are played, and what is proved
about them."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan
from shoverworld.core.ui import State, count
from shoverworld.games import all_games
from shoverworld.play.film import Film, checked, save_gif
from shoverworld.play.places import Found, find

from .show import show

EVERY = 2  # by default, the demo shows every second level in the first collection


def run(names: list[str], out: Path, speed: float, think: float, console: Console) -> None:
    """Solve these levels or, if no names are given, a selection of levels from the first game, and play the plans. Save
    a video of all levels."""
    first = next(iter(all_games().values()))
    names = names or [board.name for board in first.levels.boards()[::EVERY]]
    levels = [find(name) for name in names]
    table = Table(title="Planned and played", title_style="bold", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in ("level", "outcome", f"{levels[0].game.figures[0]} found"):
        table.add_column(column, no_wrap=True)
    for column in ("proved", levels[0].game.figures[1], "expanded", "s"):
        table.add_column(column, justify="right", no_wrap=True)
    film, out = Film(), checked(out, ".gif")
    console.print("Getting ready; the first run compiles the code, which takes up to a minute …", style="dim")
    for level in levels:
        table.add_row(*_play(level, film, speed, think, console))
    console.print(table)
    save_gif(film, out)
    console.print(f"Saved {film.states} frames to {out}")


def _play(level: Found, film: Film, speed: float, think: float, console: Console) -> list[str]:
    """Find a plan for one level and play it. Return the table row for this level."""
    game, board = level.game, level.board
    env = game.levels.environment(board, board.preset)
    env.reset(seed=0, options=game.levels.options(board))
    found: list[int] = []
    status = console.status(Text(f"planning {board.name} …")) if console.is_terminal else None

    def progress(plan: Plan) -> None:
        if plan.actions and plan.steps not in found:
            found.append(plan.steps)
        if status is not None:
            best = count(plan.steps, "step") if plan.actions else "no plan yet"
            needed = f"at least {plan.lower_bound} needed, {plan.expanded:,} states expanded"
            status.update(Text(f"planning {board.name}: {best}, {needed}"))

    with status or nullcontext():
        plan = game.plan(env, time_limit=think, progress=progress)
    if plan.stopped_by == "interrupt":
        raise KeyboardInterrupt
    progress(plan)
    states: list[State] = []

    def moments() -> Iterator[tuple[GridEnv, State, str]]:
        for state, text in _played(env, plan):
            states.append(state)
            yield env, state, text

    show(moments(), console, speed, f"{board.name} ({board.preset})", keep=False)
    film.add(game, states)
    proved = "yes" if plan.proved_optimal else f">= {plan.lower_bound}"
    figures = (f"{env.figures()[game.figures[1]]:g}", f"{plan.expanded:,}", f"{plan.seconds:.2f}")
    return [board.name, env.outcome or "no plan", _in_short(found), proved, *figures]


def _in_short(found: list[int]) -> str:
    """List the lengths of the plans in the order in which they were found, but leave out the middle of a long list."""
    shown = found if len(found) < 6 else [*found[:2], "…", *found[-2:]]
    return ", ".join(map(str, shown))


def _played(env: GridEnv, plan: Plan) -> Iterator[tuple[State, str]]:
    """Play a plan. Yield each state, with a remark about the step that led to it."""
    yield env.get_state(), ""
    for action in plan.actions:
        env.step(action)
        yield env.get_state(), env.remark()
