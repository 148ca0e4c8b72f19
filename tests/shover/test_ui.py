"""Tests of the user interface of Shover-World: scenes, tiles, motions, previews, overlays and boards.

In the drawings: . empty    A the shover    B box    # barrier    L lava
"""

from itertools import pairwise

import numpy as np
import pytest

from shoverworld import Map, MapError, ShoverWorldEnv
from shoverworld.core.game import Game
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Board, Mark
from shoverworld.games import game_named
from shoverworld.games.shover import engine
from shoverworld.games.shover.game import GAME
from shoverworld.games.shover.tiles import FLAME, LOOSE_BOX, PLAIN_BOX, SHOVER_TILE, tile
from tests.tables import Table

PRESETS = ("milestone1", "walker", "phase2")
EMPTY, LAVA, BARRIER = 0, -100, 100


def test_the_game_descriptor_has_every_required_attribute():
    assert game_named("shover") is GAME
    wanted = {name for name in vars(Game) if not name.startswith("_")} | set(Game.__annotations__)
    assert not [name for name in wanted if not hasattr(GAME, name)]


# --- scenes and tiles


def test_a_scene_contains_every_cell_and_the_shover():
    scene = GAME.ui.drawing.scene(Table("0 0 3\n7 100 -100", agent=(0, 1)).state)
    assert scene.tiles.tolist() == [[0, 0, 3], [7, 100, -100]]
    assert [(actor.tile, actor.start, actor.end) for actor in scene.actors] == [(SHOVER_TILE + DOWN, (0, 1), (0, 1))]


@pytest.mark.parametrize("board", ["10 0 10 -100", "4 0 4 -100", "0 5 0 100"])
def test_strengths_are_not_shown_if_all_boxes_have_the_same_strength(board):
    state = Table(board, agent=(0, board.split().index("0"))).state
    wanted = [PLAIN_BOX if 0 < int(code) < 100 else int(code) for code in board.split()]
    assert GAME.ui.drawing.scene(state).tiles.tolist() == [wanted]
    assert GAME.ui.drawing.thumbnail(Board("mine", "milestone1", Map.parse(board))).tiles.tolist() == [wanted]
    assert GAME.ui.drawing.glyph(PLAIN_BOX, 2)[0] == "■ "


def test_a_box_drawn_without_its_strength_still_looks_like_a_box():
    plain, ten, floor = (grey(number, 48) for number in (PLAIN_BOX, 10, EMPTY))
    assert (plain == ten)[:12].all() and (plain != ten).any(), "only the plate with the number differs"
    assert (plain != floor).mean() > 0.5


@pytest.mark.parametrize(("actor", "seen"), [("leap", True), ("walk", True), ("select", False)])
@pytest.mark.parametrize("edge", ["wall", "lava"])
def test_a_shover_is_drawn_only_if_the_rules_let_it_move(actor, seen, edge):
    """This depends only on the actor, even under custom rules, after a step and after `set_state`."""
    game = Table("A.B.", "milestone1", actor=actor, edge=edge)
    assert bool(GAME.ui.drawing.scene(game.state).actors) == seen
    other = Table("A.B.", "phase2")
    before = other.state
    other.env.step((0, 2, 1))
    for state in (before, other.state):
        game.env.set_state(state)
        assert bool(GAME.ui.drawing.scene(game.state).actors) == seen
    assert not any(sprite.tile < LOOSE_BOX for sprite in GAME.ui.drawing.motion(before, other.state).sprites)


@pytest.mark.parametrize(("preset", "seen"), [("milestone1", True), ("walker", True), ("phase2", False)])
def test_a_thumbnail_shows_the_shover_only_if_the_preset_has_one(preset, seen):
    assert bool(GAME.ui.drawing.thumbnail(Board("mine", preset, Map.parse("A.B"))).actors) == seen


def test_the_shover_faces_the_direction_of_the_last_move():
    game = Table("A#B", "walker").do("right")
    assert GAME.ui.drawing.scene(game.state).actors[0].tile == SHOVER_TILE + RIGHT


@pytest.mark.parametrize(("preset", "rim"), [("milestone1", None), ("walker", None), ("phase2", LAVA)])
def test_a_scene_shows_a_lava_edge(preset, rim):
    assert GAME.ui.drawing.scene(Table("A.B", preset).state).rim == rim
    assert GAME.ui.drawing.thumbnail(Board("mine", preset, Map.parse("A.B"))).rim == rim


