"""`shover solve`: clear maps, solve levels with the planner or another agent, and find the best way around tracks, a row each."""

import argparse
import sys
from pathlib import Path
from typing import Any

SECONDS = 10.0  # a map or level, where nobody says otherwise
AGENTS = "planner, random, or path/to/file.py:Class; for Shover-World also greedy, phase2-astar, phase2-rbfs"
SHORTEST_REMARK = 32  # columns of --log for what a step did, or more if that is longer


def add(commands: Any) -> None:
    solve = commands.add_parser(
        "solve",
        help="clear maps and solve Sokoban levels with the planner or another agent, find the fewest moves on tracks, a row each",
        description="Prints a row a map of Shover-World, a level of Sokoban, or a track of the grid race. `first removal` and `seconds` are thinking time; "
        "`proved` means that no plan is better by the objective, or that there is none; >=N there: no plan has fewer steps (or pushes). "
        "Of a single level the solution and a picture are printed too, of a single track the way. Ctrl-C ends the search and still shows the best plan so far. "
        "Exit code 1: a map was not decided; 2: a map could not be read.",
    )
    solve.add_argument(
        "maps",
        nargs="+",
        metavar="MAP",
        help="map files, files of Sokoban levels (XSB, SOK, Boxoban), race tracks, folders of these, or names of those in the package",
    )
    solve.add_argument("--level", type=int, metavar="N", help="of a file of Sokoban levels only this one, from 1")
    solve.add_argument(
        "--rules",
        help="preset: milestone1, walker, phase2; sokoban, pull, fixed, two; race, supercover, landing, cross "
        "(default: what the map asks for)",
    )
    solve.add_argument(
        "--objective",
        choices=("steps", "stamina", "pushes", "moves", "any"),
        help="steps or stamina in Shover-World (default: steps); pushes, moves or any in Sokoban (default: pushes)",
    )
    solve.add_argument("--agent", default="planner", help=f"{AGENTS} (default: planner)")
    solve.add_argument("--time", type=float, help="seconds a map (default: 10; a track: 60)")
    solve.add_argument("--seed", type=int, default=0, help="for agents that roll dice (default: %(default)s)")
    solve.add_argument(
        "--save",
        type=Path,
        metavar="DIR",
        help="write each game as a replay, DIR/MAP.replay; of a track also a picture of the way, DIR/TRACK.png",
    )
    solve.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="write the solutions of Sokoban levels: the levels with Solution lines; or, to a file that ends in .lurd, a line "
        "each. Of a track: a picture of the way, FILE.png",
    )
    solve.add_argument("--log", action="store_true", help="print every step")
    solve.add_argument("--game", help="shover, sokoban or race (default: what the files look like)")
    race = solve.add_argument_group("of the grid race")
    race.add_argument(
        "--line", choices=("valid_line", "supercover", "landing"), help="which cells of a move must be track"
    )
    race.add_argument("--finish", choices=("land", "cross"), help="land on the finish, or cross it")
    race.add_argument("--start", metavar="X,Y", help="from this cell, not from the best start")
    race.add_argument("--every-start", action="store_true", help="tell the fewest moves from every start")
    solve.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from rich.console import Console

    from shoverworld.agents import load, tasks
    from shoverworld.agents.games import TITLES
    from shoverworld.core.checks import number, seed_number, word
    from shoverworld.core.errors import ConfigError, SaveError

    from . import solve_levels, solve_maps, solve_tracks
    from .files import game_at

    if chosen.time is not None:
        number("time", chosen.time, at_least=0)
    seed_number(chosen.seed)
    game = game_at(chosen.maps, chosen.game)
    if game == "race":
        return solve_tracks.run(chosen, Console(highlight=False, soft_wrap=True))
    for name in ("line", "finish", "start", "every_start"):
        if getattr(chosen, name):
            raise ConfigError(f"--{name.replace('_', '-')} is of the grid race; {chosen.maps[0]} is of {TITLES[game]}")
    load.check(chosen.agent, game)
    table: Any = solve_levels if game == "sokoban" else solve_maps
    if chosen.objective is not None:
        word("objective", chosen.objective, table.OBJECTIVES)
    if chosen.out is not None and game != "sokoban":
        raise ConfigError(f"--out {chosen.out}: solutions are written of Sokoban levels; --save DIR writes replays")
    if chosen.save:
        if chosen.save.is_file():
            raise SaveError(f"--save {chosen.save}: this is a file; expected the name of a folder")
        chosen.save.mkdir(parents=True, exist_ok=True)  # before the work, not after it
    found = list(tasks.tasks_of(game, chosen.maps, chosen.rules, chosen.level))
    return table.show(found, chosen, Console(highlight=False, soft_wrap=True))


def play(task: Any, chosen: argparse.Namespace, tell: Any) -> Any:
    """The row of one task; `tell` hears how far the planner is."""
    from shoverworld.agents import match

    seconds = SECONDS if chosen.time is None else chosen.time
    return match.run(task, chosen.agent, chosen.objective, seconds, chosen.seed, progress=tell, prints=True)


def finish(task: Any, row: Any, chosen: argparse.Namespace, console: Any) -> None:
    """What follows a row: what went wrong, every step, the replay."""
    from shoverworld.agents import match

    if row.error:
        console.print(f"  {row.error}", markup=False, style="red")
    if chosen.log:
        _log(task, row, console)
    if chosen.save and row.actions:
        path = chosen.save / f"{task.name}.replay"
        path.parent.mkdir(parents=True, exist_ok=True)
        match.replay_of(task, row).write(path)


def _log(task: Any, row: Any, console: Any) -> None:
    """Every step: the action, what it did, what is left."""
    from shoverworld.agents.games import LEFT

    env = task.make()
    env.reset(options=task.options)
    lines = []
    for step, action in enumerate(row.actions, 1):
        info = env.step(action)[4]
        told = " ".join(f"{part:>3}" for part in (action if isinstance(action, tuple) else (action,)))
        figures = [f"{name} {value:<8g}" for name, value in env.figures().items() if name != "steps"]
        left = "boxes" if task.game == "shover" else "to do"
        lines.append((f"{step:>4}  {told}", env.remark(), f"{' '.join(figures)} {left} {LEFT[task.game](info)}"))
    width = max([SHORTEST_REMARK, *(len(remark) for _, remark, _ in lines)])
    for begin, remark, end in lines:
        console.print(f"  {begin}  {remark:<{width}} {end}", markup=False)


def complain(error: Exception, chosen: argparse.Namespace) -> None:
    print(f"{chosen.called}: {error}", file=sys.stderr)
