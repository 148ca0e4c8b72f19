"""Play in a window.

python gui.py map3.txt --rules walker
"""

from shoverworld.course.scripts import gui

if __name__ == "__main__":
    gui()
