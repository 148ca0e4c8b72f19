"""Play in a window. The course uses this file name for `shover play`.

python gui.py map3.txt --rules walker

A map that does not name its rules is played with the preset milestone1. For Phase 2, add --rules phase2.
"""

import sys

from shoverworld.cli import main

ABOUT = (__doc__ or "").strip().splitlines()[-1]

if __name__ == "__main__":
    sys.exit(main(["play", *sys.argv[1:]], "gui.py", about=ABOUT))
