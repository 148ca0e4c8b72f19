"""The user interface of the race: boards, input, text, overlays, pictures, the editor and several players."""

import json
from dataclasses import replace

import numpy as np
import pytest

from shoverworld.core.errors import AgentError, ConfigError, MapNotFound, TrackError
from shoverworld.core.level_files import levels_in
from shoverworld.core.ui import Act, Board, Mark, Say
from shoverworld.games import game_named, game_of
from shoverworld.games.race.boards import Grid
from shoverworld.games.race.planner import solve
from shoverworld.games.race.tiles import car_tile, colour_of
from shoverworld.games.race.tracks import Track, bundled_names
from shoverworld.play.edit_session import EditSession, editor_of
from shoverworld.play.pilot import PlayersPilot, pilot_for
from shoverworld.play.players import Player, parse_players, players_for, players_text, unused_name
from shoverworld.play.records import Records
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session, same_players
from shoverworld.play.settings import Settings

GAME = game_named("race")
MULTIPLAYER = GAME.ui.multiplayer
assert MULTIPLAYER is not None

LANE = """
    ##########
    #S.......F
    #S.......F
    ##########
"""
BEND = """
    #######
    #S....#
    ####..#
    ####FF#
    #######
"""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path))
    return tmp_path


def drawn(text: str, starts=None, name: str = "drawn") -> Board:
    lines = "\n".join(line.strip() for line in text.strip().splitlines())
    return Board(name, "race", Grid(Track.parse(lines, name), starts), name)


TWO = (Player("Ann"), Player("Bob"))


def session_on(text: str = LANE, starts=((1, 1), (1, 2)), players=TWO, **keywords) -> Session:
    return Session(GAME, drawn(text, starts), players=players, **keywords)


def alone(text: str = LANE, start=(1, 1), **keywords) -> Session:
    return session_on(text, (start,), (Player("Ann"),), **keywords)


def play(session: Session, keys: str) -> None:
    """Press keys on the number pad. The key for an illegal move must be pressed twice."""
    for key in keys:
        for _ in range(2):
            intent = session.handler.press(session.state, key)
            if isinstance(intent, Act):
                session.do(intent)
                break


# --- boards


def test_the_bundled_tracks_form_one_collection():
    (known,) = GAME.levels.collections()
    boards = GAME.levels.boards()
    assert [board.name for board in boards] == list(bundled_names())
    assert GAME.levels.boards(known.name) == boards
    assert all(board.title and board.preset == "race" for board in boards)


def test_the_planner_proves_that_the_best_known_score_on_each_bundled_track_is_optimal():
    for board in GAME.levels.boards()[:8]:
        known = GAME.levels.best_known(GAME.levels.identity(board, "race"))
        assert known is not None and known.proved
        assert known.numbers == (solve(board.level.track).steps,)
    for board in GAME.levels.boards():
        assert all(GAME.levels.best_known(GAME.levels.identity(board, preset.name)) for preset in GAME.presets)


def test_the_identity_of_a_board_depends_on_its_track_and_rules():
    board, same, other = drawn(LANE), drawn(LANE, ((1, 1),), "another name"), drawn(BEND)
    assert GAME.levels.identity(board, "race") == GAME.levels.identity(same, "race")
    assert (
        len(
            {
                GAME.levels.identity(board, "race"),
                GAME.levels.identity(board, "landing"),
                GAME.levels.identity(other, "race"),
            }
        )
        == 3
    )
    assert GAME.levels.best_known(GAME.levels.identity(board, "race")) is None


