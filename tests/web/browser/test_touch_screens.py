"""People with a phone, who have no keys: everything has a button with a name."""

from tests.web.browser.conftest import PHONE


def test_keys_other_than_arrows_have_buttons_with_names(open_player):
    player = open_player("game=shover&level=09-perfect-square", **PHONE)
    others = player.page.locator(".arrows .other")
    assert others.all_inner_texts() == ["Barrier maker", "Hellify", "Wait one step"]
    for button in others.all():
        assert button.get_attribute("aria-label").startswith(button.inner_text()), "speech input uses the visible name"
    others.nth(2).tap()
    assert "waiting" in player.message


def test_the_help_page_names_gestures_and_keys(open_player):
    player = open_player("game=sokoban&level=tiny/3", **PHONE)
    player.page.get_by_role("button", name="Show this help").tap()
    dialog = player.page.get_by_role("dialog")
    for name in ("Tap", "Swipe", "Click"):
        assert dialog.get_by_text(name, exact=True).is_visible()


def test_a_button_continues_an_unfinished_game(open_player):
    player = open_player("game=sokoban&level=tiny/5", **PHONE).without_animation()
    player.page.locator('.arrows [data-key="left"]').tap()
    state = player.state_hash
    player.page.get_by_role("button", name="Next level").tap()
    player.page.get_by_role("button", name="Previous level").tap()
    assert "You left a game" in player.message
    player.page.get_by_role("button", name="continue").tap()
    assert (player.state_hash, player.moves) == (state, (1, 1))
    assert player.page.get_by_role("button", name="continue").count() == 0
