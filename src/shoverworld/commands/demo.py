"""`shover demo`: watch the planner at work."""

import argparse

from shoverworld.terminal import demo
from shoverworld.terminal.console import SafeConsole

from .parser import OUT_OF_DEMO


def run(chosen: argparse.Namespace) -> None:
    if chosen.out == OUT_OF_DEMO:
        chosen.out.parent.mkdir(exist_ok=True)
    demo.run(chosen.maps, chosen.out, chosen.speed, chosen.think, SafeConsole())
