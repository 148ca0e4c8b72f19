"""The headless game table, which provides everything that the window and the terminal show."""

import re
from collections import Counter

import pytest

from shoverworld import Map, sokoban
from shoverworld.core.ui import Act, Board, Score, SpecialMove
from shoverworld.games import game_named
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.commands import (
    COMMANDS,
    LEVELS_KEYS,
    PLAYERS_KEYS,
    bindings,
    buttons,
    help_sections,
    key_name,
    worded,
)  # fmt: skip
from shoverworld.play.levels import LevelList
from shoverworld.play.players import Player, PlayersSetup
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.play.table import GameTable

GAME = game_named("shover")


@pytest.fixture
def open_table(tmp_path, monkeypatch):
    """Return a function that opens tables. The tables are closed after the test."""
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    made = []

    def open_one(text="A . B . L\n. . . . .", preset="walker", **options):
        board = Board("drawn", preset, Map.parse(text, "drawn"), "Drawn", about="Push the box.")
        made.append(GameTable(Session(GAME, board, seed=0), options.pop("settings", Settings()), Records(), **options))
        return made[-1]

    yield open_one
    for one in made:
        one.close()


def shover_of(table):
    return table.scene.actors[0].end


# --- commands


def test_every_key_has_at_most_one_command():
    keys = Counter(key for command in COMMANDS for key in command.keys)
    assert [key for key, count in keys.items() if count > 1] == []


def test_a_command_without_a_handler_is_not_offered(open_table):
    table = open_table()
    assert {"undo", "hint", "next"} <= set(table.offered)
    assert not {"animation", "players", "leave"} & set(table.offered)
    left = []
    table.offer({"leave": lambda: left.append(True), "players": lambda: left.append(False)})
    assert "leave" in table.offered and "players" not in table.offered, "this game is for one player"
    assert table.press("escape") and left == [True]
    assert bindings(table.offered)["escape"] == "leave"
    assert buttons(["players", "undo", "leave"], table.offered, GAME) == (("u", "undo"), ("escape", ""))


def test_the_help_lists_the_commands_and_the_overlays_and_the_keys_of_the_game(open_table):
    sections = dict(help_sections(GAME, open_table().offered))
    assert list(sections) == ["Game", "Mouse", "Commands", "Overlays"]
    assert ("u",) in [line.keys for line in sections["Commands"]]
    assert key_name("shift+tab") == "Shift+Tab" and key_name("escape") == "Esc"


# --- playing


def test_a_key_moves_the_shover_and_undo_reverts_the_move(open_table):
    table = open_table()
    changes = []
    table.on_change = changes.append
    assert table.press("right") and table.press("right")
    assert shover_of(table) == (0, 2) and table.session.steps == 2
    assert table.message.text.startswith("Pushed") and len(changes) == 2
    table.press("u")
    assert shover_of(table) == (0, 1) and table.message.text.startswith("Undone: ")
    table.press("u")
    table.press("u")
    assert table.message.text == "There is no move to undo."
    assert not table.press("f9"), "the key is not bound"


def test_the_message_for_an_invalid_move_has_a_negative_tone(open_table):
    table = open_table("A # B L")
    table.press("right")
    assert table.message.tone == "bad" and "barrier" in table.message.text


def test_the_cursor_selects_a_cell(open_table):
    table = open_table("A . . .\n. . B .\n. . . .", "milestone1")
    for key in ("x", "right", "right", "down"):
        table.press(key)
    table.update(0.0)
    assert table.cursor.cell == (1, 2) and table.message.text.startswith("Box at row 1, column 2")
    table.press("return")
    assert table.cursor.cell is None and table.session.handler.selected == (1, 2)
    table.press("x")
    table.press("escape")
    assert table.cursor.cell is None and table.message.text == "The cursor is hidden."


def test_after_a_click_the_pointer_shows_no_preview_until_it_reaches_another_cell(open_table):
    table = open_table("A B . L")
    table.point((0, 1), 1)
    table.update(0.0)
    assert table.preview.marks and "Push 1 box right" in table.message.text
    table.click((0, 1))
    table.update(0.0)
    assert table.session.steps == 1 and not table.preview.marks and table.message.text.startswith("Pushed")
    table.point((0, 1), 1)
    assert table.pointed is None, "the pointer is still over the same cell"
    table.point((0, 2))
    assert table.pointed == ((0, 2), None)


def test_a_walk_is_played_step_by_step_or_completed_at_once(tmp_path, open_table):
    sokoban = game_named("sokoban")
    path = tmp_path / "walk.txt"
    path.write_text("; walk\n########\n#@   $.#\n########\n")
    for stepwise in (False, True):
        board = sokoban.levels.boards(str(path))[0]
        table = GameTable(Session(sokoban, board), Settings(game="sokoban"), Records())
        table.stepwise = stepwise
        table.click((1, 4))
        assert table.session.moves == (1 if stepwise else 3) and table.on_the_way == stepwise
        table.press("u")  # the walk is completed first; then one undo reverts the whole walk
        assert table.session.moves == 0 and not table.on_the_way
        table.close()


