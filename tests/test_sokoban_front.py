"""How people see and play Sokoban: boards, scenes, motions, hands, words and help, each on real games."""

from collections import deque
from dataclasses import replace

import numpy as np
import pytest

from shoverworld.core.errors import ConfigError, LevelError, LevelNotFound
from shoverworld.core.front import Act, Board, Say, Walk
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.games.sokoban import tiles
from shoverworld.games.sokoban.config import SokobanRules
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.formats import levels_text
from shoverworld.games.sokoban.front.presets import MAX_STEPS, RULES
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.state import BOX, SokobanState
from shoverworld.play.cursor import Cursor
from shoverworld.play.rooms import front_of, front_of_env
from shoverworld.play.session import Session

FRONT = front_of("sokoban")
PRESETS = [preset.name for preset in FRONT.presets]

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
    return Session(FRONT, board(text, preset))


def drawn(state: SokobanState) -> list[str]:
    from shoverworld.games.sokoban.record import level_of

    return level_of(state).lines()


def play(game: Session, intent) -> None:
    for action in intent.actions if isinstance(intent, Walk) else (intent.action,):
        game.do(Act(action))


def random_game(preset: str, seed: int, steps: int):
    """A game on a made room and its turns, by random valid actions, a few invalid ones among them."""
    game = Session(FRONT, FRONT.random(preset, seed))
    dice = np.random.default_rng(seed)
    turns = []
    while len(turns) < steps and game.outcome is None:
        valid = np.flatnonzero(game.env.action_mask())
        action = int(dice.integers(len(game.env.action_mask())) if dice.random() < 0.1 else dice.choice(valid))
        turns.append(game.do(Act(action)))
    return game, turns


# --- places


def test_every_packaged_board_can_be_sat_at():
    names = []
    for collection in FRONT.collections():
        boards = FRONT.boards(collection.name)
        names += [found.name for found in boards]
        assert [found.name for found in boards] == [f"{collection.name}#{n}" for n in range(1, len(boards) + 1)]
        game = Session(FRONT, boards[0])
        assert game.env.level == boards[0].level
        assert FRONT.read(boards[-1].name) is not None
    assert len(set(names)) == len(names) > 0
    assert FRONT.boards()[0].name == names[0]


def test_the_best_known_score_of_a_packaged_board_is_that_of_its_solution():
    first = next(found for found in FRONT.boards() if found.level.solution)
    known = FRONT.best_known(FRONT.identity(first, first.preset))
    assert known is not None
    assert known.numbers == (sum(map(str.isupper, first.level.solution)), len(first.level.solution))
    assert FRONT.best_known("nothing") is None


def test_a_file_is_a_collection_and_a_level_of_it_is_named_by_its_number(tmp_path):
    path = tmp_path / "three.xsb"
    levels = [replace(Level.parse(PLAIN), title=title, author="N. N.") for title in ("A", "B", "3")]
    path.write_text(levels_text(levels), encoding="utf-8")
    found = FRONT.boards(str(path))
    assert [(b.name, b.title, b.preset) for b in found] == [
        ("three#1", "A", "sokoban"),
        ("three#2", "B", "sokoban"),
        ("three#3", "Level 3", "sokoban"),
    ]
    assert all(b.path is None for b in found)  # a drawing of one must not be saved over all
    assert FRONT.read(f"{path}#2").title == "B"
    assert FRONT.read(str(path)).title == "A"
    assert found[0].about == "By N. N.."
    with pytest.raises(LevelNotFound, match="levels are 1 to 3"):
        FRONT.read(f"{path}#4")
    with pytest.raises(LevelNotFound, match="no such file"):
        FRONT.read(str(tmp_path / "other.xsb"))


