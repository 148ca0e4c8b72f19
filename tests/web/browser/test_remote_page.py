"""The page that `shover web` serves, in a real browser: hints, and plans that are searched for, shown and played."""

import re
from collections.abc import Iterator

import pytest

from tests.web.serving import PATIENCE, Server, program, wait_until
from tests.web.test_server import DEAD
from tests.web.test_server_command import COMMAND, client_of

LONG = "game=shover&rules=phase2&random=3"  # a large random map: the planner keeps looking for better plans


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with program([*COMMAND, "--port", "0"], tmp_path_factory.mktemp("server")) as (process, line):
        yield Server(process, client_of(line).port)


@pytest.fixture(scope="module")
def site(server):
    """`open_player` opens the page of this server and fails if a request goes anywhere else."""
    return f"{server.origin}/"


@pytest.fixture
def open_page(open_player):
    def open_page(query):
        player = open_player(query).without_animation()
        player.page.set_default_timeout(PATIENCE * 1000)
        return player

    return open_page


def solve(player):
    """Search for a plan and wait for the result."""
    player.press("Shift+P")
    player.wait("app => app.table.plans.search === null && app.table.plans.ready !== null")


def texts(player):
    return player.page.locator("#panel").inner_text()


def test_a_hint_is_shown_in_words_and_on_the_board(open_page):
    player = open_page("game=sokoban&level=tiny/3")
    player.page.get_by_role("button", name="hint").click()
    player.wait("app => app.table.hintMarks.length > 0")
    assert player.page.locator("[data-part=hint]").inner_text() == player.evaluate("app => app.table.hintText")
    assert "hint (no record)" in texts(player)


def test_a_move_removes_the_progress_of_a_hint(open_page):
    player = open_page("game=sokoban&level=tiny/3")
    shown = player.evaluate("app => { app.commands.run('hint'); return app.table.hintText; }")
    assert re.fullmatch(r"Thinking … \d+ s", shown)
    player.evaluate("app => { app.table.play({ kind: 'act', action: [1] }); }")
    player.wait("app => !app.helpers.busy")
    assert player.page.locator("[data-part=hint]").inner_text() == ""


@pytest.mark.parametrize(
    ("query", "overlay", "won"),
    [
        ("game=sokoban&level=tiny/5", "3", "solved"),
        ("game=shover&level=01-first-push", "4", "cleared"),
        ("game=race&level=01-straight", "f", "finished"),
    ],
)
def test_a_plan_is_shown_and_played_to_the_end(open_page, query, overlay, won):
    player = open_page(query)
    start = player.state_hash
    switch = player.page.locator(f'.switches [data-key="overlay {overlay}"]')
    assert switch.get_attribute("aria-pressed") == "false"
    solve(player)
    count = player.evaluate("app => app.table.plans.ready.actions.length")
    assert player.message.startswith(f"A plan with {count} moves was found; no plan needs fewer ")
    assert f"{count} moves to go" in texts(player)
    assert switch.get_attribute("aria-pressed") == "true"
    marked = player.evaluate("app => app.table.overlays.lyingMarks().flat().length")
    switch.click()
    assert player.evaluate("app => app.table.overlays.lyingMarks().flat().length") < marked

    player.page.get_by_role("button", name="next move").click()
    assert player.moves == (1, 1) and f"{count - 1} move" in texts(player)
    player.press("u")
    assert player.state_hash == start and f"{count} moves to go" in texts(player)

    player.press(",", "Shift+M")
    assert (player.outcome, player.moves) == (won, (count, count))
    assert "planner (no record)" in player.page.locator(".ending").inner_text()
    assert player.evaluate("app => app.storage.best(app.table.identity)") is None
    player.press("u")
    assert (player.outcome, player.moves) == (None, (count - 1, count)), "undo takes one move back"


def test_another_move_discards_the_plan_until_it_is_undone(open_page):
    player = open_page("game=sokoban&level=tiny/5")
    solve(player)
    buttons = player.page.locator("[data-part=plan] button")
    assert buttons.count() == 2
    player.evaluate("app => app.table.play({ kind: 'act', action: [0] })")
    assert buttons.count() == 0
    player.press("u")
    assert buttons.count() == 2


def test_a_game_with_a_plan_that_is_left_and_continued_still_counts_as_helped(open_page):
    player = open_page("game=sokoban&level=tiny/5")
    solve(player)
    player.press(",", "]", "[")
    assert player.moves == (0, 0)
    player.press("t")
    assert player.moves == (1, 1) and "planner (no record)" in texts(player)


def test_a_plan_is_played_with_animation_until_somebody_stops_it(open_page):
    player = open_page("game=sokoban&level=tiny/5")
    solve(player)
    player.evaluate("app => { app.view.board.animated = true; }")
    player.press("Shift+M", "Escape")
    assert player.evaluate("app => app.table.way.length") == 0
    at, count = player.moves
    assert at == count < player.evaluate("app => app.table.plans.ready.actions.length")


def test_a_cancelled_search_ends_on_the_server_and_the_page_goes_on(open_page, server):
    player = open_page(LONG)
    for stop in (lambda: player.press("Escape"), lambda: player.page.get_by_role("button", name="stop").click()):
        player.page.locator('[data-key="command solve"]').click()
        player.wait("app => app.table.plans.search?.stage === 'thinking'")
        assert "Planning, " in texts(player) and "Shift+P or Esc stops the search." in texts(player)
        workers = set(server.children)
        stop()
        player.wait("app => app.table.plans.search === null")
        wait_until(lambda workers=workers: workers - set(server.children), "the process that searched has ended")
        assert "Planning, " not in texts(player)
        assert "you stopped the search" in player.message or "was found" in player.message
    player.page.get_by_role("combobox", name="Game").select_option("sokoban")
    player.wait("app => app.table.description.name === 'sokoban'")
    player.page.locator("#board").focus()
    solve(player)
    player.press("Shift+M")
    assert player.outcome == "solved", "the server accepts another job"


def test_a_move_ends_the_search(open_page, server):
    player = open_page(LONG)
    player.press("Shift+P")
    player.wait("app => app.table.plans.search?.actions.length > 0")
    workers = set(server.children)
    player.evaluate("app => { app.table.play({ kind: 'act', action: app.table.plans.search.actions[0] }); }")
    player.wait("app => app.table.plans.search === null")
    wait_until(lambda: workers - set(server.children), "the process that searched has ended")
    assert player.moves == (1, 1)


def test_a_level_without_a_solution_is_reported(open_page):
    player = open_page("game=sokoban")
    player.page.evaluate(
        "text => { const data = new DataTransfer(); data.setData('text', text);"
        " document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data })); }",
        DEAD,
    )
    player.wait("app => 'text' in app.table.session.setup.origin")
    player.press("Shift+P")
    player.page.locator("#message [data-tone=bad]").wait_for()
    assert player.message == "This level provably cannot be solved."
    assert player.page.locator("[data-part=plan]").inner_text() == ""


def test_the_overlay_of_plans_starts_a_search(open_page):
    player = open_page("game=sokoban&level=tiny/3")
    player.press("3")
    player.wait("app => app.table.plans.ready !== null")
    assert player.evaluate("app => app.table.overlays.lyingMarks().flat().length") > 0
