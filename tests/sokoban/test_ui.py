"""The user interface of Sokoban: boards, scenes, motions, text, overlays and plans."""

from dataclasses import replace

import numpy as np
import pytest

from shoverworld.core.errors import ConfigError, LevelNotFound, UnsolvableError
from shoverworld.core.level_files import levels_in
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act, Board
from shoverworld.games import game_named, game_of
from shoverworld.games.sokoban import tiles
from shoverworld.games.sokoban.boards import MAX_STEPS, RULES
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.formats import levels_text
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.record import level_of
from shoverworld.games.sokoban.state import BOX, SokobanState
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session

GAME = game_named("sokoban")
PRESETS = [preset.name for preset in GAME.presets]

PLAIN = """
########
#@ $ . #
#  #   #
# $ .  #
########
"""
TWO = """
########
#@ $ .@#
#      #
########
"""


def board(text: str, preset: str = "sokoban") -> Board:
    return Board("drawn", preset, Level.parse(text))


def session(text: str, preset: str = "sokoban") -> Session:
    return Session(GAME, board(text, preset))


def drawn(state: SokobanState) -> list[str]:
    return level_of(state).lines()


def random_game(preset: str, seed: int, steps: int):
    """Play random actions, most of them valid, in a generated room. Return the game and the turns."""
    game = Session(GAME, GAME.levels.random(preset, seed))
    rng = np.random.default_rng(seed)
    turns = []
    while len(turns) < steps and game.outcome is None:
        valid = np.flatnonzero(game.env.action_mask())
        action = int(rng.integers(len(game.env.action_mask())) if rng.random() < 0.1 else rng.choice(valid))
        turns.append(game.do(Act(action)))
    return game, turns


def cells_walked_to(lines: list[str], start: tuple[int, int]) -> set[tuple[int, int]]:
    seen, todo = {start}, [start]
    for row, col in todo:
        for there in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if lines[there[0]][there[1]] in " .@+" and there not in seen:
                seen.add(there)
                todo.append(there)
    return seen


# --- boards


def test_every_packaged_collection_can_be_played():
    names = []
    for collection in GAME.levels.collections():
        boards = GAME.levels.boards(collection.name)
        names += [found.name for found in boards]
        assert [found.name for found in boards] == [f"{collection.name}#{n}" for n in range(1, len(boards) + 1)]
        game = Session(GAME, boards[0])
        assert game.env.level == boards[0].level
        assert GAME.levels.read(boards[-1].name) is not None
    assert len(set(names)) == len(names) > 0
    assert GAME.levels.boards()[0].name == names[0]


def test_the_best_known_score_of_a_packaged_board_is_the_score_of_its_solution():
    first = next(found for found in GAME.levels.boards() if found.level.solution)
    known = GAME.levels.best_known(GAME.levels.identity(first, first.preset))
    assert known is not None
    assert known.numbers == (sum(map(str.isupper, first.level.solution)), len(first.level.solution))
    assert GAME.levels.best_known("nothing") is None


def test_a_level_file_is_opened_as_a_collection_of_numbered_levels(tmp_path):
    path = tmp_path / "three.xsb"
    levels = [replace(Level.parse(PLAIN), title=title, author="N. N.") for title in ("A", "B", "3")]
    path.write_text(levels_text(levels), encoding="utf-8")
    found = GAME.levels.boards(str(path))
    assert [(b.name, b.title, b.preset) for b in found] == [
        ("three#1", "A", "sokoban"),
        ("three#2", "B", "sokoban"),
        ("three#3", "Level 3", "sokoban"),
    ]
    assert all(b.path is None for b in found)  # saving one edited level must not overwrite the other levels
    assert GAME.levels.read(f"{path}#2").title == "B"
    assert GAME.levels.read(str(path)).title == "A"
    assert found[0].about == "By N. N."
    with pytest.raises(LevelNotFound, match="levels are 1 to 3"):
        GAME.levels.read(f"{path}#4")
    with pytest.raises(LevelNotFound, match="does not exist"):
        GAME.levels.read(str(tmp_path / "other.xsb"))