def test_a_folder_is_a_collection_and_a_single_level_has_its_file(tmp_path):
    (tmp_path / "in").mkdir()
    for name, text in (("in/b.txt", TWO), ("a.xsb", PLAIN)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [(b.name, b.preset) for b in FRONT.boards(str(tmp_path))] == [("a#1", "sokoban"), ("in/b#1", "two")]
    alone = FRONT.read(str(tmp_path / "a.xsb"))
    assert (alone.name, alone.path) == ("a", str(tmp_path / "a.xsb"))


def test_a_level_with_numbers_asks_for_fixed_targets():
    level = Level.parse(PLAIN)
    targets, boxes = level.targets.copy(), level.boxes.copy()
    targets[targets != 0], boxes[boxes != 0] = (2, 1), (1, 2)
    fixed = replace(level, targets=targets, boxes=boxes)
    from shoverworld.games.sokoban.front.places import _board

    assert _board("set", 1, fixed).preset == "fixed"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_random_board_is_the_room_that_an_environment_draws(preset):
    env = SokobanEnv(rules=RULES[preset])
    for seed in (0, 5, 11):
        env.reset(seed=seed)
        found = FRONT.random(preset, seed)
        assert env.level == found.level
        assert (found.preset, found.seed) == (preset, seed)
        assert Session(FRONT, found).env.map_text() == env.map_text()


def test_people_may_take_their_time():
    assert session(PLAIN).env.rules.max_steps == MAX_STEPS
    assert not FRONT.place_spares_steps(session(PLAIN).env)


def test_rules_for_another_number_of_players_are_refused_in_words():
    with pytest.raises(ConfigError, match=r"one player, and the rules 'two' are for 2; try sokoban, pull, fixed"):
        FRONT.environment(board(PLAIN), "two")
    with pytest.raises(ConfigError, match="two players"):
        FRONT.environment(board(TWO), "pull")


def test_an_identity_is_that_of_the_board_and_the_rules():
    one, renamed = board(PLAIN), Board("other", "pull", replace(Level.parse(PLAIN), title="T"), "T")
    assert FRONT.identity(one, "sokoban") == FRONT.identity(renamed, "sokoban")
    ours = {FRONT.identity(one, preset) for preset in ("sokoban", "pull", "fixed")}
    assert len(ours | {FRONT.identity(board(PLAIN.replace("@ ", " @")), "sokoban")}) == 4


def test_a_replay_is_recognised_and_walked_through():
    game = Session(FRONT, FRONT.boards()[0])
    for letter in game.board.level.solution:
        game.do(Act("UDLRudlr".index(letter) + 1))
    cursor = Cursor(game.replay())
    assert (cursor.board.name, cursor.board.preset) == (game.board.name, "sokoban")
    assert cursor.score == FRONT.score(game.env, game.state) is not None
    assert "goal" in [kind for _, kind in cursor.markers]
    assert cursor.session().board.level == game.board.level


@pytest.mark.parametrize(
    ("rules", "preset"),
    [
        ({}, "sokoban"),
        ({"moves": "four", "max_steps": 9}, "sokoban"),
        ({"pull": True}, "pull"),
        ({"pull": True, "fixed_targets": True}, ""),
    ],
)
def test_other_environments_are_recognised_by_their_rules(rules, preset):
    env = SokobanEnv(levels=Level.parse(PLAIN), **rules)
    env.reset(seed=0)
    assert front_of_env(env) is FRONT
    found = FRONT.recognise(env)
    assert (found.preset, found.level) == (preset, Level.parse(PLAIN))


# --- pictures


def test_a_scene_shows_every_cell_and_the_players_over_them():
    scene = FRONT.scene(session(PLAIN).state)
    assert tiles.contents(int(scene.tiles[1, 3]))[0] == "box"
    assert tiles.contents(int(scene.tiles[1, 5]))[0] == "target"
    assert [(sprite.tile, sprite.end) for sprite in scene.actors] == [(tiles.PLAYER_TILE, (1, 1))]
    two = FRONT.scene(session(TWO, "two").state)
    assert [sprite.end for sprite in two.actors] == [(1, 1), (1, 6)]
    assert two.actors[0].tile != two.actors[1].tile


@pytest.mark.parametrize("preset", PRESETS)
def test_a_thumbnail_is_the_scene_of_the_beginning(preset):
    found = FRONT.random(preset, 3)
    scene, thumbnail = FRONT.scene(Session(FRONT, found).state), FRONT.thumbnail(found)
    assert np.array_equal(scene.tiles, thumbnail.tiles)
    assert scene.actors == thumbnail.actors


@pytest.mark.parametrize("preset", PRESETS)
def test_a_motion_covers_all_that_moved(preset):
    for seed in range(3):
        _, turns = random_game(preset, seed, 120)
        for before, after, move, _ in turns:
            motion, old, new = FRONT.motion(before, after), FRONT.scene(before), FRONT.scene(after)
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


def test_a_box_turns_green_on_its_way_home_and_back_on_its_way_out():
    game = session(PLAIN.replace("$ .", " $.", 1), "pull")
    game.do(game.hand.press(game.state, "right"))
    turn = game.do(game.hand.press(game.state, "right"))
    motion = FRONT.motion(turn.before, turn.after)
    assert [s.opacity for s in motion.sprites if s.tile == tiles.LOOSE_BOX + 1] == []
    turn = game.do(game.hand.press(game.state, "right"))
    assert turn.move == ("goal", "pushed the box right, onto a target")
    motion = FRONT.motion(turn.before, turn.after)
    assert [s.opacity for s in motion.sprites if s.tile == tiles.LOOSE_BOX + 1] == [(0.0, 1.0)]
    turn = game.do(game.hand.press(game.state, "shift+left"))
    assert turn.move == ("loss", "pulled the box left, off its target")
    motion = FRONT.motion(turn.before, turn.after)
    assert [s.opacity for s in motion.sprites if s.tile == tiles.LOOSE_BOX + 1] == [(1.0, 0.0)]


def test_what_is_no_step_forward_has_no_motion():
    game, turns = random_game("sokoban", 1, 30)
    assert FRONT.motion(turns[5].after, turns[5].before) is None
    assert FRONT.motion(turns[0].before, turns[5].after) is None
    assert FRONT.motion(game.state, session(PLAIN).state) is None
    assert FRONT.motion(session(PLAIN).state, turns[0].after) is None


def test_signs_for_a_terminal_tell_kinds_apart():
    kinds = [
        tiles.OUTSIDE, tiles.WALL, tiles.on_floor(0), tiles.on_floor(0, tiles.target(0)), tiles.on_floor(0, tiles.box(0)),
        tiles.on_floor(0, tiles.box(0, 0)), tiles.PLAYER_TILE, tiles.PLAYER_TILE + 2, tiles.SECOND_TILE, tiles.SECOND_TILE + 2,
    ]  # fmt: skip
    for width in (1, 2):
        signs = [FRONT.glyph(tile, width) for tile in kinds]
        assert all(len(text) == width for text, _ in signs)
        assert len({text for text, _ in signs}) == len(signs)
        assert len({style for _, style in signs}) >= 8
    numbers = [FRONT.glyph(tiles.on_floor(0, tiles.box(n)), 2)[0] for n in (3, 12, 128)]
    assert numbers == ["3]", "12", "28"]
    assert FRONT.glyph(tiles.on_floor(0, tiles.box(3, 3)), 2)[0] == "3*"


# --- hands

KEY = {"up": 1, "down": 2, "left": 3, "right": 4}


@pytest.mark.parametrize("preset", ["sokoban", "fixed", "pull"])
def test_keys_do_what_the_environment_allows_and_say_why_not(preset):
    dice = np.random.default_rng(2)
    for seed in range(4):
        game = Session(FRONT, FRONT.random(preset, seed))
        for _ in range(80):
            key = str(dice.choice(list(KEY)))
            intent = game.hand.press(game.state, key)
            assert game.hand.press(game.state, "wasd"[["up", "left", "down", "right"].index(key)]) == intent
            assert isinstance(intent, Act) == game.env.action_mask()[KEY[key]]
            if isinstance(intent, Act):
                assert intent.action == KEY[key]
                assert game.do(intent).why == ""
            else:
                assert isinstance(intent, Say)
                assert intent.text.startswith(key.capitalize())
            if game.outcome is not None:
                break


def test_with_two_players_arrows_move_the_first_and_letters_the_second():
    game = session(TWO, "two")
    game.do(game.hand.press(game.state, "down"))
    game.do(game.hand.press(game.state, "s"))
    assert drawn(game.state) == ["########", "#  $ . #", "#@    @#", "########"]
    assert game.hand.who == 1
    assert game.hand.marks(game.state)[0].cell == (2, 6)
    assert FRONT.figures(game.env, game.state, game.hand)[-1].value == "the second player"


def test_the_mouse_moves_the_player_that_was_clicked_on():
    game = session(TWO, "two")
    assert isinstance(game.hand.click(game.state, (1, 6)), Say)
    walk = game.hand.click(game.state, (2, 4))
    play(game, walk)
    assert drawn(game.state) == ["########", "#@ $ . #", "#   @  #", "########"]
    assert game.hand.click(game.state, (2, 4)).text == "The second player stands here."
    game.hand.click(game.state, (1, 1))
    play(game, game.hand.click(game.state, (2, 1)))
    assert drawn(game.state)[2] == "#@  @  #"


def test_who_holds_on_pulls():
    game = session(PLAIN.replace("@ $ ", " $@ "), "pull")
    assert isinstance(game.hand.press(game.state, "g"), Say)
    assert game.hand.selected == (1, 3)
    game.do(game.hand.press(game.state, "right"))
    assert drawn(game.state)[1] == "#  $@. #"
    assert game.state.game["pulls"][0] == 1
    assert game.hand.marks(game.state)[0].text == "hold"
    game.hand.press(game.state, "g")
    game.do(game.hand.press(game.state, "right"))
    assert drawn(game.state)[1] == "#  $ + #"
    assert "cannot be pulled" in session(PLAIN).hand.press(session(PLAIN).state, "g").text


def test_a_key_of_nobody_is_left_to_others_and_a_wait_is_a_step():
    game = session(PLAIN)
    assert game.hand.press(game.state, "z") is None
    assert game.hand.press(game.state, ".") == Act(0)
    four = SokobanEnv(levels=Level.parse(PLAIN), moves="four")
    four.reset(seed=0)
    hand = FRONT.hand(four)
    assert isinstance(hand.press(four.get_state(), "."), Say)
    assert hand.press(four.get_state(), "right") == Act(3)


def cells_walked_to(lines: list[str], start: tuple[int, int]) -> set[tuple[int, int]]:
    seen, todo = {start}, [start]
    for row, col in todo:
        for there in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if lines[there[0]][there[1]] in " .@+" and there not in seen:
                seen.add(there)
                todo.append(there)
    return seen


@pytest.mark.parametrize("seed", range(4))
def test_a_click_walks_wherever_a_way_leads_and_pushes_nothing(seed):
    game = Session(FRONT, FRONT.random("sokoban", seed))
    lines = drawn(game.state)
    start = game.board.level.players[0]
    reached = cells_walked_to(lines, start)
    for row, line in enumerate(lines):
        for col, letter in enumerate(line):
            if letter in "$*":
                continue
            intent = game.hand.click(game.state, (row, col))
            assert isinstance(intent, Act | Walk) == ((row, col) in reached - {start})
            if isinstance(intent, Act | Walk):
                told = game.hand.hover(game.state, (row, col), None).text
                length = len(intent.actions) if isinstance(intent, Walk) else 1
                assert f"{length} step" in told
                other = Session(FRONT, game.board)
                play(other, intent)
                assert divmod(int(other.state.game["player"][0]), other.state.width) == (row, col)
                assert other.state.game["pushes"][0] == 0


def fewest_pushes(lines: list[str], player, box) -> dict[tuple[int, int], int]:
    """For each cell, the fewest pushes that bring this box there while the others stay: by trying every step."""
    solid = {(r, c) for r, line in enumerate(lines) for c, x in enumerate(line) if x in "#$*" and (r, c) != box}
    best, queue = {(player, box): 0}, deque([(player, box)])
    while queue:
        state = queue.popleft()
        (row, col), at = state
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there, pushed = (row + down, col + right), at
            if there in solid:
                continue
            if there == at:
                pushed = at[0] + down, at[1] + right
                if pushed in solid:
                    continue
            cost = best[state] + (pushed != at)
            if cost < best.get((there, pushed), 1 << 30):
                best[there, pushed] = cost
                (queue.append if pushed != at else queue.appendleft)((there, pushed))
    found: dict[tuple[int, int], int] = {}
    for (_, at), cost in best.items():
        found[at] = min(cost, found.get(at, cost))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_box_is_pushed_where_it_is_sent_with_the_fewest_pushes(seed):
    game = Session(FRONT, FRONT.random("sokoban", seed))
    lines, player = drawn(game.state), game.board.level.players[0]
    for r, c in np.argwhere(game.board.level.boxes).tolist():
        box = (r, c)
        wanted = fewest_pushes(lines, player, box)
        for row, line in enumerate(lines):
            for col, letter in enumerate(line):
                if letter in "#$*@+":
                    continue
                game.hand.click(game.state, box)
                assert game.hand.selected == box
                told = game.hand.hover(game.state, (row, col), None)
                intent = game.hand.click(game.state, (row, col))
                assert game.hand.selected is None
                if (row, col) not in wanted:
                    assert isinstance(intent, Say)
                    assert "No way" in told.text
                    continue
                other = Session(FRONT, game.board)
                play(other, intent)
                assert other.state.rooms()[0, BOX][row, col] == 1
                assert other.state.game["pushes"][0] == wanted[row, col] == int(told.marks[0].text)
                moved = other.state.rooms()[0, BOX] != game.state.rooms()[0, BOX]
                assert {(int(a), int(b)) for a, b in np.argwhere(moved)} == {box, (row, col)}


def test_a_selected_box_shows_where_it_can_go_and_is_let_go_by_a_second_click():
    game = session(PLAIN)
    assert "Click where it should go" in game.hand.click(game.state, (1, 3)).text
    cells = {mark.cell for mark in game.hand.marks(game.state) if mark.kind == "shade"}
    assert cells == set(fewest_pushes(drawn(game.state), (1, 1), (1, 3))) - {(1, 3)}
    assert game.hand.click(game.state, (1, 3)).text == "Nothing is selected."
    assert game.hand.marks(game.state) == ()
    game.hand.click(game.state, (1, 3))
    assert isinstance(game.hand.click(game.state, (0, 0)), Say)
    assert game.hand.selected is None


def test_a_drag_walks_around_and_pushes_or_says_why_not():
    game = session(PLAIN)
    play(game, game.hand.drag(game.state, (3, 2), RIGHT))
    assert drawn(game.state) == ["########", "#  $ . #", "#  #   #", "# @$.  #", "########"]
    assert "against a wall" in game.hand.drag(game.state, (3, 3), UP).text
    play(game, game.hand.drag(game.state, (3, 2), LEFT))  # the player himself
    assert drawn(game.state)[3] == "#@ $.  #"
    corner = session("######\n#$ @.#\n#    #\n######")
    assert "there is no room left of the box" in corner.hand.drag(corner.state, (1, 1), RIGHT).text
    assert "Drag a box" in corner.hand.drag(corner.state, (2, 2), RIGHT).text
    shut = session("#######\n#@#   #\n# # $.#\n# #   #\n#######")
    assert "no free way leads there" in shut.hand.drag(shut.state, (2, 4), RIGHT).text


def test_where_boxes_can_be_pulled_a_drag_also_pulls():
    game = session("######\n#$ @.#\n#    #\n######", "pull")
    play(game, game.hand.drag(game.state, (1, 1), RIGHT))
    assert drawn(game.state)[1] == "# $@.#"
    assert game.state.game["pulls"][0] == 1


def test_pointing_tells_what_would_happen():
    game = session(PLAIN)

    def told(cell, toward=None):
        return game.hand.hover(game.state, cell, toward)

    assert told((0, 0)).text == "A wall"
    assert told((1, 1)).text.startswith("You")
    assert told((1, 3)).text == "Box at row 1, column 3. Click selects it, a drag pushes it"
    push = told((1, 3), RIGHT)
    assert push.text == "Drag: push the box right, 1 step away"
    assert [(m.kind, m.cell, m.direction) for m in push.marks] == [("frame", (1, 3), 0), ("arrow", (1, 4), RIGHT)]
    assert "Click to walk here: 2 steps" in told((2, 2)).text
    assert told((3, 4)).text == "Target. No free way leads here"
    assert "cannot go up: it is against" in told((1, 3), UP).text
    assert told((9, 9)).text == ""
    lost = session("#######\n#     #\n# @$  #\n#   . #\n#######")
    lost.do(lost.hand.press(lost.state, "right"))
    assert "it would be lost there" in lost.hand.hover(lost.state, (2, 4), RIGHT).text
    assert "lost" not in lost.hand.hover(lost.state, (2, 4), DOWN).text


def test_when_the_game_is_over_hands_rest():
    game = session("#####\n#@$.#\n#####")
    game.do(game.hand.press(game.state, "right"))
    assert game.outcome == "solved"
    for intent in (
        game.hand.press(game.state, "left"),
        game.hand.click(game.state, (1, 1)),
        game.hand.drag(game.state, (1, 3), LEFT),
    ):
        assert intent == Say("The game is over: solved.")


# --- words


def test_the_panel_counts():
    game = session(PLAIN, "pull")
    for key in ("right", "right", "right"):
        game.do(game.hand.press(game.state, key))
    lines = {figure.label: figure for figure in FRONT.figures(game.env, game.state, None)}
    assert (lines["Moves"].value, lines["Pushes"].value, lines["Pulls"].value) == ("3", "2", "0")
    assert (lines["Boxes on target"].value, lines["Boxes on target"].share) == ("1 of 2", 0.5)
    assert "Steps left" not in lines
    assert FRONT.score(game.env, game.state) is None
    short = SokobanEnv(levels=Level.parse(PLAIN), max_steps=10)
    short.reset(seed=0)
    short.step(0)
    lines = {figure.label: figure for figure in FRONT.figures(short, short.get_state(), None)}
    assert lines["Steps left"].value == "9 of 10"


@pytest.mark.parametrize(
    ("row", "action", "why"),
    [
        ("#@ $ .#", 3, "there is a wall"),
        ("# @$ .#", 8, "a box is in the way, and a move does not push"),
        ("#. .@$#", 4, "the box is against a wall"),
        ("#.@$$.#", 4, "the box is against another box"),
    ],
)
def test_what_is_invalid_is_explained(row, action, why):
    boxes, goals = row.count("$"), row.count(".")
    below = "#" + "$" * (goals - boxes) + "." * (boxes - goals)
    game = session(f"#######\n{row}\n{below.ljust(6)}#\n#######")
    turn = game.do(Act(action))
    assert turn.why == why
    assert turn.move.kind == "invalid"
    assert any(why in figure.value for figure in FRONT.figures(game.env, game.state, None))
    assert FRONT.motion(turn.before, turn.after).sprites[0].scale[0] < 1


def test_the_other_player_can_be_in_the_way():
    game = session("#######\n#@@$ .#\n#######", "two")
    assert game.do(Act(4)).why == "there is the second player"
    turn = game.do(Act(12))
    assert turn.move.words == "second player pushed the box right"
    assert FRONT.describe(game.env, turn.before, 12) == "second player: push the box at row 1, column 3 to the right"


def test_moves_and_hints_are_put_in_words():
    game = session(PLAIN, "fixed")
    env, start = game.env, game.state
    assert FRONT.describe(env, start, 0) == "wait"
    assert FRONT.describe(env, start, 8) == FRONT.describe(env, start, 4) == "walk right"
    assert FRONT.describe(env, start, 1) == "let a step pass: up is blocked"
    assert game.do(Act(8)).move == ("walk", "walked right")
    assert FRONT.describe(env, game.state, 4) == "push the box 1 at row 1, column 3 to the right"
    assert game.do(Act(4)).move == ("push", "pushed the box 1 right")
    assert game.do(Act(4)).move == ("goal", "pushed the box 1 right, onto its target")
    assert game.do(Act(0)).move == ("", "waited")
    assert game.do(Act(4)).move == ("loss", "pushed the box 1 right, off its target")
    assert FRONT.move(env, start, start) == ("", "")


def test_a_box_on_the_target_of_another_is_called_so():
    game = session("########\n#@$.. $#\n#      #\n########", "fixed")
    assert game.do(Act(4)).move.kind == "goal"
    turn = game.do(Act(4))
    assert turn.move == ("loss", "pushed the box 1 right, off its target")
    assert "on target 2, which is not its own" in game.hand.hover(game.state, (1, 4), None).text


def test_the_ending_tells_the_score():
    game = session("#####\n#@$.#\n#####")
    assert FRONT.ending(game.env, game.state)[0].value == "Still playing"
    game.do(Act(4))
    assert FRONT.ending(game.env, game.state)[0].tone == "good"
    score = FRONT.score(game.env, game.state)
    assert (score.numbers, score.words) == ((1, 1), "1 push, 1 move")
    assert score.beats(None)


# --- help


def test_dead_squares_are_those_no_target_is_reached_from():
    game = session("#######\n#     #\n# @$  #\n#   . #\n#######")
    dead = {mark.cell for mark in FRONT.marks("1", game.env, game.state, None)}
    assert (1, 1) in dead
    assert (1, 3) in dead  # along the upper wall
    assert (2, 3) not in dead
    assert (3, 4) not in dead
    assert FRONT.marks("1", session(PLAIN, "pull").env, session(PLAIN, "pull").state, None) == []


def test_a_lost_box_has_a_frame():
    game = session("#######\n#  $  #\n# @   #\n#   . #\n#######")
    frames = [mark.cell for mark in FRONT.marks("1", game.env, game.state, None) if mark.kind == "frame"]
    assert frames == [(1, 3)]


def test_overlays_of_reach_and_distance():
    game = session(PLAIN)
    reach = {mark.cell for mark in FRONT.marks("2", game.env, game.state, None)}
    assert reach == cells_walked_to(drawn(game.state), (1, 1)) - {(1, 1)}
    far = {mark.cell: mark.text for mark in FRONT.marks("4", game.env, game.state, None)}
    assert (far[1, 3], far[1, 5], far[3, 2], far[3, 4]) == ("2", "0", "2", "0")
    fixed = session(PLAIN, "fixed")
    own = {mark.cell: mark.text for mark in FRONT.marks("4", fixed.env, fixed.state, None)}
    assert own == {(1, 3): "2", (3, 2): "2"}


@pytest.mark.parametrize("preset", ["sokoban", "fixed"])
def test_the_solver_gives_plans_that_can_be_played(preset):
    for seed in range(3):
        game = Session(FRONT, FRONT.random(preset, seed))
        told = []
        plan = FRONT.solve(game.env, game.state, 60.0, told.append)
        assert plan.status == "solved"
        marks = FRONT.marks("3", game.env, game.state, plan)
        assert marks[0].kind == "arrow"
        assert marks[0].text.split(", ")[0] == "1"
        assert [mark.kind for mark in FRONT.hint(game.env, game.state, plan.actions[0])] == ["arrow", "frame"]
        for action in plan.actions:
            assert game.do(Act(action)).why == ""
        assert game.outcome == "solved"
        assert FRONT.solve(game.env, game.state, 1.0).status == "solved"


def test_the_solver_also_speaks_the_language_of_four_actions():
    env = SokobanEnv(levels=Level.parse(PLAIN), moves="four")
    env.reset(seed=0)
    plan = FRONT.solve(env, env.get_state(), 60.0)
    for action in plan.actions:
        env.step(action)
    assert env.outcome == "solved"


@pytest.mark.parametrize(("preset", "why"), [("two", "one player only"), ("pull", "does not know pulls")])
def test_where_the_solver_does_not_know_the_rules_it_says_so(preset, why):
    game = Session(FRONT, FRONT.random(preset, 0))
    with pytest.raises(ConfigError, match=why):
        FRONT.solve(game.env, game.state, 1.0)


def test_a_game_that_is_lost_is_known_to_be():
    game = session("#######\n#  $  #\n# @   #\n#   . #\n#######")
    assert FRONT.solve(game.env, game.state, 60.0).status == "unsolvable"


def test_keys_of_the_room_are_not_those_of_the_table():
    table = {"u", "y", "r", "x", "n", "p", "m", "k", "v", "e", "q", "l", "space", "tab", "escape", "f1", "f2"}
    ours = {key for help in FRONT.keys for key in help.keys}
    assert not ours & table
    assert len({overlay.key for overlay in FRONT.overlays}) == 4


# --- drawing


@pytest.mark.parametrize("preset", PRESETS)
def test_a_drawing_of_a_board_is_that_board(preset, tmp_path):
    for seed in range(3):
        found = FRONT.random(preset, seed)
        draft = FRONT.draft(found)
        assert draft.problems(preset) == []
        assert draft.board(preset, "mine").level == found.level
        path = tmp_path / f"{preset}{seed}.xsb"
        path.write_text(draft.text("XSB", preset), encoding="utf-8")
        again = FRONT.read(str(path))
        assert (again.level, again.preset) == (found.level, "sokoban" if preset == "pull" else preset)
        kept = FRONT.restored(draft.kept())
        assert kept == draft
        scene, drawn_scene = FRONT.thumbnail(found), draft.scene(preset)
        assert np.array_equal(scene.tiles, drawn_scene.tiles)
        assert scene.actors == drawn_scene.actors


def test_a_drawing_turned_four_times_or_flipped_twice_is_itself():
    draft = FRONT.draft(FRONT.random("fixed", 4)).resized(9, 12)
    turned = draft
    for _ in range(4):
        turned = turned.rotated()
        assert turned != draft or _ == 3
    assert turned == draft
    assert draft.flipped() != draft
    assert draft.flipped().flipped() == draft
    assert draft.rotated().board("fixed", "x").level.fixed


def test_numbers_go_with_their_boxes_when_a_drawing_is_turned():
    draft = FRONT.draft(FRONT.random("fixed", 4))
    turned = draft.rotated().board("fixed", "x").level
    level = draft.board("fixed", "x").level
    assert np.array_equal(np.rot90(level.boxes, -1), turned.boxes)
    assert np.array_equal(np.rot90(level.targets, -1), turned.targets)


def test_brushes_paint_over_and_under():
    draft = FRONT.blank("sokoban").painted((2, 2), "box").painted((2, 2), "target").painted((3, 3), "target")
    assert draft.kept()["rows"][2][2] == "*"
    draft = draft.painted((3, 3), "player")
    assert draft.kept()["rows"][3][3] == "+"
    assert sum(row.count("@") for row in draft.kept()["rows"]) == 0  # there is one player
    draft = draft.painted((3, 4), "player")
    assert draft.kept()["rows"][3][3:5] == ".@"
    assert draft.painted((2, 2), "floor").kept()["rows"][2][2] == " "
    assert draft.painted((3, 4), "wall").kept()["rows"][3][4] == "#"
    assert draft.painted((99, 0), "wall") is draft
    assert draft.painted((0, 0), "wall") is draft


def test_every_brush_paints_what_it_shows():
    for brush in FRONT.brushes:
        ground = FRONT.blank("two").painted((2, 2), "floor")
        scene = ground.painted((2, 2), brush.name).scene()
        standing = [actor.tile for actor in scene.actors if actor.end == (2, 2)]
        assert brush.tile in [*standing, int(scene.tiles[2, 2])]
    assert FRONT.brushes[0].name == "floor"  # it wipes
    assert len({brush.key for brush in FRONT.brushes}) == len(FRONT.brushes)
    assert not {brush.key for brush in FRONT.brushes} & set("cfpqrtv")


@pytest.mark.parametrize(
    ("text", "preset", "wrong"),
    [
        ("#####\n# $.#\n#####", "sokoban", "there is no player"),
        ("#####\n#@  #\n#####", "sokoban", "paint a box and a target"),
        ("#####\n#@$ #\n#####", "sokoban", "1 target missing"),
        ("######\n#@$..#\n######", "sokoban", "1 box missing"),
        ("#####\n#@$. \n#####", "sokoban", "open"),
        ("#####\n#@$.#\n#####", "two", "paint the second"),
        ("######\n#@&$.#\n######", "sokoban", "two players"),
    ],
)
def test_a_drawing_that_cannot_be_played_says_why(text, preset, wrong):
    rows = text.split("\n")
    draft = FRONT.restored({"rows": rows, "title": "", "author": "", "comment": "", "numbers": None})
    problems = draft.problems(preset)
    assert any(wrong in problem.text and problem.serious for problem in problems)
    with pytest.raises(LevelError):
        draft.board(preset, "mine")
    with pytest.raises(LevelError):
        draft.text("XSB", preset)
    assert FRONT.restored(draft.kept()) == draft


def test_a_drawing_that_can_hardly_be_won_is_doubted():
    def doubts(*rows):
        draft = FRONT.restored({"rows": list(rows), "title": "", "author": "", "comment": "", "numbers": None})
        found = draft.problems("sokoban")
        assert not any(problem.serious for problem in found)
        return [(problem.text, problem.cell) for problem in found]

    assert doubts("######", "#$ @.#", "#    #", "######") == [
        ("no pushes can bring the box at row 1, column 1 to a target", (1, 1))
    ]
    assert "won with the first step" in doubts("#####", "#@* #", "#####")[0][0]
    assert ("walls keep the player from the box at row 1, column 5", (1, 5)) in doubts(
        "########", "#@$.#$.#", "########"
    )


def test_boxoban_has_no_numbers():
    draft = FRONT.draft(FRONT.random("sokoban", 1))
    lines = draft.text("Boxoban", "sokoban").split("\n")
    assert lines[0] == "; 0"
    assert lines[1:11] == list(draft.kept()["rows"])
    with pytest.raises(ConfigError, match="expected format XSB"):
        FRONT.draft(FRONT.random("fixed", 1)).text("Boxoban", "fixed")


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
def test_what_was_not_kept_is_not_restored(change):
    kept = {**FRONT.draft(FRONT.random("sokoban", 1)).kept(), **change}
    with pytest.raises(ConfigError):
        FRONT.restored(kept)


def test_a_size_that_is_none_is_refused():
    with pytest.raises(ConfigError, match="rows"):
        FRONT.blank("sokoban").resized(2, 9)
    assert FRONT.blank("sokoban").resized(5, 64).cols == 64


def test_the_rules_of_a_preset_are_data():
    assert RULES["two"].players == 2
    assert all(isinstance(rules, SokobanRules) for rules in RULES.values())
