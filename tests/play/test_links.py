"""Links to games: what the window and the terminal copy describes the game, and pasting it gives the same game."""

import pytest

from shoverworld import Map, race, sokoban
from shoverworld.core.errors import ConfigError
from shoverworld.core.links import LinkError, Placement, decode_link
from shoverworld.core.ui import Board
from shoverworld.games import all_games, game_named
from shoverworld.play.commands import COMMANDS, command_named
from shoverworld.play.link_reader import is_link, replay_of_link
from shoverworld.play.links import position_of_cursor, position_of_session
from shoverworld.play.players import Player
from shoverworld.play.positions import board_of
from shoverworld.play.records import Records
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.play.table import GameTable

from .test_clipboard import Memory

SOKOBAN, SHOVER, RACE = game_named("sokoban"), game_named("shover"), game_named("race")
ADDRESS = "https://shoverworld.github.io/shoverworld/player/"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SHOVERWORLD_PLAYER", raising=False)


@pytest.fixture
def open_table():
    made = []

    def open_one(game, board, preset=None, seed=0, players=()):
        table = GameTable(Session(game, board, preset, seed, players=players), Settings(game=game.name), Records())
        table.clipboard = Memory()
        made.append(table)
        return table

    yield open_one
    for table in made:
        table.close()


def board_named(game, collection, name):
    return next(board for board in game.levels.boards(collection) if board.name == name)


def copied(table):
    assert table.press("i")
    assert table.message.text.startswith(f"Copied the link to the clipboard: {ADDRESS[:20]}")
    link = table.clipboard.text
    assert link.startswith(f"{ADDRESS}#")
    assert replay_of_link(link).moves == table.session.replay().moves
    return link.removeprefix(ADDRESS)


def test_a_packaged_level_is_linked_by_name(open_table):
    table = open_table(SOKOBAN, board_named(SOKOBAN, "tiny", "tiny#3"))
    assert copied(table) == "#v=1&game=sokoban&level=tiny/3&rules=sokoban"
    table.press("up")
    table.press("down")
    assert copied(table).startswith("#v=1&game=sokoban&level=tiny/3&rules=sokoban&moves=0")


def test_changed_rules_are_part_of_the_link(open_table):
    board = board_named(SHOVER, "lessons", "01-first-push")
    table = open_table(SHOVER, board, "phase2, initial_force=30", seed=5)
    link = copied(table)
    assert "&rules=phase2,initial_force=30" in link


def test_the_text_of_a_level_from_a_file_is_part_of_the_link(open_table, tmp_path):
    path = tmp_path / "tiny.xsb"
    path.write_text("; Two steps\n#######\n#@ $ .#\n#######\n")
    table = open_table(SOKOBAN, SOKOBAN.levels.boards(str(path))[0])
    table.press("right")
    position, at = decode_link(copied(table))
    assert "#@ $ .#" in position.level["text"] and at == 1
    assert SOKOBAN.levels.boards_in(position.level["text"], "linked")[0].title == "Two steps"


def test_a_changed_level_with_the_name_of_a_packaged_level_is_not_linked_by_name(open_table):
    board = Board("tiny#3", "sokoban", sokoban.Level.parse("#####\n#@$.#\n#####"))
    assert "&text=" in copied(open_table(SOKOBAN, board))


def test_a_start_that_neither_the_map_nor_a_small_seed_determines_is_part_of_the_link(open_table):
    table = open_table(SHOVER, Board("drawn", "milestone1", Map.parse(". . B . L\n. . . . .")), seed=2**60)
    position, _ = decode_link(copied(table))
    assert Map.parse(position.level["text"]).agent is not None


def test_free_moves_and_undone_moves(open_table):
    table = open_table(SHOVER, Board("drawn", "milestone1", Map.parse("A . B . L\n. . . . .")))
    table.click((1, 3))
    table.click((0, 2))
    table.press("right")
    assert decode_link(copied(table))[0].moves[0] == Placement(1, 3)
    table.press("u")
    assert decode_link(copied(table))[0].moves == (Placement(1, 3),)


