"""Run an agent on maps without a window and print its steps. The course uses this file name for `shover solve --log`.

python run_player_ai.py map3.txt --agent phase2-astar
"""

import sys

from shoverworld.cli import main

DEFAULTS = {"agent": "phase2-astar", "rules": "phase2", "log": True}

if __name__ == "__main__":
    sys.exit(main(["solve", *(sys.argv[1:] or ["--help"])], "run_player_ai.py", DEFAULTS))
