"""Films of games: GIF, MP4 and PNG files are decoded, and their pictures are compared with the game."""

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from shoverworld.cli import main
from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act
from shoverworld.games import game_named
from shoverworld.games.shover.tiles import PLAIN_BOX
from shoverworld.play import film
from shoverworld.play.film import Film
from shoverworld.play.pictures import BACKGROUND, RULED, RULER, ScenePainter
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session

GAME = game_named("shover")
UP, RIGHT, DOWN, LEFT = 1, 2, 3, 4
CELL = 20


def game(tmp_path: Path, board: str, actions: list[tuple[int, int, int]], preset: str = "milestone1") -> list:
    """Return the states of a game on a board given as a string."""
    path = tmp_path / "board.txt"
    path.write_text(f"// rules: {preset}\n" + "\n".join(line.strip() for line in board.strip().splitlines()) + "\n")
    session = Session(GAME, GAME.levels.read(str(path)))
    states = [session.state]
    for action in actions:
        session.do(Act(action))
        states.append(session.state)
    return states


@pytest.fixture
def pushed(tmp_path):
    """Return the states of a game in which the box moves right twice and then into the lava."""
    board = """
        A B . . L
        . . # . .
    """
    return game(tmp_path, board, [(0, 1, RIGHT), (0, 2, RIGHT), (0, 3, RIGHT)])


def cell(picture: np.ndarray, row: int, col: int, size: int = CELL) -> np.ndarray:
    return picture[row * size : (row + 1) * size, col * size : (col + 1) * size]


def tile(code: int, size: int = CELL) -> np.ndarray:
    pixels = GAME.ui.drawing.tile(code, size)
    assert (pixels[..., 3] == 255).all()
    return pixels[..., :3]


# ---------------------------------------------------------------- pictures


def test_a_still_picture_shows_every_cell_and_the_shover(pushed):
    picture = film.still(GAME, pushed[0], CELL)
    assert picture.shape == (2 * CELL, 5 * CELL, 3) and picture.dtype == np.uint8
    assert np.array_equal(cell(picture, 0, 1), tile(PLAIN_BOX))
    assert np.array_equal(cell(picture, 0, 4), tile(-100))
    assert np.array_equal(cell(picture, 1, 2), tile(100))
    assert np.array_equal(cell(picture, 0, 2), tile(0))
    assert not np.array_equal(cell(picture, 0, 0), tile(0)), "the shover is on this cell"
    assert np.array_equal(cell(film.still(GAME, pushed[1], CELL), 0, 0), tile(0)), "the shover has left the cell"


def test_lava_beyond_the_edge_of_the_map_is_drawn(tmp_path):
    states = game(tmp_path, "B.\n..", [], "phase2")
    picture = film.still(GAME, states[0], CELL)
    assert picture.shape == (3 * CELL, 3 * CELL, 3)
    half = CELL // 2
    assert np.array_equal(picture[half : half + CELL, half : half + CELL], tile(PLAIN_BOX))
    assert np.array_equal(picture[:half, half : half + CELL], tile(-100)[half:])