def on_floor(number, size):
    """Return the picture of a tile over the floor."""
    picture, floor = tile(number, size).astype(float), tile(EMPTY, size).astype(float)
    opacity = picture[..., 3:] / 255
    return picture[..., :3] * opacity + floor[..., :3] * (1 - opacity)


def grey(number, size):
    return on_floor(number, size) @ (0.299, 0.587, 0.114)


@pytest.mark.parametrize("size", [12, 16, 24, 32, 48, 96])
def test_the_kinds_of_cells_are_distinct_in_greyscale(size):
    kinds = [EMPTY, 10, BARRIER, LAVA, SHOVER_TILE + UP]
    pictures = {kind: grey(kind, size) for kind in kinds}
    for one in kinds:
        for other in kinds[kinds.index(one) + 1 :]:
            form = pictures[one] - pictures[one].mean() - pictures[other] + pictures[other].mean()
            assert np.abs(form).mean() > 6, (one, other)
    cells = [pictures[kind].mean() for kind in (EMPTY, 10, LAVA, BARRIER)]
    assert all(bright - dark > 25 for bright, dark in pairwise(cells)), cells


@pytest.mark.parametrize("size", [12, 16, 20, 24, 32, 39, 40, 48, 96])
def test_tiles_show_the_strength_of_a_box(size):
    pictures = [grey(strength, size) for strength in range(1, 11)]
    for i, one in enumerate(pictures):
        assert min(np.abs(one - other).max() for j, other in enumerate(pictures) if i != j) > 60


@pytest.mark.parametrize("size", [12, 24, 48, 96])
def test_the_shover_tiles_are_four_rotations_of_one_picture(size):
    pictures = [tile(SHOVER_TILE + direction, size) for direction in (UP, RIGHT, DOWN, LEFT)]
    for turns, picture in enumerate(pictures):
        turned = np.rot90(pictures[UP], -turns).astype(int)
        assert np.abs(turned - picture).max() <= 2
    assert min(np.abs(pictures[UP].astype(int) - other).mean() for other in pictures[1:]) > 5


@pytest.mark.parametrize("size", [1, 4, 7, 33, 128])
def test_tiles_can_be_drawn_at_any_size(size):
    for number in (EMPTY, LAVA, BARRIER, *range(1, 11)):
        picture = GAME.ui.drawing.tile(number, size)
        assert picture.shape == (size, size, 4) and picture.dtype == np.uint8
        assert (picture[..., 3] == 255).all()
    for number in (SHOVER_TILE, LOOSE_BOX + 3, FLAME):
        assert GAME.ui.drawing.tile(number, size).shape == (size, size, 4)
        assert size < 12 or GAME.ui.drawing.tile(number, size)[0, 0, 3] == 0  # the background is transparent


# --- motions


def picture_at(motion, scene, end):
    """Return the board and the position of the shover at the start or the end of a motion."""
    cells = scene.tiles.copy()
    for cell, under in motion.under.items():
        cells[cell] = under
    shover = None
    for sprite in motion.sprites:
        point = sprite.end if end else sprite.start
        if sprite.opacity[end] != 1 or sprite.tile == FLAME:
            continue
        if SHOVER_TILE <= sprite.tile < SHOVER_TILE + 4:
            shover = point
            continue
        row, col = round(point[0]), round(point[1])
        cells[row, col] = sprite.tile - LOOSE_BOX if sprite.tile > LOOSE_BOX else sprite.tile
    return cells.tolist(), shover


def check_motion(motion, before, after):
    """Assert that the motion leads from the scene `before` to the scene `after`."""
    was, becomes = GAME.ui.drawing.scene(before), GAME.ui.drawing.scene(after)
    if motion is None:
        assert np.array_equal(was.tiles, becomes.tiles)
        assert [actor.end for actor in was.actors] == [actor.end for actor in becomes.actors]
        return
    rows, cols = becomes.tiles.shape
    assert all(0 <= row < rows and 0 <= col < cols for row, col in motion.under)
    cells, shover = picture_at(motion, becomes, end=True)
    assert cells == becomes.tiles.tolist() and shover == (becomes.actors[0].end if becomes.actors else None)
    cells, shover = picture_at(motion, becomes, end=False)
    assert cells == was.tiles.tolist()
    assert (shover is None) == (not was.actors)
    assert shover is None or np.abs(np.subtract(shover, was.actors[0].end)).max() < 0.3
    assert 0.1 <= motion.seconds <= 0.3


