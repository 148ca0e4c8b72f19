"""People play the games in a browser: with the keyboard, the mouse and a touch screen."""

import gzip
import re

import pytest

from shoverworld import race
from shoverworld.core.ui import Act
from shoverworld.games import game_named
from shoverworld.play.session import Session
from tests.web.browser.conftest import PHONE, Player, files

ARROWS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}


def board_named(game, name):
    levels = game_named(game).levels
    return next(
        board for collection in levels.collections() for board in levels.boards(collection.name) if board.name == name
    )


def plan_keys(game, name):
    """Return the key of each move in the solver's plan."""
    level = board_named(game, name).level
    if game == "sokoban":
        from shoverworld import sokoban

        return [ARROWS[letter] for letter in sokoban.solve(level, objective="moves").lurd.lower()]
    raise AssertionError(game)


# --- Whole games


def test_sokoban_with_the_keyboard(open_player):
    player = open_player("game=sokoban&level=tiny/5").without_animation()
    player.press(*plan_keys("sokoban", "tiny#5"))
    assert player.outcome == "solved"
    card = player.page.locator(".ending")
    assert "Best possible" in card.inner_text() and "new record" in card.inner_text()
    assert player.page.locator(".ending button:focus").inner_text().startswith("Next")


def test_sokoban_with_animation_ends_in_the_same_state(open_player):
    keys = plan_keys("sokoban", "tiny#5")
    fast, slow = open_player("game=sokoban&level=tiny/5").without_animation(), open_player("game=sokoban&level=tiny/5")
    slow.evaluate("app => { app.view.board.animated = true; }")
    for player in (fast, slow):
        player.press(*keys)
    slow.page.wait_for_selector(".ending")
    assert fast.state_hash == slow.state_hash


def test_shover_world_with_the_mouse(open_player):
    """Two clicks select a box and push it; a drag pushes it too. The lesson needs three pushes."""
    player = open_player("game=shover&level=01-first-push").without_animation()
    player.click(0, 2)
    player.press("ArrowRight")
    player.page.mouse.move(*player.middle(0, 3))
    player.page.mouse.down()
    player.page.mouse.move(*player.middle(0, 4), steps=4)
    player.page.mouse.up()
    assert player.moves == (2, 2)
    player.click(0, 4)
    player.press("ArrowRight")
    assert player.outcome == "cleared"
    assert "3" in player.page.locator(".ending .large").inner_text()


def test_race_with_the_number_keys(open_player):
    """The keys follow the best line from the start cell of the page, move by move."""
    player = open_player("game=race&level=01-straight").without_animation()
    track = board_named("race", "01-straight").level.track
    x, y = player.evaluate("app => ['col', 'row'].map(name => app.table.session.block.field('cars', name))")
    plan = race.solve(track, start=(x, y))
    player.press(*("789456123"[action] for action in plan.actions))
    assert player.outcome == "finished"
    assert f"{plan.steps}" in player.page.locator(".ending").inner_text()


def test_sokoban_with_touch(open_player):
    """The buttons are keys, and swipes are arrow keys."""
    player = open_player("game=sokoban&level=tiny/3", **PHONE).without_animation()
    player.page.locator('.arrows [data-key="left"]').tap()
    player.wait("app => app.table.session.at === 1")
    swipe(player, -1, 0)
    player.wait("app => app.table.session.outcome === 'solved'")


