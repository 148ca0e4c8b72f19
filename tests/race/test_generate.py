"""Random tracks are reproducible and drivable, and a loop must be driven all the way around."""

import hashlib
import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from itertools import pairwise

import numpy as np
import pytest

from shoverworld.cli import main
from shoverworld.core.errors import ConfigError
from shoverworld.games.race.polyline import UNIT, arc_lengths, rasterize, smooth, trim_ends
from shoverworld.games.race.zombie import steps_from
from shoverworld.race import FINISH, FREE, OFF, START, RaceEnv, Track, bundled, random_track

KINDS = [
    {"closed": closed, "rows": rows, "cols": cols, "width": width, "twist": twist}
    for closed in (False, True)
    for rows, cols in ((30, 40), (45, 21), (24, 90))
    for width in (1, 2, 3, 5)
    for twist in (0, 0.3, 0.6, 1)
]
GOLDEN = "4fc39214f5566b1c"
MANY = [(seed, kind) for kind in KINDS for seed in range(3)]


def paths_around_cuts(track, cuts):
    """Cut the track at several distances from the finish in turn; return how many cuts leave the finish reachable."""
    far = steps_from(track.cells, track.cells == FINISH, diagonal=True)
    nearest = int(far[track.cells == START].min())
    found = 0
    for cut in np.linspace(2, nearest - 2, cuts).astype(int):
        band = far == cut
        here = np.zeros_like(band)
        here[tuple(np.argwhere(band)[0])] = True
        piece = steps_from(np.where(band, FREE, OFF).astype(np.int8), here, diagonal=True) >= 0
        # The cells at one distance are connected except for single cells inside bends, so the largest piece is cut.
        if piece.sum() * 2 < band.sum():
            piece = band & ~piece
        cells = np.where(piece, OFF, track.cells).astype(np.int8)
        found += bool((steps_from(cells, cells == FINISH, diagonal=True)[track.cells == START] >= 0).any())
    return found


# --- The finish is reachable


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(f"{value}" for value in kind.values()))
def test_the_finish_can_be_reached_from_every_start_cell(kind):
    for seed in range(4):
        track = random_track(seed, **kind)
        assert track.cells.shape == (kind["rows"], kind["cols"])
        assert len(track.starts) >= 3
        assert (track.distance[track.cells == START] > 0).all()
        assert (track.distance[track.cells != OFF] >= 0).all()
        edge = np.concatenate([track.cells[[0, -1]].reshape(-1), track.cells[:, [0, -1]].reshape(-1)])
        assert (edge == OFF).all()


@pytest.mark.parametrize("closed", [False, True])
def test_a_car_can_drive_along_every_track(closed):
    """Drive cell by cell along the zombie array and stop on every cell. Every move is legal."""
    track = random_track(5, closed, width=2, twist=0.8)
    env = RaceEnv(track, max_rounds=2000)
    for start in track.starts[:2]:
        env.reset(seed=0, options={"starts": [start]})
        x, y = start
        over = False
        while not over:
            left = track.distance[y, x]
            right, down = next(
                (right, down)
                for right, down in ((0, -1), (1, 0), (0, 1), (-1, 0))
                if track.distance[y + down, x + right] == left - 1
            )
            x, y = x + right, y + down
            for push in (1, -1):
                _, _, over, _, info = env.step((push * down + 1) * 3 + push * right + 1)
                assert info["last_action_valid"]
                if over:
                    break
        assert info["outcome"] == "finished"
        assert info["steps"] == 2 * track.distance[start[1], start[0]] - 1


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("width", [1, 2, 3, 6])
def test_there_is_only_one_path_from_the_start_to_the_finish(closed, width):
    """No two parts of the road touch, not even at a corner, so any cut makes the finish unreachable."""
    for seed in range(8):
        for twist in (0.2, 1):
            track = random_track(seed, closed, rows=50, cols=60, width=width, twist=twist)
            assert paths_around_cuts(track, 25) == 0


def test_the_check_for_a_single_path_detects_alternative_paths():
    assert paths_around_cuts(bundled("07-fork"), 25) > 5


