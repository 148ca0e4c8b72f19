"""Where Boxoban's levels are looked for. They are Google DeepMind's, and not ours to ship."""

import os
from pathlib import Path

from shoverworld.core.checks import word
from shoverworld.core.errors import LevelNotFound

VARIABLE = "SHOVERWORLD_DATA"
PARTS = ("unfiltered/train", "unfiltered/valid", "unfiltered/test", "medium/train", "medium/valid", "hard")
# The folder that SHOVERWORLD_DATA names may be Boxoban's own, or have it in it under one of these names.
PLACES = ("", "boxoban", "boxoban-levels", "boxoban-levels-master", "sokoban/boxoban", "sokoban/boxoban-levels")
URL = "https://github.com/google-deepmind/boxoban-levels"


def boxoban_folder(part: str) -> Path:
    """The folder of a part of Boxoban's levels, e.g. "unfiltered/train"."""
    word("levels, after 'boxoban:'", part, PARTS)
    data = os.environ.get(VARIABLE)
    if data:
        for place in PLACES:
            folder = Path(data).expanduser() / place / part
            if folder.is_dir():
                return folder
    looked = (
        f"{VARIABLE} is {data!r}, and there is no folder {part} in it, nor in boxoban-levels or sokoban/boxoban below it"
        if data
        else f"the environment variable {VARIABLE} is not set"
    )
    raise LevelNotFound.at(
        f"these levels are not part of this package, and {looked}. Fetch them with `git clone {URL}` and set {VARIABLE} "
        "to the folder that boxoban-levels was cloned into; or give levels=PATH of a file or a folder",
        f"Boxoban, {part}",
    )