def moved(board, action, preset="milestone1", **keywords):
    game = Table(board, preset, **keywords)
    before = game.state
    game.do(action)
    motion = GAME.ui.drawing.motion(before, game.state)
    check_motion(motion, before, game.state)
    return motion


def sprites_by_path(motion):
    """Return the sprites of a motion, keyed by tile, start and end."""
    return {(sprite.tile, sprite.start, sprite.end): sprite for sprite in motion.sprites}


def test_a_chain_glides_and_the_shover_follows():
    motion = moved("ABB.", (0, 1, "right"))
    assert set(sprites_by_path(motion)) == {
        (SHOVER_TILE + RIGHT, (0, 0), (0, 1)),
        (LOOSE_BOX + PLAIN_BOX, (0, 1), (0, 2)),
        (LOOSE_BOX + PLAIN_BOX, (0, 2), (0, 3)),
    }


def test_the_animation_shows_the_front_box_burning():
    motion = moved("0 3 7 -100\n0 5 0 0", (0, 1, "right"), agent=(0, 0))
    box, flame = sprites_by_path(motion)[LOOSE_BOX + 7, (0, 2), (0, 3)], sprites_by_path(motion)[FLAME, (0, 3), (0, 3)]
    assert box.opacity[1] < 0.2 and box.scale[1] < 0.5
    assert flame.opacity[1] == 0
    assert sprites_by_path(motion)[LOOSE_BOX + 3, (0, 1), (0, 2)].opacity == (1, 1)


def test_a_box_pushed_over_the_edge_burns_half_a_cell_beyond_the_edge():
    motion = moved("A.B", (0, 2, "right"), "phase2")
    assert sprites_by_path(motion)[LOOSE_BOX + PLAIN_BOX, (0, 2), (0, 2.5)].opacity[1] < 0.2


def test_a_shover_that_leaps_far_fades_out_and_in():
    motion = moved("A...B.", (0, 4, "right"))
    vanishes, appears = (s for s in motion.sprites if s.tile < LOOSE_BOX)
    assert (vanishes.start, vanishes.end, vanishes.opacity) == ((0, 0), (0, 0), (1, 0))
    assert (appears.end, appears.opacity) == ((0, 4), (0, 1))


def test_a_blocked_shover_bumps_and_returns():
    motion = moved("A#B", "right", "walker")
    (shover,) = motion.sprites
    assert shover.start[1] > 0 and shover.end == (0, 0)


def test_a_blocked_box_jolts():
    motion = moved("A..B#", (0, 3, "right"))
    assert (LOOSE_BOX + PLAIN_BOX) in [sprite.tile for sprite in motion.sprites]


def test_a_blocked_move_is_animated_as_a_bump_with_any_z_base():
    """With z_base=5, a direction has the code that a special has with z_base=1."""
    game = Table("A#", z_base=5)
    before = game.state
    game.env.step((0, 1, 5 + RIGHT))
    moved = GAME.ui.drawing.motion(before, game.state)
    assert moved is not None
    shover = moved.sprites[-1]
    assert shover.start != shover.end and shover.scale == (1.0, 1.0)


def test_a_special_action_without_a_square_makes_the_shover_shrink():
    (shover,) = moved("A.B", "barrier").sprites
    assert shover.start == shover.end and shover.scale[0] < 1 == shover.scale[1]


def test_waiting_is_not_animated():
    assert moved("A.B", "noop", "walker") is None


def test_the_boxes_of_a_square_fade_into_barriers():
    motion = moved("A....\n.BB..\n.BB..\n.....", "barrier")
    assert sum(sprite.tile == BARRIER and sprite.opacity == (0, 1) for sprite in motion.sprites) == 4
    assert sum(sprite.tile == LOOSE_BOX + PLAIN_BOX and sprite.opacity == (1, 0) for sprite in motion.sprites) == 4


