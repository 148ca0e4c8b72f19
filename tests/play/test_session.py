"""Sessions: undo and redo pass through the same states, and replays are valid."""

import dataclasses
import json

import numpy as np
import pytest

from shoverworld import Map
from shoverworld.core.errors import ActionError, ConfigError, ReplayError, ResetNeeded, ShoverWorldError
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act, Board, Place
from shoverworld.games import game_named, game_of
from shoverworld.games.shover.boards import score_of
from shoverworld.play.records import Records, standing
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session

GAME = game_named("shover")
PRESETS = ("milestone1", "walker", "phase2")

DOCK = """
    . . B . . # . L
    . A . B . . B .
    B . . . B B . .
    . . L . B B . .
    # . . . . . . .
    . B . L . . B .
"""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path))
    return tmp_path


def start_session(text, preset, **keywords):
    return Session(GAME, Board("drawn", preset, Map.parse(text)), **keywords)


def some_moves(session, count, seed):
    """Play random valid, invalid and free moves, and return the hash of each state."""
    rng = np.random.default_rng(seed)
    hashes = [session.env.state_hash()]
    while len(hashes) <= count and session.outcome is None:
        space = session.env.action_space
        intent = Act(tuple((space.start + rng.integers(space.nvec)).tolist()))
        if rng.random() < 0.2:
            intent = Place(tuple(rng.integers(space.nvec[:2]).tolist()))
        elif rng.random() < 0.6:
            valid = np.flatnonzero(session.env.action_mask())
            intent = Act(tuple((space.start + np.unravel_index(rng.choice(valid), space.nvec)).tolist()))
        try:
            session.do(intent)
        except ActionError:
            assert isinstance(intent, Place)  # the cell holds a box or cannot be reached
            continue
        hashes.append(session.env.state_hash())
    return hashes


# --- undo and redo


@pytest.mark.parametrize("preset", PRESETS)
def test_undo_and_redo_pass_through_the_same_states(preset):
    session = start_session(DOCK, preset)
    hashes = some_moves(session, 40, seed=PRESETS.index(preset))
    last = len(hashes) - 1
    assert last >= 20
    place, rng = last, np.random.default_rng(1)
    for way in [-1] * last + [1] * last + rng.choice([-1, 1], 60).tolist():
        turn = session.undo() if way < 0 else session.redo()
        assert (turn is None) == (not 0 <= place + way <= last)
        place = min(max(place + way, 0), last)
        assert session.env.state_hash() == hashes[place]
        assert (session.can_undo, session.can_redo, session.moves) == (place > 0, place < last, place)
        if turn is not None:
            assert session.turn is turn and turn.after is session.state
            assert turn.move.kind == "undo" or way > 0
        replay = session.replay()
        assert (replay.start, *(move.hash for move in replay.moves)) == tuple(hashes[: place + 1])
    Replay.parse(session.replay("Ann").to_text()).check()


def test_a_turn_contains_a_description_of_the_move():
    session = start_session("AB.L\n....", "milestone1")
    before = session.state
    turn = session.do(Act((0, 1, 2)))
    assert turn.before is before and turn.after is session.state and turn is session.turn
    assert (turn.move.kind, turn.why) == ("push", "")
    assert session.do(Act((0, 2, 2))).move.kind == "burn"
    assert (session.outcome, session.steps) == ("cleared", 2)


def test_an_invalid_action_counts_as_a_move_and_has_a_reason():
    session = start_session("AB#L", "milestone1")
    turn = session.do(Act((0, 1, 2)))
    assert turn.move.kind == "invalid"
    assert "barrier" in turn.why
    assert session.steps == 1
    assert session.undo().why == ""
    assert session.steps == 0


@pytest.mark.parametrize("intent", [Act((9, 9, 9)), Act("no"), Place((0, 2)), Place((7, 7))])
def test_a_rejected_action_changes_nothing(intent):
    session = start_session("AB..L", "milestone1")
    session.do(Act((0, 1, 2)))
    session.do(Act((0, 2, 2)))
    session.undo()
    state, turn = session.state, session.turn
    with pytest.raises(ActionError):
        session.do(intent)
    assert session.state is state and session.turn is turn
    assert (session.moves, session.can_redo, len(session.replay().moves)) == (1, True, 1)


