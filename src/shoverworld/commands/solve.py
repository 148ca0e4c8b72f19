"""`shover solve`: clear maps with the planner, or with another agent, a row a map."""

import argparse
import sys
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    solve = commands.add_parser(
        "solve",
        help="clear maps with the planner or another agent, a row a map",
        description="Prints a row a map. `first removal` and `seconds` are thinking time; `proved` means that no plan is "
        "better, or that there is none; >=N there: no plan has fewer steps. Ctrl-C ends the search and still shows the best plan so far. "
        "Exit code 1: a map was not decided; 2: a map could not be read.",
    )
    solve.add_argument("maps", nargs="+", metavar="MAP", help="map files, folders of them, or names of bundled maps")
    solve.add_argument("--rules", help="preset: milestone1, walker, phase2 (default: what the map says, or milestone1)")
    solve.add_argument("--objective", choices=("steps", "stamina"), default="steps", help="default: %(default)s")
    solve.add_argument(
        "--agent",
        default="planner",
        help="planner, phase2-astar, phase2-rbfs, greedy, random, or path/to/file.py:Class",
    )
    solve.add_argument("--time", type=float, default=10.0, help="seconds a map (default: %(default)s)")
    solve.add_argument("--seed", type=int, default=0, help="for agents that roll dice (default: %(default)s)")
    solve.add_argument("--save", type=Path, metavar="DIR", help="write each game as a replay, DIR/MAP.replay")
    solve.add_argument("--log", action="store_true", help="print every step")
    solve.set_defaults(run=run)


COLUMNS = ("steps", "stamina", "first removal", "expanded", "proved", "seconds")


def run(chosen: argparse.Namespace) -> int:
    from rich.console import Console

    from shoverworld.agents import load, match
    from shoverworld.core.checks import number
    from shoverworld.core.errors import ShoverWorldError

    number("time", chosen.time, at_least=0)
    load.check(chosen.agent)
    if chosen.save:
        chosen.save.mkdir(parents=True, exist_ok=True)  # before the work, not after it
    console = Console(highlight=False, soft_wrap=True)
    tasks = list(match.tasks_of(chosen.maps, chosen.rules))
    width = max([3, *(len(task.name) for task in tasks if isinstance(task, match.Task))])
    console.print(
        f"{'map':{width}}  {'outcome':<10} " + " ".join(f"{name:>{_width(name)}}" for name in COLUMNS), style="bold"
    )
    worst = 0
    for task in tasks:
        if isinstance(task, ShoverWorldError):
            print(f"{chosen.called}: {task}", file=sys.stderr)
            worst = 2
            continue
        row = _run(task, chosen)
        console.print(_line(row, width), markup=False)
        if row.error:
            console.print(f"  {row.error}", markup=False, style="red")
        if chosen.log:
            _log(task, row, console)
        if chosen.save and row.actions:
            path = chosen.save / f"{task.name}.replay"
            path.parent.mkdir(parents=True, exist_ok=True)
            match.replay_of(task, row).write(path)
        if row.interrupted:
            raise KeyboardInterrupt  # the row is out; the other maps are not wanted any more
        if row.outcome not in ("cleared", "unsolvable"):
            worst = max(worst, 1)
    return worst


def _run(task: Any, chosen: argparse.Namespace) -> Any:
    """One map, with a line on the terminal that says how far it is."""
    from contextlib import nullcontext

    from rich.console import Console

    from shoverworld.agents import match

    shows = sys.stderr.isatty()
    status = Console(stderr=True).status(f"{task.name}: getting ready") if shows else nullcontext()
    with status:

        def tell(plan: Any) -> None:
            best = f"{plan.steps} steps, stamina {plan.final_stamina:g}" if plan.actions else "no plan yet"
            text = f"{task.name}: {best}; at least {plan.lower_bound} steps; {plan.expanded:,} expanded, {plan.seconds:.0f} s"
            status.update(text)  # type: ignore[union-attr]

        return match.run(
            task,
            chosen.agent,
            chosen.objective,
            chosen.time,
            chosen.seed,
            progress=tell if shows else None,
            prints=True,
        )


def _width(column: str) -> int:
    return max(len(column), 8)


def _line(row: Any, width: int) -> str:
    solved = row.outcome not in ("unsolvable", "unknown")
    cells = (
        row.steps if solved else f">={row.lower_bound}" if row.outcome == "unknown" else "-",
        f"{row.final_stamina:g}" if solved else "-",
        "-" if row.first_removal is None else f"{row.first_removal:.2f}",
        "-" if row.expanded is None else f"{row.expanded:,}",
        "yes" if row.proved else f">={row.lower_bound}" if row.lower_bound and solved else "no",
        f"{row.seconds:.2f}",
    )
    told = " ".join(f"{cell!s:>{_width(name)}}" for cell, name in zip(cells, COLUMNS, strict=True))
    return f"{row.map:{width}}  {row.outcome:<10} {told}"


def _log(task: Any, row: Any, console: Any) -> None:
    """Every step: the action, what it did, what is left."""
    from shoverworld.games.shover.env import ShoverWorldEnv

    env = ShoverWorldEnv(rules=task.rules)
    env.reset(options={"map": task.map})
    for step, action in enumerate(row.actions, 1):
        info = env.step(action)[4]
        console.print(
            f"  {step:>4}  {action[0]:>3} {action[1]:>3} {action[2]}  {env.remark():<32} "
            f"stamina {info['stamina']:<8g} boxes {info['number_of_boxes']}",
            markup=False,
        )