def test_tracks_are_read_from_files_and_folders(tmp_path):
    track = drawn(LANE).level.track
    track.write(tmp_path / "one.txt")
    track.write(tmp_path / "two.png")
    (tmp_path / "notes.md").write_text("no track")
    assert GAME.levels.read(str(tmp_path / "two.png")).level.track == track
    boards = levels_in(GAME, str(tmp_path)).boards
    assert [board.name for board in boards] == ["one", "two"] and boards[0].path == str(tmp_path / "one.txt")
    (tmp_path / "bad.txt").write_text("0 0 7")
    found = levels_in(GAME, str(tmp_path))  # an invalid track is omitted and reported
    assert len(found.boards) == 2 and "bad.txt, line 1, column 5: '7'" in str(found.skipped[0])
    with pytest.raises(TrackError, match=r"bad\.txt"):
        GAME.levels.boards(str(tmp_path / "bad.txt"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(MapNotFound, match=r"the folder contains no track files \(\*.txt, .*\)"):
        levels_in(GAME, str(tmp_path / "empty"))


def test_a_random_track_depends_on_its_seed():
    one, same, other = (GAME.levels.random("race", seed) for seed in (4, 4, 5))
    assert one.level.track == same.level.track != other.level.track
    session = Session(GAME, one, players=(Player("Ann"), Player("Bob")))
    assert GAME.levels.board_of(session.env).level.track == one.level.track


def test_a_bundled_track_is_recognised_in_an_environment_with_several_cars():
    session = Session(GAME, GAME.levels.boards()[3], seed=3, players=(Player("Ann"), Player("Bob")))
    board = GAME.levels.board_of(session.env)
    assert board.name == GAME.levels.boards()[3].name and board.preset == "race"
    assert len(board.level.starts) == 2
    assert game_of(session.env) is GAME


def test_having_more_players_than_start_cells_raises_an_error_that_names_the_track():
    with pytest.raises(ConfigError, match=r"drawn has 2 start cells, so at most 2 can race; there are 3 players"):
        MULTIPLAYER.environment(drawn(LANE), "race", 3)
    assert MULTIPLAYER.max_players(drawn(LANE)) == 2


# --- input


def test_the_number_pad_keys_correspond_to_the_nine_cells_that_a_car_can_reach():
    session = alone(start=(1, 2))
    found = {key: session.handler.press(session.state, key) for key in "5693"}
    assert found["6"] == Act(5) and found["9"] == Act(2) and found["5"] == Act(4)
    assert session.handler.press(session.state, "right") == Act(5)
    assert session.handler.press(session.state, "w") is None and session.handler.press(session.state, "shift+6") is None


def test_the_key_for_an_illegal_move_must_be_pressed_twice():
    session = alone()
    first = session.handler.press(session.state, "7")
    assert isinstance(first, Say) and "off the track" in first.text and "5 turns" in first.text
    marks = session.handler.marks(session.state)
    assert Mark("frame", (0, 0), (226, 60, 52), "again?") in marks
    assert isinstance(session.handler.press(session.state, "8"), Say)  # a different illegal move gives another warning
    assert session.handler.press(session.state, "8") == Act(1)
    turn = session.do(Act(1))
    assert turn.move.kind == "invalid" and turn.why == "the move lands off the track"
    assert session.handler.selected is None


def test_a_move_needs_no_confirmation_if_no_move_is_legal():
    session = alone("##########\n#S.......#\n##F#######\n##########")
    play(session, "666")  # the car is at x=7 with speed 3
    assert [choice.legal for choice in MULTIPLAYER.move_buttons(session.env, session.state)] == [False] * 9
    assert isinstance(session.handler.press(session.state, "5"), Act)


def test_a_click_on_one_of_the_nine_possible_next_cells_moves_the_car_there():
    session = alone()
    assert session.handler.click(session.state, (1, 2)) == Act(5)
    assert session.handler.click(session.state, (2, 2)) == Act(8)
    far = session.handler.click(session.state, (1, 7))
    assert isinstance(far, Say) and "7,1" in far.text
    assert isinstance(session.handler.click(session.state, (0, 1)), Say)


def test_hovering_over_a_cell_describes_it():
    session = alone()
    assert "illegal, the move lands off the track" in session.handler.hover(session.state, (0, 0), None).text
    assert session.handler.hover(session.state, (1, 2), None).text.startswith("Click to drive right (6)")
    assert session.handler.hover(session.state, (1, 7), None).text == "7,1: track, 2 steps from the finish"
    assert session.handler.hover(session.state, (3, 7), None).text == "7,3: off the track"
    assert session.handler.hover(session.state, (9, 9), None).text == ""


def test_the_nine_possible_next_cells_are_marked_and_illegal_ones_are_crossed_out():
    session = alone()
    marks = {mark.cell: mark for mark in session.handler.marks(session.state)}
    assert len(marks) == 9
    assert {cell for cell, mark in marks.items() if mark.style == "cross"} == {(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)}
    assert marks[1, 2].text == "6" and marks[1, 2].colour == colour_of(0)
    play(session, "6666")
    assert all(mark.cell[1] < 10 for mark in session.handler.marks(session.state))  # no mark is outside the board


# --- messages and statistics


def test_moves_in_a_race_are_described():
    session = session_on()
    play(session, "66")
    assert [turn.move.words for turn in session.turns] == [
        "Ann: step 1, to 2,1, speed 1,0",
        "Bob: step 1, to 2,2, speed 1,0",
    ]
    play(session, "8")
    assert (
        session.turns[-1].move.words
        == "Ann: step 2, to 3,0: the move lands off the track; the car stops and skips 5 turns"
    )
    play(session, "6")
    assert session.turns[-1].move.words == "Bob: step 2, to 4,2, speed 2,0; car 1 skips 1 turn, 4 left"
    play(session, "6")
    assert session.turns[-1].move.words.endswith("speed 3,0; car 1 skips 1 turn, 3 left")
    play(session, "5")
    last = session.turns[-1].move
    assert last.kind == "invalid"  # the car is too fast to stop: 10,2 is beyond the board
    assert [turn.move.kind for turn in session.turns].count("drive") == 4


def test_a_finish_is_described_and_the_standings_show_the_result():
    session = session_on()
    play(session, "66666")
    assert [figure.label for figure in standings(session)] == ["Ann", "> Bob"]
    play(session, "644")
    assert session.outcome == "finished"
    first, second = standings(session)
    assert (first.label, first.value, first.tone) == ("1. Ann", "4 steps", "good")
    assert (second.label, second.value) == ("1. Bob", "4 steps")  # cars with equal steps share a place
    assert session.turns[-2].move.kind == "finish"
    assert session.turns[-2].move.words == "Ann: step 4, to 9,1: finished in 4 steps, place 1"
    assert GAME.ui.texts.ending(session.env, session.state)[0].value == "All cars have finished"
    assert session.score is not None and session.score.words == "4 steps"
    assert isinstance(session.handler.press(session.state, "5"), Say)
    assert MULTIPLAYER.move_buttons(session.env, session.state) == ()


def standings(session):
    return MULTIPLAYER.standings(session.env, session.state, [player.name for player in session.players])


def test_hints_and_the_plan_overlay_show_the_next_moves_of_the_plan():
    session = alone(BEND)
    plan = GAME.plan(session.env, session.state, time_limit=10.0)
    assert plan.proved_optimal
    text = GAME.ui.texts.describe(session.env, session.state, plan.actions[0])
    assert text.startswith("right to 2,1")
    assert [mark.kind for mark in GAME.ui.overlays.hint(session.env, session.state, plan.actions[0])] == [
        "line",
        "frame",
    ]
    assert "illegal" in GAME.ui.texts.describe(session.env, session.state, 0)
    ahead = GAME.ui.overlays.marks("f", session.env, session.state, plan)
    assert sum(mark.kind == "line" for mark in ahead) == plan.steps
    for action in plan.actions:
        session.do(Act(action))
    assert session.outcome == "finished" and GAME.plan(session.env, session.state, time_limit=1.0).status == "solved"


def test_the_ghost_shows_where_the_best_run_was_after_the_same_number_of_moves():
    session = alone(BEND)
    best = solve(session.board.level.track)
    for steps in range(3):
        x, y = best.positions[steps]
        ghosts = [mark for mark in GAME.ui.overlays.marks("b", session.env, session.state, None) if mark.text == "G"]
        assert [ghost.cell for ghost in ghosts] == [(y, x)]
        play(session, "5")


def test_an_overlay_shows_the_zombie_array():
    session = alone(BEND)
    texts = {mark.cell: mark.text for mark in GAME.ui.overlays.marks("z", session.env, session.state, None)}
    assert texts[3, 4] == "0" and texts[1, 1] == "5" and (0, 0) not in texts


def test_trails_show_the_paths_of_the_cars():
    session = session_on()
    play(session, "6666")
    marks = MULTIPLAYER.trails(session.env, session.states)
    lines = [(mark.cell, mark.cols, mark.strength) for mark in marks if mark.kind == "line"]
    assert lines[:2] == [((2, 1), 1, 0.45), ((2, 2), 2, 0.45)]  # Bob's path is faint
    assert lines[2:] == [((1, 1), 1, 1.0), ((1, 2), 2, 1.0)]  # the path of Ann, whose turn it is
    assert [mark.cell for mark in marks if mark.kind == "dot" and mark.colour == colour_of(0)] == [
        (1, 1),
        (1, 2),
        (1, 4),
    ]
    play(session, "8")
    assert [mark.text for mark in MULTIPLAYER.trails(session.env, session.states) if mark.kind == "frame"] == ["-5"]


# --- pictures


def test_the_car_whose_turn_it_is_has_a_filled_and_larger_picture():
    session = session_on()
    first, second = GAME.ui.drawing.scene(session.state).actors
    assert (first.end, second.end) == ((1, 1), (2, 1)) and first.scale[1] > 1 > second.scale[1]
    assert (first.tile, second.tile) == (car_tile(0, filled=True), car_tile(1))
    play(session, "6")
    assert GAME.ui.drawing.scene(session.state).actors[0].end == (2, 1)


def test_only_a_step_to_the_next_state_is_animated():
    session = session_on()
    play(session, "6")
    turn = session.turn
    assert turn is not None
    motion = GAME.ui.drawing.motion(turn.before, turn.after)
    assert motion is not None and motion.sprites[-1].start == (1, 1) and motion.sprites[-1].end == (1, 2)
    assert GAME.ui.drawing.motion(turn.after, turn.before) is None
    session.undo()
    back = session.turn
    assert back is not None and GAME.ui.drawing.motion(back.before, back.after) is None


def test_a_finished_car_fades_out():
    session = session_on()
    play(session, "6666664")
    turn = session.turn
    assert turn is not None
    motion = GAME.ui.drawing.motion(turn.before, turn.after)
    assert motion is not None and motion.sprites[-1].opacity == (1.0, 0.0)
    assert len(GAME.ui.drawing.scene(session.state).actors) == 1


@pytest.mark.parametrize("width", [1, 2])
def test_every_tile_has_a_terminal_glyph(width):
    tiles = {int(tile) for tile in np.unique(GAME.ui.drawing.thumbnail(GAME.levels.boards()[9]).tiles)}
    for tile in (*tiles, car_tile(0), car_tile(0, 2, True), car_tile(11), car_tile(120)):
        text, style = GAME.ui.drawing.glyph(tile, width)
        assert len(text) == width and style
    assert GAME.ui.drawing.glyph(car_tile(0), width) != GAME.ui.drawing.glyph(car_tile(0, filled=True), width)


# --- the editor


def test_a_track_can_be_drawn_in_the_editor():
    draft = editor_of(GAME).blank("race")
    assert [problem.serious for problem in draft.problems("race")] == [True]
    for col, brush in enumerate(["start", "road", "road", "finish"], 2):
        draft = draft.painted((3, col), brush)
    assert draft.problems("race") == []
    assert draft.painted((3, 2), "start") is draft and draft.painted((99, 99), "road") is draft
    board = draft.board("race", "mine")
    assert board.level.track.starts == ((2, 3),)
    assert Session(GAME, board).outcome is None
    apart = draft.painted((3, 3), "grass")
    assert "no finish can be reached" in apart.problems("race")[0].text
    with pytest.raises(TrackError):
        apart.board("race", "mine")


@pytest.mark.parametrize("format", ["numbers", "symbols"])
def test_a_draft_round_trips_as_text_and_as_json(format, tmp_path):
    draft = editor_of(GAME).draft_of(GAME.levels.boards()[2])
    path = tmp_path / "track.txt"
    path.write_text(draft.text(format, "race"))
    assert GAME.levels.read(str(path)).level.track == GAME.levels.boards()[2].level.track
    kept = json.loads(json.dumps(draft.to_json()))
    assert editor_of(GAME).restore(kept) == draft
    turned = draft.rotated()
    assert (turned.rows, turned.cols) == (draft.cols, draft.rows)
    assert turned.rotated().rotated().rotated() == draft == draft.flipped().flipped()
    assert draft.resized(draft.rows + 2, draft.cols).resized(draft.rows, draft.cols) == draft
    for wrong in ({**kept, "rows": ["#x"]}, {**kept, "rows": []}, {**kept, "title": 3}, {"rows": ["#"]}):
        with pytest.raises(ConfigError):
            editor_of(GAME).restore(wrong)


def test_editing_an_image_does_not_overwrite_it_with_text(tmp_path):
    path = tmp_path / "track.png"
    GAME.levels.boards()[0].level.track.write(path)
    drawing = EditSession.open(GAME, str(path))
    assert drawing.path is None and drawing.format == "numbers"
    GAME.levels.boards()[0].level.track.write(tmp_path / "track.txt", "symbols")
    drawing = EditSession.open(GAME, str(tmp_path / "track.txt"))
    assert drawing.path == str(tmp_path / "track.txt") and drawing.format == "symbols"


# --- several players


def test_a_list_of_players_is_parsed_from_a_string():
    players = parse_players("human, greedy,Zoe=human,greedy,Rob=optimal", "race")
    assert players == (
        Player("You"),
        Player("greedy", "greedy"),
        Player("Zoe"),
        Player("greedy 2", "greedy"),
        Player("Rob", "optimal"),
    )
    assert parse_players(players_text(players), "race") == players
    with pytest.raises(AgentError, match="player 2: there is no agent 'gready'; did you mean 'greedy'"):
        parse_players("human,gready", "race")
    with pytest.raises(AgentError, match="player 1: the agent 'phase2-astar' does not play"):
        parse_players("phase2-astar", "race")
    for text in ("", "human,,greedy", "=greedy"):
        with pytest.raises(ConfigError, match="is incomplete; expected a list such as"):
            parse_players(text, "race")


def test_new_player_names_are_unique_and_have_no_special_characters():
    assert unused_name([Player("You")]) == "Player"
    assert unused_name([Player("Ann"), Player("Ann 2")], wanted="Ann") == "Ann 3"
    assert unused_name([], wanted=" a,b=c\n ") == "abc"
    assert unused_name([], "path/to/mine.py:Quick") == "Quick" and unused_name([], "path/to/mine.py") == "mine"
    assert len(unused_name([], wanted="x" * 99)) == 24


def test_saved_players_are_limited_to_the_number_of_start_cells():
    board = drawn(LANE)
    assert players_for(GAME, board, "Ann=human,Bob=human,greedy") == (Player("Ann"), Player("Bob"))
    usual = players_for(GAME, board, "nobody knows=whom")
    assert usual == (Player("You"), Player("greedy", "greedy")) == players_for(GAME, board)
    assert players_for(GAME, drawn(BEND)) == (Player("You"),)
    assert players_for(game_named("sokoban"), game_named("sokoban").levels.boards()[0], "human") == ()


def test_a_single_player_game_has_no_player_list():
    game = game_named("sokoban")
    session = Session(game, game.levels.boards()[0], players=(Player("Ann"),))
    assert session.players == () and session.waits_for is None and session.has_people and session.place == 0


def test_undo_reverts_the_last_move_by_a_person_and_the_moves_after_it():
    session = session_on(players=(Player("Ann"), Player("greedy", "greedy")))
    assert session.waits_for is None
    session.do(Act(5))
    assert session.waits_for == Player("greedy", "greedy")
    session.do(Act(5))
    session.do(Act(5))
    start = session.states[2]
    session.do(Act(5))
    turn = session.undo()
    assert turn is not None and turn.move.words.startswith("undone: Ann: step 2")
    assert session.state is start and session.moves == 2 and session.waits_for is None
    session.redo()
    assert session.moves == 4 and session.waits_for is None
    session.undo()
    session.undo()
    assert session.moves == 0 and not session.can_undo and session.undo() is None


def test_undo_does_not_revert_moves_by_agents_before_the_first_move_by_a_person():
    session = session_on(players=(Player("greedy", "greedy"), Player("Ann")))
    session.do(Act(5))
    assert not session.can_undo and session.undo() is None
    session.do(Act(5))
    assert session.undo() is not None and session.moves == 1


def test_the_record_for_a_race_is_the_score_of_the_best_human_player():
    session = session_on(players=(Player("greedy", "greedy"), Player("Ann")))
    play(session, "666566455")  # the agent finishes first, and Ann needs one more move
    assert session.outcome == "finished"
    assert [figure.label for figure in standings(session)] == ["1. greedy", "2. Ann"]
    assert session.score is not None and session.score.words == "5 steps"
    records = Records()
    assert records.note(session) and records.best(session.identity) == session.score
    only_agents = session_on(players=(Player("a", "greedy"), Player("b", "greedy")))
    play(only_agents, "66666644")
    assert only_agents.outcome == "finished" and only_agents.score is None and not records.note(only_agents)


def run(session: Session, pilot: PlayersPilot, until) -> None:
    """Let the agents play until the condition holds, however long their actions take."""
    import time

    limit = time.monotonic() + 240
    while not until():
        act = pilot.update(1.0)
        if act is not None:
            session.do(act)
            pilot.played()
        else:
            assert time.monotonic() < limit
            time.sleep(0.001)


def test_agents_play_when_it_is_their_turn():
    session = session_on(players=(Player("Ann"), Player("greedy", "greedy")))
    pilot = pilot_for(session, "greedy")
    assert isinstance(pilot, PlayersPilot) and pilot.on
    try:
        assert pilot.update(1.0) is None  # it is Ann's turn
        play(session, "6")
        run(session, pilot, lambda: session.waits_for is None)
        assert session.moves == 2 and session.helpers == []
        pilot.give_way()
        assert pilot.on  # the agent remains active while a person plays
        play(session, "6")
        pilot.stop()
        assert pilot.update(9.0) is None and "stopped" in pilot.status()
        pilot.start()
        run(session, pilot, lambda: session.waits_for is None)
        assert session.moves == 4
    finally:
        pilot.close()


def test_a_person_can_continue_a_replay_of_a_race_between_agents(tmp_path):
    board = GAME.levels.boards()[0]
    session = Session(GAME, board, seed=5, players=parse_players("greedy,Rob=optimal", "race"))
    pilot = PlayersPilot(session)
    try:
        run(session, pilot, lambda: session.outcome is not None)
    finally:
        pilot.close()
    assert session.outcome == "finished" and not session.has_people
    replay = session.replay()
    replay.check()
    cursor = ReplayCursor(replay)
    assert [player.name for player in cursor.players] == ["greedy", "Rob"]
    assert [move.words for move in cursor.moves] == [turn.move.words for turn in session.turns]
    cursor.go(3)
    mine = cursor.session()
    assert mine.moves == 3 and mine.waits_for is None and mine.players[1] == Player("Rob")
    assert mine.players[0].agent == "greedy"


def test_all_players_are_people_if_a_replay_does_not_name_its_players():
    session = session_on()
    play(session, "66")
    replay = replace(session.replay(), notes={})
    assert [player.agent for player in ReplayCursor(replay).players] == ["", ""]


def test_the_next_track_has_no_more_players_than_start_cells():
    session = Session(GAME, GAME.levels.boards()[3], players=parse_players("human,greedy,greedy", "race"))
    assert same_players(session, drawn(LANE)) == session.players[:2]


def test_the_settings_store_the_players_for_each_game():
    settings = Settings(game="race", players="Ann=human")
    settings.switch("sokoban")
    assert settings.players == ""
    settings.switch("race")
    assert settings.players == "Ann=human"