def test_only_undo_is_possible_after_the_end_of_the_game():
    session = start_session("ABL", "milestone1")
    session.do(Act((0, 1, 2)))
    with pytest.raises(ResetNeeded):
        session.do(Act((0, 1, 2)))
    assert session.outcome == "cleared"
    session.undo()
    assert session.outcome is None
    session.redo()
    assert session.outcome == "cleared"


def test_a_move_after_undo_replaces_the_undone_moves():
    session = start_session("AB..L\n.....", "milestone1")
    session.do(Act((0, 1, 2)))
    session.do(Act((0, 2, 2)))
    session.undo()
    session.do(Act((1, 3, 2)))
    assert not session.can_redo and session.redo() is None
    assert [move.action for move in session.replay().moves] == [(0, 1, 2), (1, 3, 2)]
    session.replay().check()


def test_undo_reverts_free_moves_even_if_the_shover_stayed_on_its_cell():
    session = start_session("A.B.L", "milestone1")
    session.do(Place((0, 1)))
    session.do(Place((0, 1)))
    assert len(session.replay().moves) == 2
    session.undo()
    assert len(session.replay().moves) == 1
    session.undo()
    assert session.replay().moves == ()
    session.redo()
    assert [(move.action, move.place) for move in session.replay().moves] == [((0, 1), True)]


def test_a_restart_reverts_all_moves_and_redo_plays_them_again():
    session = start_session("AB...L", "milestone1")
    start = session.env.state_hash()
    session.do(Act((0, 1, 2)))
    session.do(Act((0, 2, 2)), by="planner")
    session.do(Act((0, 3, 2)))
    session.undo()
    session.restart()
    assert (session.env.state_hash(), session.moves, session.turn, session.helpers) == (start, 0, None, [])
    assert session.replay().moves == ()
    session.redo()
    assert session.helpers == []
    session.redo()
    assert session.helpers == ["planner"]
    session.redo()
    assert [move.action for move in session.replay().moves] == [(0, 1, 2), (0, 2, 2), (0, 3, 2)]
    session.replay().check()


def test_help_that_was_used_is_still_listed_after_undo():
    session = start_session("AB..L", "milestone1")
    session.helped_by("hint")
    session.do(Act((0, 1, 2)), by="greedy")
    session.do(Act((0, 2, 2)), by="greedy")
    session.undo()
    session.undo()
    assert session.helpers == ["hint", "greedy"]


@pytest.mark.parametrize(("preset", "keys"), [("milestone1", "ddddd"), ("walker", "ddddd"), ("phase2", "ddddd")])
def test_the_input_handler_plays_the_game(preset, keys):
    session = start_session(".AB..L", preset)
    if preset == "phase2":  # the keys push only a selected box
        session.handler.click(session.state, (0, 2))
    for key in keys:
        if session.outcome is None:
            intent = session.handler.press(session.state, key)
            assert isinstance(intent, Act)
            session.do(intent)
    assert session.outcome == "cleared"
    assert session.helpers == []


def test_a_board_can_be_played_with_another_preset_and_a_start_cell_chosen_by_the_seed():
    board = Board("drawn", "milestone1", Map.parse("....B..L\n........\n........"))
    starts = {tuple(Session(GAME, board, "walker", seed=seed).env.observe()[0]["agent"]) for seed in range(12)}
    assert len(starts) > 3
    session = Session(GAME, board, "walker", seed=3)
    assert (session.preset, session.env.rules.actor) == ("walker", "walk")
    assert session.identity == GAME.levels.identity(board, "walker") != GAME.levels.identity(board, "milestone1")
    with pytest.raises(ShoverWorldError, match="preset"):
        Session(GAME, board, "chess")


# --- the replay cursor

