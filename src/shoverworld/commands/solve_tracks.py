"""The table of `shover solve` for tracks of the grid race."""

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

COLUMNS = ("moves", "start", "every start", "states", "proved", "seconds")
WIDTHS = (6, 9, 11, 12, 6, 8)
TALLEST, WIDEST = 60, 200  # tracks that are printed
ON_THE_WAY = "*"


def run(chosen: argparse.Namespace, console: Any) -> int:
    """A row a track; the exit code."""
    from shoverworld.agents.tournament import tracks_and_errors
    from shoverworld.core.errors import ShoverWorldError

    from .solve import complain

    rules = _checked(chosen)
    tracks = list(tracks_and_errors(chosen.maps))
    width = max([5, *(len(_name(track)) for track in tracks if not isinstance(track, ShoverWorldError))])
    heads = " ".join(f"{name:>{wide}}" for name, wide in zip(COLUMNS, WIDTHS, strict=True))
    console.print(f"{'track':{width}}  {'outcome':<10} {heads}", style="bold")
    worst = 0
    for track in tracks:
        if isinstance(track, ShoverWorldError):
            complain(track, chosen)
            worst = 2
            continue
        plan, every = _solved(track, rules, chosen.time)
        console.print(_line(track, plan, every, width), markup=False)
        if plan.status == "solved":
            _finish(track, plan, rules, chosen, console, alone=len(tracks) == 1)
        elif plan.status == "unknown":
            worst = max(worst, 1)
        if plan.stopped_by == "interrupt":
            raise KeyboardInterrupt  # the row is out; the other tracks are not wanted any more
    return worst


def _checked(chosen: argparse.Namespace) -> Any:
    """The rules; a ConfigError for what has no meaning here."""
    from shoverworld.core.checks import word
    from shoverworld.core.errors import ConfigError, SaveError
    from shoverworld.games.race.front.presets import RULES

    if chosen.agent != "planner":
        raise ConfigError(
            f"--agent {chosen.agent}: tracks are solved by the planner; `shover race` and `shover tournament` let others drive"
        )
    for name, meaning in (("level", "a track file holds one track"), ("objective", "it is always the fewest moves")):
        if getattr(chosen, name) is not None:
            raise ConfigError(f"--{name} {getattr(chosen, name)}: {meaning}")
    if chosen.out is not None:
        raise ConfigError(
            f"--out {chosen.out}: solutions are written of Sokoban levels; --save DIR writes replays and pictures"
        )
    rules = RULES[word("rules", "race" if chosen.rules is None else chosen.rules, RULES)]
    if chosen.save:
        if chosen.save.is_file():
            raise SaveError(f"--save {chosen.save}: this is a file; expected the name of a folder")
        chosen.save.mkdir(parents=True, exist_ok=True)  # before the work, not after it
    return rules


def _name(track: Any) -> str:
    return Path(track.name).stem


def _solved(track: Any, rules: Any, seconds: float) -> tuple[Any, dict]:
    """The plan from the best start, and the fewest moves from all of them, if there was time for it."""
    from rich.console import Console

    from shoverworld.games.race.planner import fewest, solve

    shows = sys.stderr.isatty()
    status = Console(stderr=True).status(f"{_name(track)}: getting ready") if shows else nullcontext()
    with status:

        def tell(plan: Any) -> None:
            text = f"{_name(track)}: at least {plan.lower_bound} moves; {plan.expanded:,} states, {plan.seconds:.0f} s"
            status.update(text)  # type: ignore[union-attr]

        asked = {"line": rules.line, "finish": rules.finish, "progress": tell if shows else None}
        plan = solve(track, time_limit=seconds, **asked)
        left = seconds - plan.seconds
        if plan.status != "solved" or left <= 0:
            return plan, {}
        try:
            return plan, fewest(track, time_limit=left, **asked)
        except (TimeoutError, MemoryError):
            return plan, {}


def _line(track: Any, plan: Any, every: dict, width: int) -> str:
    solved = plan.status == "solved"
    least, most = (min(every.values()), max(every.values())) if every else (0, 0)
    start = f"{plan.start[0]},{plan.start[1]}" if plan.start else "-"
    cells = (
        plan.steps if solved else f">={plan.lower_bound}" if plan.status == "unknown" else "-",
        start,
        "-" if not every else str(least) if least == most else f"{least} to {most}",
        f"{plan.expanded:,}",
        "yes" if plan.stopped_by == "proof" else "no",
        f"{plan.seconds:.3f}",
    )
    told = " ".join(f"{cell!s:>{wide}}" for cell, wide in zip(cells, WIDTHS, strict=True))
    return f"{_name(track):{width}}  {plan.status:<10} {told}"


def _finish(track: Any, plan: Any, rules: Any, chosen: argparse.Namespace, console: Any, alone: bool) -> None:
    """What follows a row: every move, the way as text, the replay and the picture."""
    if chosen.log:
        for number, (action, (x, y)) in enumerate(zip(plan.actions, plan.positions[1:], strict=True), 1):
            before = plan.positions[number - 1]
            console.print(
                f"  {number:>4}  {action}  to {x},{y}  velocity {x - before[0]},{y - before[1]}", markup=False
            )
    if alone and track.rows <= TALLEST and track.cols <= WIDEST:
        console.print(f"\n{drawn(track, plan)}", markup=False)
    if chosen.save:
        _replay(track, plan, rules).write(chosen.save / f"{_name(track)}.replay")
        _picture(track, plan, chosen.save / f"{_name(track)}.png")


def drawn(track: Any, plan: Any) -> str:
    """The track in symbols, with a star on every cell where the car lands."""
    rows = [list(row) for row in str(track).splitlines() if not row.startswith("//")]
    for x, y in plan.positions:
        rows[y][x] = ON_THE_WAY
    return "\n".join(map("".join, rows))


def _replay(track: Any, plan: Any, rules: Any) -> Any:
    from shoverworld.core.recorder import Recorder
    from shoverworld.games.race.env import RaceEnv

    recorder = Recorder(RaceEnv(rules=rules.change(max_rounds=max(rules.max_rounds, plan.steps))))
    recorder.reset(options={"map": track, "starts": [plan.start]})
    for action in plan.actions:
        recorder.step(action)
    return recorder.replay(player="planner", comment=_name(track))


def _picture(track: Any, plan: Any, path: Path) -> None:
    from shoverworld.games.race.draw import picture
    from shoverworld.play.film import save_png

    save_png(picture(track.cells, ways=[[(y, x) for x, y in plan.positions]]), path)
