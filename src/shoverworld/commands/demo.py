"""`shover demo`: watch the planner at work."""

import argparse
from pathlib import Path
from typing import Any

OUT = Path("out/demo.gif")


def add(commands: Any) -> None:
    demo = commands.add_parser("demo", help="watch the planner at work on bundled maps; saves an animated GIF")
    demo.add_argument("maps", nargs="*", help="bundled maps or map files (default: a selection)")
    demo.add_argument("--out", type=Path, default=OUT, help="where the GIF goes (default: %(default)s)")
    demo.add_argument("--speed", type=float, default=0.12, help="seconds a step (default: %(default)s)")
    demo.add_argument("--think", type=float, default=2.0, help="seconds of planning a map (default: %(default)s)")
    demo.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    from rich.console import Console

    from shoverworld.terminal import demo

    if chosen.out == OUT:
        OUT.parent.mkdir(exist_ok=True)
    demo.run(chosen.maps, chosen.out, chosen.speed, chosen.think, Console())
