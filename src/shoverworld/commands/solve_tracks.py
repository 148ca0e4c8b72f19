"""The table of `shover solve` for tracks of the grid race."""

import argparse
import re
import sys
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any

SECONDS = 60.0  # a track, where nobody says otherwise
COLUMNS = ("size", "starts", "moves", "from", "proved", "expanded", "seconds")
TALLEST, WIDEST = 60, 200  # tracks that are printed


def run(chosen: argparse.Namespace, console: Any) -> int:
    """A row a track; the exit code."""
    from shoverworld.agents.tournament import tracks_and_errors
    from shoverworld.core.errors import ShoverWorldError

    from .solve import complain

    rules, start = _rules(chosen), _start(chosen)
    found = list(tracks_and_errors(_places(chosen.maps)))
    tracks = [track for track in found if not isinstance(track, ShoverWorldError)]
    names = _names(tracks)
    _check_places(chosen, tracks, names, start)
    for error in found:
        if isinstance(error, ShoverWorldError):
            complain(error, chosen)
    worst = 2 if len(tracks) < len(found) else 0
    width = max([5, *map(len, names)])
    if tracks:
        heads = " ".join(f"{name:>{_width(name)}}" for name in COLUMNS)
        console.print(f"{'track':{width}}  {'outcome':<10} {heads}", style="bold")
    for name, track in zip(names, tracks, strict=True):
        plan, every = _solved(name, track, rules, start, chosen)
        console.print(_line(name, track, plan, width), markup=False)
        _tell_every(every, track, console)
        if plan.status == "solved":
            _finish(name, track, plan, rules, chosen, console, alone=len(found) == 1)
        worst = max(worst, 1 if plan.status == "unknown" or _undecided(every, plan) else 0)
        if plan.stopped_by == "memory":
            console.print("  there was no room for more: the planner has 4 GB", style="red")
        if plan.stopped_by == "interrupt" or isinstance(every, KeyboardInterrupt):
            raise KeyboardInterrupt  # the row is out; the other tracks are not wanted any more
    return worst


# --- what was asked for


def _places(given: list[str]) -> list[str]:
    """The same, with all bundled tracks where their collection is named."""
    from shoverworld.games.race.boards import TRACKS
    from shoverworld.games.race.tracks import bundled_names

    all_of_them = [
        list(bundled_names()) if place == TRACKS and not Path(place).exists() else [place] for place in given
    ]
    return [place for places in all_of_them for place in places]


def _rules(chosen: argparse.Namespace) -> Any:
    """The rules; a ConfigError for what has no meaning here."""
    from shoverworld.core.checks import word
    from shoverworld.core.errors import ConfigError
    from shoverworld.games.race.boards import RULES

    if chosen.agent != "planner":
        raise ConfigError(
            f"--agent {chosen.agent}: tracks are solved by the planner; `shover race` and `shover tournament` let others drive"
        )
    for name, meaning in (("level", "a track file holds one track"), ("objective", "it is always the fewest moves")):
        if getattr(chosen, name) is not None:
            raise ConfigError(f"--{name} {getattr(chosen, name)}: {meaning}")
    rules = RULES[word("rules", "race" if chosen.rules is None else chosen.rules, RULES)]
    asked = {name: getattr(chosen, name) for name in ("line", "finish") if getattr(chosen, name) is not None}
    return rules.change(**asked)


def _start(chosen: argparse.Namespace) -> tuple[int, int] | None:
    from shoverworld.core.errors import ConfigError

    if chosen.start is None:
        return None
    if chosen.every_start:
        raise ConfigError("--every-start tells the moves from all starts; leave --start out")
    found = re.fullmatch(r"\s*\(?\s*(\d{1,6})\s*[,;]\s*(\d{1,6})\s*\)?\s*", chosen.start, re.ASCII)
    if not found:
        raise ConfigError(
            f"--start {chosen.start}: expected a cell as X,Y, such as 3,1: the column and the row, from 0"
        )
    return int(found[1]), int(found[2])