def test_the_hellify_animation_shows_the_boxes_burning_and_the_lava_inside():
    motion = moved("A....\n.BBB.\n.BBB.\n.BBB.\n.....", "hellify")
    assert [sprite.start for sprite in motion.sprites if sprite.tile == LAVA] == [(2, 2)]
    assert sum(sprite.tile == FLAME for sprite in motion.sprites) == 9
    assert sum(sprite.opacity == (1, 0) for sprite in motion.sprites) == 9


def test_a_dissolving_square_fades_out():
    motion = moved("A....\n.BB..\n.BB..\n.....", (0, 1, "right"), perf_sq_initial_age=1)
    assert sum(sprite.opacity == (1, 0) for sprite in motion.sprites) == 4
    assert not any(sprite.tile == FLAME for sprite in motion.sprites)


def test_a_box_that_completes_a_square_and_dissolves_in_the_same_step_is_animated():
    moved("B.B.\n.BB.\n....", (0, 0, "right"), perf_sq_initial_age=0, agent=(2, 0))


def test_a_placement_is_animated():
    game = Table("A...\n...B")
    before = game.state
    game.place((1, 1))
    check_motion(GAME.ui.drawing.motion(before, game.state), before, game.state)


def test_an_undo_or_a_skipped_step_or_a_change_of_board_is_not_animated():
    game = Table("A.B..L")
    before = game.state
    game.do((0, 2, "right"))
    one = game.state
    game.do((0, 3, "right"))
    assert GAME.ui.drawing.motion(one, before) is None
    assert GAME.ui.drawing.motion(before, game.state) is None
    assert GAME.ui.drawing.motion(before, Table("A.B").state) is None


def random_games(preset, games, steps, seed=0, **keywords):
    """Yield the states before and after each step of random games that are played in one environment."""
    rng = np.random.default_rng(seed)
    env = ShoverWorldEnv(rules=preset, n_rows=6, n_cols=7, number_of_boxes=14, seed=0, **keywords)
    for number in range(games):
        env.reset(seed=number)
        for _ in range(steps):
            if env.outcome:
                break
            before = env.get_state()
            mask = env.action_mask().reshape(6, 7, -1)
            valid = np.argwhere(mask)
            row, col, z = (
                rng.choice(valid) if len(valid) and rng.random() < 0.8 else rng.integers([6, 7, mask.shape[2]])
            )
            env.step((int(row), int(col), int(z) + env.rules.first_z))
            yield env, before, env.get_state()


@pytest.mark.parametrize("preset", PRESETS)
def test_animations_lead_from_one_scene_to_the_next_in_random_games(preset):
    kinds = set()
    for env, before, after in random_games(preset, 40, 25, perf_sq_initial_age=2):
        check_motion(GAME.ui.drawing.motion(before, after), before, after)
        move = GAME.ui.texts.move(env, before, after)
        kinds.add(move.kind)
        assert (move.kind == "invalid") == bool(env.why_invalid(after))
        assert GAME.ui.texts.figures(env, after, None) and move.words
    assert kinds >= {"push", "burn", "invalid", "dissolve", "special"} - ({"special"} if preset == "walker" else set())


# --- previews


@pytest.mark.parametrize(
    "keywords",
    [*({"rules": preset} for preset in PRESETS), {"stationary": "front"}, {"edge": "lava", "initial_force": 5.5}],
    ids=str,
)
def test_a_preview_agrees_with_the_rules(keywords):
    """Preview and play every direction on every cell of boards in the middle of a game."""
    env = ShoverWorldEnv(n_rows=5, n_cols=6, number_of_boxes=11, number_of_lavas=3, seed=0, **keywords)
    rules, reward = env.rules.numbers(), env.rules.reward_numbers()
    rng = np.random.default_rng(1)
    charged, burnt = set(), 0
    for number in range(60):
        env.reset(seed=number)
        for _ in range(number % 5):  # these steps set boxes in motion
            choices = np.argwhere(env.action_mask().reshape(5, 6, -1)[..., : 4 + env.rules.noop])
            row, col, z = rng.choice(choices).tolist()
            env.step((row, col, z + env.rules.first_z))
        state = env.get_state()
        for row, col, direction in np.ndindex(5, 6, 4):
            preview = engine.preview_push(state, rules, row, col, direction)
            done = state.copy()
            engine.play(done, 0, rules, reward, row, col, rules.z_base + direction)
            game = done.game[0]
            change = game["stamina"] - state.game["stamina"][0]
            assert preview.valid == game["valid"]
            if not (preview.valid and preview.chain):
                assert game["chain"] == 0 and change == -rules.step_cost
                continue
            burns = preview.beyond == LAVA
            assert (preview.chain, preview.charged, burns) == (game["chain"], game["charged"], game["burnt"])
            assert change == pytest.approx(rules.initial_force * burns - preview.cost)
            assert preview.cost == (preview.cost_from_rest if preview.charged else preview.cost_in_motion)
            assert preview.cost_from_rest - preview.cost_in_motion == pytest.approx(rules.initial_force)
            assert (preview.row, preview.col) == (game["row"], game["col"])
            charged.add(preview.charged)
            burnt += burns
    assert charged == {True, False} and burnt