def swipe(player: Player, right: int, down: int) -> None:
    """Move a finger across the board."""
    box = player.page.locator("#board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = player.page.context.new_cdp_session(player.page)

    def send(kind: str, far: float) -> None:
        points = [{"x": x + right * far, "y": y + down * far}] if kind != "touchEnd" else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", 0)
    for far in (10, 20, 30, 40):
        send("touchMove", far)
    send("touchEnd", 40)


def test_the_race_with_buttons_on_a_phone(open_player):
    player = open_player("game=race&level=01-straight", **PHONE).without_animation()
    player.page.locator('.pad [data-key="6"]').tap()
    player.wait("app => app.table.session.at === 1")
    assert player.message.startswith("Step 1")


# --- Moves


def test_undo_redo_and_restart(open_player):
    player = open_player("game=sokoban&level=tiny/3").without_animation()
    start = player.state_hash
    player.press("ArrowUp")
    moved = player.state_hash
    assert moved != start
    player.press("u")
    assert (player.state_hash, player.moves) == (start, (0, 1))
    assert player.message.startswith("Undone")
    player.press("y")
    assert (player.state_hash, player.moves) == (moved, (1, 1))
    player.press("r")
    assert player.state_hash == start
    player.press("u")
    assert player.state_hash == moved, "undo takes a restart back"
    player.page.get_by_role("button", name="Undo: take back a move").click()
    assert player.state_hash == start
    player.press("u")
    assert "no move to undo" in player.message


def test_the_slider_shows_every_move(open_player):
    player = open_player("game=sokoban&level=tiny/5").without_animation()
    hashes = [player.state_hash]
    for key in plan_keys("sokoban", "tiny#5")[:4]:
        player.press(key)
        hashes.append(player.state_hash)
    player.press("v")
    for count in (3, 2, 1, 0):
        player.press("ArrowLeft")
        assert (player.moves, player.state_hash) == ((count, 4), hashes[count])
    player.press("End")
    assert player.state_hash == hashes[4]


def test_the_states_are_those_of_the_engine(open_player):
    """The same clicks and keys give the same states in the browser and in the window's session."""
    player = open_player("game=shover&level=09-perfect-square").without_animation()
    session = Session(game_named("shover"), board_named("shover", "09-perfect-square"))
    for cell, key in (((1, 9), "down"), ((3, 6), "right"), ((2, 2), "up")):
        player.click(*cell)
        player.press(f"Arrow{key.capitalize()}")
        session.ask(lambda handler, state, cell=cell: handler.click(state, cell))
        intent = session.ask(lambda handler, state, key=key: handler.press(state, key))
        assert isinstance(intent, Act)
        session.do(intent)
        assert player.state_hash == session.env.state_hash()


# --- Previews and keyboard


def test_pointing_at_a_box_shows_the_chain_and_its_cost(open_player):
    player = open_player("game=shover&level=01-first-push").without_animation()
    x, y = player.middle(0, 2)
    reach = player.evaluate("app => app.view.board.cellSize") * 0.4
    player.page.mouse.move(x + reach, y)
    assert re.search(r"Push.*stamina", player.message)
    assert player.evaluate("app => app.table.pointer.preview.marks.length") > 0


def test_the_cursor_reads_the_board_aloud(open_player):
    """The message line is a live region, and the cursor needs only the keyboard."""
    player = open_player("game=shover&level=01-first-push").without_animation()
    assert player.page.locator("#message").get_attribute("aria-live") == "polite"
    player.press("x", "ArrowRight", "ArrowRight")
    assert player.message.startswith("Box at row 0, column 2")
    player.press("Enter", "x", "ArrowRight")
    assert player.moves == (1, 1)


def test_an_overlay_and_its_switch(open_player):
    player = open_player("game=shover&level=09-perfect-square").without_animation()
    switch = player.page.get_by_role("button", name="Distance to lava")
    assert switch.get_attribute("aria-pressed") == "false"
    player.press("3")
    assert switch.get_attribute("aria-pressed") == "true"
    assert player.evaluate("app => app.table.overlays.lyingMarks().flat().length") > 20


# --- Levels


def test_levels_search_and_progress(open_player):
    player = open_player("game=sokoban&level=tiny/3").without_animation()
    player.press("ArrowLeft", "ArrowLeft", "l")
    dialog = player.page.get_by_role("dialog", name="Levels")
    dialog.get_by_text("1 of 60 solved").wait_for()
    player.press("/")
    player.page.keyboard.type("17")
    player.press("Enter")
    dialog.wait_for(state="detached")
    assert player.page.locator("#level-name").inner_text() == "Tiny 17"


def test_progress_is_kept_in_the_browser(open_player):
    player = open_player("game=sokoban&level=tiny/3").without_animation()
    player.press("ArrowLeft", "ArrowLeft")
    player.open("game=sokoban&level=tiny/3")
    assert "Your best" in player.page.locator("#panel").inner_text()


def test_an_unfinished_game_can_be_continued(open_player):
    player = open_player("game=sokoban&level=tiny/5").without_animation()
    player.press(*plan_keys("sokoban", "tiny#5")[:3])
    state = player.state_hash
    player.press("]", "[")
    assert "You left a game" in player.message
    player.press("t")
    assert (player.state_hash, player.moves) == (state, (3, 3))


@pytest.mark.parametrize("game", ["shover", "sokoban", "race"])
def test_random_levels_depend_on_the_seed_alone(open_player, game):
    one, other = open_player(f"game={game}&random=7"), open_player(f"game={game}&random=7")
    assert one.state_hash == other.state_hash
    assert open_player(f"game={game}&random=8").state_hash != one.state_hash


@pytest.mark.parametrize("game", ["shover", "sokoban", "race"])
def test_every_preset_can_be_played(open_player, game):
    player = open_player(f"game={game}")
    select = player.page.locator(".rules select")
    for option in select.locator("option").all():
        select.select_option(option.get_attribute("value"))
        assert player.outcome is None


def test_all_packaged_levels_start(open_player):
    """Every level of every collection starts and has a picture for each tile."""
    player = open_player()
    missing = player.page.evaluate(
        """async () => {
          const app = globalThis.shoverworld, missing = [];
          for (const { name } of app.index.games) {
            const game = await app.games.load(name);
            for (const { name: collection } of game.module.description.collections) {
              const list = await game.library.list(collection);
              for (let place = 0; place < list.levels.length; place += 1) {
                app.openLevel(game, list, place);
                const scene = app.table.scene();
                const tiles = [...new Set(scene.tiles), ...scene.sprites.map(({ tile }) => tile)];
                if (tiles.some((tile) => game.sprites.parts(tile).length === 0)) missing.push(list.levels[place].name);
              }
            }
          }
          return missing;
        }"""
    )
    assert missing == []


# --- Links


def test_a_link_opens_exactly_this_position(open_player):
    player = open_player("game=sokoban&level=tiny/5").without_animation()
    player.press(*plan_keys("sokoban", "tiny#5")[:5], "u", "u")
    state, moves = player.state_hash, player.moves
    player.wait("app => location.hash.includes('at=3')")
    link = player.page.evaluate("location.hash")
    other = open_player(link)
    assert (other.state_hash, other.moves) == (state, moves)
    other.press("ArrowRight")
    assert other.moves == (4, 5), "the arrow keys step through the game"


def test_a_bad_link_is_reported_and_the_page_still_works(open_player):
    player = open_player("#v=1&game=sokoban&level=tiny/3&moves=0AQk_")
    assert player.page.locator("#message [data-tone=bad]").count() == 1
    assert player.page.locator("#level-name").inner_text() == "Tiny 1"
    player.press("]")
    assert player.page.locator("#level-name").inner_text() == "Tiny 2"


# --- Several players


def test_a_race_against_the_greedy_player(open_player):
    player = open_player("game=race&level=01-straight").without_animation()
    player.press("o")
    dialog = player.page.get_by_role("dialog", name="Drivers")
    dialog.get_by_role("button", name="Add greedy").click()
    dialog.get_by_role("button", name="Start", exact=True).click()
    player.press("6")
    player.wait("app => app.table.session.at === 2")
    assert "greedy" in player.page.locator('[data-part="standings"]').inner_text()
    player.press("u")
    assert player.moves[0] == 0, "undo takes the agent's move back together with the person's"


# --- The page itself


def test_the_page_works_offline(open_player):
    player = open_player("game=sokoban&level=tiny/3", service_workers="allow")
    player.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    player.page.context.set_offline(True)
    player.open("game=race&level=05-oval").without_animation()
    player.press("4")
    assert player.moves == (1, 1)


def test_the_page_transfers_at_most_250_kilobytes(open_player):
    """A page with one game: what the browser loads, compressed as static hosts do."""
    for game in ("shover", "sokoban", "race"):
        loaded = set()
        player = open_player(f"game={game}")
        for url in player.page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)"):
            loaded.add(url.partition("/player/")[2])
        sizes = {name: len(gzip.compress(files()[name], 9)) for name in loaded | {"index.html"}}
        assert sum(sizes.values()) < 250_000, sizes