def test_a_loop_must_be_driven_all_the_way_around():
    """The finish is close to the start, but the path between them is long."""
    for seed in range(20):
        track = random_track(seed, closed=True, rows=40, cols=40)
        starts, finishes = np.array(track.starts), np.array(track.finishes)
        apart = np.abs(starts[:, None] - finishes[None]).max(axis=2).min()
        assert 2 <= apart <= 8
        assert track.distance[track.cells == START].min() > 60


# --- Settings


def test_a_larger_width_makes_a_wider_track():
    for closed in (False, True):
        areas = []
        for width in (1, 3, 5, 8):
            track = random_track(3, closed, rows=80, cols=80, width=width, twist=0)
            length = track.distance.max()
            areas.append((track.cells != OFF).sum() / length)
            assert 0.6 * width < areas[-1] < 1.4 * width + 1
        assert areas == sorted(areas)


def test_more_twist_makes_a_longer_track():
    for closed in (False, True):
        mean = [
            np.mean([random_track(seed, closed, 60, 60, twist=twist).distance.max() for seed in range(12)])
            for twist in (0, 0.25, 0.5, 0.75, 1)
        ]
        assert all(after > 1.1 * before for before, after in pairwise(mean))


def test_a_road_runs_along_the_longer_side_of_the_board():
    for seed in range(10):
        (x, y), (far_x, far_y) = ends(random_track(seed, rows=30, cols=60, twist=0.5))
        assert abs(x - far_x) > 40
        (x, y), (far_x, far_y) = ends(random_track(seed, rows=60, cols=30, twist=0.5))
        assert abs(y - far_y) > 40


def ends(track):
    return np.mean(track.starts, axis=0), np.mean(track.finishes, axis=0)


def test_the_largest_and_smallest_tracks_can_be_generated():
    assert random_track(1, True, 1000, 1000, 3, 1.0).distance.max() > 10_000
    for closed in (False, True):
        for width in (1, 2, 3, 7, 20):
            with pytest.raises(ConfigError, match=f"must be at least .* each for a track of width {width}") as caught:
                random_track(0, closed, 3, 900, width)
            least = int(str(caught.value).split("at least ")[1].split()[0])
            for seed in range(5):
                assert random_track(seed, closed, least, least, width, twist=1).starts
            with pytest.raises(ConfigError, match="must be at least"):
                random_track(0, closed, least, least - 1, width)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"twist": 1.1}, r"twist=1\.1: must be between 0"),
        ({"twist": -0.1}, r"twist=-0\.1"),
        ({"twist": "much"}, "twist='much'"),
        ({"twist": float("nan")}, "twist=nan"),
        ({"width": 0}, "width=0"),
        ({"width": 51}, "width=51: must be an integer from 1 to 50"),
        ({"rows": 1001}, "rows=1001"),
        ({"cols": 2.5}, r"cols=2\.5"),
        ({"seed": -1}, "seed=-1"),
        ({"closed": "yes"}, "closed='yes'"),
    ],
)
def test_invalid_settings_raise_an_error(wrong, message):
    with pytest.raises(ConfigError, match=message):
        random_track(**wrong)


# --- Reproducibility


def test_a_seed_determines_the_track():
    for seed, kind in MANY[::7]:
        assert random_track(seed, **kind) == random_track(seed, **kind)
    assert len({random_track(seed) for seed in range(50)}) > 45
    assert random_track(1) == random_track(np.int64(1))
    assert random_track().name != random_track().name
    assert (random_track(7).name, random_track(7, closed=True).title) == ("random-7", "Random loop 7")


def test_tracks_are_the_same_on_every_machine():
    """Compare with a hash that was computed on another machine."""
    text = "".join(random_track(seed, **kind).to_text() for seed, kind in MANY)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == GOLDEN


