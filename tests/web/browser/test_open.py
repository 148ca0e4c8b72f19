"""Levels and rules from files and from the clipboard, in every game's own format."""

import pytest

from shoverworld.games import game_named
from shoverworld.play.clipboard import replay_of_moves
from shoverworld.play.session import Session

SOKOBAN = """; Mine
#######
#@ $ .#
#######
"""
SHOVER = """// A walk
// rules: walker, initial_force=30
.....L
A.B..L
......
"""


def open_text(player, text):
    player.page.get_by_role("button", name="Open a file or paste a level").click()
    dialog = player.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill(text)
    dialog.get_by_role("button", name="Open", exact=True).click()
    dialog.wait_for(state="detached")


def test_a_pasted_level_of_another_game_is_recognised_and_solved(open_player):
    player = open_player("game=race").without_animation()
    open_text(player, SOKOBAN)
    player.wait("app => app.table.description.name === 'sokoban'")
    player.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert player.outcome == "solved"


def test_a_map_with_changed_rules_is_played_as_in_the_window(open_player, tmp_path):
    player = open_player("game=shover").without_animation()
    file = tmp_path / "walk.txt"
    file.write_text(SHOVER)
    player.page.get_by_role("button", name="Open a file or paste a level").click()
    player.page.locator("dialog input[type=file]").set_input_files(file)
    player.wait("app => app.table.session.setup.rules === 'walker, initial_force=30'")
    session = Session(game_named("shover"), game_named("shover").levels.read(str(file)))
    assert player.state_hash == session.env.state_hash()
    for key in ("right", "right", "right"):
        player.press("ArrowRight")
        session.do(session.ask(lambda handler, state, key=key: handler.press(state, key)))
        assert player.state_hash == session.env.state_hash()


def test_a_link_restores_a_level_that_was_opened(open_player):
    player = open_player("game=shover").without_animation()
    open_text(player, SHOVER)
    player.wait("app => app.table.session.setup.rules === 'walker, initial_force=30'")
    player.press("ArrowRight", "ArrowRight")
    player.wait("app => location.hash.includes('text=') && location.hash.includes('moves=')")
    other = open_player(player.page.evaluate("location.hash"))
    assert (other.state_hash, other.moves) == (player.state_hash, (2, 2))


def test_a_file_with_several_levels_becomes_a_collection(open_player):
    player = open_player("game=sokoban").without_animation()
    open_text(player, f"{SOKOBAN}\n{SOKOBAN.replace('Mine', 'Yours').replace('@ $', '@$ ')}")
    player.wait("app => app.list.levels.length === 2")
    player.press("]", "ArrowRight")
    assert player.page.locator("#level-place").inner_text() == "Opened, 2 of 2"
    assert player.moves == (1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("####\n#@X#\n####\n", "the text, level 1, line 2: 'X' in column 3"),
        ("hello", "the text: "),  # no game recognises it, so the error is Sokoban's
        ("LAB\n.?.\n", "the text, line 2, column 2"),  # a map of another game
    ],
)
def test_an_error_names_the_place_and_the_text_can_be_corrected(open_player, text, message):
    player = open_player("game=sokoban&level=tiny/3").without_animation()
    before = player.state_hash
    player.page.get_by_role("button", name="Open a file or paste a level").click()
    dialog = player.page.get_by_role("dialog")
    field = dialog.get_by_role("textbox")
    field.fill(text)
    dialog.get_by_role("button", name="Open", exact=True).click()
    error = dialog.get_by_role("alert").and_(player.page.locator("[data-tone=bad]"))
    error.wait_for()
    assert error.inner_text().startswith(message)
    assert (field.input_value(), player.state_hash) == (text, before)
    field.fill(SOKOBAN)
    dialog.get_by_role("button", name="Open", exact=True).click()
    dialog.wait_for(state="detached")
    player.press("ArrowRight")
    assert player.moves == (1, 1)


