"""Tests of track pictures in other colour schemes: they are rejected with a count of their colours, or read with a given
mapping."""

import re

import numpy as np
import pytest
from PIL import Image

from shoverworld.cli import main
from shoverworld.core.errors import ConfigError, SaveError, TrackError
from shoverworld.race import Track, bundled, bundled_names, random_track, read

ROAD = Track.parse("#########\n#S.....F#\n#S..#..F#\n#S.....F#\n#########")
REPORT = {"#": "#ff0000", ".": "#00ff00", "S": "#0000ff", "F": "#ffffff"}
OTHER = {"#": "#ff0000", ".": "#ffffff", "S": "#00ff00", "F": "#0000ff"}  # the same colours, different meanings
GREY = {"#": "#000000", ".": "#808080", "S": "#ffff00", "F": "#ff8800"}
MAPPING = "start=green,finish=blue,track=white,off=red"
GREY_MAPPING = "start=yellow,finish=#ff8800,track=grey,off=black"
COUNTS = "the picture has 25 red, 14 white, 3 green and 3 blue pixels"


def pixels(colours, track=ROAD):
    rows = [row for row in track.to_text("symbols").splitlines() if not row.startswith("//")]
    return np.array([[list(bytes.fromhex(colours[symbol][1:])) for symbol in row] for row in rows], np.uint8)


@pytest.fixture
def picture(tmp_path):
    def save(colours, name="track.png"):
        Image.fromarray(pixels(colours)).save(tmp_path / name)
        return tmp_path / name

    return save


def rejected(colours=None, drawn=OTHER):
    with pytest.raises(TrackError) as error:
        Track.from_image(pixels(drawn), "track.png", colours)
    return str(error.value)


def test_the_error_for_a_picture_in_another_colour_scheme_gives_the_pixel_count_of_each_colour():
    message = rejected()
    assert message.startswith("track.png: the picture has more finish cells (14) than track cells (3)")
    assert COUNTS in message and f"--colours {MAPPING}" in message


@pytest.mark.parametrize(
    ("rows", "sign"),
    [
        ("S.F\n##F\n##F", "more finish cells (3) than track cells (1)"),
        ("SSFF", "no track cell"),
        ("SF...", "the start cell at x=0 y=0 touches a finish cell"),
        ("#.F#\n.S##", "the start cell at x=1 y=1 touches a finish cell"),
        (".....\n.S#F.\n.....", "12 of the 12 pixels on the border are track cells, and cells off the track connect"),
        ("......\n..F#S.\n..####\n..####", "11 of the 16 pixels on the border are track cells"),
    ],
)
def test_the_error_names_the_evidence_for_another_colour_scheme(rows, sign, tmp_path):
    track = Track.parse(rows)
    with pytest.raises(TrackError, match=re.escape(sign)):
        Track.from_image(track.to_image())
    with pytest.raises(SaveError, match=re.escape(sign)):  # a picture that could not be read back is not written
        track.write(tmp_path / "track.png")
    track.write(tmp_path / "track.txt")
    assert Track.read(tmp_path / "track.txt") == track


SWAPPED = {"#": "#00ff00", ".": "#ff0000", "S": "#0000ff", "F": "#ffffff"}  # green walls and a red track
SWAPPED_MAPPING = "start=blue,finish=white,track=red,off=green"


def read_swapped(track):
    with pytest.raises(TrackError) as error:
        Track.from_image(pixels(SWAPPED, track))
    assert Track.from_image(pixels(SWAPPED, track), colours=SWAPPED_MAPPING) == track
    return str(error.value)


def test_the_error_for_swapped_track_and_wall_colours_suggests_a_mapping():
    message = read_swapped(ROAD)
    assert "24 of the 24 pixels on the border are track cells" in message
    assert "the picture has 25 green, 14 red, 3 blue and 3 white pixels" in message
    assert f"for example --colours {SWAPPED_MAPPING} (adapt this guess to the picture)" in message


TRACKS = [bundled(name) for name in bundled_names()] + [
    random_track(seed, closed, rows, cols, width)
    for seed in range(5)
    for closed in (False, True)
    for rows, cols in ((30, 40), (60, 25))
    for width in (1, 3, 6)
]


@pytest.mark.parametrize("track", TRACKS, ids=lambda track: track.name)
def test_every_bundled_and_every_generated_track_is_accepted_as_a_picture_but_not_in_swapped_colours(track):
    assert Track.from_image(track.to_image()) == track
    assert f"--colours {SWAPPED_MAPPING} " in read_swapped(track)


@pytest.mark.parametrize("rows", ["S...F", ".....\n.S.F.\n.....", "......\nS.##.F\n......"])
def test_an_open_field_with_obstacles_is_accepted_as_a_picture(rows):
    track = Track.parse(rows)
    assert Track.from_image(track.to_image()) == track


def test_the_example_mapping_uses_the_colours_of_the_picture():
    assert f"for example --colours {GREY_MAPPING} (adapt" in rejected(drawn=GREY)
    one_wrong_pixel = pixels(REPORT)
    one_wrong_pixel[0, 0] = (255, 165, 0)
    with pytest.raises(TrackError, match=r"or draw only red \(off the track\), green \(track\)"):
        Track.from_image(one_wrong_pixel)
    with pytest.raises(TrackError, match=r"as start=COLOUR,finish=COLOUR,track=COLOUR,off=COLOUR$"):
        Track.from_image(pixels({**OTHER, "S": "#ffff00", "F": "#ffff00"}))  # only three colours