@pytest.mark.parametrize("seed", [4, None, 2**60])
def test_a_race_with_two_players_starts_on_the_same_cells(open_table, seed):
    players = (Player("Ann"), Player("Bob"))
    table = open_table(RACE, RACE.levels.boards()[1], seed=seed, players=players)
    table.press("5")
    table.press("5")
    link = copied(table)
    if seed is not None:  # a random start may happen to be the start of seed 0
        assert ("&level=tracks/02-bend" in link) == (seed == 4)
    assert "&players=2" in link
    assert replay_of_link(link).start == table.session.replay().start


def test_a_replay_of_a_packaged_level_is_linked_by_name(open_table):
    table = open_table(SOKOBAN, board_named(SOKOBAN, "tiny", "tiny#3"))
    for key in ("up", "right", "down", "left"):
        table.press(key)
    position = position_of_cursor(ReplayCursor(table.session.replay()))
    assert position == position_of_session(table.session)
    assert position.level == {"collection": "tiny", "name": "tiny#3"}
    assert position.moves == ((1,), (2,), (3,))


def test_a_pasted_link_opens_as_a_replay(open_table):
    table = open_table(SOKOBAN, SOKOBAN.levels.boards()[0])
    watched = []
    table.on_replay = watched.append
    table.paste(f"  {ADDRESS}#v=1&game=race&level=tracks/01-straight&seed=3\n")
    assert watched[0].env_id == RACE.default_id
    table.paste("#game=race&level=tracks/no")
    assert table.message.text == (
        "the link cannot be opened: level: the collection 'tracks' has no level 'no'; "
        "expected one of its 16 levels, such as '01-straight'"
    )


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("#game=chess&random=1", "game: there is no game 'chess'; expected shover, sokoban, race"),
        (
            "#game=race&level=../x/y",
            "the link cannot be opened: level: there is no collection '..'; expected one of 'tracks'",
        ),
        ("#game=race&random=1&rules=fast", "the link cannot be opened: rules='fast': there is no such preset"),
        ("#game=race&text=0IyMj", "the link cannot be opened: level: the track has no start cell"),
        ("#game=race&random=1&players=99", "the link cannot be opened: random-1 has"),
        ("#game=sokoban&level=tiny/1&moves=0AX8", "moves: move 1 is impossible: "),
        ("#game=sokoban&level=tiny/1&moves=0AQABAQ", "moves: move 1 is impossible: "),
    ],
)
def test_a_link_that_cannot_be_played_is_rejected(link, message):
    with pytest.raises(LinkError) as error:
        replay_of_link(link)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ({"collection": "mine", "name": "tiny#1"}, "level: there is no collection 'mine'; expected one of 'tiny', "),
        (
            {"collection": "tiny", "name": "tiny#99"},
            "level: the collection 'tiny' has no level 'tiny#99'; did you mean 'tiny#9'? ",
        ),
        ({"text": "#####\n#@$.#\n#####", "number": 2}, "level: number 2 does not exist; the text contains 1 level"),
    ],
)
def test_a_level_that_does_not_exist_is_rejected(level, message):
    with pytest.raises(ConfigError) as error:
        board_of(SOKOBAN, level, "")
    assert str(error.value).startswith(message)


def test_changed_rules_without_a_preset_change_the_rules_of_the_level():
    replay = replay_of_link("#game=shover&level=lessons/01-first-push&rules=initial_force=30")
    assert replay.make().rules.initial_force == 30


def test_levels_and_moves_are_not_taken_for_links():
    assert is_link("#v=1&game=race&random=1") and is_link("http://127.0.0.1:8000/#game=x")
    assert not is_link("#####\n#@$.#\n#####") and not is_link("game=race") and not is_link("rrR")


def test_the_key_is_free_in_every_game():
    key = command_named("copy link").keys[0]
    assert sum(key in command.keys for command in COMMANDS) == 1
    for game in all_games().values():
        own = [k for help in game.ui.controls.keys for k in help.keys]
        assert key not in [*own, *(overlay.key for overlay in game.ui.overlays.overlays)]


def test_a_race_on_a_drawn_track(open_table):
    track = race.Track.parse("######\n#S..F#\n######")
    table = open_table(RACE, Board("drawn", "race", RACE.levels.boards_in(track.to_text("symbols"), "drawn")[0].level))
    table.press("6")
    assert "&text=" in copied(table)
