"""Tests of the kernel cache: damaged files, folders that are not writable, several processes, and old folders."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import shoverworld
from shoverworld.core.jit import compiles
from shoverworld.core.kernel_cache import DAY, MOST_FOLDERS, note_use, prune

SOURCES = str(Path(shoverworld.__file__).parent.parent)
pytestmark = pytest.mark.skipif(not compiles(), reason="nothing is compiled")

# A module with a small kernel. `fresh()` returns the kernel as a new process would see it.
TINY = """
from shoverworld.core.jit import kernel

def double(x):
    return x + x

def fresh():
    return kernel(double)
"""


def python(tmp_path, code, **variables):
    """Run code in a new process, in which `tiny` can be imported, and return its output and its errors."""
    (tmp_path / "tiny.py").write_text(TINY, encoding="utf-8")
    places = [str(tmp_path), SOURCES]
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
    run = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {places!r}\n{code}"],
        env={**environment, "SHOVERWORLD_CACHE": str(tmp_path / "cache"), **variables},
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout, run.stderr


DAMAGE = """
import json
from pathlib import Path
import tiny

def run():
    kernel = tiny.fresh()
    return [kernel(3), kernel(0.5), sum(kernel.stats.cache_hits.values())]

def flipped(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]

DAMAGES = {
    "empty": lambda data: b"",
    "half": lambda data: data[: len(data) // 2],
    "one byte short": lambda data: data[:-1],
    "garbage": lambda data: b"garbage" * 100,
    "zeros": lambda data: bytes(len(data)),
    "one bit": flipped,
    "a pickle": lambda data: b"\\x80\\x04K\\x01.",
    "longer": lambda data: data + b"more",
}
first, again = run(), run()
files = sorted(Path("cache").glob("*/*"))
results = {}
for file in files:
    for name, damage in DAMAGES.items():
        good = file.read_bytes()
        file.write_bytes(damage(good))
        results[f"{file.suffix} {name}"] = run() + run()
print(json.dumps([first, again, [file.suffix for file in files], results]))
"""


def test_a_kernel_is_recompiled_if_its_cache_file_is_damaged(tmp_path):
    output, errors = python(tmp_path, DAMAGE)
    first, again, suffixes, results = json.loads(output)
    assert first == [6, 1.0, 0]
    assert again == [6, 1.0, 2]
    assert sorted(suffixes) == [".nbc", ".nbc", ".nbi"]
    assert len(results) == 16
    for damage, (whole, real, hits, whole_again, real_again, hits_again) in results.items():
        assert (whole, real, whole_again, real_again) == (6, 1.0, 6, 1.0), damage
        assert hits < 2, f"{damage}: the damaged file was used"
        assert hits_again == 2, f"{damage}: the file was not replaced"
    assert errors == ""


SWAP = """
from pathlib import Path
import tiny
kernel = tiny.fresh()
kernel(3), kernel(0.5)
one, other = sorted(Path("cache").glob("*/*.nbc"))
one.rename("kept"), other.rename(one), Path("kept").rename(other)
kernel = tiny.fresh()
print(kernel(3), kernel(0.5), sum(kernel.stats.cache_hits.values()))
"""


def test_a_cache_file_for_different_types_is_not_used(tmp_path):
    """Two processes may give the same name to the code for different types."""
    assert python(tmp_path, SWAP)[0].split() == ["6", "1.0", "0"]


def test_a_kernel_is_compiled_again_if_a_type_in_its_file_cannot_be_imported(tmp_path):
    """All versions of a kernel are in one file, and another program may have used types of its own."""
    (tmp_path / "pairs.py").write_text(
        "from typing import NamedTuple\nclass Pair(NamedTuple):\n    a: int\n    b: int\n"
    )
    (tmp_path / "sizes.py").write_text(
        "from shoverworld.core.jit import kernel\n@kernel\ndef size(x):\n    return len(x)\n"
    )
    assert python(tmp_path, "import pairs, sizes; print(sizes.size(pairs.Pair(1, 2)))")[0] == "2\n"
    (tmp_path / "pairs.py").unlink()
    code = "from sizes import size; print(size((1, 2, 3)), sum(size.stats.cache_hits.values()))"
    assert [python(tmp_path, code)[0].split() for _ in range(2)] == [["3", "0"], ["3", "1"]]


COMPILE_TWO = "import tiny; print(tiny.fresh()(3), tiny.fresh()(0.5))"


def test_a_cache_folder_that_is_not_writable_is_reported_once(tmp_path):
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    output, errors = python(tmp_path, COMPILE_TWO, SHOVERWORLD_CACHE=str(tmp_path / "file"))
    assert output.split() == ["6", "1.0"]
    assert errors.count("cannot be stored") == errors.count("\n") == 1
    assert f"cannot write to {tmp_path / 'file'}" in errors
    assert "SHOVERWORLD_CACHE" in errors


# Writing more than ten bytes to a file fails, as on a full disk.
FULL_DISK = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
"""
needs_limits = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")


@needs_limits
def test_a_full_disk_is_reported_once_and_leaves_no_files(tmp_path):
    output, errors = python(tmp_path, FULL_DISK + COMPILE_TWO)
    assert output.split() == ["6", "1.0"]
    assert errors.count("cannot be stored") == errors.count("\n") == 1
    assert list(tmp_path.glob("cache/*/*")) == []


@needs_limits
def test_a_read_only_cache_is_used_without_a_warning(tmp_path):
    python(tmp_path, COMPILE_TWO)
    code = "import tiny; kernel = tiny.fresh(); print(kernel(3), sum(kernel.stats.cache_hits.values()))"
    output, errors = python(tmp_path, FULL_DISK + code)
    assert output.split() == ["6", "1"]
    assert errors == ""


# Simulate a container with an unknown user: the password database has no entry.
NO_HOME = """
import pwd
def missing(user):
    raise KeyError(user)
pwd.getpwuid = missing
import os
os.environ.pop("SHOVERWORLD_CACHE")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no password database")
def test_a_missing_home_folder_is_reported_once_and_kernels_are_still_compiled(tmp_path):
    output, errors = python(tmp_path, NO_HOME + COMPILE_TWO)
    assert output.split() == ["6", "1.0"]
    assert errors.count("there is no home folder") == errors.count("\n") == 1
    assert list(tmp_path.glob("*.nb*")) == []


WARMUP = """
import tiny
from shoverworld import cli
from shoverworld.commands import warmup
warmup._parts = lambda game: [lambda: tiny.fresh()(3)]  # a small kernel in place of all kernels
print("code", cli.main(["warmup", "--game", "race"]))
"""


def test_warmup_reports_where_the_kernels_are_stored(tmp_path):
    output, errors = python(tmp_path, WARMUP)
    assert f"stored in {tmp_path / 'cache'}\n" in output
    assert "code 0" in output
    assert errors == ""
    assert len(list(tmp_path.glob("cache/*/*.nbc"))) == 1


def test_warmup_fails_if_the_kernels_cannot_be_stored(tmp_path):
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    output, errors = python(tmp_path, WARMUP, SHOVERWORLD_CACHE=str(tmp_path / "file"))
    assert "code 1" in output
    assert "stored in" not in output
    assert "but not stored: cannot write to" in errors


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no password database")
def test_warmup_without_a_home_folder_reports_the_problem(tmp_path):
    output, errors = python(tmp_path, NO_HOME + WARMUP)
    assert "code 1" in output
    assert "but not stored: there is no home folder" in errors


def test_warmup_does_nothing_if_compilation_is_turned_off(tmp_path):
    output, _ = python(tmp_path, WARMUP, NUMBA_DISABLE_JIT="1")
    assert "nothing to compile: NUMBA_DISABLE_JIT is set" in output
    assert "code 0" in output


# --- old folders


def folder(home, number, days, names=("a.nbi", "a.1.nbc", "a.1.nbc.tmp.0f3c")):
    """Create a cache folder that was used this many days ago."""
    path = home / f"{number:016x}"
    path.mkdir(parents=True)
    for name in names:
        (path / name).write_bytes(b"")
    used = time.time() - days * DAY
    os.utime(path, (used, used))
    return path


def test_folders_that_have_not_been_used_for_30_days_are_removed(tmp_path):
    old, recent = folder(tmp_path, 1, days=31), folder(tmp_path, 2, days=29)
    prune(tmp_path)
    assert not old.exists()
    assert recent.exists()
    assert list(tmp_path.iterdir()) == [recent]


def test_only_the_most_recently_used_folders_are_kept(tmp_path):
    folders = [folder(tmp_path, number, days=number / 10) for number in range(MOST_FOLDERS + 5)]
    prune(tmp_path)
    assert [path.exists() for path in folders] == [True] * MOST_FOLDERS + [False] * 5


def test_other_files_and_folders_are_not_removed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    others = [
        folder(tmp_path, 1, days=99, names=("a.nbi", "thesis.tex")),
        folder(tmp_path / "deeper", 2, days=99),
        tmp_path / "0123456789abcdeg",
        tmp_path / "settings.json",
        tmp_path / f"{3:016x}",
    ]
    others[2].mkdir()
    others[3].write_text("{}", encoding="utf-8")
    others[4].symlink_to(tmp_path / "elsewhere")
    prune(tmp_path)
    assert all(path.exists() for path in others)


def test_folders_left_behind_by_a_stopped_process_are_removed(tmp_path):
    left = folder(tmp_path, 1, days=0)
    left.rename(tmp_path / ".removed-0f3c")
    prune(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_several_processes_can_remove_folders_at_the_same_time(tmp_path):
    for number in range(300):
        folder(tmp_path, number, days=31 if number else 0)
    with ProcessPoolExecutor(3, get_context("spawn")) as pool:
        list(pool.map(prune, [tmp_path] * 8))
    prune(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{0:016x}"]


def test_a_folder_in_use_is_not_removed(tmp_path):
    used, unused = folder(tmp_path, 1, days=31), folder(tmp_path, 2, days=31)
    note_use(used)
    prune(tmp_path)
    assert used.exists()
    assert not unused.exists()


def test_a_new_version_removes_the_folders_of_old_versions(tmp_path):
    old = folder(tmp_path / "cache", 1, days=31)
    python(tmp_path, COMPILE_TWO)
    assert not old.exists()
    assert len(list((tmp_path / "cache").iterdir())) == 1
