"""The commands on tracks of the grid race: which files are tracks, `shover solve`, and mistakes."""

import pytest
from PIL import Image

from shoverworld.commands.files import game_at
from shoverworld.core.errors import ConfigError, MapNotFound
from shoverworld.games.race.tracks import Track

LANE = "S....F\n......\n#S...#\n"


def put(folder, name, text):
    path = folder / name
    path.write_text(text)
    return str(path)


# --- which game a file is of


@pytest.mark.parametrize(
    "text",
    [
        LANE,
        "// S and F\n" + LANE,
        "-1 1 0\n-1 0 100\n",
        "  0   1 -1\n  0 0 100\n",
        "-1 7 0\n",  # wrong, but what else should it be?
        "#S..?.F\n",
        "#...F\n",
        "#S...\n#.\n",
        "S S . F\n",
    ],
)
def test_texts_that_are_tracks(tmp_path, text):
    assert game_at([put(tmp_path, "a.txt", text)]) == "race"


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("..B\n.A.\n", "shover"),
        ("0 0 10\n0 100 -100\n", "shover"),
        ("1 0 0 100\n", "shover"),  # a box and a barrier as well as a start and a finish: `--game race` says so
        ("#####\n#@$.#\n#####\n", "sokoban"),
        ("Title: SF\n#####\n#@$.#\n#####\n", "sokoban"),
        ("5#|#@$.#|5#\n", "sokoban"),
    ],
)
def test_texts_that_are_none(tmp_path, text, game):
    path = put(tmp_path, "a.txt", text)
    assert game_at([path]) == game and game_at([path], "race") == "race"


def test_pictures_and_folders_are_tracks(tmp_path):
    Track.parse(LANE).write(tmp_path / "a.png")
    Image.new("RGB", (3, 3)).save(tmp_path / "black.bmp")
    for place in ("a.png", "black.bmp", "missing.png", ""):
        assert game_at([str(tmp_path / place)]) == "race"


def test_a_folder_of_levels_stays_one(tmp_path):
    put(tmp_path, "a.txt", "#####\n#@$.#\n#####\n")
    Image.new("RGB", (3, 3)).save(tmp_path / "shot.png")
    assert game_at([str(tmp_path)]) == "sokoban"


def test_names_of_tracks_and_nearly_so():
    assert game_at(["05-oval"]) == game_at(["05-ovl"]) == "race"
    with pytest.raises(MapNotFound, match=r"the collections are .*tracks"):
        game_at(["no-such-thing"])


def test_two_games_at_a_time_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="one game at a time"):
        game_at([put(tmp_path, "a.txt", LANE), put(tmp_path, "b.txt", "..B\n")])
