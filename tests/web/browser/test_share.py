"""Links, replays and single pages in a real browser."""

import pytest

from shoverworld.core.errors import ReplayError
from shoverworld.core.links import Position, encode_link
from shoverworld.core.replay import Replay
from shoverworld.games import game_named
from shoverworld.play.links import position_of_session
from shoverworld.play.players import fill_places
from shoverworld.play.session import Session
from shoverworld.web.notebook import html_of_replay
from shoverworld.web.single_page import page_of_replay
from tests.web.browser.conftest import DESKTOP, Player


def played(game: str, name: str, moves: int = 12, players: int = 1, rules: str | None = None) -> Session:
    """Return a game on a packaged level in which every move is the first valid one."""
    levels = game_named(game).levels
    board = next(board for board in levels.boards(levels.collections()[0].name) if board.name == name)
    session = Session(game_named(game), board, rules, 3, players=fill_places((), players))
    for number in range(moves):
        valid = session.env.valid_actions()
        if session.outcome is not None or not len(valid):
            break
        session.env.step(valid[number % len(valid)])
    return session


GAMES = {
    "sokoban": lambda: played("sokoban", "tiny#3"),
    "shover": lambda: played("shover", "02-chains"),
    "race": lambda: played("race", "02-bend", players=2),
}


# --- Links


@pytest.mark.parametrize("game", GAMES)
def test_a_link_shows_exactly_the_linked_move(open_player, game):
    session = GAMES[game]()
    replay = session.replay()
    at = len(replay.moves) // 2
    player = open_player(encode_link(position_of_session(session), at))
    assert player.moves == (at, len(replay.moves))
    assert player.state_hash == replay.moves[at - 1].hash
    player.press("ArrowRight")  # the slider has the focus
    assert player.moves == (at + 1, len(replay.moves)) and player.state_hash == replay.moves[at].hash
    player.press("Home")
    assert player.state_hash == replay.start


def test_every_move_has_a_link_of_its_own(open_player):
    session = GAMES["sokoban"]()
    position = position_of_session(session)
    player = open_player(encode_link(position, 0))
    for at in (1, 2, 3):
        player.press("ArrowRight")
        link = encode_link(position, at)
        player.page.wait_for_function("link => location.hash === link", arg=link)


def test_an_invalid_link_is_reported(open_player):
    player = open_player("#v=1&game=sokoban&level=tiny/3&moves=0AX8")
    assert "Move 1 is not a move of this game" in player.message
    player = open_player("#v=1&game=sokoban&level=tiny/3&moves=2")
    assert player.message == "moves: found '2' first; expected 0 or 1"


# --- Replays


