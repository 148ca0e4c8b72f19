"""Run an agent on maps without a window and print the steps it takes: the course's name for `shover solve --log`.

python run_player_ai.py map3.txt --agent phase2-astar
"""

import sys

from shoverworld.cli import main

if __name__ == "__main__":
    given = sys.argv[1:] or ["--help"]
    agent = [] if "--agent" in given else ["--agent", "phase2-astar"]
    rules = [] if "--rules" in given else ["--rules", "phase2"]
    sys.exit(main(["solve", *given, "--log", *agent, *rules]))