def test_light_and_dark(open_player):
    player = open_player("game=shover", color_scheme="dark")
    background = "() => getComputedStyle(document.body).backgroundColor"
    dark = player.page.evaluate(background)
    player.page.get_by_role("button", name="Light or dark").click()
    assert player.page.evaluate(background) != dark
    player.open("game=shover")
    assert player.page.evaluate(background) != dark, "the choice is kept"


# --- People who use only the keyboard or a screen reader


def test_everything_that_can_be_pressed_has_a_name(open_player):
    """Every visible button, field and slider has an accessible name: on the page, in the dialogs and on the end screen."""
    player = open_player("game=sokoban&level=tiny/3").without_animation()
    nameless = """() => [...document.querySelectorAll('button, input, select, textarea, a')]
      .filter((element) => element.checkVisibility())
      .filter((element) => !(element.getAttribute('aria-label') || element.labels?.length || element.textContent.trim()))
      .map((element) => element.outerHTML)"""
    for keys in ((), ("l",), ("Escape", "F1"), ("Escape", "ArrowLeft", "ArrowLeft")):
        player.press(*keys)
        assert player.page.evaluate(nameless) == []


def test_tab_reaches_every_control_and_leaves_the_board(open_player):
    player = open_player("game=shover&level=09-perfect-square")
    seen = []
    for _ in range(60):
        player.press("Tab")
        seen.append(player.page.evaluate("() => document.activeElement.outerHTML.slice(0, 90)"))
    controls = player.page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, summary, #board')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .map((element) => element.outerHTML.slice(0, 90))"""
    )
    assert set(controls) <= set(seen)


def test_dialogs_close_with_escape_and_give_the_focus_back(open_player):
    player = open_player("game=sokoban&level=tiny/3")
    title = player.page.locator(".level-title")
    title.focus()
    player.press("Enter")
    player.page.locator("dialog[open]").wait_for()
    player.press("Escape")
    player.page.locator("dialog").wait_for(state="detached")
    assert title.evaluate("element => element === document.activeElement")


@pytest.mark.parametrize("game", ["sokoban", "shover", "race"])
def test_a_static_page_offers_no_plans(open_player, game):
    player = open_player(f"game={game}")
    overlays = game_named(game).ui.overlays.overlays
    shown = player.page.locator(".switches button").all_inner_texts()
    assert len(shown) == len(overlays) - 1 and not any("Plan ahead" in text for text in shown)
    assert player.page.locator('[data-key="command solve"]').count() == 0
    player.press(next(overlay.key for overlay in overlays if overlay.plans), "Shift+P")
    assert player.evaluate("app => app.table.plans.search") is None
