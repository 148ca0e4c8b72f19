"""Watch an agent play a map step by step in the terminal. The course uses this file name for `shover watch --terminal`.

python watch_ai_steps.py map3.txt --agent phase2-rbfs --speed 0.5
"""

import sys

from shoverworld.cli import main

DEFAULTS = {"agent": "phase2-astar", "rules": "phase2", "terminal": True}

if __name__ == "__main__":
    sys.exit(main(["watch", *(sys.argv[1:] or ["--help"])], "watch_ai_steps.py", DEFAULTS))