def test_tracks_are_the_same_in_another_process():
    """The result does not depend on Python's hash randomization."""
    script = (
        "from shoverworld.race import random_track; print(random_track(11, closed=True, twist=1).to_text(), end='')"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == random_track(11, closed=True, twist=1).to_text()


# --- Polylines


def drawn(points, radius, rows, cols, square=False):
    line = np.array(points) * UNIT
    dense = smooth(line, closed=False)
    found = rasterize(dense, int(radius * UNIT), rows, cols)
    if square:
        trim_ends(found, dense)
    return ["".join(".#"[off] for off in row) for row in (found < 0).astype(int)]


def test_a_line_is_rasterized_and_clipped():
    assert drawn([(2, 2), (6, 2)], 1.5, 5, 9) == ["#########", "#.......#", "#.......#", "#.......#", "#########"]
    assert drawn([(2, 2), (6, 2)], 1.5, 5, 9, True) == ["#########", "##.....##", "##.....##", "##.....##", "#########"]
    assert drawn([(0, 0), (0, 4)], 1.1, 3, 3) == ["..#", "..#", "..#"]  # cells outside the board are clipped


def test_corners_are_rounded():
    line = smooth(np.array([(0, 0), (8, 0), (8, 8)]) * UNIT, closed=False)
    assert np.abs(np.diff(line, axis=0)).max() <= UNIT // 2
    assert (line[0].tolist(), line[-1].tolist()) == ([0, 0], [8 * UNIT, 8 * UNIT])
    assert 14 * UNIT < arc_lengths(line)[-1] < 15.5 * UNIT
    corner = np.abs(line - np.array((8 * UNIT, 0))).max(axis=1).min()
    assert 0.5 * UNIT < corner < 1.5 * UNIT


def test_generated_tracks_can_be_written_and_read(tmp_path):
    track = random_track(3, closed=True)
    for name in ("made.txt", "made.png"):
        track.write(tmp_path / name)
        assert Track.read(tmp_path / name) == track


# --- The command


def shover(*words, code=0):
    """Run a command and return its standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert main([str(word) for word in words]) == code
    return out.getvalue() + err.getvalue()


def test_generate_prints_tracks():
    output = shover(
        "generate", "race", 2, "--rows", 20, "--cols", 30, "--width", 2, "--twist", 0.8, "--seed", 5, "--closed"
    )
    first, second = output.split("\n\n")[:2]
    assert first.startswith("// Random loop 5\n####")
    assert Track.parse(first) == random_track(5, True, 20, 30, 2, 0.8)
    assert Track.parse(second) == random_track(6, True, 20, 30, 2, 0.8)
    assert Track.parse(shover("generate", "race")) == random_track(0)
    assert shover("generate", "race", "--format", "numbers") == random_track(0).to_text() + "\n"


@pytest.mark.parametrize(("style", "ending"), [("symbols", "txt"), ("numbers", "txt"), ("png", "png")])
def test_generate_writes_tracks(style, ending, tmp_path):
    output = shover("generate", "race", 3, "--seed", 7, "--format", style, "--out", tmp_path / "new" / "tracks")
    assert "Saved 3 tracks to" in output
    files = sorted((tmp_path / "new" / "tracks").iterdir())
    assert [file.name for file in files] == [f"track-{seed}.{ending}" for seed in (7, 8, 9)]
    assert [Track.read(file) for file in files] == [random_track(seed) for seed in (7, 8, 9)]


def test_generate_reports_errors(tmp_path):
    assert "width=0" in shover("generate", "race", "--width", 0, "--out", tmp_path / "no", code=2)
    assert not (tmp_path / "no").exists()
    assert "must be at least 12" in shover("generate", "race", "--rows", 5, code=2)
    assert "specify a folder" in shover("generate", "race", "--format", "png", code=2)
    assert "'symbols', 'numbers', 'png'" in shover("generate", "race", "--format", "A", code=2)
    assert "--boxes is an option for Shover-World" in shover("generate", "race", "--boxes", 3, code=2)
    assert "--twist is an option for Grid race, not for Sokoban" in shover("generate", "sokoban", "--twist", 1, code=2)
    assert "--closed is an option for Grid race, not for Shover-World" in shover("generate", "--closed", code=2)
    assert "'A', 'B'" in shover("generate", "--format", "png", code=2)
    (tmp_path / "taken").write_text("")
    assert "taken" in shover("generate", "race", "--out", tmp_path / "taken", code=2)
