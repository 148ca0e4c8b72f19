"""Run an agent on maps and print its steps.

python run_player_ai.py map3.txt --agent phase2-astar
"""

from shoverworld.course.scripts import run_player_ai

if __name__ == "__main__":
    run_player_ai()