def test_a_folder_is_opened_as_a_collection_and_a_single_level_keeps_its_path(tmp_path):
    (tmp_path / "in").mkdir()
    for name, text in (("in/b.txt", TWO), ("a.xsb", PLAIN)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = levels_in(GAME, str(tmp_path)).boards
    assert [(b.name, b.preset) for b in found] == [("a", "sokoban"), ("in/b", "two")]
    alone = GAME.levels.read(str(tmp_path / "a.xsb"))
    assert (alone.name, alone.path) == ("a", str(tmp_path / "a.xsb"))


def test_a_level_with_numbered_boxes_uses_the_fixed_preset():
    level = Level.parse(PLAIN)
    targets, boxes = level.targets.copy(), level.boxes.copy()
    targets[targets != 0], boxes[boxes != 0] = (2, 1), (1, 2)
    fixed = replace(level, targets=targets, boxes=boxes)
    from shoverworld.games.sokoban.boards import _board

    assert _board("set", 1, fixed).preset == "fixed"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_random_board_equals_the_room_of_an_environment_with_the_same_seed(preset):
    env = SokobanEnv(rules=RULES[preset])
    for seed in (0, 5, 11):
        env.reset(seed=seed)
        found = GAME.levels.random(preset, seed)
        assert env.level == found.level
        assert (found.preset, found.seed) == (preset, seed)
        assert Session(GAME, found).env.map_text() == env.map_text()


def test_games_in_the_user_interface_have_a_high_step_limit():
    assert session(PLAIN).env.rules.max_steps == MAX_STEPS
    assert not GAME.ui.controls.place_spares_steps(session(PLAIN).env)


def test_rules_for_another_number_of_players_raise_an_error():
    with pytest.raises(ConfigError, match=r"one player, but the 'two' rules are for two; try sokoban, pull, fixed"):
        GAME.levels.environment(board(PLAIN), "two")
    with pytest.raises(ConfigError, match="two players"):
        GAME.levels.environment(board(TWO), "pull")


def test_the_identity_of_a_board_depends_on_its_cells_and_rules():
    one, renamed = board(PLAIN), Board("other", "pull", replace(Level.parse(PLAIN), title="T"), "T")
    assert GAME.levels.identity(one, "sokoban") == GAME.levels.identity(renamed, "sokoban")
    ours = {GAME.levels.identity(one, preset) for preset in ("sokoban", "pull", "fixed")}
    assert len(ours | {GAME.levels.identity(board(PLAIN.replace("@ ", " @")), "sokoban")}) == 4


def test_a_sokoban_replay_is_recognised_and_its_events_are_marked():
    game = Session(GAME, GAME.levels.boards()[0])
    for letter in game.board.level.solution:
        game.do(Act("UDLRudlr".index(letter) + 1))
    cursor = ReplayCursor(game.replay())
    assert (cursor.board.name, cursor.board.preset) == (game.board.name, "sokoban")
    assert cursor.score == GAME.levels.score(game.env, game.state) is not None
    assert "goal" in [kind for _, kind in cursor.markers]
    fixed = GAME.levels.environment(game.board, "fixed")
    fixed.reset(options=GAME.levels.options(game.board))
    assert (GAME.levels.board_of(fixed).name, GAME.levels.board_of(fixed).preset) == (game.board.name, "fixed")
    assert cursor.session().board.level == game.board.level


@pytest.mark.parametrize("preset", PRESETS)
def test_a_replay_reproduces_its_game_for_every_preset(preset):
    game, turns = random_game(preset, 2, 40)
    cursor = ReplayCursor(Replay.parse(game.replay("somebody").to_text()))
    assert cursor.game is GAME
    assert (cursor.board.level, cursor.board.preset) == (game.board.level, preset)
    assert cursor.moves == [turn.move for turn in turns]
    cursor.go(cursor.last)
    assert np.array_equal(GAME.ui.drawing.scene(cursor.state).tiles, GAME.ui.drawing.scene(game.state).tiles)
    assert cursor.session().state.game["moves"][0] == game.state.game["moves"][0]


@pytest.mark.parametrize(
    ("rules", "preset"),
    [
        ({}, "sokoban"),
        ({"moves": "four", "max_steps": 9}, "sokoban"),
        ({"pull": True}, "pull"),
        ({"pull": True, "fixed_targets": True}, "pull, fixed_targets=true"),
    ],
)
def test_the_preset_of_an_environment_is_recognised_from_its_rules(rules, preset):
    env = SokobanEnv(levels=Level.parse(PLAIN), **rules)
    env.reset(seed=0)
    assert game_of(env) is GAME
    found = GAME.levels.board_of(env)
    assert (found.preset, found.level.lines()) == (preset, Level.parse(PLAIN).lines())
    assert found.level.fixed == rules.get("fixed_targets", False)


# --- pictures


def test_a_scene_contains_every_cell_and_the_players():
    scene = GAME.ui.drawing.scene(session(PLAIN).state)
    assert tiles.contents(int(scene.tiles[1, 3]))[0] == "box"
    assert tiles.contents(int(scene.tiles[1, 5]))[0] == "target"
    assert [(sprite.tile, sprite.end) for sprite in scene.actors] == [(tiles.PLAYER_TILE, (1, 1))]
    two = GAME.ui.drawing.scene(session(TWO, "two").state)
    assert [sprite.end for sprite in two.actors] == [(1, 1), (1, 6)]
    assert two.actors[0].tile != two.actors[1].tile


@pytest.mark.parametrize("preset", PRESETS)
def test_a_thumbnail_shows_the_initial_scene(preset):
    found = GAME.levels.random(preset, 3)
    scene, thumbnail = GAME.ui.drawing.scene(Session(GAME, found).state), GAME.ui.drawing.thumbnail(found)
    assert np.array_equal(scene.tiles, thumbnail.tiles)
    assert scene.actors == thumbnail.actors


@pytest.mark.parametrize("preset", PRESETS)
def test_an_animation_includes_every_box_and_player_that_moved(preset):
    for seed in range(3):
        _, turns = random_game(preset, seed, 120)
        for before, after, move, _ in turns:
            motion, old, new = (
                GAME.ui.drawing.motion(before, after),
                GAME.ui.drawing.scene(before),
                GAME.ui.drawing.scene(after),
            )
            if motion is None:
                assert move.words == "waited"
                continue
            changed = {(int(r), int(c)) for r, c in np.argwhere(old.tiles != new.tiles)}
            assert changed <= set(motion.under)
            figures = [sprite for sprite in motion.sprites if sprite.tile >= tiles.PLAYER_TILE]
            assert [s.start for s in figures] == [s.end for s in old.actors]
            assert [(s.tile, s.end) for s in figures] == [(s.tile, s.end) for s in new.actors]
            boxes = [s for s in motion.sprites if s.tile < tiles.PLAYER_TILE]
            assert bool(boxes) == bool(changed)
            for sprite in boxes:
                start = before.rooms()[0, BOX][sprite.start]
                assert start != 0 == after.rooms()[0, BOX][sprite.start]
                assert after.rooms()[0, BOX][sprite.end] == start
                assert tiles.contents(motion.under[sprite.end])[0] in ("floor", "target")


def test_the_colour_of_a_box_fades_when_it_moves_onto_or_off_a_target():
    game = session(PLAIN.replace("$ .", " $.", 1), "pull")
    game.do(game.handler.press(game.state, "right"))
    turn = game.do(game.handler.press(game.state, "right"))
    motion = GAME.ui.drawing.motion(turn.before, turn.after)
    assert [s.opacity for s in motion.sprites if s.tile == tiles.LOOSE_BOX + 1] == []
    turn = game.do(game.handler.press(game.state, "right"))
    assert turn.move == ("goal", "pushed the box to the right, onto a target")
    motion = GAME.ui.drawing.motion(turn.before, turn.after)
    assert [s.opacity for s in motion.sprites if s.tile == tiles.LOOSE_BOX + 1] == [(0.0, 1.0)]
    turn = game.do(game.handler.press(game.state, "shift+left"))
    assert turn.move == ("loss", "pulled the box to the left, off its target")
    motion = GAME.ui.drawing.motion(turn.before, turn.after)
    assert [s.opacity for s in motion.sprites if s.tile == tiles.LOOSE_BOX + 1] == [(1.0, 0.0)]


def test_undone_steps_and_skipped_steps_and_new_boards_are_not_animated():
    game, turns = random_game("sokoban", 1, 30)
    assert GAME.ui.drawing.motion(turns[5].after, turns[5].before) is None
    assert GAME.ui.drawing.motion(turns[0].before, turns[5].after) is None
    assert GAME.ui.drawing.motion(game.state, session(PLAIN).state) is None
    assert GAME.ui.drawing.motion(session(PLAIN).state, turns[0].after) is None


def test_terminal_glyphs_are_distinct():
    kinds = [
        tiles.OUTSIDE, tiles.WALL, tiles.on_floor(0), tiles.on_floor(0, tiles.target(0)), tiles.on_floor(0, tiles.box(0)),
        tiles.on_floor(0, tiles.box(0, 0)), tiles.PLAYER_TILE, tiles.PLAYER_TILE + 2, tiles.SECOND_TILE, tiles.SECOND_TILE + 2,
    ]  # fmt: skip
    for width in (1, 2):
        glyphs = [GAME.ui.drawing.glyph(tile, width) for tile in kinds]
        assert all(len(text) == width for text, _ in glyphs)
        assert len({text for text, _ in glyphs}) == len(glyphs)
        assert len({style for _, style in glyphs}) >= 8
    numbers = [GAME.ui.drawing.glyph(tiles.on_floor(0, tiles.box(n)), 2)[0] for n in (3, 12, 128)]
    assert numbers == ["3]", "12", "28"]
    assert GAME.ui.drawing.glyph(tiles.on_floor(0, tiles.box(3, 3)), 2)[0] == "3*"


# --- text


def test_the_statistics_show_the_numbers_of_moves_and_pushes_and_pulls():
    game = session(PLAIN, "pull")
    for key in ("right", "right", "right"):
        game.do(game.handler.press(game.state, key))
    lines = {figure.label: figure for figure in GAME.ui.texts.figures(game.env, game.state, None)}
    assert (lines["Moves"].value, lines["Pushes"].value, lines["Pulls"].value) == ("3", "2", "0")
    assert (lines["Boxes on target"].value, lines["Boxes on target"].share) == ("1 of 2", 0.5)
    assert "Steps left" not in lines
    assert GAME.levels.score(game.env, game.state) is None
    short = SokobanEnv(levels=Level.parse(PLAIN), max_steps=10)
    short.reset(seed=0)
    short.step(0)
    lines = {figure.label: figure for figure in GAME.ui.texts.figures(short, short.get_state(), None)}
    assert lines["Steps left"].value == "9 of 10"


@pytest.mark.parametrize(
    ("row", "action", "why"),
    [
        ("#@ $ .#", 3, "a wall is in the way"),
        ("# @$ .#", 8, "a box is in the way, and only a push can move it"),
        ("#. .@$#", 4, "the box is against a wall"),
        ("#.@$$.#", 4, "the box is against another box"),
    ],
)
def test_an_invalid_action_is_reported_with_the_reason(row, action, why):
    boxes, goals = row.count("$"), row.count(".")
    below = "#" + "$" * (goals - boxes) + "." * (boxes - goals)
    game = session(f"#######\n{row}\n{below.ljust(6)}#\n#######")
    turn = game.do(Act(action))
    assert turn.why == why
    assert turn.move.kind == "invalid"
    assert any(why in figure.value for figure in GAME.ui.texts.figures(game.env, game.state, None))
    assert GAME.ui.drawing.motion(turn.before, turn.after).sprites[0].scale[0] < 1


def test_the_reason_for_an_action_blocked_by_the_other_player_names_that_player():
    game = session("#######\n#@@$ .#\n#######", "two")
    assert game.do(Act(4)).why == "the second player is in the way"
    turn = game.do(Act(12))
    assert turn.move.words == "second player pushed the box to the right"
    assert (
        GAME.ui.texts.describe(game.env, turn.before, 12)
        == "second player: push the box at row 1, column 3 to the right"
    )


def test_moves_and_hints_are_described():
    game = session(PLAIN, "fixed")
    env, start = game.env, game.state
    assert GAME.ui.texts.describe(env, start, 0) == "wait"
    assert GAME.ui.texts.describe(env, start, 8) == GAME.ui.texts.describe(env, start, 4) == "walk right"
    assert GAME.ui.texts.describe(env, start, 1) == "do nothing: up is blocked"
    assert game.do(Act(8)).move == ("walk", "walked right")
    assert GAME.ui.texts.describe(env, game.state, 4) == "push box 1 at row 1, column 3 to the right"
    assert game.do(Act(4)).move == ("push", "pushed box 1 to the right")
    assert game.do(Act(4)).move == ("goal", "pushed box 1 to the right, onto its target")
    assert game.do(Act(0)).move == ("", "waited")
    assert game.do(Act(4)).move == ("loss", "pushed box 1 to the right, off its target")
    assert GAME.ui.texts.move(env, start, start) == ("", "")


def test_the_description_of_a_cell_mentions_a_box_on_the_target_of_another_box():
    game = session("########\n#@$.. $#\n#      #\n########", "fixed")
    assert game.do(Act(4)).move.kind == "goal"
    turn = game.do(Act(4))
    assert turn.move == ("loss", "pushed box 1 to the right, off its target")
    assert "on target 2, the target of another box" in game.handler.hover(game.state, (1, 4), None).text


def test_the_end_screen_shows_the_score():
    game = session("#####\n#@$.#\n#####")
    assert GAME.ui.texts.ending(game.env, game.state)[0].value == "Still playing"
    game.do(Act(4))
    assert GAME.ui.texts.ending(game.env, game.state)[0].tone == "good"
    score = GAME.levels.score(game.env, game.state)
    assert (score.numbers, score.words) == ((1, 1), "1 push, 1 move")
    assert score.beats(None)


# --- overlays and plans


def test_an_overlay_marks_cells_without_a_path_to_a_target():
    game = session("#######\n#     #\n# @$  #\n#   . #\n#######")
    dead = {mark.cell for mark in GAME.ui.overlays.marks("1", game.env, game.state, None)}
    assert (1, 1) in dead
    assert (1, 3) in dead  # next to the top wall
    assert (2, 3) not in dead
    assert (3, 4) not in dead
    assert GAME.ui.overlays.marks("1", session(PLAIN, "pull").env, session(PLAIN, "pull").state, None) == []


def test_an_overlay_draws_a_frame_around_a_box_that_cannot_reach_a_target():
    game = session("#######\n#  $  #\n# @   #\n#   . #\n#######")
    frames = [mark.cell for mark in GAME.ui.overlays.marks("1", game.env, game.state, None) if mark.kind == "frame"]
    assert frames == [(1, 3)]


def test_overlays_show_reachable_cells_and_distances():
    game = session(PLAIN)
    reach = {mark.cell for mark in GAME.ui.overlays.marks("2", game.env, game.state, None)}
    assert reach == cells_walked_to(drawn(game.state), (1, 1)) - {(1, 1)}
    far = {mark.cell: mark.text for mark in GAME.ui.overlays.marks("4", game.env, game.state, None)}
    assert (far[1, 3], far[1, 5], far[3, 2], far[3, 4]) == ("2", "0", "2", "0")
    fixed = session(PLAIN, "fixed")
    own = {mark.cell: mark.text for mark in GAME.ui.overlays.marks("4", fixed.env, fixed.state, None)}
    assert own == {(1, 3): "2", (3, 2): "2"}


@pytest.mark.parametrize("preset", ["sokoban", "fixed"])
def test_plans_from_the_solver_can_be_played(preset):
    for seed in range(3):
        game = Session(GAME, GAME.levels.random(preset, seed))
        reported = []
        plan = GAME.plan(game.env, game.state, time_limit=60.0, progress=reported.append)
        assert plan.status == "solved"
        marks = GAME.ui.overlays.marks("3", game.env, game.state, plan)
        assert marks[0].kind == "arrow"
        assert marks[0].text.split(", ")[0] == "1"
        assert [mark.kind for mark in GAME.ui.overlays.hint(game.env, game.state, plan.actions[0])] == [
            "arrow",
            "frame",
        ]
        for action in plan.actions:
            assert game.do(Act(action)).why == ""
        assert game.outcome == "solved"
        assert GAME.plan(game.env, game.state, time_limit=1.0).status == "solved"


def test_the_solver_supports_rules_with_four_actions():
    env = SokobanEnv(levels=Level.parse(PLAIN), moves="four")
    env.reset(seed=0)
    plan = GAME.plan(env, env.get_state(), time_limit=60.0)
    for action in plan.actions:
        env.step(action)
    assert env.outcome == "solved"


@pytest.mark.parametrize("preset", ["two", "pull"])
def test_plans_for_two_players_or_with_pulls_are_not_proven_optimal(preset):
    for seed in range(3):
        game = Session(GAME, GAME.levels.random(preset, seed))
        plan = GAME.plan(game.env, game.state, time_limit=60.0)
        assert plan.status == "solved" and not plan.proved_optimal and plan.lower_bound == 0
        for action in plan.actions:
            assert game.do(Act(action)).why == ""
        assert game.outcome == "solved"


@pytest.mark.parametrize("level", ["#######\n#@$ .@#\n#######", "#######\n#@$. @#\n#######"])
def test_the_plan_moves_the_player_who_can_solve_the_level(level):
    for text in (level, "\n".join(row[::-1] for row in level.splitlines())):
        game = session(text, "two")
        plan = GAME.plan(game.env, game.state, time_limit=60.0)
        assert {game.do(Act(action)).why for action in plan.actions} == {""}
        assert game.outcome == "solved"


@pytest.mark.parametrize(
    ("preset", "level", "why"),
    [
        ("pull", "######\n# . $#\n#   @#\n######", "the solver does not pull"),
        ("two", "#######\n#@$ .##\n#. $@##\n#######", "neither player can solve this position alone"),
    ],
)
def test_the_error_explains_why_one_player_without_pulls_cannot_solve_the_level(preset, level, why):
    game = session(level, preset)
    with pytest.raises(UnsolvableError, match=why):
        GAME.plan(game.env, game.state, time_limit=60.0)


def test_the_solver_proves_that_a_lost_game_is_unsolvable():
    game = session("#######\n#  $  #\n# @   #\n#   . #\n#######")
    assert GAME.plan(game.env, game.state, time_limit=60.0).status == "unsolvable"


def test_the_keys_of_the_game_differ_from_the_general_keys():
    table = {"u", "y", "r", "x", "n", "p", "m", "k", "v", "e", "q", "l", "space", "tab", "escape", "f1", "f2"}
    ours = {key for help in GAME.ui.controls.keys for key in help.keys}
    assert not ours & table
    assert len({overlay.key for overlay in GAME.ui.overlays.overlays}) == 4
