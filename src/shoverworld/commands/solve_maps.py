"""The table of `shover solve` for maps of Shover-World."""

import argparse
import sys
from contextlib import nullcontext
from typing import Any

OBJECTIVES = ("steps", "stamina")
COLUMNS = ("steps", "stamina", "first removal", "expanded", "proved", "seconds")


def show(tasks: list[Any], chosen: argparse.Namespace, console: Any) -> int:
    """A row a map; the exit code."""
    from shoverworld.core.errors import ShoverWorldError

    from .solve import complain, finish

    width = max([3, *(len(task.name) for task in tasks if not isinstance(task, ShoverWorldError))])
    heads = " ".join(f"{name:>{_width(name)}}" for name in COLUMNS)
    console.print(f"{'map':{width}}  {'outcome':<10} {heads}", style="bold")
    worst = 0
    for task in tasks:
        if isinstance(task, ShoverWorldError):
            complain(task, chosen)
            worst = 2
            continue
        row = _run(task, chosen)
        console.print(_line(row, width), markup=False)
        finish(task, row, chosen, console)
        if row.interrupted:
            raise KeyboardInterrupt  # the row is out; the other maps are not wanted any more
        if row.outcome not in ("cleared", "unsolvable"):
            worst = max(worst, 1)
    return worst


def _run(task: Any, chosen: argparse.Namespace) -> Any:
    """One map, with a line on the terminal that says how far it is."""
    from rich.console import Console

    from .solve import play

    shows = sys.stderr.isatty()
    status = Console(stderr=True).status(f"{task.name}: getting ready") if shows else nullcontext()
    with status:

        def tell(plan: Any) -> None:
            best = f"{plan.steps} steps, stamina {plan.final_stamina:g}" if plan.actions else "no plan yet"
            text = f"{task.name}: {best}; at least {plan.lower_bound} steps; {plan.expanded:,} expanded, {plan.seconds:.0f} s"
            status.update(text)  # type: ignore[union-attr]

        return play(task, chosen, tell if shows else None)


def _width(column: str) -> int:
    return max(len(column), 8)


def _line(row: Any, width: int) -> str:
    solved = row.outcome not in ("unsolvable", "unknown")
    stamina = row.figures.get("stamina")
    cells = (
        row.steps if solved else f">={row.lower_bound}" if row.outcome == "unknown" else "-",
        f"{stamina:g}" if stamina is not None else "-",
        "-" if row.first_removal is None else f"{row.first_removal:.2f}",
        "-" if row.expanded is None else f"{row.expanded:,}",
        "yes" if row.proved else f">={row.lower_bound}" if row.lower_bound and solved else "no",
        f"{row.seconds:.2f}",
    )
    told = " ".join(f"{cell!s:>{_width(name)}}" for cell, name in zip(cells, COLUMNS, strict=True))
    return f"{row.map:{width}}  {row.outcome:<10} {told}"