def _check_places(chosen: argparse.Namespace, tracks: list[Any], names: list[str], start: Any) -> None:
    """Before the work, not after it. No track is written over."""
    from shoverworld.core.errors import ConfigError, SaveError
    from shoverworld.games.race.planner.solver import on_track
    from shoverworld.play.film import checked

    count = len(tracks)
    if chosen.out is not None:
        checked(chosen.out, ".png", "--out ")
        if count > 1:
            raise ConfigError(f"--out {chosen.out}: there are {count} tracks; --save DIR writes a picture of each")
        _spare(tracks, [chosen.out], f"--out {chosen.out}")
    if start is not None and count > 1:
        raise ConfigError(f"--start {chosen.start}: there are {count} tracks; name one")
    if start is not None and tracks:
        on_track(tracks[0], start)
    if chosen.save:
        if chosen.save.is_file():
            raise SaveError(f"--save {chosen.save}: this is a file; expected the name of a folder")
        _spare(tracks, [chosen.save / f"{name}.png" for name in names], f"--save {chosen.save}")
        chosen.save.mkdir(parents=True, exist_ok=True)


def _spare(tracks: list[Any], targets: list[Path], option: str) -> None:
    from shoverworld.core.errors import SaveError

    sources = {Path(track.name).resolve(): track.name for track in tracks}
    for target in targets:
        if target.resolve() in sources and target.exists():
            raise SaveError(f"{option}: would write over the track {sources[target.resolve()]}; name another place")


def _names(tracks: list[Any]) -> list[str]:
    """A name for each: a second one of the same name has its folder's before it, or a number behind it."""
    used: list[str] = []
    for track in tracks:
        path, number = Path(track.name), 2
        name = path.stem
        if name in used:
            name = first = f"{path.resolve().parent.name}-{path.stem}"
            while name in used:
                name, number = f"{first}-{number}", number + 1
        used.append(name)
    return used


# --- the work


def _solved(name: str, track: Any, rules: Any, start: Any, chosen: argparse.Namespace) -> tuple[Any, Any]:
    """The plan; and the fewest moves from every start, None where nobody asked, or what was in the way of it."""
    from rich.console import Console

    from shoverworld.games.race.planner import fewest, solve

    seconds = SECONDS if chosen.time is None else chosen.time
    shows = sys.stderr.isatty()
    status = Console(stderr=True).status(f"{name}: getting ready") if shows else nullcontext()
    with status:

        def tell(plan: Any) -> None:
            text = f"{name}: at least {plan.lower_bound} moves; {plan.expanded:,} expanded, {plan.seconds:.0f} s"
            status.update(text)  # type: ignore[union-attr]

        asked: dict[str, Any] = {"line": rules.line, "finish": rules.finish, "progress": tell if shows else None}
        plan = solve(track, start, time_limit=seconds, **asked)
        if not chosen.every_start or plan.status != "solved":
            return plan, None
        try:
            return plan, fewest(track, time_limit=max(0.0, seconds - plan.seconds), **asked)
        except (TimeoutError, MemoryError, KeyboardInterrupt) as reason:
            return plan, reason


def _undecided(every: Any, plan: Any) -> bool:
    return plan.status == "solved" and isinstance(every, BaseException)


def _replay(name: str, track: Any, plan: Any, rules: Any) -> Any:
    from shoverworld.core.recorder import Recorder
    from shoverworld.games.race.env import RaceEnv

    recorder = Recorder(RaceEnv(rules=rules.change(max_rounds=max(rules.max_rounds, plan.steps))))
    recorder.reset(options={"map": track, "starts": [plan.start]})
    for action in plan.actions:
        recorder.step(action)
    return recorder.replay(player="planner", comment=name)


# --- what is shown


def _width(column: str) -> int:
    return {"expanded": 12, "size": 9}.get(column, max(len(column), 7))