@pytest.mark.parametrize(
    "address",
    [
        "#v=1&game=shover&level=lessons/01-first-push&rules=milestone1,initial_force=30",
        "game=shover&level=01-first-push&rules=milestone1,initial_force=30",
    ],
)
def test_changed_rules_in_an_address(open_player, address):
    player = open_player(address)
    assert player.evaluate("app => app.table.session.block.field('rules', 'initial_force')") == 30


def test_wrong_rules_in_an_address_are_reported(open_player):
    player = open_player("game=shover&level=01-first-push&rules=milestone1,initial_farce=30")
    assert "initial_farce" in player.message
    assert player.page.locator("#level-name").inner_text() == "First push"


def test_the_level_is_copied_as_text(open_player):
    player = open_player("game=sokoban&level=tiny/3", permissions=["clipboard-read", "clipboard-write"])
    player.press("c")
    player.page.locator("#message [data-tone=good]").wait_for()
    text = player.page.evaluate("() => navigator.clipboard.readText()")
    [copied] = game_named("sokoban").levels.boards_in(text, "copied")
    original = game_named("sokoban").levels.boards("tiny")[2]
    assert (copied.level.boxes == original.level.boxes).all() and copied.level.players == original.level.players


# --- moves in LURD notation

WAY = """; Way
#########
#@ $   .#
#       #
#########
"""


def paste(player, text):
    """Paste a text with the keyboard."""
    player.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    player.press("Control+V")


def copied(player, key):
    """Press a key that copies, and return the content of the clipboard."""
    player.page.evaluate("() => navigator.clipboard.writeText('')")
    player.press(key)
    player.page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    return player.page.evaluate("() => navigator.clipboard.readText()")


@pytest.fixture
def way(open_player):
    """The page with a pasted level."""
    player = open_player("game=race", permissions=["clipboard-read", "clipboard-write"]).without_animation()
    paste(player, WAY)
    player.wait("app => app.table.description.name === 'sokoban'")
    return player


def test_a_pasted_level_is_copied_back(way):
    assert way.page.locator("#level-name").inner_text() == "Way"
    assert copied(way, "c") == WAY


@pytest.mark.parametrize(
    ("text", "letters"),
    [("rRR", "rRR"), ("r RR\nd", "rRRd"), ("r4R", "rRRRR"), ("r2(R)2(dlu)", "rRRdludlu")],
)
def test_pasted_moves_are_played_as_in_the_window(way, text, letters):
    game = game_named("sokoban")
    *_, last = replay_of_moves(game, game.levels.boards_in(WAY, "way")[0], text).play()
    way.press("ArrowDown")
    count = len(letters)
    paste(way, text)
    way.wait(f"app => app.table.session.entries.length === {count}")
    assert (way.moves, way.state_hash) == ((count, count), last.env.state_hash())
    way.press("u")
    assert way.moves == (count - 1, count)
    way.press("y")
    assert copied(way, "Shift+C") == letters
    way.press("r")
    paste(way, letters)
    way.wait(f"app => app.table.session.at === {count}")
    assert way.state_hash == last.env.state_hash()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2(dru)", 'the clipboard: move 6 is "u": '),
        ("r5R", "the clipboard: move 6 comes after the end of the game"),
        ("+r", 'the clipboard: move 1 is "r": these rules have only one player'),
        ("2(rR", "the clipboard: invalid run-length encoding in column 1: '(' without a matching ')'"),
    ],
)
def test_moves_that_cannot_be_played_are_reported_and_the_game_goes_on(way, text, message):
    way.press("ArrowDown")
    before = way.state_hash
    paste(way, text)
    way.page.locator("#message [data-tone=bad]").wait_for()
    assert way.message.startswith(message)
    assert (way.state_hash, way.moves) == (before, (1, 1))
    way.press("ArrowRight")
    assert way.moves == (2, 2)
