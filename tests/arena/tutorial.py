"""Run the tutorial of docs/grading.md as a newcomer would, in an empty home folder, and print how long it takes.

python -m tests.arena.tutorial             with this installation; nothing is compiled yet
python -m tests.arena.tutorial --install   with a new virtual environment, in which the package is installed first
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.paths import ROOT


def commands() -> str:
    """Return the commands of the tutorial as a shell script."""
    page = (ROOT / "docs/grading.md").read_text(encoding="utf-8")
    tutorial = page.partition("## Grade five agents")[2].partition("\n## ")[0]
    return "\n".join(re.findall(r"```\n(.*?)```", tutorial, re.DOTALL))


def follow(script: str, folder: Path, programs: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run the script in a folder. `programs`: the folder of the command `shover`."""
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, **variables}
    return subprocess.run(["bash", "-e", "-c", script], cwd=folder, capture_output=True, text=True, env=environment)


def timed(what: str, script: str, folder: Path, programs: Path, home: Path) -> None:
    wall, cpu = time.monotonic(), processor_time()
    run = follow(script, folder, programs, HOME=str(home), XDG_CACHE_HOME=str(home / ".cache"))
    print(run.stdout, run.stderr, sep="")
    print(f"{what}: {time.monotonic() - wall:.0f} s, {processor_time() - cpu:.0f} s of processor time", flush=True)
    run.check_returncode()


def processor_time() -> float:
    """Return the processor time of the programs that have ended, except for that of agents in a sandbox."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="install the package first, as docs/grading.md says")
    chosen = parser.parse_args()
    for variable in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "SHOVERWORLD_CACHE"):
        os.environ.pop(variable, None)
    with tempfile.TemporaryDirectory() as name:
        home, programs = Path(name), Path(sys.executable).parent
        (home / "course").mkdir()
        if chosen.install:
            programs = home / "venv" / "bin"
            script = f"{sys.executable} -m venv '{home}/venv'; pip install --quiet '.[arena]'"
            timed("installation", script, ROOT, programs, home)
        timed("tutorial", commands(), home / "course", programs, home)


if __name__ == "__main__":
    main()
