"""Every benchmark file is a valid map that names its rules and its difficulty level, and all boards differ."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmarks import best
from shoverworld import Map, bundled_names
from shoverworld.games.shover.boards import score_of
from shoverworld.games.shover.game import GAME
from tests.paths import ROOT
from tests.walkthroughs import WALKTHROUGHS

FOLDER = ROOT / "benchmarks" / "maps"
PRESETS = ("milestone1", "phase2", "walker")
LEVELS = ("easy", "medium", "hard", "very hard", "unsolvable")
FILES = sorted(FOLDER.glob("*/*.txt"))
EMPTY, BARRIER = 0, 100


def name_of(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def values_of(file: Path, key: str) -> list[str]:
    return re.findall(rf"^// {key}: (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)


def of_preset(preset: str) -> list[Path]:
    return [file for file in FILES if file.parent.name == preset]


def boxes_of(board: Map) -> int:
    return int(((board.grid > EMPTY) & (board.grid < BARRIER)).sum())


def turned(grid: np.ndarray) -> list[bytes]:
    """Return the eight symmetric images of a board: four rotations, each also mirrored."""
    turns = [np.rot90(side, k) for side in (grid, np.fliplr(grid)) for k in range(4)]
    return [bytes(turn.shape) + turn.tobytes() for turn in turns]


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_the_header_contains_the_title_and_the_rules_and_the_difficulty_level(file):
    title = file.read_text(encoding="utf-8").splitlines()[0]
    assert re.fullmatch(r"// \S.{4,90}", title)
    assert re.fullmatch(r"\d\d-[a-z0-9-]+", file.stem)
    assert values_of(file, "rules") == [file.parent.name]
    (level,) = values_of(file, "level")
    assert level in LEVELS


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_the_board_has_boxes_and_round_trips_in_both_formats(file):
    board = Map.read(file)
    assert boxes_of(board) > 0
    for format in "AB":
        assert Map.parse(board.to_text(format)) == board
    rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("//")]
    assert {symbol for row in rows for symbol in row} <= set(".B#LA")
    if file.parent.name == "walker":
        assert board.agent is not None  # under the walker rules, the start cell is part of the problem


@pytest.mark.parametrize("preset", PRESETS)
def test_the_file_names_are_numbered_from_one(preset):
    assert [int(file.stem[:2]) for file in of_preset(preset)] == list(range(1, len(of_preset(preset)) + 1))


def test_each_difficulty_level_occurs_often_enough_to_compare_planners():
    for preset in PRESETS:
        levels = Counter(values_of(file, "level")[0] for file in of_preset(preset))
        assert min(levels[level] for level in LEVELS[:4]) >= 3, (preset, levels)
        assert levels["unsolvable"] == 0 if preset == "phase2" else levels["unsolvable"] >= 3


@pytest.mark.parametrize("preset", PRESETS)
def test_the_maps_in_a_family_become_progressively_harder(preset):
    families: dict[str, list[int]] = {}
    for file in of_preset(preset):
        families.setdefault(file.stem.split("-")[1], []).append(LEVELS.index(values_of(file, "level")[0]))
    assert all(levels == sorted(levels) for levels in families.values()), families


def test_the_map_sizes_and_counts_match_the_documentation():
    shapes = {preset: Counter(Map.read(file).grid.shape for file in of_preset(preset)) for preset in PRESETS}
    assert shapes["phase2"][9, 13] >= 44
    assert {(13, 13), (16, 20)} <= set(shapes["phase2"])
    assert shapes["milestone1"][6, 9] >= 20
    assert sum(shapes["milestone1"].values()) >= 24
    assert sum(shapes["walker"].values()) >= 24
    assert all(6 <= rows <= 10 and 8 <= cols <= 10 for rows, cols in shapes["walker"])
    counts = [boxes_of(Map.read(file)) for file in of_preset("phase2")]
    assert min(counts) <= 4
    assert max(counts) >= 60


def test_no_two_maps_are_equal_up_to_rotation_and_reflection():
    seen: dict[bytes, str] = {}
    for file in FILES:
        boards = turned(Map.read(file).grid)
        twins = {seen[board] for board in boards if board in seen}
        assert not twins, f"{name_of(file)} is the same board as {twins}"
        seen |= dict.fromkeys(boards, name_of(file))


# ---------------------------------------------------------------- the best known plans


def test_the_best_known_plans_achieve_the_recorded_results():
    known = best.load()
    assert sorted(known) == sorted(best.name_of(file) for file in best.maps())
    assert set(best.maps()) > set(FILES)
    for file in best.maps():
        name = best.name_of(file)
        for objective in best.OBJECTIVES:
            entry = known[name][objective]
            if entry["status"] == "solved":
                info = best.replayed(file, entry)
                assert info["outcome"] == "cleared", name
                assert (info["timestep"], info["stamina"]) == (entry["steps"], entry["stamina"]), name
                assert entry["lower_bound"] <= entry["steps"]
            else:
                assert entry["actions"] == ""
            unsolvable = values_of(file, "level") == ["unsolvable"]
            assert (entry["status"] == "unsolvable") == unsolvable == (unsolvable and entry["proved"]), name


@pytest.mark.parametrize("name", bundled_names())
def test_no_walkthrough_of_a_bundled_map_is_shorter_than_the_best_known_plan(name):
    known = best.load()[f"bundled/{name}"]["steps"]
    assert known["status"] == "solved"
    assert known["steps"] <= len(WALKTHROUGHS[name])


def test_the_package_contains_the_best_score_for_every_solvable_map():
    known = best.load()
    assert best.PACKAGED.read_text(encoding="utf-8") == best.packaged(known)
    for file in best.maps():
        entry = known[best.name_of(file)]["steps"]
        board = GAME.levels.read(str(file))
        packaged = GAME.levels.best_known(GAME.levels.identity(board, board.preset))
        expected = score_of(entry["steps"], entry["stamina"], entry["proved"]) if entry["status"] == "solved" else None
        assert packaged == expected, file


def test_the_stored_table_equals_the_table_generated_from_the_best_known_plans():
    assert best.TABLE.read_text(encoding="utf-8") == best.table(best.load())


def test_a_plan_is_replaced_only_by_a_better_plan():
    plan = {"status": "solved", "steps": 9, "stamina": 500.0, "proved": False, "lower_bound": 4, "stamina_bound": 900.0}
    shorter = {**plan, "steps": 8, "stamina": 100.0, "lower_bound": 3, "stamina_bound": 800.0}
    nothing = {**plan, "status": "unknown", "steps": 0, "lower_bound": 6}
    assert best.better(shorter, plan, "steps")["steps"] == 8
    assert best.better(shorter, plan, "stamina")["steps"] == 9
    kept = best.better(nothing, plan, "steps")
    assert (kept["steps"], kept["lower_bound"]) == (9, 6)
    assert best.better(shorter, plan, "stamina")["stamina_bound"] == 800.0
