"""The level editor of Sokoban: drafts, brushes, problems and saved drafts."""

import numpy as np
import pytest

from shoverworld.core.errors import ConfigError, LevelError
from shoverworld.games import game_named
from shoverworld.play.edit_session import editor_of

GAME = game_named("sokoban")
PRESETS = [preset.name for preset in GAME.presets]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_board_stays_the_same_when_it_is_converted_to_a_draft_and_back(preset, tmp_path):
    for seed in range(3):
        found = GAME.levels.random(preset, seed)
        draft = editor_of(GAME).draft_of(found)
        assert draft.problems(preset) == []
        assert draft.board(preset, "mine").level == found.level
        path = tmp_path / f"{preset}{seed}.xsb"
        path.write_text(draft.text("XSB", preset), encoding="utf-8")
        again = GAME.levels.read(str(path))
        assert (again.level, again.preset) == (found.level, preset)
        kept = editor_of(GAME).restore(draft.to_json())
        assert kept == draft
        scene, drawn_scene = GAME.ui.drawing.thumbnail(found), draft.scene(preset)
        assert np.array_equal(scene.tiles, drawn_scene.tiles)
        assert scene.actors == drawn_scene.actors


def test_four_rotations_or_two_flips_restore_a_draft():
    draft = editor_of(GAME).draft_of(GAME.levels.random("fixed", 4)).resized(9, 12)
    turned = draft
    for _ in range(4):
        turned = turned.rotated()
        assert turned != draft or _ == 3
    assert turned == draft
    assert draft.flipped() != draft
    assert draft.flipped().flipped() == draft
    assert draft.rotated().board("fixed", "x").level.fixed


def test_numbers_stay_with_their_boxes_in_a_rotated_draft():
    draft = editor_of(GAME).draft_of(GAME.levels.random("fixed", 4))
    turned = draft.rotated().board("fixed", "x").level
    level = draft.board("fixed", "x").level
    assert np.array_equal(np.rot90(level.boxes, -1), turned.boxes)
    assert np.array_equal(np.rot90(level.targets, -1), turned.targets)


def test_brushes_combine_boxes_and_players_and_targets():
    draft = editor_of(GAME).blank("sokoban").painted((2, 2), "box").painted((2, 2), "target").painted((3, 3), "target")
    assert draft.to_json()["rows"][2][2] == "*"
    draft = draft.painted((3, 3), "player")
    assert draft.to_json()["rows"][3][3] == "+"
    assert sum(row.count("@") for row in draft.to_json()["rows"]) == 0  # a draft has only one player
    draft = draft.painted((3, 4), "player")
    assert draft.to_json()["rows"][3][3:5] == ".@"
    assert draft.painted((2, 2), "floor").to_json()["rows"][2][2] == " "
    assert draft.painted((3, 4), "wall").to_json()["rows"][3][4] == "#"
    assert draft.painted((99, 0), "wall") is draft
    assert draft.painted((0, 0), "wall") is draft


def test_every_brush_paints_the_tile_that_it_shows():
    for brush in editor_of(GAME).brushes:
        ground = editor_of(GAME).blank("two").painted((2, 2), "floor")
        scene = ground.painted((2, 2), brush.name).scene()
        standing = [actor.tile for actor in scene.actors if actor.end == (2, 2)]
        assert brush.tile in [*standing, int(scene.tiles[2, 2])]
    assert editor_of(GAME).brushes[0].name == "floor"  # the first brush erases
    assert len({brush.key for brush in editor_of(GAME).brushes}) == len(editor_of(GAME).brushes)
    assert not {brush.key for brush in editor_of(GAME).brushes} & set("cfpqrtv")


@pytest.mark.parametrize(
    ("text", "preset", "wrong"),
    [
        ("#####\n# $.#\n#####", "sokoban", "there is no player"),
        ("#####\n#@  #\n#####", "sokoban", "paint a box and a target"),
        ("#####\n#@$ #\n#####", "sokoban", "1 target missing"),
        ("######\n#@$..#\n######", "sokoban", "1 box missing"),
        ("#####\n#@$. \n#####", "sokoban", "gap"),
        ("#####\n#@$.#\n#####", "two", "paint the second"),
        ("######\n#@&$.#\n######", "sokoban", "two players"),
    ],
)
def test_a_draft_that_cannot_be_played_has_serious_problems(text, preset, wrong):
    rows = text.split("\n")
    draft = editor_of(GAME).restore({"rows": rows, "title": "", "author": "", "comment": "", "numbers": None})
    problems = draft.problems(preset)
    assert any(wrong in problem.text and problem.serious for problem in problems)
    with pytest.raises(LevelError):
        draft.board(preset, "mine")
    with pytest.raises(LevelError):
        draft.text("XSB", preset)
    assert editor_of(GAME).restore(draft.to_json()) == draft


def test_an_unsolvable_or_already_solved_draft_has_problems():
    def problems_of(*rows):
        draft = editor_of(GAME).restore({"rows": list(rows), "title": "", "author": "", "comment": "", "numbers": None})
        found = draft.problems("sokoban")
        assert not any(problem.serious for problem in found)
        return [(problem.text, problem.cell) for problem in found]

    assert problems_of("######", "#$ @.#", "#    #", "######") == [
        ("the box at row 1, column 1 cannot be pushed to a target", (1, 1))
    ]
    assert "the first step wins" in problems_of("#####", "#@* #", "#####")[0][0]
    assert ("the player cannot reach the box at row 1, column 5", (1, 5)) in problems_of(
        "########", "#@$.#$.#", "########"
    )


def test_the_boxoban_format_does_not_support_numbers():
    draft = editor_of(GAME).draft_of(GAME.levels.random("sokoban", 1))
    lines = draft.text("Boxoban", "sokoban").split("\n")
    assert lines[0] == "; 0"
    assert lines[1:11] == list(draft.to_json()["rows"])
    with pytest.raises(ConfigError, match="use XSB"):
        editor_of(GAME).draft_of(GAME.levels.random("fixed", 1)).text("Boxoban", "fixed")


@pytest.mark.parametrize(
    "change",
    [
        {"rows": ["###", "#@#"]},
        {"rows": ["####", "#@#", "###"]},
        {"rows": ["###", "#?#", "###"]},
        {"rows": ["####", "#@@#", "####"]},
        {"rows": None},
        {"title": 3},
        {"numbers": [[1, 1], [1, 2]]},
        {"numbers": 7},
        {"more": 1},
    ],
)
def test_invalid_draft_data_is_rejected(change):
    kept = {**editor_of(GAME).draft_of(GAME.levels.random("sokoban", 1)).to_json(), **change}
    with pytest.raises(ConfigError):
        editor_of(GAME).restore(kept)


def test_an_invalid_size_raises_an_error():
    with pytest.raises(ConfigError, match="rows"):
        editor_of(GAME).blank("sokoban").resized(2, 9)
    assert editor_of(GAME).blank("sokoban").resized(5, 64).cols == 64


def test_at_most_eight_lost_boxes_are_listed_and_the_others_are_counted():
    rows = ["#" * 14, "#" + "$" * 12 + "#", "#@" + " " * 11 + "#", "#" + "." * 12 + "#", "#" * 14]
    draft = editor_of(GAME).restore({"rows": rows, "title": "", "author": "", "comment": "", "numbers": None})
    found = draft.problems("sokoban")
    assert len(found) == 9
    assert found[-1].text == "the same applies to 4 more boxes"
    assert draft.problems("pull") == []
