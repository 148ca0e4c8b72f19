"""Watch an agent play a map, step by step, in the terminal: the course's name for `shover watch --terminal`.

python watch_ai_steps.py map3.txt --agent phase2-rbfs --speed 0.5
"""

import sys

from shoverworld.cli import main

if __name__ == "__main__":
    given = sys.argv[1:] or ["--help"]
    agent = [] if "--agent" in given else ["--agent", "phase2-astar"]
    rules = [] if "--rules" in given else ["--rules", "phase2"]
    sys.exit(main(["watch", "--terminal", *given, *agent, *rules]))
