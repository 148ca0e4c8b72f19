"""`shover course`: write the files that the course asks for into a folder."""

import argparse
from importlib import resources

from shoverworld.core.files import write_safely

from .shared import keep_existing, make_folder

FILES = resources.files("shoverworld") / "course"


def run(chosen: argparse.Namespace) -> None:
    make_folder(chosen.folder, "DIR")
    contents = {entry.name: entry.read_bytes() for entry in FILES.iterdir() if entry.name.endswith(".py")}
    files = {chosen.folder / name: content for name, content in sorted(contents.items())}
    others = (path for path, content in files.items() if not (path.is_file() and path.read_bytes() == content))
    keep_existing(others, chosen.force)
    for path, content in files.items():
        write_safely(path, content)
    print(f"{', '.join(sorted(contents))} in {chosen.folder}")