def test_a_preview_does_not_change_the_state():
    state = Table("ABB.L").state
    before = state.copy()
    engine.preview_push(state, ShoverWorldEnv().rules.numbers(), 0, 1, RIGHT)
    assert all(np.array_equal(a.view(np.uint8), b.view(np.uint8)) for a, b in zip(state[:3], before[:3], strict=True))


# --- overlays


def overlay(game, key, plan=None):
    return GAME.ui.overlays.marks(key, game.env, game.state, plan)


def test_every_overlay_has_its_own_key():
    keys = [shown.key for shown in GAME.ui.overlays.overlays]
    assert keys == ["1", "2", "3", "4"] and [shown.plans for shown in GAME.ui.overlays.overlays] == [
        False,
        False,
        False,
        True,
    ]
    assert not set(keys) & {key for help_ in GAME.ui.controls.keys for key in help_.keys}


def test_an_overlay_shows_squares_with_their_ages():
    game = Table("A....\n.BBB.\n.BBB.\n.BBB.\n.....").do((0, 1, "right"), (0, 2, "right"))
    (mark,) = overlay(game, "1")
    assert mark == Mark("frame", (1, 1), mark.colour, "age 2, 8 left", 3, 3, style="double")
    assert overlay(Table("A.B"), "1") == []


def test_an_overlay_shows_boxes_in_motion():
    game = Table("A.BB..")
    assert overlay(game, "2") == []
    game.do((0, 2, "right"))
    assert [(mark.kind, mark.cell, mark.direction) for mark in overlay(game, "2")] == [
        ("arrow", (0, 3), RIGHT),
        ("arrow", (0, 4), RIGHT),
    ]
    game.do((0, 0, "right"))
    assert overlay(game, "2") == []


def test_an_overlay_shows_the_distances_that_the_planner_uses():
    """
    L . . #      0 1 2 -
    . # . B  ->  1 - 3 4
    """
    marks = overlay(Table("L.A#\n.#.B"), "3")
    assert {mark.cell: mark.text for mark in marks} == {(0, 1): "1", (0, 2): "2", (1, 0): "1", (1, 2): "3", (1, 3): "4"}
    assert len({mark.colour for mark in marks}) == 4
    assert {mark.text for mark in overlay(Table("A.B"), "3")} == {""}
    thin = {mark.cell for mark in marks if mark.style == "corner" and mark.strength < 0.3}
    assert thin == {(0, 2), (1, 3)}, "the shover and the box stay visible"


def test_the_plan_overlay_shows_the_number_of_each_step():
    game = Table("A.B.L\n.....")
    marks = overlay(game, "4", Plan("solved", [(0, 2, 2), (0, 3, 2)]))
    assert [(mark.kind, mark.cell, mark.text, mark.direction) for mark in marks] == [
        ("arrow", (0, 2), "1", RIGHT),
        ("arrow", (0, 3), "2", RIGHT),
    ]
    assert overlay(game, "4") == []


def test_a_plan_for_a_walker_is_shown_step_by_step():
    marks = overlay(Table("A.BL", "walker"), "4", Plan("solved", [(0, 0, 2), (0, 0, 2)]))
    assert [(mark.cell, mark.text) for mark in marks] == [((0, 1), "1"), ((0, 2), "2")]