def _line(name: str, track: Any, plan: Any, width: int) -> str:
    unknown = plan.status == "unknown"
    cells = (
        f"{track.rows}x{track.cols}",
        len(track.starts),
        plan.steps if plan.status == "solved" else f">={plan.lower_bound}" if unknown else "-",
        "-" if plan.start is None else "{},{}".format(*plan.start),
        "no" if unknown else "yes",
        f"{plan.expanded:,}",
        f"{plan.seconds:.2f}",
    )
    told = " ".join(f"{cell!s:>{_width(column)}}" for cell, column in zip(cells, COLUMNS, strict=True))
    return f"{name:{width}}  {plan.status:<10} {told}"


def _tell_every(every: Any, track: Any, console: Any) -> None:
    """The starts by the fewest moves from there."""
    if every is None:
        return
    if isinstance(every, BaseException):
        console.print(f"  every start: {every or 'not found out'}", style="red", markup=False)
        return
    for moves in sorted(set(every.values())):
        starts = [start for start, count in every.items() if count == moves]
        console.print(f"  {moves:>4} moves from {_cells(starts, 18)}", markup=False)
    if without := [start for start in track.starts if start not in every]:
        console.print(f"  no way from     {_cells(without, 18)}", markup=False)


def _cells(cells: Any, indent: int) -> str:
    told = "  ".join("{},{}".format(*cell) for cell in cells)
    return fill(told, 110, subsequent_indent=" " * indent, break_on_hyphens=False)


def _finish(
    name: str, track: Any, plan: Any, rules: Any, chosen: argparse.Namespace, console: Any, alone: bool
) -> None:
    """What follows a row: every move, the way as text, the replay and the pictures."""
    if chosen.log:
        for number, (action, (x, y)) in enumerate(zip(plan.actions, plan.positions[1:], strict=True), 1):
            before = plan.positions[number - 1]
            console.print(
                f"  {number:>4}  {action}  to {x},{y}  velocity {x - before[0]},{y - before[1]}", markup=False
            )
    if alone and not chosen.log:
        widest = min(WIDEST, console.width) if console.is_terminal else WIDEST
        if track.rows <= TALLEST and track.cols <= widest:
            console.print()
            console.print(drawn(track, plan.positions))
        console.print(f"\n{_cells(plan.positions, 0)}", markup=False)
    caption = f"{track.title or name}: {plan.steps} moves, the fewest"
    if (rules.line, rules.finish) != ("valid_line", "land"):
        caption += f" ({rules.line}, {rules.finish})"
    if chosen.save:
        _replay(name, track, plan, rules).write(chosen.save / f"{name}.replay")
        _picture(track, plan, caption, chosen.save / f"{name}.png")
    if chosen.out is not None:
        _picture(track, plan, caption, chosen.out)
        console.print(f"\nthe way is drawn in {chosen.out}", markup=False)


def _picture(track: Any, plan: Any, caption: str, path: Path) -> None:
    from shoverworld.play.film import save_png

    from .solve_picture import way_picture

    save_png(way_picture(track, plan.positions, caption), path)


def drawn(track: Any, positions: list[tuple[int, int]]) -> Any:
    """The track in symbols. Where the car lands stands the last digit of the move, and what it passes over is left empty."""
    from rich.text import Text

    rows = [list(row) for row in track.to_text("symbols").splitlines() if not row.startswith("//")]
    for (a, b), (x, y) in pairwise(positions):
        steps = max(abs(x - a), abs(y - b))
        for step in range(1, steps):
            along, down = round(a + (x - a) * step / steps), round(b + (y - b) * step / steps)
            if rows[down][along] == ".":
                rows[down][along] = " "
    for number, (x, y) in enumerate(positions):
        rows[y][x] = str(number % 10)
    styles = {"#": "dim green", ".": "dim", "S": "blue", "F": "bold white"}
    text = Text(no_wrap=True)
    for row in rows:
        for symbol in row:
            text.append(symbol, styles.get(symbol, "bold yellow"))
        text.append("\n")
    text.rstrip()
    return text
