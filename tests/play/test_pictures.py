"""The screenshots in the docs are up to date."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image

from tests.paths import ROOT

PICTURES = ROOT / "docs" / "pictures"
SCREENS = (
    "menu", "table-walker", "table-milestone1", "table-phase2", "help", "ending", "viewer", "editor", "terminal",
    "sokoban-levels", "sokoban-table", "sokoban-viewer",
    "race-players", "race-table", "race-ending", "race-viewer",
)  # fmt: skip
WEB_SCREENS = (
    "web-shover", "web-sokoban", "web-race", "web-phone-shover", "web-phone-sokoban", "web-phone-race",
    "web-levels", "web-ending", "web-replay",
)  # fmt: skip
MOST = 0.02  # share of pixels that may differ, because systems render fonts differently
ALIKE = 24  # differences up to this value (of 255 per channel) are ignored
LARGEST = 150_000  # bytes


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def problem_with(old_path: Path, new_path: Path) -> str | None:
    """Compare a picture in the docs with a new picture. Return the problem, or None if the pictures agree."""
    if not old_path.exists():
        return "the file is missing"
    if old_path.stat().st_size > LARGEST:
        return f"it has {old_path.stat().st_size} bytes, more than {LARGEST}"
    old, new = pixels(old_path), pixels(new_path)
    if old.shape != new.shape:
        return f"it has the shape {old.shape}, not {new.shape}"
    different = (abs(old - new) > ALIKE).any(axis=2).mean()
    return f"{different:.1%} of its pixels differ from the current screen" if different > MOST else None


def run_script(name: str, folder: Path) -> None:
    command = [sys.executable, ROOT / "docs" / name, "--out", folder]
    run = subprocess.run(command, capture_output=True, text=True, timeout=280)
    assert run.returncode == 0, run.stderr


def test_the_pictures_in_the_docs_are_up_to_date(tmp_path: Path):
    run_script("screens.py", tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(SCREENS)
    faults = {
        name: wrong for name in SCREENS if (wrong := problem_with(PICTURES / f"{name}.png", tmp_path / f"{name}.png"))
    }
    assert not faults, f"{faults}: run `make pictures`, check the result, and commit it"


def test_the_picture_of_the_solver_is_up_to_date(tmp_path: Path):
    run_script("solver_pictures.py", tmp_path)
    wrong = problem_with(PICTURES / "sokoban-solver.png", tmp_path / "sokoban-solver.png")
    assert not wrong, f"{wrong}: run `make pictures`, check the result, and commit it"


def test_the_pictures_of_the_web_player_are_small_and_used():
    """They are not compared with the page: the fonts of the browser change the whole layout."""
    page = (ROOT / "docs" / "web-player.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^]]+\]\(pictures/(web-[a-z-]+)\.png\)", page)
    assert sorted(shown) == sorted(WEB_SCREENS) == sorted(path.stem for path in PICTURES.glob("web-*.png"))
    for name in WEB_SCREENS:
        assert (PICTURES / f"{name}.png").stat().st_size <= LARGEST, name


def test_a_picture_that_differs_is_reported(tmp_path: Path):
    other = pixels(PICTURES / "menu.png")
    other[:20] = 255 - other[:20]
    path = tmp_path / "menu.png"
    Image.fromarray(other.astype(np.uint8)).save(path)
    assert "differ" in (problem_with(PICTURES / "menu.png", path) or "")
    assert problem_with(PICTURES / "menu.png", PICTURES / "menu.png") is None
    assert problem_with(tmp_path / "nothing.png", path) == "the file is missing"