SQUARE = """
    . . . . . .
    . A . . . .
    . . B B . .
    . . B B . .
    . . . . . .
    B L . . . L
"""


def played_session():
    """Play a game with a burn, a free move, an invalid action, and a square that dissolves at the end."""
    session = start_session(SQUARE, "milestone1")
    session.do(Act((5, 0, 2)))  # the box burns
    session.do(Place((0, 5)))
    session.do(Act((3, 3, 6)))  # hellify is invalid: no square is large enough
    while session.outcome is None:
        session.do(Act((0, session.steps % 2, 3)))
    return session


def test_a_replay_whose_states_would_exhaust_the_memory_is_rejected(home):
    """The file is small, but each of its 20,000 states takes 182 KB, so the viewer would need more than 3 GB."""
    start = Replay.of("shoverworld/ShoverWorld-v0", [(0, 0, 1)], map=Map(np.zeros((256, 256)), (0, 0)))
    replay = dataclasses.replace(start, moves=start.moves * 20_000)
    with pytest.raises(ReplayError, match=r"20,000 moves on a board of this size are too many to show"):
        ReplayCursor(replay)


def test_a_replay_cursor_lists_the_timeline_markers():
    session = played_session()
    cursor = ReplayCursor(session.replay())
    assert cursor.last == len(cursor.moves) == session.moves
    assert cursor.markers == [(1, "burn"), (3, "invalid"), (cursor.last, "dissolve"), (cursor.last, "end")]
    assert cursor.outcome == "cleared"
    assert cursor.game is GAME
    assert (cursor.place, cursor.turn) == (0, None)


def test_the_timeline_marks_special_actions():
    session = start_session(SQUARE, "phase2")
    session.do(Act((0, 0, 4)))
    cursor = ReplayCursor(session.replay())
    assert cursor.markers == [(1, "special")]  # no end marker, because the game is not over


