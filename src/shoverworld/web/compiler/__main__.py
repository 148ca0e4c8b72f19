"""`python -m shoverworld.web.compiler [FOLDER]`: build the modules and descriptions of all games. See build.py."""

import sys
from pathlib import Path

from .build import build
from .linker import LinkerMissing

if __name__ == "__main__":
    try:
        build(*map(Path, sys.argv[1:2]))
    except LinkerMissing as reason:
        sys.exit(f"error: {reason}")