def test_rulers_show_row_and_column_numbers_and_leave_the_board_unchanged(tmp_path):
    states = game(tmp_path, "A..........\n..B.......L", [], "phase2")
    plain, ruled = film.still(GAME, states[0], CELL), film.still(GAME, states[0], CELL, rulers=True)
    assert np.array_equal(ruled[RULER:, RULER:], plain)
    above, beside = ruled[:RULER, RULER + CELL // 2 :], ruled[RULER + CELL // 2 :, :RULER]
    numbers = [above[:, col * CELL : (col + 1) * CELL] for col in range(11)]
    assert len({number.tobytes() for number in numbers}) == 11, "the numbers differ"
    assert np.array_equal(numbers[1][:, 1:19], beside[CELL + 1 : CELL + 19]), "row 1 and column 1 have the same number"
    assert tuple(ruled[0, 0]) == BACKGROUND


def test_boards_with_small_cells_have_no_rulers(tmp_path):
    states = game(tmp_path, "AB..L", [])
    small = film.still(GAME, states[0], RULED - 1, rulers=True)
    assert np.array_equal(small, film.still(GAME, states[0], RULED - 1))
    wide = game(tmp_path, "A" + "." * 99 + "B", [])
    made = film.film_of([(GAME, wide)], ".gif")
    assert np.array_equal(
        next(film.frames(GAME, wide, made.size, rulers=True)), next(film.frames(GAME, wide, made.size))
    )


def test_the_board_is_centred_on_the_canvas(pushed):
    (picture,) = list(film.frames(GAME, pushed[:1], (300, 200)))[:1]
    assert picture.shape == (200, 300, 3)
    assert tuple(picture[0, 0]) == tuple(picture[-1, -1]) == BACKGROUND
    drawn = np.argwhere((picture != BACKGROUND).any(2))
    (top, left), (bottom, right) = drawn.min(0), drawn.max(0)
    assert abs(top - (199 - bottom)) <= 1 and abs(left - (299 - right)) <= 1
    assert right - left + 1 == 5 * 56, "cells are as large as fits, at most 56 pixels"


def test_a_board_that_does_not_fit_on_the_canvas_can_be_drawn(tmp_path):
    rows = ["A" + "." * 199, *("." * 200 for _ in range(199))]
    states = game(tmp_path, "\n".join(rows), [])
    assert next(film.frames(GAME, states, (300, 200))).shape == (200, 300, 3)


def test_a_film_without_animation_has_one_picture_per_state(pushed):
    pictures = list(film.frames(GAME, pushed, (200, 80)))
    assert len(pictures) == len(pushed) + film.HOLD
    assert len({picture.tobytes() for picture in pictures}) == len(pushed)
    assert all(np.array_equal(picture, pictures[-1]) for picture in pictures[len(pushed) - 1 :])


def test_a_pushed_box_glides_in_a_film_with_animation(pushed):
    """During a push, the box is between two cells. At the end of the push, the box is on the new cell."""
    fps, seconds = 50, 0.2
    pictures = list(film.frames(GAME, pushed, (5 * CELL, 2 * CELL), True, fps, seconds))
    assert len(pictures) >= len(pushed) * fps * seconds
    scene = GAME.ui.drawing.scene(pushed[1])
    motion = GAME.ui.drawing.motion(pushed[0], pushed[1])
    painter = ScenePainter(GAME, scene, (5 * CELL, 2 * CELL))
    wood = tile(PLAIN_BOX)[CELL // 2, 3].astype(int)  # the edge of a box

    def right_edge(picture: np.ndarray) -> int:
        row = picture[CELL // 2].astype(int)
        return int(np.flatnonzero(abs(row - wood).sum(1) < 40)[-1])

    edges = [right_edge(painter.moving(scene, motion, share)) for share in (0.0, 0.2, 0.4, 0.7, 1.0)]
    assert edges == sorted(edges) and edges[-1] - edges[0] == CELL and len(set(edges)) == 5
    assert abs(painter.moving(scene, motion, 1.0).astype(int) - painter.picture(scene)).max() <= 2, (
        "except for rounding"
    )
    stills = [film.still(GAME, state, CELL) for state in pushed]
    found = [any(np.array_equal(picture, still) for picture in pictures) for still in stills]
    assert all(found), "every state appears at rest"


# ---------------------------------------------------------------- GIF


def decoded_gif(path: Path) -> tuple[list[np.ndarray], list[int]]:
    """Return the decoded pictures of a GIF and the duration of each picture in milliseconds."""
    pictures, times = [], []
    with Image.open(path) as gif:
        for place in range(gif.n_frames):
            gif.seek(place)
            pictures.append(np.array(gif.convert("RGB")))
            times.append(gif.info["duration"])
    return pictures, times


def nearly_equal(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two pictures are nearly equal; palettes and video compression change colours slightly."""
    return one.shape == other.shape and abs(one.astype(int) - other.astype(int)).mean() < 4


@pytest.mark.parametrize("motion", [False, True])
def test_a_gif_shows_the_game(pushed, tmp_path, motion):
    made = Film((200, 80), motion, 25, 0.2).add(GAME, pushed)
    assert film.save_gif(made, tmp_path / "game.gif") == tmp_path / "game.gif"
    wanted = [picture for _, picture in made.shots()]
    pictures, times = decoded_gif(tmp_path / "game.gif")
    at = 0.0
    for picture, time in zip(pictures, times, strict=True):
        assert nearly_equal(picture, wanted[round(at / 1000 * made.fps)]), at
        at += time
    assert at == pytest.approx(len(wanted) / made.fps * 1000, abs=10)
    with Image.open(tmp_path / "game.gif") as gif:
        assert gif.info["loop"] == 0, "the GIF loops forever"
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".txt"] == ["game.gif"], (
        "no temporary file is left"
    )


def test_rounding_errors_in_gif_durations_do_not_accumulate(pushed, tmp_path):
    """A picture lasts 33.3 ms, but GIF files store durations in hundredths of a second."""
    made = Film((100, 40), True, 30, 0.5).add(GAME, pushed)
    film.save_gif(made, tmp_path / "game.gif")
    assert sum(decoded_gif(tmp_path / "game.gif")[1]) == pytest.approx(len(list(made.shots())) * 1000 / 30, abs=10)


def test_consecutive_identical_pictures_are_written_once(tmp_path):
    bumps = game(tmp_path, "A#B\n...", [(0, 1, RIGHT)] * 5)
    film.save_gif(Film((80, 80)).add(GAME, bumps), tmp_path / "bumps.gif")
    pictures, times = decoded_gif(tmp_path / "bumps.gif")
    assert len(pictures) == 2, "the shover turns, and then nothing changes"
    assert times[1] > 5 * times[0] - 100


def test_one_film_can_show_several_games(pushed, tmp_path):
    other = game(tmp_path, "A..\n.B.\n...\n..L", [(1, 1, DOWN)])
    made = film.film_of([(GAME, pushed), (GAME, other)], ".gif")
    wide, high = 5 * 48 + RULER, 4 * 48 + RULER
    assert made.size == (wide, high), "the film is as wide as the first board and as high as the second"
    film.save_gif(made, tmp_path / "both.gif")
    pictures, _ = decoded_gif(tmp_path / "both.gif")
    assert nearly_equal(pictures[0], next(film.frames(GAME, pushed, made.size, rulers=True)))
    assert nearly_equal(pictures[-1], next(film.frames(GAME, other[-1:], made.size, rulers=True)))


def test_a_film_of_a_long_game_skips_some_states_but_shows_the_last_one(pushed):
    states = pushed[:3] * 500 + pushed[3:]
    made = Film((100, 40)).add(GAME, states)
    kept = made.games[0][1]
    assert len(kept) <= film.MOST_PICTURES + 2 and kept[0] is states[0] and kept[-1] is states[-1]
    assert not film.film_of([(GAME, states)], ".gif").motion and film.film_of([(GAME, pushed)], ".gif").motion


def test_saving_a_longer_film_does_not_take_more_memory(pushed, tmp_path):
    """400 pictures of 320 x 240 pixels take more than 90 MB, so they must not all be in memory at the same time."""
    made = Film((320, 240), True, 25, 0.25).add(GAME, pushed * 16)
    assert sum(1 for _ in made.shots()) > 400
    tracemalloc.start()
    film.save_gif(made, tmp_path / "long.gif")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30e6


@pytest.mark.parametrize("ending", [".gif", ".mp4"])
def test_the_progress_callback_can_cancel_saving(pushed, tmp_path, ending):
    if ending == ".mp4":
        needs_ffmpeg()
    path = tmp_path / f"film{ending}"
    path.write_text("the old content")
    made = Film((100, 40), True).add(GAME, pushed)
    shares: list[float] = []
    assert film.save(made, path, lambda share: shares.append(share) or len(shares) == 5) is None
    assert len(shares) == 5 and path.read_text() == "the old content"
    assert [found for found in tmp_path.iterdir() if found.suffix == ".part"] == []
    shares.clear()
    assert film.save(made, path, shares.append) == path
    assert shares == sorted(shares) and shares[0] == 0 and 0.7 < shares[-1] <= 1
    assert path.read_bytes()[:3] == b"GIF" if ending == ".gif" else b"ftyp" in path.read_bytes()[:16]


# ---------------------------------------------------------------- MP4


def needs_ffmpeg():
    """Skip the test if ffmpeg is not installed. In CI, fail instead."""
    if film.ffmpeg() is None:
        assert os.environ.get("CI") != "true", "ffmpeg is missing: .ci/run should have installed it"
        pytest.skip("ffmpeg is not installed")


def decoded(path: Path, size: tuple[int, int]) -> list[np.ndarray]:
    command = ["ffmpeg", "-loglevel", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, capture_output=True, check=True, stdin=subprocess.DEVNULL).stdout
    return list(np.frombuffer(data, np.uint8).reshape(-1, size[1], size[0], 3))


@pytest.mark.parametrize("size", [(200, 80), (201, 81)])
def test_an_mp4_shows_the_game(pushed, tmp_path, size):
    needs_ffmpeg()
    made = Film(size, True, 30, 0.3).add(GAME, pushed)
    assert film.save_mp4(made, tmp_path / "game.mp4") == tmp_path / "game.mp4"
    even = size[0] + size[0] % 2, size[1] + size[1] % 2
    pictures, wanted = decoded(tmp_path / "game.mp4", even), [picture for _, picture in made.shots()]
    assert len(pictures) == len(wanted)
    for picture, want in zip(pictures, wanted, strict=True):
        assert nearly_equal(picture[: size[1], : size[0]], want)
    output = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "stream=pix_fmt,width,height,r_frame_rate", "-of", "default=nw=1",
         str(tmp_path / "game.mp4")],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert set(output.split()) == {f"width={even[0]}", f"height={even[1]}", "pix_fmt=yuv420p", "r_frame_rate=30/1"}


def test_missing_ffmpeg_is_reported(pushed, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ShoverWorldError, match=r"ffmpeg.*not installed.*GIF"):
        film.save_mp4(Film().add(GAME, pushed), tmp_path / "game.mp4")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script replaces ffmpeg")
@pytest.mark.parametrize("reads", ["cat > /dev/null; ", "exec 0<&-; "])
def test_ffmpeg_errors_are_reported(pushed, tmp_path, monkeypatch, reads):
    broken = tmp_path / "bin" / "ffmpeg"
    broken.parent.mkdir()
    broken.write_text(f"#!/bin/sh\n{reads}echo 'Unknown encoder' >&2\nexit 8\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(ShoverWorldError, match="ffmpeg failed: Unknown encoder"):
        film.save_mp4(Film((640, 480), True).add(GAME, pushed), tmp_path / "game.mp4")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "board.txt"]


# ---------------------------------------------------------------- files


def test_a_png_contains_the_exact_picture(pushed, tmp_path):
    picture = film.still(GAME, pushed[2], 32)
    film.save_png(picture, tmp_path / "step.png")
    with Image.open(tmp_path / "step.png") as found:
        assert np.array_equal(np.array(found), picture)


@pytest.mark.parametrize("name", ["game.txt", "game", "folder.gif", "file/game.gif"])
def test_an_invalid_path_raises_an_error_that_names_the_path(pushed, tmp_path, name):
    (tmp_path / "folder.gif").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=name.replace(".", r"\.")):
        film.save_gif(Film().add(GAME, pushed), tmp_path / name)


# ---------------------------------------------------------------- commands


@pytest.fixture
def recorded(tmp_path):
    """Write a replay of two pushes."""
    path = tmp_path / "game.replay"
    moves = [(0, 1, RIGHT), (0, 2, RIGHT)]
    Replay.of("shoverworld/ShoverWorld-v0", moves, map="AB..L\n..#..\n").write(path)
    return path


def test_the_replay_command_saves_the_requested_format(recorded, tmp_path, capsys):
    needs_ffmpeg()
    gif, mp4, png = tmp_path / "a.gif", tmp_path / "a.mp4", tmp_path / "a.png"
    wanted = ["--gif", str(gif), "--mp4", str(mp4), "--png", str(png), "--step", "1"]
    assert main(["replay", str(recorded), *wanted]) == 0
    output = capsys.readouterr().out
    assert all(name in output for name in ("a.gif", "a.mp4", "a.png"))
    cursor = ReplayCursor(Replay.read(recorded))
    with Image.open(png) as picture:
        assert np.array_equal(np.array(picture), film.still(GAME, cursor.states[1], rulers=True))
    size = film.film_of([(GAME, cursor.states)], ".mp4").size
    assert nearly_equal(decoded(mp4, size)[0], next(film.frames(GAME, cursor.states, size, rulers=True)))
    assert len(decoded_gif(gif)[0]) >= 3
    assert main(["replay", str(recorded), "--quiet", "--png", str(png)]) == 0
    assert capsys.readouterr().out == ""
    with Image.open(png) as picture:
        assert np.array_equal(np.array(picture), film.still(GAME, cursor.states[2], rulers=True)), (
            "the picture shows the final state"
        )


def test_the_watch_command_saves_a_video(tmp_path, capsys):
    needs_ffmpeg()
    (tmp_path / "room.txt").write_text("AB.L\n")
    path = tmp_path / "video.mp4"
    assert main(["watch", str(tmp_path / "room.txt"), "--agent", "greedy", "--mp4", str(path)]) == 0
    assert b"ftyp" in path.read_bytes()[:16] and "cleared after" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["replay", "GAME", "--mp4", "x.gif"], "--mp4 x.gif: expected a file name with the suffix .mp4"),
        (["replay", "GAME", "--png", "x"], "--png x"),
        (["replay", "GAME", "GAME", "--png", "x.png"], "one replay for a picture, not 2"),
        (["watch", "01-first-push", "--gif", "x.mp4"], "--gif x.mp4"),
        (["watch", "01-first-push", "--time", "3"], "--terminal"),
        (["watch", "01-first-push", "--speed", "-3"], "speed"),
        (["watch", "01-first-push", "--agent", "nobody"], "nobody"),
        (["watch", "no-such-map"], "no-such-map"),
    ],
)
def test_invalid_arguments_are_reported_before_the_command_starts(recorded, capsys, wrong, message):
    assert main([str(recorded) if word == "GAME" else word for word in wrong]) == 2
    assert message in capsys.readouterr().err
