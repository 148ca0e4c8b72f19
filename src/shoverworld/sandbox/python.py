"""The files of this Python installation, which a program in a sandbox can read."""

import os
import site
import sys
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


@cache
def python_folders() -> tuple[str, ...]:
    """Return the folders of the interpreter, of the virtual environment, of installed packages and of this package."""
    folders = [sys.base_prefix, sys.prefix, *site.getsitepackages(), str(PACKAGE)]
    if site.ENABLE_USER_SITE and (user := site.getusersitepackages()):
        folders.append(user)
    for packages in site.getsitepackages():  # packages that were installed with `pip install --editable`
        for file in Path(packages).glob("*.pth"):
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            folders += [line for line in lines if os.path.isabs(line) and os.path.isdir(line)]
    own = os.path.dirname(os.path.realpath(sys.executable))
    return tuple(dict.fromkeys(folder for folder in [*folders, own] if os.path.isdir(folder)))


def python_path() -> list[str]:
    """Return the entries of `sys.path` that a program in a sandbox can use.

    The folder of the running script and the entries of PYTHONPATH are left out: they may contain anything.
    """
    folders = [Path(folder) for folder in python_folders()]
    usable = [path for path in sys.path if path and any(Path(path).is_relative_to(folder) for folder in folders)]
    return [*usable, *([] if str(PACKAGE.parent) in usable else [str(PACKAGE.parent)])]
