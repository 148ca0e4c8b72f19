"""Watch an agent play in the terminal.

python watch_ai_steps.py map3.txt --agent phase2-rbfs --speed 0.5
"""

from shoverworld.course.scripts import watch_ai_steps

if __name__ == "__main__":
    watch_ai_steps()