def test_the_plan_overlay_shows_waits_and_special_actions_and_ends_after_twelve_steps():
    game = Table("A....\n.BBB.\n.BBB.\n.BBB.\n.....", "walker")
    marks = overlay(game, "4", Plan("solved", [(0, 0, 0)] * 2 + [(0, 0, 6)]))
    assert [(mark.kind, mark.cell, mark.rows, mark.text) for mark in marks] == [
        ("shade", (0, 0), 1, "1, 2"),
        ("frame", (1, 1), 3, "3"),
    ]
    row = Table("A" + "." * 30 + "B")
    assert len(overlay(row, "4", Plan("solved", [(0, col, 2) for col in range(1, 25)]))) == 12


def test_the_plan_overlay_draws_a_frame_for_impossible_actions():
    game = Table("A.B.L\n.....", "walker")
    marks = overlay(game, "4", Plan("solved", [(0, 0, 6), (0, 0, 1)]))  # no square; the map ends above the shover
    assert [(mark.kind, mark.cell, mark.text) for mark in marks] == [("frame", (0, 0), "1, 2 x")]
    assert marks[0].colour == (200, 30, 40)


def test_a_hint_marks_the_next_action():
    game = Table("A.B.L")
    kinds = [(mark.kind, mark.cell) for mark in GAME.ui.overlays.hint(game.env, game.state, (0, 2, 2))]
    assert kinds == [("arrow", (0, 2)), ("frame", (0, 2))]


# --- boards


def test_every_bundled_map_is_available_as_a_board():
    boards = GAME.levels.boards()
    assert len(boards) == 16
    first = boards[0]
    assert (first.name, first.title, first.preset) == ("01-first-push", "First push", "milestone1")
    assert first.about.startswith("Select the box") and "rules:" not in first.about
    for board in boards:
        env = GAME.levels.environment(board, board.preset)
        env.reset(seed=0, options=GAME.levels.options(board))
        assert GAME.ui.drawing.scene(env.get_state()).tiles.tolist() == GAME.ui.drawing.thumbnail(board).tiles.tolist()


ABOUT = "Two lines about it.\nAnd more."  # an empty comment ends a paragraph


def test_a_map_file_is_read_as_a_board(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("//\n// My yard\n// Two lines\n// rules: phase2\n// about it.\n//\n//\n// And more.\nA.B\n//\n")
    board = GAME.levels.read(str(path))
    assert (board.name, board.preset, board.title, board.about) == ("mine", "phase2", "My yard", ABOUT)
    assert board.path == str(path) and board.level == Map.parse("A.B")
    path.write_text("A.B\n")
    assert (GAME.levels.read(str(path)).title, GAME.levels.read(str(path)).preset) == ("mine", "milestone1")


def test_a_bundled_map_is_read_by_its_name():
    assert GAME.levels.read("01-first-push") == GAME.levels.boards()[0]


def test_a_file_with_an_unknown_preset_raises_an_error(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("// My yard\n// rules: chess\nA.B\n")
    with pytest.raises(
        MapError,
        match="line 2: rules='chess': there is no such preset; the presets are 'milestone1', 'walker', 'phase2'",
    ):
        GAME.levels.read(str(path))


@pytest.mark.parametrize("preset", PRESETS)
def test_random_boards_equal_the_maps_that_the_environment_generates(preset):
    board = GAME.levels.random(preset, 7)
    obs, _ = ShoverWorldEnv(rules=preset).reset(seed=7)
    assert np.array_equal(board.level.grid, obs["grid"]) and board.level.agent == tuple(obs["agent"])
    assert (board.preset, board.seed) == (preset, 7)


def test_the_identity_of_a_board_depends_on_the_map_and_the_preset():
    def identity(text, preset="milestone1", name="one"):
        return GAME.levels.identity(Board(name, "phase2", Map.parse(text, name)), preset)

    assert identity("A.B") == identity("A . B", name="two")
    others = [identity("A.B", "walker"), identity(".AB"), identity("..B"), identity("A.#"), identity("A\n.\nB")]
    assert len({identity("A.B"), *others}) == 6


def test_the_planner_solves_a_bundled_map():
    board = GAME.levels.boards()[0]
    env = GAME.levels.environment(board, board.preset)
    env.reset(options=GAME.levels.options(board))
    reported = []
    plan = GAME.plan(env, env.get_state(), time_limit=10, progress=reported.append)
    assert plan.status == "solved" and plan.steps == 3 and reported