def test_a_picture_is_read_with_a_mapping_given_as_a_string_or_a_dict(picture):
    assert Track.read(picture(OTHER), MAPPING) == read(picture(OTHER), MAPPING) == ROAD
    assert Track.read(picture(OTHER), colours=dict(pair.split("=") for pair in MAPPING.split(","))) == ROAD
    assert Track.read(picture(GREY), GREY_MAPPING) == ROAD
    assert (
        Track.read(picture(GREY), {"start": (250, 250, 0), "finish": "darkorange", "track": "gray", "off": "black"})
        == ROAD
    )
    assert (
        Track.read(picture(REPORT)) == Track.read(picture(REPORT), "start=blue") == ROAD
    )  # the other colours are those of the race report


def test_similar_shades_are_read_as_the_mapped_colours():
    shades = {"#": "#ee1111", ".": "#f0f0f0", "S": "#008000", "F": "#1010e0"}
    assert Track.from_image(pixels(shades), colours=MAPPING) == ROAD


@pytest.mark.parametrize(
    ("colours", "message"),
    [
        ("start=yellow,finish=blue,track=white,off=red", "the colour (0, 255, 0) is not a track colour"),
        ("start=green,finish=yellow,track=white,off=red", "expected red (off the track), white (track)"),
        ("start=white,finish=blue,track=green,off=red", "touches a finish"),
        ("start=green,finish=white,track=blue,off=red", "more finish cells (14) than track cells (3)"),
    ],
)
def test_the_error_for_a_wrong_mapping_gives_the_pixel_count_of_each_colour(colours, message):
    assert message in rejected(colours) and COUNTS in rejected(colours)


def test_the_error_for_an_unreachable_finish_gives_the_pixel_count_of_each_colour():
    drawn = np.array([[[0, 255, 0], [255, 255, 255], [255, 0, 0], [0, 0, 255]]], np.uint8)
    with pytest.raises(TrackError, match="no finish can be reached") as error:
        Track.from_image(drawn, colours=MAPPING)
    assert "the picture has 1 " in str(error.value) and error.value.cell == (1, 0)


def test_a_mapped_colour_that_does_not_occur_in_the_picture_is_reported():
    drawn = {**OTHER, "S": "#ffffff"}
    message = rejected(MAPPING, drawn)
    assert "the track has no start cell; expected at least one green pixel" in message
    assert "25 red, 17 white and 3 blue pixels" in message


@pytest.mark.parametrize(
    ("colours", "message"),
    [
        ("strat=green", "there is no kind of cell 'strat'; did you mean 'start'?"),
        ("start=gren", "start='gren' is not a colour; expected a name such as green, or #rrggbb"),
        ("start=#12345", "is not a colour"),
        ({"start": (0, 0, 256)}, "is not a colour"),
        ("start", "must be pairs KIND=COLOUR"),
        ("start=red,start=blue", "each kind only once"),
        ("start=green", "start and track are both green, because track is green unless you set its colour"),
        ("start=red,off=red", "start and off are both red"),
        (7, "must be a string such as"),
    ],
)
def test_an_invalid_mapping_is_explained(colours, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        Track.from_image(pixels(REPORT), colours=colours)


def test_many_colours_are_counted_under_the_nearest_colour_name():
    noisy = pixels(OTHER).astype(int)
    noisy = np.clip(noisy + np.random.default_rng(0).integers(-20, 20, noisy.shape), 0, 255).astype(np.uint8)
    with pytest.raises(TrackError, match=COUNTS):
        Track.from_image(noisy)
    assert Track.from_image(noisy, colours=MAPPING) == ROAD


def test_the_advice_in_the_error_depends_on_the_mapped_colours_and_the_number_of_shades():
    wrong = "start=yellow,finish=blue,track=white,off=red"
    assert "specify its colours with --colours" in rejected() and "JPEG" not in rejected()
    assert "correct the colours given with --colours" in rejected(wrong) and "specify its colours" not in rejected(
        wrong
    )
    drawn = np.random.default_rng(0).integers(0, 256, (9, 9, 3)).astype(np.uint8)
    for colours, advice in ((None, "otherwise specify its colours"), (MAPPING, "otherwise correct the colours given")):
        with pytest.raises(TrackError, match=f"in 81 shades; if it was .* saved as JPEG, save it as PNG .*; {advice}"):
            Track.from_image(drawn, colours=colours)


# --- commands


def shover(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


def test_every_command_that_reads_a_track_rejects_a_picture_in_other_colours_without_a_mapping(
    picture, tmp_path, capsys
):
    path, out = picture(OTHER), tmp_path / "out"
    commands = [
        ["solve", path],
        ["maps", path],
        ["watch", path, "--all"],
        ["compare", path, "--agents", "greedy", "--out", out],
        ["tournament", path, "--races", 1, "--players", "greedy,optimal", "--out", out],
    ]
    for command in commands:
        code, output = shover(capsys, *command)
        assert code == 2 and COUNTS in output.err and not output.out, command
        code, output = shover(capsys, *command, "--colours", MAPPING)
        assert code == 0 and "track" in output.out and not output.err, (command, output.err)
    code, output = shover(capsys, "solve", path)  # a mapping applies to one command only
    assert code == 2 and COUNTS in output.err
    for command in ("play", "race", "edit"):
        code, output = shover(capsys, command, path)
        assert code == 2 and COUNTS in output.err
        code, output = shover(capsys, command, path, "--colours", "start=gren")
        assert code == 2 and "'gren' is not a colour" in output.err


def test_a_mapped_picture_has_the_same_solution_as_the_picture_in_standard_colours(picture, capsys):
    code, output = shover(capsys, "solve", picture(GREY), "--colours", GREY_MAPPING)
    expected = shover(capsys, "solve", picture(REPORT, "track.png"))[1].out
    assert code == 0 and output.out.split()[:14] == expected.split()[:14]
