"""Copy the player into a folder for a static host: `python -m shoverworld.web.export FOLDER`.

The service worker in the folder gets a version and the list of all files, so that the page works offline and so that a
browser loads all files of a new version together. This file imports nothing else of the package, so that it also runs as a
script where the package is not installed.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

PLAYER, STATIC = Path(__file__).parent / "player", Path(__file__).parent / "static"
WORKER = "sw.js"
_NOT_NEEDED = ("build.json",)


def player_files() -> dict[str, bytes]:
    """Return the files of the player by path, as a static host serves them."""
    files = {file.name: file.read_bytes() for file in PLAYER.iterdir() if file.is_file()}
    files |= {
        f"static/{file.name}": file.read_bytes()
        for file in STATIC.iterdir()
        if file.is_file() and file.name not in _NOT_NEEDED
    }
    files[WORKER] = _with_version(files.pop(WORKER).decode("utf-8"), files)
    return dict(sorted(files.items()))


def export(folder: Path) -> None:
    """Write the player to a folder and print its size."""
    files = player_files()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    print(f"{folder}: {len(files)} files, {sum(map(len, files.values())):,} bytes")


def _with_version(worker: str, files: dict[str, bytes]) -> bytes:
    """Return the service worker with a version, which is a hash of all files, and with their names."""
    digest = hashlib.blake2b(digest_size=8)
    for name, content in sorted(files.items()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    names = ["./", *sorted(name for name in files if name != "index.html")]
    worker, versions = re.subn(r'const VERSION = "";', f'const VERSION = "{digest.hexdigest()}";', worker)
    worker, lists = re.subn(r'const FILES = \["./"\];.*', f"const FILES = {json.dumps(names)};", worker)
    if versions != 1 or lists != 1:
        raise ValueError(f"{WORKER} must contain one line each that defines VERSION and FILES")
    return worker.encode("utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m shoverworld.web.export FOLDER")
    export(Path(sys.argv[1]))