def test_a_replay_cursor_can_jump_to_any_state():
    session = played_session()
    replay = session.replay()
    cursor = ReplayCursor(replay)
    hashes = [replay.start, *(move.hash for move in replay.moves)]
    for place in [*range(len(hashes)), 5, 2, 0, 7]:
        cursor.go(place)
        assert (cursor.place, cursor.env.state_hash()) == (place, hashes[place])
        assert cursor.state is cursor.states[place]
        if place:
            assert cursor.turn[:3] == (cursor.states[place - 1], cursor.state, cursor.moves[place - 1])
    cursor.go(3)
    assert "square" in cursor.turn.why
    cursor.go(-4)
    assert cursor.place == 0
    cursor.go(1000)
    assert cursor.place == cursor.last


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_can_continue_from_any_state_of_a_replay(preset):
    played = start_session(DOCK, preset)
    some_moves(played, 25, seed=5)
    replay = Replay.parse(played.replay("Ann").to_text())
    cursor = ReplayCursor(replay)
    for place in (0, cursor.last // 2, cursor.last):
        cursor.go(place)
        session = cursor.session()
        assert session.env.state_hash() == cursor.env.state_hash()
        assert session.replay().moves == replay.moves[:place]
        assert (session.moves, session.preset) == (place, preset)
        assert session.helpers == (["replay"] if place else [])
        some_moves(session, 3, seed=place)
        session.replay().check()
        while session.undo():
            pass
        assert session.env.state_hash() == replay.start


def test_a_replay_with_custom_rules_continues_with_the_same_rules():
    rules = {"initial_force": 5.0, "unit_force": 3.0}
    replay = Replay.of("shoverworld/ShoverWorld-v0", [(0, 1, 2)], map="AB.L", **rules)
    cursor = ReplayCursor(replay)
    cursor.go(1)
    session = cursor.session()
    assert (session.env.rules.initial_force, session.env.figures()["stamina"]) == (5, 1000 - 8)
    assert session.preset == "milestone1, initial_force=5, unit_force=3"
    assert session.identity == GAME.levels.identity(session.board, session.preset)
    assert session.identity != GAME.levels.identity(session.board, "milestone1")
    session.do(Act((0, 2, 2)))
    session.replay().check()
    assert session.outcome == "cleared"
    assert not Records().note(session)


def test_a_game_can_continue_from_a_replay_of_a_map_generated_from_a_seed():
    replay = Replay.of("shoverworld/ShoverWorld-v0", [(0, 0, 6), (1, 1, 6)], seed=3)
    cursor = ReplayCursor(replay)
    cursor.go(2)
    assert cursor.session().env.state_hash() == replay.moves[-1].hash


def test_a_tampered_replay_is_rejected():
    text = played_session().replay().to_text()
    changed = text.replace("L . . . . L", "L").replace("BL...L", "BL....")
    assert changed != text
    with pytest.raises(ReplayError):
        ReplayCursor(Replay.parse(changed))


def test_the_game_is_identified_from_its_environment():
    assert game_of(start_session("AB.L", "walker").env) is GAME
    with pytest.raises(ConfigError, match="does not belong to any game"):
        game_of(object())  # type: ignore[arg-type]


# --- records


def cleared(*actions, by=""):
    session = start_session("AB.L\n....", "milestone1")
    for action in actions:
        session.do(Act(action), by=by)
    assert session.outcome == "cleared"
    return session


QUICK, SLOW = [(0, 1, 2), (0, 2, 2)], [(1, 0, 2), (0, 1, 2), (0, 2, 2)]


def test_the_best_result_on_a_board_is_kept(home):
    records, message = Records.load()
    assert message is None
    slow = cleared(*SLOW)
    identity = slow.identity
    assert records.best(identity) is None
    assert records.note(slow)
    assert records.best(identity) == score_of(3, 979)
    assert not records.note(cleared(*SLOW))
    assert records.note(cleared(*QUICK))
    assert not records.note(slow)
    assert records.best(identity) == score_of(2, 980)
    again, message = Records.load()
    assert (again.best(identity), message, records.problem) == (score_of(2, 980), None, None)
    assert again.best("another") is None and again.best(None) is None


def test_stamina_breaks_ties_between_games_of_equal_length():
    assert score_of(3, 50).beats(score_of(3, 40)) and not score_of(3, 40).beats(score_of(3, 40))
    assert score_of(2, 10).beats(score_of(3, 40)) and score_of(9, 1).beats(None)
    assert (score_of(1, 9.5).words, score_of(3, 40, True).words) == ("1 step, stamina 9.5", "3 steps, stamina 40")
    assert (standing(score_of(1, 9.5)), standing(score_of(3, 40, True))) == ("Best known", "Best possible")


def test_a_game_played_with_help_does_not_set_a_record():
    records, _ = Records.load()
    helped = cleared(*QUICK, by="planner")
    assert not records.note(helped)
    hinted = cleared(*QUICK)
    hinted.helped_by("hint")
    assert not records.note(hinted)
    assert not records.note(start_session("AB.L", "milestone1"))  # the game is not over
    assert records.best(helped.identity) is None


def test_a_window_does_not_overwrite_records_that_another_window_has_saved():
    one, _ = Records.load()
    two, _ = Records.load()
    assert one.note(cleared(*QUICK))
    other = start_session("A.BL", "milestone1")
    other.do(Act((0, 2, 2)))
    assert two.note(other)
    assert not two.note(cleared(*SLOW))  # the other window saves a better result
    both, _ = Records.load()
    assert both.best(cleared(*QUICK).identity) and both.best(other.identity)


def test_invalid_records_are_set_aside_and_the_other_records_are_kept(home):
    identity = cleared(*QUICK).identity
    good = {"numbers": [9, -5], "words": "9 steps, stamina 5"}
    bad = [
        {"steps": 9, "stamina": 5},  # an entry in an old format
        {"numbers": ["9", 5], "words": "9"},
        {"numbers": [9, 1e999], "words": "9"},
        {"numbers": [], "words": ""},
        [9, 5],
        {"numbers": [9, 5]},
        {"numbers": [9, 5], "words": "\x1b[31m"},
    ]
    for number, entry in enumerate(bad, 1):
        (home / "records.json").write_text(json.dumps({"results": {identity: good, "other": entry}}))
        records, message = Records.load()
        assert records.best(identity) == score_of(9, 5) and records.best("other") is None
        assert f"renamed to records.json.corrupt-{number}; the other results are kept" in message
        assert "1 of 2 results is not valid" in message


@pytest.mark.parametrize("content", ["[]", "{}", '{"results": 3}', "half a fi"])
def test_a_file_without_records_is_set_aside(home, content):
    (home / "records.json").write_text(content)
    records, message = Records.load()
    assert "renamed to records.json.corrupt-1" in message
    assert records.note(cleared(*QUICK))
    assert Records.load()[1] is None


def test_a_failure_to_save_records_causes_a_message_instead_of_an_error(home, monkeypatch):
    (home / "file").write_text("")
    monkeypatch.setenv("SHOVERWORLD_HOME", str(home / "file"))
    records, message = Records.load()
    assert "cannot be read" in message
    assert records.note(cleared(*QUICK))
    assert "records.json cannot be written" in records.problem
    assert records.best(cleared(*QUICK).identity) == score_of(2, 980)


def test_packaged_boards_have_a_best_known_result():
    boards = {board.name: board for board in GAME.levels.boards()}
    first = boards["01-first-push"]
    assert GAME.levels.best_known(GAME.levels.identity(first, first.preset)) == score_of(3, 970, True)
    assert GAME.levels.best_known(GAME.levels.identity(first, "walker")) is None
    assert GAME.levels.best_known("nothing of the kind") is None


@pytest.mark.parametrize("preset", PRESETS)
def test_undo_after_a_restart_restores_the_previous_game(preset):
    session = start_session(DOCK, preset)
    hashes = some_moves(session, 12, seed=5)
    session.helped_by("hint")
    helpers = list(session.helpers)
    session.restart()
    assert session.env.state_hash() == hashes[0] and session.helpers == []
    assert session.can_undo
    turn = session.undo()
    assert turn is not None and turn.move.words == "undone: restart"
    assert session.env.state_hash() == hashes[-1] and session.helpers == helpers
    session.replay().check()
    for expected in reversed(hashes[:-1]):
        session.undo()
        assert session.env.state_hash() == expected
    assert session.undo() is None


def test_after_a_restart_and_a_move_undo_reverts_only_the_move():
    session = start_session(".AB.L", "milestone1")
    session.do(Act((0, 2, 2)))
    session.restart()
    session.do(Act((0, 0, 1)))
    session.undo()
    assert session.steps == 0 and not session.can_undo and session.undo() is None


def test_a_restart_without_moves_cannot_be_undone():
    session = start_session(".AB.L", "milestone1")
    session.restart()
    assert not session.can_undo and session.undo() is None


@pytest.mark.parametrize(("preset", "spared"), [("walker", True), ("milestone1", False)])
def test_a_free_move_counts_as_help_if_walking_costs_steps(preset, spared):
    """If walking costs steps under the rules, a free walk would allow a record that no plan can match."""
    session = start_session("A..B.L", preset)
    session.do(Place((0, 2)))
    right = session.env.rules.z_base + 1
    for col in (3, 4):
        session.do(Act((0, col, right)))
    assert session.outcome == "cleared"
    records, _ = Records.load()
    assert records.note(session) is not spared
    assert ("free moves" in session.helpers) is spared


def test_a_replay_lists_the_help_that_was_used():
    session = start_session(".AB..L", "milestone1")
    session.do(Act((0, 2, 2)))
    assert "help" not in session.replay().notes
    session.do(Act((0, 3, 2)), by="greedy")
    session.helped_by("hint")
    replay = session.replay(player="Ann", notes={"room": "7"})
    assert replay.notes == {"room": "7", "map": "drawn", "help": "greedy, hint"} and replay.player == "Ann"
    assert Replay.parse(replay.to_text()).notes == replay.notes
