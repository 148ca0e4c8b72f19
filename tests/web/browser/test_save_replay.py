"""Replays that the page saves: `shover replay --check` accepts them, and the page opens them again."""

import re

import pytest

from shoverworld.cli import main
from shoverworld.core.replay import Replay

MAP = "// rules: walker, initial_force=30, reward.lava=7\n.....L\nA.B..L\n.....#\n"
GAMES = {
    "shover lesson": ("game=shover&level=01-first-push", ["ArrowRight", "ArrowUp", "ArrowRight", "ArrowDown"]),
    "shover with other rules": (
        "game=shover&level=01-first-push&rules=walker",
        ["ArrowRight", "ArrowDown", "ArrowRight"],
    ),
    "random map": ("game=shover&random=7", ["ArrowRight", "ArrowUp", "ArrowLeft"]),
    "sokoban": ("game=sokoban&level=tiny/3", ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]),
    "sokoban with pulls": ("game=sokoban&level=tiny/3&rules=pull", ["ArrowLeft", "ArrowUp", "ArrowRight"]),
    "random room": ("game=sokoban&random=7", ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]),
    "race": ("game=race&level=01-straight", ["6", "6", "9", "5"]),
    "random track": ("game=race&random=7", ["6", "8", "2", "5"]),
}


def saved(player, folder):
    """Save a replay with the key K and return its path."""
    with player.page.expect_download() as download:
        player.press("k")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def check(path):
    """Check a replay as `shover replay --check` does, and return it."""
    assert main(["replay", "--check", "--quiet", str(path)]) == 0
    return Replay.read(path)


@pytest.mark.parametrize("name", GAMES)
def test_a_saved_replay_is_valid(open_player, tmp_path, name):
    query, keys = GAMES[name]
    player = open_player(query).without_animation()
    player.press(*keys)
    moves, state_hash = player.moves[0], player.state_hash
    assert moves > 0
    path = saved(player, tmp_path)
    assert player.state_hash == state_hash and player.moves[0] == moves, "saving does not change the game"
    assert player.message == f"Saved {path.name}"
    replay = check(path)
    assert (len(replay.moves), replay.moves[-1].hash) == (moves, state_hash)


def test_a_won_game_with_changed_rewards_and_undone_moves(open_player, tmp_path):
    player = open_player("game=shover").without_animation()
    player.page.locator("#open").click()
    player.page.locator("dialog textarea").fill(MAP)
    player.page.locator("dialog button[type=submit]").click()
    player.wait("app => app.table.session.setup.rules.includes('reward.lava=7')")
    player.press("ArrowDown", "u", *["ArrowRight"] * 5)
    assert player.outcome == "cleared"
    player.press("Escape")
    replay = check(saved(player, tmp_path))
    assert (replay.env_id, replay.config["initial_force"]) == ("shoverworld/ShoverWalker-v0", 30)
    assert (replay.end.outcome, replay.end.figures["reward"]) == ("cleared", 7)


def test_a_race_of_two_can_be_saved_and_opened_again(open_player, tmp_path):
    player = open_player("game=race&level=01-straight").without_animation()
    player.evaluate(
        "app => app.openLevel(app.game, app.list, app.place, [{name: 'A', agent: ''}, {name: 'B', agent: ''}])"
    )
    player.press("6", "5", "6", "9")
    path = saved(player, tmp_path)
    assert check(path).config["cars"] == 2
    other = open_player("game=race")
    other.page.locator("#open").click()
    other.page.locator("dialog input[type=file]").set_input_files(path)
    other.wait("app => app.table.session.entries.length === 4")
    other.evaluate("app => app.table.goTo(4)")  # a replay opens at its start
    assert other.state_hash == player.state_hash


def test_the_share_dialog_copies_the_link_and_saves_a_replay(open_player, tmp_path):
    player = open_player(
        "game=sokoban&level=tiny/3", permissions=["clipboard-read", "clipboard-write"]
    ).without_animation()
    player.press("ArrowLeft")
    player.page.get_by_role("button", name="Share this game").click()
    dialog = player.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Copy the link").click()
    dialog.get_by_text("Copied.").wait_for()
    assert player.page.evaluate("navigator.clipboard.readText()") == dialog.get_by_label("Link").input_value()
    with player.page.expect_download() as download:
        dialog.get_by_role("button", name="Save a replay").click()
    download.value.save_as(tmp_path / "game.replay")
    assert len(check(tmp_path / "game.replay").moves) == 1
    assert re.search(r"Saved .*\.replay", dialog.inner_text())


def test_a_copied_random_level_contains_its_board(open_player):
    player = open_player("game=sokoban&random=7", permissions=["clipboard-read", "clipboard-write"]).without_animation()
    player.press("c")
    player.page.get_by_text("Copied the level").wait_for()
    text = player.page.evaluate("navigator.clipboard.readText()")
    assert "#" in text and "@" in text and "$" in text
