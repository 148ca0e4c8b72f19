"""`shover course`: write the files that the course asks for into a folder."""

import argparse
from importlib import resources

from shoverworld.core.errors import SaveError
from shoverworld.core.files import write_safely

from .shared import make_folder

FILES = resources.files("shoverworld") / "course"


def run(chosen: argparse.Namespace) -> None:
    make_folder(chosen.folder, "DIR")
    contents = {entry.name: entry.read_bytes() for entry in FILES.iterdir() if entry.name.endswith(".py")}
    others = [
        name
        for name, content in sorted(contents.items())
        if (path := chosen.folder / name).exists() and not (path.is_file() and path.read_bytes() == content)
    ]
    if others and not chosen.force:
        raise SaveError(
            f"{chosen.folder} already has other files with these names: {', '.join(others)}; choose another folder, or "
            "replace them with --force"
        )
    for name, content in sorted(contents.items()):
        write_safely(chosen.folder / name, content)
    print(f"{', '.join(sorted(contents))} in {chosen.folder}")