def drop(player: Player, name: str, text: str) -> None:
    """Drop a file on the page."""
    player.page.evaluate(
        """([name, text]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], name));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        [name, text],
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_dropped_replay_is_verified_and_shown(open_player, game):
    replay = GAMES[game]().replay("Ann")
    player = open_player("game=sokoban")
    drop(player, "game.replay", replay.to_text())
    last = len(replay.moves)
    player.wait(f"app => app.table.session.entries.length === {last}")
    player.press("End")
    assert player.moves == (last, last) and player.state_hash == replay.moves[-1].hash


def test_a_dropped_replay_under_changed_rules_keeps_them(open_player):
    replay = played("shover", "02-chains", rules="phase2, initial_force=30, reward.lava=1").replay()
    player = open_player("game=shover")
    drop(player, "game.replay", replay.to_text())
    player.wait(f"app => app.table.session.entries.length === {len(replay.moves)}")
    player.press("End")
    assert player.state_hash == replay.moves[-1].hash


def test_a_changed_replay_is_refused_with_the_step(open_player):
    session = GAMES["sokoban"]()
    replay = session.replay()
    text = replay.to_text().replace(replay.moves[2].hash, "0" * 16)
    player = open_player("game=sokoban&level=tiny/3")
    drop(player, "game.replay", text)
    player.wait("app => app.table.message.tone === 'bad'")
    with pytest.raises(ReplayError) as error:
        Replay.parse(text, "game.replay").check()
    assert player.message == str(error.value)
    assert player.moves == (0, 0), "the game before goes on"


def test_a_link_with_the_text_of_a_level(open_player):
    level = "#######\n#@ $ .#\n#######\n"
    player = open_player(encode_link(Position("sokoban", {"text": level}, "sokoban", moves=((8,), (4,)))))
    assert player.moves == (2, 2)
    session = Session(game_named("sokoban"), game_named("sokoban").levels.boards_in(level, "drawn")[0], "sokoban", 0)
    for action in (8, 4):
        session.env.step(action)
    assert player.state_hash == session.env.state_hash()


@pytest.mark.parametrize(
    ("cars", "players", "message"),
    [
        ("1,1 1,1", 2, "link: the drivers cannot start on the cells in the last line."),
        ("0,0", 1, "link: the drivers cannot start on the cells in the last line."),
        ("9,1", 1, "link: the drivers cannot start on the cells in the last line."),
        ("1,1", 2, "Start cells in the link: 1; drivers: 2."),
    ],
)
def test_impossible_start_cells_in_a_link_are_reported(open_player, cars, players, message):
    level = f"#######\n#S...F#\n#S...##\n#######\ncars {cars}\n"
    player = open_player(encode_link(Position("race", {"text": level}, "race", players)))
    assert player.message == message


# --- Single pages


@pytest.fixture
def open_file(browser, tmp_path):
    """A function that opens a page from disk. The page must not request anything and must not report errors."""
    contexts, problems = [], []

    def open_page(content: str, ready: str = "body[data-ready]"):
        file = tmp_path / f"page-{len(contexts)}.html"
        file.write_text(content, "utf-8")
        context = browser.new_context(**DESKTOP)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("console", lambda entry: problems.append(entry.text) if entry.type in ("error", "warning") else None)
        page.on("request", lambda request: problems.append(request.url) if request.url != file.as_uri() else None)
        page.goto(file.as_uri())
        page.wait_for_selector(ready)
        return Player(page, file.as_uri())

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


@pytest.mark.parametrize("game", GAMES)
def test_a_single_page_plays_from_disk(open_file, game):
    replay = GAMES[game]().replay("Ann")
    player = open_file(page_of_replay(replay))
    states = [replay.start, *(move.hash for move in replay.moves)]
    assert player.moves == (0, len(replay.moves)) and player.state_hash == states[0]
    for at in (1, 2, 3):
        player.press("ArrowRight")
        assert player.moves == (at, len(replay.moves)) and player.state_hash == states[at]
    player.press("ArrowLeft")
    assert player.state_hash == states[2]
    player.press("End")
    assert player.state_hash == states[-1]
    assert player.page.locator("#level-name").is_visible()


def test_the_slider_and_the_play_button_of_a_single_page(open_file):
    replay = GAMES["shover"]().replay()
    player = open_file(page_of_replay(replay, at=5))
    assert player.moves == (5, len(replay.moves))
    player.page.locator("#controls input[type=range]").fill("2")
    assert player.moves == (2, len(replay.moves)) and player.state_hash == replay.moves[1].hash
    player.press("End", "Space")
    last = len(replay.moves)
    player.wait(f"app => app.table.session.at < {last}")
    player.press("Space")
    player.press("Home")
    assert player.moves == (0, last)


def test_watching_does_not_change_the_recorded_game(open_file):
    replay = GAMES["sokoban"]().replay()
    player = open_file(page_of_replay(replay)).without_animation()
    player.page.locator("#board").focus()
    player.press("ArrowUp", "ArrowDown", "w", "a", "s", "d", "n", "Tab", "r", "y")
    player.click(1, 1)
    assert player.moves[1] == len(replay.moves)
    player.press("End")
    assert player.state_hash == replay.moves[-1].hash


def test_a_damaged_single_page_is_refused(open_file):
    replay = GAMES["sokoban"]().replay()
    page = page_of_replay(replay).replace(replay.moves[2].hash, "0" * 16)
    player = open_file(page, ready=".failed")
    assert "replay, line" in player.page.inner_text("body")
    assert (
        f"step 3: the state differs from the recorded state (expected hash {'0' * 16}, got {replay.moves[2].hash})"
        in (player.page.inner_text("body"))
    )


def test_the_link_of_a_single_page_leads_to_the_public_player(open_file):
    session = GAMES["sokoban"]()
    player = open_file(page_of_replay(session.replay()))
    player.press("ArrowRight")
    address = player.page.evaluate("() => globalThis.shoverworld.address.full()")
    assert address == "https://shoverworld.github.io/shoverworld/player/" + encode_link(position_of_session(session), 1)


def test_a_replay_in_a_notebook_is_a_frame_that_plays(open_file):
    replay = GAMES["shover"]().replay()
    player = open_file(f"<!doctype html><body>{html_of_replay(replay)}", ready="iframe")
    frame = player.page.frame_locator("iframe")
    frame.locator("body[data-ready]").wait_for()
    frame.locator("#controls input[type=range]").fill("2")
    assert frame.locator(".count").inner_text() == f"2 / {len(replay.moves)}"
