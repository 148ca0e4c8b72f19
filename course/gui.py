"""Play in a window: the course's name for `shover play`.

python gui.py map3.txt --rules walker
"""

import sys

from shoverworld.cli import main

if __name__ == "__main__":
    sys.exit(main(["play", *sys.argv[1:]]))
