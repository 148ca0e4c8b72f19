"""The course's scripts, each of which runs one command. They follow the rules in the header of a map."""

import sys
from typing import Any, NoReturn

from shoverworld.cli import main

# On maps without rules, the agent from the Phase 2 report uses the rules from that report.
PHASE_2 = {"agent": "phase2-astar", "default_rules": "phase2"}
GUI = "A map that specifies no rules is played with the milestone1 preset. For Phase 2, add --rules phase2."


def gui() -> NoReturn:
    """Play in a window, as `shover play` does."""
    sys.exit(main(["play", *sys.argv[1:]], "gui.py", about=GUI))


def run_player_ai() -> NoReturn:
    """Run an agent without a window and print its steps, as `shover solve --log` does."""
    _run("solve", "run_player_ai.py", log=True)


def watch_ai_steps() -> NoReturn:
    """Watch an agent play in the terminal, as `shover watch --terminal` does."""
    _run("watch", "watch_ai_steps.py", terminal=True)


def _run(command: str, script: str, **switches: Any) -> NoReturn:
    sys.exit(main([command, *(sys.argv[1:] or ["--help"])], script, {**PHASE_2, **switches}))