# --- display


def test_active_overlays_are_saved_and_drawn(open_table):
    settings = Settings()
    table = open_table(settings=settings)
    before = table.marks()
    table.press("3")
    assert settings.overlays == "13" and len(table.marks()) > len(before)
    assert table.marks() is table.marks(), "nothing has changed, so nothing is computed again"
    table.press("3")
    assert settings.overlays == "1" and table.message.text.endswith(": off")


def test_perfect_squares_are_shown_until_the_player_turns_them_off(open_table):
    settings, square = Settings(), "A . . . .\n. B B . .\n. B B . L"
    table = open_table(square, settings=settings)
    assert [(mark.cell, mark.rows) for mark in table.marks()] == [((1, 1), 2)]
    table.press("1")
    assert not table.marks()
    assert not open_table(square, settings=settings).marks(), "the choice is remembered"


def test_special_moves_are_offered_while_a_perfect_square_exists(open_table):
    table = open_table("A . . . . .\n. B B . B .\n. B . . . .", "phase2")
    assert table.specials() == ()
    table.click((1, 4))
    table.press("left")
    assert table.specials() == ()
    table.press("down")
    table.press("left")
    assert table.specials() == (SpecialMove("b", "barriers, +40 stamina"),)
    stamina = table.session.state.game["stamina"][0]
    table.press("b")
    assert table.session.state.game["stamina"][0] == stamina + 40 and table.specials() == ()


def test_the_end_screen_shows_the_outcome_and_the_record(open_table):
    table = open_table("A B L")
    table.press("right")
    assert table.session.outcome == "cleared" and table.new_record
    lines = {figure.label: figure.value for figure in table.ending()}
    assert next(iter(lines)) == "Outcome" and lines["Your best"].endswith("(new record)")
    assert table.message.text.startswith("The game is over.") and table.message.tone == "good"
    table.press("left")
    assert table.session.steps == 1, "a finished game accepts no moves"
    table.press("u")
    assert table.session.outcome is None and not table.new_record


def test_the_end_screen_shows_the_kinds_of_help_used_and_a_game_with_help_sets_no_record(open_table):
    table = open_table("A B L")
    table.session.helped_by("hint")
    table.press("right")
    lines = {figure.label: figure.value for figure in table.ending()}
    assert lines["Help from"] == "hint (no record)" and "Your best" not in lines and not table.new_record


def test_the_first_message_describes_the_game_or_the_level(open_table):
    assert open_table().message.text == GAME.goal
    assert open_table(introduces=True).message.text == "Push the box."


def test_an_unfinished_game_is_kept_while_another_level_is_played(open_table):
    settings = Settings()
    table = open_table(settings=settings)
    first = table.session
    table.press("right")
    table.press("tab")
    assert table.position == "Lessons, 1 of 16" and settings.board == table.levels.keys[0]
    table.press("n")
    assert table.session.board.seed == settings.seed and settings.board == "random"
    table.open_board(first.board, first.preset)
    assert table.session is first and table.is_unfinished


def test_the_description_of_the_rules_includes_the_preset_that_the_level_was_made_for():
    board = GAME.levels.boards()[0]
    table = GameTable(Session(GAME, board, "walker"), Settings(), Records())
    assert table.rules == f"walker (made for {board.preset})"
    table.close()


# --- players and level browser


def test_players_can_be_added_and_selected_and_removed():
    race = game_named("race")
    board = race.levels.read("01-straight")
    setup = PlayersSetup(race, board, [Player("Ann")], "optimal")
    assert setup.agents[setup.agent] == "optimal"
    assert setup.add_agent() and setup.players[-1] == Player("optimal", "optimal") and setup.chosen == 1
    while setup.add_person():
        pass
    assert len(setup.players) == setup.places and setup.message.startswith("The track is full")
    setup.choose(0)
    setup.remove()
    assert setup.message == "Ann was removed." and setup.chosen == 0
    setup.players.clear()
    assert not setup.ready() and setup.tone == "bad"


def test_the_browser_shows_the_result_of_the_solution_in_a_level_file(tmp_path):
    """A wrong solution does not count."""
    path, level = tmp_path / "two.xsb", "#######\n#@ $ .#\n#######\n"
    path.write_text(f"{level}Solution: rRR\n\n{level}Solution: rRRR\n")
    levels = LevelList(game_named("sokoban"), str(path), Records())
    browser = LevelBrowser(levels, 0)
    assert browser.description.endswith("not solved yet · best known: 2 pushes, 3 moves")
    session = Session(levels.game, levels.boards[0])
    assert session.best_known is not None and session.best_known.numbers == (2, 3)
    browser.step(1)
    assert browser.description.endswith("not solved yet")


