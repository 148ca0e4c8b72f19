"""`shover replay`: check replays, and play them."""

import argparse
import sys
from pathlib import Path
from typing import Any

MOST_FRAMES = 400  # in a GIF: longer games skip some


def add(commands: Any) -> None:
    replay = commands.add_parser(
        "replay",
        help="check replay files, and play them in the terminal",
        description="Checks every file against the rules, step by step. Exit code 1: a replay was refused; "
        "2: a file is missing or no replay.",
    )
    replay.add_argument("files", nargs="+", metavar="FILE", type=Path, help="replay files (docs/replays.md)")
    replay.add_argument("--speed", type=float, default=0.12, help="seconds a step (default: %(default)s)")
    replay.add_argument("--check", action="store_true", help="only check, do not play")
    replay.add_argument("--step", type=int, metavar="N", help="show the board after step N instead of playing")
    replay.add_argument("--gif", type=Path, metavar="FILE", help="save an animated GIF of all that was accepted")
    replay.add_argument("--quiet", action="store_true", help="say only what is wrong, and do not play")
    replay.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from rich.console import Console

    from shoverworld.core.checks import number, whole
    from shoverworld.core.errors import NotAReplay, ReplayError
    from shoverworld.core.replay import Replay

    number("speed", chosen.speed, at_least=0)
    if chosen.step is not None:
        whole("step", chosen.step, 0, 10**9)
    console = Console(highlight=False, soft_wrap=True)
    frames: list[Any] = []
    worst = 0
    for path in chosen.files:
        try:
            replay = Replay.read(path)
            replay.check()
        except NotAReplay as error:
            print(f"shover replay: {error}", file=sys.stderr)
            worst = 2
        except ReplayError as error:
            console.print(f"refused  {error}", style="red", markup=False)
            worst = max(worst, 1)
        else:
            if not chosen.quiet:
                console.print(f"ok       {path}: {_told(replay)}", markup=False)
            _play(replay, chosen, console, frames)
    if frames:
        from shoverworld.terminal.film import save_gif

        save_gif(frames, chosen.gif)
        if not chosen.quiet:
            console.print(f"Saved {len(frames)} frames to {chosen.gif}", markup=False)
    return worst


def _told(replay: Any) -> str:
    """How a game went, in one line."""
    outcome = replay.end.outcome or "not over"
    figures = [f"{name} {value:.10g}" for name, value in replay.end.figures.items()]
    return ", ".join([outcome, *figures, *([f"played by {replay.player}"] if replay.player else [])])


def _play(replay: Any, chosen: argparse.Namespace, console: Any, frames: list[Any]) -> None:
    """Show a replay that was checked, as the options ask for, and add its frames."""
    from shoverworld.core.errors import ConfigError
    from shoverworld.terminal.film import HOLD, frame
    from shoverworld.terminal.show import show

    told = ((moment.step, (moment.state, _said(moment))) for moment in replay.play())
    if chosen.step is not None:
        if chosen.step > replay.steps:
            raise ConfigError(f"--step {chosen.step}: {replay.source} has {replay.steps} steps")
        show([scene for step, scene in told if step == chosen.step][-1:], console, 0, _title(replay))
    elif console.is_terminal and not chosen.check and not chosen.quiet:
        show((scene for _, scene in told), console, chosen.speed, _title(replay))
    if chosen.gif:
        every = 1 + len(replay.moves) // MOST_FRAMES
        moments = enumerate(replay.play())
        frames += [frame(m.state) for i, m in moments if i % every == 0 or i == len(replay.moves)]
        frames += [frames[-1]] * HOLD


def _title(replay: Any) -> str:
    return Path(replay.source).stem


def _said(moment: Any) -> str:
    return "placed" if moment.move is not None and moment.move.place else moment.env.remark()