def test_the_browser_can_search_and_step_through_collections():
    levels = LevelList(game_named("sokoban"), "", Records())
    browser = LevelBrowser(levels, 3)
    assert browser.place == 3 and browser.description.split(" · ")[1] == f"4 of {len(levels)}"
    browser.search("12")
    assert browser.place == 11
    browser.search("no level has this name")
    assert browser.place is None and browser.description == "No level matches the search."
    browser.search("")
    assert len(browser.places) == len(levels)
    browser.next_collection(1)
    assert browser.levels.name == browser.collections[1].name
    browser.next_collection(-1)
    assert browser.levels is levels
    assert browser.next_unsolved() and browser.place == 1


# --- the selection


def test_undo_and_redo_restore_the_selection(open_table):
    table = open_table(". . . . .\n. B . B .\n. . . . A", "milestone1")
    table.click((1, 1))
    table.press("right")
    table.click((1, 3))
    assert table.session.handler.selected == (1, 3)
    table.press("u")
    assert table.session.handler.selected == (1, 1), "the box that was pushed"
    table.press("y")
    assert table.session.handler.selected == (1, 2)
    table.press("u")
    table.press("down")
    assert table.session.turn.move.words == "pushed 1 box down", "the restored selection can be used"


def test_undoing_a_push_made_by_clicks_selects_the_box_again(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path))
    game = game_named("sokoban")
    board = Board("drawn", "sokoban", sokoban.Level.parse("########\n#@ $  .#\n#      #\n########"), "Drawn")
    table = GameTable(Session(game, board), Settings(game="sokoban"), Records())
    table.click((1, 3))
    table.click((1, 5))
    assert table.session.moves == 3 and table.session.handler.selected is None
    table.press("u")
    assert table.session.moves == 0 and table.session.handler.selected == (1, 3)
    table.click((1, 4))
    assert table.session.moves == 2
    table.close()


# --- wording


def test_the_results_show_which_agent_played_the_game(open_table, tmp_path):
    table = open_table("A B L", "walker", agent=f"{tmp_path / 'my.py'}:MyAgent")
    assert table.pilot.helper == "MyAgent"
    table.play(Act((0, 1, 2)), table.pilot.helper)
    lines = {line.label: line.value for line in table.ending()}
    assert table.session.outcome == "cleared" and lines["Played by"] == "MyAgent" and "Help from" not in lines
    replay = table.session.replay("ann")
    assert replay.player == "MyAgent" and "help" not in replay.notes


def test_help_from_an_agent_is_listed_if_a_person_also_played(open_table):
    table = open_table("A . B L", "walker")
    table.press("right")
    table.play(Act((0, 2, 2)), "greedy")
    lines = {line.label: line.value for line in table.ending()}
    assert lines["Help from"] == "greedy (no record)" and "Played by" not in lines


def test_a_result_that_matches_the_proven_optimum_is_praised(open_table):
    table = open_table("A B L", "walker")
    table.session.known = Score((1.0,), "1 step", proved=True)
    table.press("right")
    best = next(line for line in table.ending() if line.label == "Best possible")
    assert best.value == "1 step (proved). Perfect: you matched it!" and best.tone == "good"
    table.session.known = Score((0.0,), "0 steps", proved=True)
    assert {line.label: line.value for line in table.ending()}["Best possible"] == "0 steps (proved)"
    table.session.helped_by("hint")
    table.session.known = Score((1.0,), "1 step", proved=True)
    assert {line.label: line.value for line in table.ending()}["Best possible"] == "1 step (proved)"


def test_the_race_uses_the_words_track_and_driver_and_finish(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path))
    race = game_named("race")
    table = GameTable(Session(race, race.levels.boards()[0], seed=0), Settings(game="race"), Records())
    browser = LevelBrowser(table.levels)
    texts = [table.levels.progress, browser.description, browser.all_solved]
    for kind in ("over", "all solved", "others solved", "left"):
        table.tell(kind, title="Tracks", progress="", moves="3 moves")
        texts.append(table.message.text)
    table.offer({name: lambda: None for name in ("levels", "players", "edit")})
    texts += [line.what for _, lines in help_sections(race, table.offered) for line in lines]
    texts += [label for _, label in buttons(["levels", "players"], table.offered, race)]
    texts += [line.what for keys in (LEVELS_KEYS, PLAYERS_KEYS) for line in worded(keys, race)]
    setup = PlayersSetup(race, table.session.board, (), "")
    setup.ready()
    texts += [setup.title, setup.taken, setup.message]
    said = " ".join(texts)
    assert "of 16 finished" in said and "next unfinished track" in said and "drivers" in said
    assert not re.search(r"\b(levels?|(un)?solved|players?)\b", said)
    table.close()


def test_the_instructions_in_the_first_lesson_lead_to_its_best_result(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path))
    session = Session(GAME, GAME.levels.boards()[0], seed=0)
    about = session.board.about
    assert "press X, move the cursor onto the box and press Enter" in about and "three steps are enough" in about
    table = GameTable(session, Settings(), Records())
    for key in ("x", "right", "right", "return", "right", "right", "right"):
        table.press(key)
    assert session.outcome == "cleared" and session.best_known is not None
    assert session.score is not None and session.score.numbers == session.best_known.numbers
    table.close()
