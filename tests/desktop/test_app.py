"""The window: one iteration of the main loop, the stack of screens, notes, screenshots, sizes and errors."""

import gc
import os
import subprocess
import sys
import weakref

import numpy as np
import pygame
import pytest
from pygame import Rect

from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.desktop import theme
from shoverworld.desktop.app import SMALLEST, App, WindowScreen
from shoverworld.desktop.dialog import Ask, AskText
from shoverworld.desktop.help import EVERYWHERE, HelpScreen
from shoverworld.desktop.input import named
from shoverworld.desktop.lists import ListBox, ListItem, Timeline
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.table import TableScreen
from shoverworld.desktop.widgets import Button, Form, Label, TextField
from shoverworld.play.commands import key_name
from shoverworld.play.settings import Settings
from tests.commands import run_shover
from tests.paths import ROOT
from tests.windows import WindowDriver, changed_pixels, driver, game

__all__ = ["driver"]
SPOT = Rect(10, 10, 20, 20)


class CounterScreen(WindowScreen):
    """A screen with a spot whose brightness shows the number of keys that the screen has received."""

    def __init__(self, app: App, colour=(40, 0, 0)):
        super().__init__(app)
        self.colour, self.received, self.log, self.dirty = colour, [], [], False

    def handle(self, event):
        if event.type == pygame.KEYDOWN:
            self.received.append(pygame.key.name(event.key))
            self.dirty = True
            if self.received[-1] == "x":
                raise ConfigError("this cannot be done")
            if self.received[-1] == "z":
                raise ZeroDivisionError("a fault")

    def update(self, seconds):
        self.log.append(("update", len(self.received)))

    def draw(self, surface):
        if self.stale:
            surface.fill(self.colour)
        if not (self.stale or self.dirty):
            return []
        self.dirty = False
        pygame.draw.rect(surface, (0, 10 * len(self.received), 0), SPOT)
        return [SPOT]

    def lay_out(self, size):
        self.log.append(("size", size))

    def opened(self):
        self.log.append("opened")

    def closed(self):
        self.log.append("closed")

    def crashed(self):
        self.log.append("crashed")


class RefusingScreen(CounterScreen):
    def closing(self):
        self.log.append("asked")
        return False


class OverlayScreen(CounterScreen):
    """A small screen that is shown on top of another screen."""

    over = True

    def draw(self, surface):
        if self.stale:
            pygame.draw.rect(surface, (0, 0, 200), Rect(100, 100, 50, 50))
            return [Rect(100, 100, 50, 50)]
        return []


def colour_at(driver: WindowDriver, pos) -> tuple:
    return tuple(driver.app.surface.get_at(pos))[:3]


# --- one iteration of the main loop


def test_a_key_press_is_shown_in_the_same_frame(driver):
    counter = driver.open(CounterScreen)
    assert colour_at(driver, (15, 15)) == (0, 0, 0)
    assert driver.press("a") == [SPOT]
    assert colour_at(driver, (15, 15)) == (0, 10, 0)
    assert counter.log[-1] == ("update", 1), "the event is handled before the update"


def test_all_queued_events_are_handled_in_one_frame(driver):
    counter = driver.open(CounterScreen)
    for key in "abcdefg":
        driver.key(key)
    driver.frame()
    assert "".join(counter.received) == "abcdefg" and colour_at(driver, (15, 15)) == (0, 70, 0)


def test_nothing_is_drawn_when_nothing_happens(driver):
    driver.open(CounterScreen)
    assert driver.frame() == [] and driver.frame() == []


def test_an_exposed_window_is_redrawn(driver):
    driver.open(CounterScreen)
    driver.app.surface.fill((255, 255, 255))
    driver.post(pygame.WINDOWEXPOSED)
    driver.frame()
    assert colour_at(driver, (300, 300)) == (40, 0, 0)


def test_a_resize_to_the_same_size_redraws_the_window(driver):
    driver.open(CounterScreen)
    driver.resize(driver.app.surface.get_size())
    assert colour_at(driver, (300, 300)) == (40, 0, 0)


def test_closed_screens_are_garbage_collected(driver):
    screens = []

    class ShortLivedScreen(CounterScreen):
        def update(self, seconds):
            super().update(seconds)
            self.itself = self  # a reference cycle: only the garbage collector can free it
            screens.append(weakref.ref(self))
            last = len(screens) == 3
            self.app.quit() if last else self.app.go(ShortLivedScreen(self.app))

    driver.open(CounterScreen)
    driver.app.go(ShortLivedScreen(driver.app))
    driver.app.run()
    gc.unfreeze()
    assert screens[0]() is None


def test_only_movement_keys_repeat_while_they_are_held(driver):
    counter = driver.open(CounterScreen)
    for key in (pygame.K_RIGHT, pygame.K_m):
        for _ in range(3):  # three key-down events without a key-up event: the key is held
            driver.post(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0)
    driver.frame()
    assert counter.received == ["right", "right", "right", "m"]
    driver.post(pygame.WINDOWFOCUSLOST)  # another window may receive the key-up event
    driver.press("m")
    assert counter.received[-1] == "m" and len(counter.received) == 5


# --- the stack of screens


def test_push_and_pop_and_go_change_the_screen_stack(driver):
    first = driver.open(CounterScreen)
    second = CounterScreen(driver.app, (0, 0, 40))
    driver.app.push(second)
    driver.press("a")
    assert (first.received, second.received) == ([], ["a"]) and colour_at(driver, (300, 300)) == (0, 0, 40)
    driver.app.pop()
    driver.press("b")
    assert first.received == ["b"] and second.log[-1] == "closed" and colour_at(driver, (300, 300)) == (40, 0, 0)
    assert first.log.count("opened") == 2
    third = CounterScreen(driver.app)
    driver.app.go(third)
    assert first.log[-1] == "closed" and driver.app.screens == [third]


def test_an_overlay_screen_is_drawn_over_the_screen_below(driver):
    driver.open(CounterScreen)
    driver.app.push(OverlayScreen(driver.app))
    driver.frame()
    assert colour_at(driver, (300, 300)) == (40, 0, 0) and colour_at(driver, (120, 120)) == (0, 0, 200)
    driver.app.pop()
    driver.frame()
    assert colour_at(driver, (120, 120)) == (40, 0, 0)


def test_the_app_stops_when_no_screen_is_left(driver):
    driver.open(CounterScreen)
    driver.app.pop()
    assert not driver.app.running and driver.frame() == []


# --- closing


def test_any_open_screen_can_prevent_the_window_from_closing(driver):
    refusing = driver.open(RefusingScreen)
    driver.app.push(CounterScreen(driver.app))
    driver.post(pygame.QUIT)
    driver.frame()
    assert driver.app.running and "asked" in refusing.log
    driver.app.quit()
    assert not driver.app.running


def test_the_settings_are_saved_when_the_window_is_closed(driver):
    driver.open(CounterScreen, settings=Settings(agent="greedy"))
    driver.resize((777, 555))
    driver.post(pygame.QUIT)
    assert driver.app.run() == 0
    again, message = Settings.load()
    assert message is None and (again.agent, again.width, again.height) == ("greedy", 777, 555)
    assert not pygame.display.get_init()


def test_every_screen_is_notified_before_an_unexpected_error_ends_the_program(driver):
    first = driver.open(CounterScreen)
    second = CounterScreen(driver.app)
    driver.app.push(second)
    with pytest.raises(ZeroDivisionError):
        driver.press("z")
    assert first.log[-1] == second.log[-1] == "crashed"


# --- notes


def test_an_error_from_the_package_is_shown_in_a_note_and_the_app_continues(driver):
    counter = driver.open(CounterScreen)
    clean = driver.pixels()
    driver.press("x")
    assert driver.app.running and changed_pixels(clean, driver.pixels()).sum() > 500
    driver.press("a")
    assert counter.received == ["x", "a"]


def test_a_note_disappears_completely_after_a_while(driver):
    driver.open(CounterScreen)
    clean = driver.pixels()
    driver.app.say("Something happened.")
    driver.frame()
    assert changed_pixels(clean, driver.pixels()).any()
    driver.frame(0.5)
    assert changed_pixels(clean, driver.pixels()).any()
    driver.frame(60)
    assert (driver.pixels() == clean).all()


def test_a_short_note_is_visible_for_three_seconds(driver):
    driver.open(CounterScreen)
    driver.app.say("Saved.")
    for _ in range(11):
        driver.frame(0.25)
    assert driver.app.note
    driver.frame(0.25)
    assert not driver.app.note


def test_a_note_covers_neither_the_panel_nor_the_buttons(driver):
    table = driver.open(lambda app: TableScreen(app, game("A B . L")))
    driver.app.say("Saved to a place with a long name " * 3)
    driver.frame()
    rects = [rect for _, rect in table.display.panel.placed()]
    assert driver.app.note_rect and driver.app.note_rect.collidelist(rects) < 0
    menu = driver.open(MenuScreen)
    driver.app.say("Saved to a place with a long name " * 3)
    driver.frame()
    assert driver.app.note_rect.collidelist([button.rect for button in menu.buttons]) < 0


def test_notes_from_the_same_frame_are_joined_into_one(driver):
    driver.open(CounterScreen)
    for words in ("One thing.", "Another thing.", "One thing."):
        driver.app.say(words)
    assert driver.app.note == "One thing. Another thing."
    driver.frame()
    driver.app.say("A third.")
    assert driver.app.note == "A third."


def test_a_note_stays_on_top_when_the_screen_below_is_redrawn(driver):
    driver.open(CounterScreen)
    driver.app.say("A long note that reaches to the left edge of the window. " * 4)
    driver.frame()
    noted = driver.pixels()
    rect = driver.app.note_rect
    assert rect.bottom <= driver.app.surface.get_height() and rect.top > driver.app.surface.get_height() // 2
    driver.app.screen.stale = True  # everything below the note is redrawn
    driver.frame()
    assert (driver.pixels(rect) == noted[rect.top : rect.bottom, rect.left : rect.right]).all()


def test_a_screenshot_shows_the_window(driver, tmp_path):
    driver.open(CounterScreen)
    driver.press("a")
    shown_before = driver.pixels()
    driver.press("f12")
    (path,) = (tmp_path / "home" / "screenshots").glob("*.png")
    picture = pygame.surfarray.array3d(pygame.image.load(path)).swapaxes(0, 1)
    assert (picture == shown_before).all()
    driver.press("f12")
    pictures = [pygame.image.load(path) for path in (tmp_path / "home" / "screenshots").glob("*.png")]
    looks = [pygame.surfarray.array3d(picture).swapaxes(0, 1) for picture in pictures]
    assert len(looks) == 2 and (looks[0] == looks[1]).all(), (
        "the second screenshot does not show the note about the first"
    )


def test_a_failed_screenshot_is_reported(driver, tmp_path):
    driver.open(CounterScreen)
    (tmp_path / "home").write_text("a file in place of a folder")
    driver.press("f12")
    assert driver.app.running and "cannot save in " in driver.app.note


FULL = """
import os, pygame, resource
from shoverworld.desktop.app import App, WindowScreen
from shoverworld.play.settings import Settings
app = App(Settings())
app.go(WindowScreen(app))
resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))  # as if the disk was full
pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F12, mod=0, unicode="", scancode=0))
app.frame(0.0)
print(app.note)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX resource limits")
def test_a_partial_screenshot_is_removed(tmp_path):
    settings = {**os.environ, "SHOVERWORLD_HOME": str(tmp_path)}
    child = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, timeout=120, env=settings)
    assert child.returncode == 0, child.stderr
    assert "The screenshot failed: " in child.stdout and "cannot be written: " in child.stdout
    assert list((tmp_path / "screenshots").iterdir()) == []


# --- sizes


def test_a_resized_window_is_laid_out_and_redrawn(driver):
    counter = driver.open(CounterScreen)
    driver.resize((500, 700))
    assert ("size", (500, 700)) in counter.log and driver.drawn == [Rect(0, 0, 500, 700)]
    assert colour_at(driver, (499, 699)) == (40, 0, 0)


def test_windows_have_a_minimum_size(driver):
    driver.open(CounterScreen, size=(3, 3))
    assert driver.app.surface.get_size() == SMALLEST


def test_app_arguments_override_the_settings(driver):
    driver.open(CounterScreen, fps=60, animation=True)
    assert (driver.app.fps, driver.app.animation) == (60, True)
    driver.close()
    app = App(Settings(fps=60, animation=False, width=400, height=300))
    assert (app.fps, app.animation, app.surface.get_size()) == (60, False, (400, 300))
    app.close()


# --- widgets


class Workspace(WindowScreen):
    """A screen with a form that contains the widgets under test."""

    def __init__(self, app, widgets):
        super().__init__(app)
        self.form = Form(widgets)
        for place, widget in enumerate(widgets):
            widget.rect = Rect(10, 10 + 110 * place, 300, 100)

    def handle(self, event):
        self.form.handle(event)

    def draw(self, surface):
        if self.stale:
            surface.fill(theme.GROUND)
        return self.form.draw(surface, self.stale)


def test_a_button_is_pressed_by_a_click_or_by_a_key_while_it_has_the_focus(driver):
    pressed = []
    button = Button("Go", lambda: pressed.append(1), "G")
    driver.open(lambda app: Workspace(app, [button, Button("Other", list)]))
    driver.click(button.rect.center)
    assert len(pressed) == 1 and button.focused
    driver.press("return", "space")
    assert len(pressed) == 3
    driver.hold(button.rect.center)
    driver.release((800, 600))  # not a click, because the mouse button is released elsewhere
    assert len(pressed) == 3
    button.enabled = False
    driver.click(button.rect.center)
    assert len(pressed) == 3
    driver.press("tab")
    assert not button.focused


def test_a_button_is_highlighted_under_the_pointer(driver):
    button = Button("Go", list)
    driver.open(lambda app: Workspace(app, [button]))
    cold = driver.pixels(button.rect)
    driver.point(button.rect.center)
    assert driver.drawn == [button.rect] and changed_pixels(cold, driver.pixels(button.rect)).any()


def test_a_text_field_accepts_typed_text(driver):
    done, changes = [], []
    field = TextField("ab", done=done.append, changed=changes.append)
    driver.open(lambda app: Workspace(app, [field]))
    driver.click(field.rect.center)
    driver.press("end")
    driver.type("Cd é")
    assert field.text == "abCd é"
    driver.press("left", "left", "backspace", "delete", "home")
    driver.type("x")
    assert field.text == "xabCé" == changes[-1]
    driver.press("return")
    assert done == ["xabCé"]
    driver.press("end", "backspace", control=True)
    assert field.text == ""


def test_a_numeric_text_field_accepts_only_digits(driver):
    field = TextField(allowed="0123456789")
    driver.open(lambda app: Workspace(app, [field]))
    driver.click(field.rect.center)
    driver.type("1a2-3")
    assert field.text == "123"


def test_a_click_moves_the_caret_and_a_long_value_scrolls(driver):
    field = TextField("W" * 100)
    driver.open(lambda app: Workspace(app, [field]))
    driver.click((field.rect.right - 12, field.rect.centery))
    assert 90 < field.caret <= 100, "at first the field shows the end of a long value"
    driver.press("home")
    driver.click((field.rect.left + theme.GAP + 1, field.rect.centery))
    assert field.caret == 0


@pytest.mark.parametrize("letter", ["W", "i", "é", "漢"])
def test_pasted_text_is_truncated_to_the_maximum_length(driver, letter):
    """The field keeps the first 4096 characters of an oversized paste, and the window keeps running."""
    changes = []
    field = TextField(changed=changes.append)
    workspace = driver.open(lambda app: Workspace(app, [field]))
    workspace.form.focus(field)
    driver.post(pygame.TEXTINPUT, text=letter * 50_000)
    driver.frame()
    assert field.text == letter * len(field.text) and len(field.text) == 4096 and len(changes) == 1
    driver.press("home")
    start = driver.pixels(field.rect)
    field.set(text="", caret=0)
    driver.frame()
    assert changed_pixels(start, driver.pixels(field.rect)).sum() > 200, "the beginning of the value was visible"
    field.put(letter * 4096)
    driver.click((field.rect.left + theme.GAP + 1, field.rect.centery))
    assert 0 < field.caret < 4096


def test_a_list_responds_to_keys_and_clicks_and_the_wheel(driver):
    chosen, picked = [], []
    items = [ListItem(n, f"line {n}", "note", below="more" if n == 3 else "") for n in range(30)]
    choice = ListBox(items, 2, chosen.append, picked.append, row_height=25)
    driver.open(lambda app: Workspace(app, [choice]))
    assert choice.value == 2
    driver.click(choice.row_rect(1).center)
    assert chosen == [1]
    driver.press("down", "down", "page down", "end", "down")
    assert choice.value == 29 and choice.rect.contains(choice.row_rect(29)), "the list scrolls to the selected row"
    driver.press("home", "up")
    assert choice.value == 0 and choice.scroll == 0
    driver.wheel(-2)
    assert choice.scroll == 50 and choice.value == 0
    driver.press("return")
    assert picked == [0]


def test_a_double_click_activates_a_row(driver):
    picked = []
    choice = ListBox([ListItem(n, str(n)) for n in range(3)], picked=picked.append)
    driver.open(lambda app: Workspace(app, [choice]))
    for now, expected in ((1000, []), (1300, [1]), (1400, [1]), (2000, [1]), (2300, [1, 1])):
        choice.clock = lambda now=now: now
        driver.click(choice.row_rect(1).center)
        assert picked == expected, f"at {now} ms"


def test_an_empty_list_has_no_value(driver):
    choice = ListBox([])
    driver.open(lambda app: Workspace(app, [choice]))
    driver.click(choice.rect.center)
    driver.press("down", "return")
    assert choice.value is None


def test_dragging_the_timeline_visits_every_state_in_between(driver):
    places = []
    line = Timeline(20, [(3, "burn"), (9, "special"), (20, "end")], places.append)
    driver.open(lambda app: Workspace(app, [line]))
    driver.drag((line.x_of(2), line.rect.centery), (line.x_of(15), line.rect.centery), steps=13)
    assert places == list(range(2, 16))
    assert [line.place_at(line.x_of(place)) for place in range(21)] == list(range(21))
    driver.point((line.x_of(4), line.rect.centery))
    assert line.place == 15, "the timeline moves only while the mouse button is down"
    empty = Timeline(0)
    empty.rect = Rect(0, 0, 200, 30)
    assert empty.place_at(150) == 0


def test_tab_cycles_the_focus(driver):
    widgets = [Button("a", list), Label("words"), TextField(), Button("b", list)]
    workspace = driver.open(lambda app: Workspace(app, widgets))
    seen = []
    for _ in range(4):
        driver.press("tab")
        seen.append(widgets.index(workspace.form.focused))
    assert seen == [0, 2, 3, 0], "a label cannot have the focus"
    driver.press("tab", shift=True)
    assert workspace.form.focused is widgets[3]


# --- dialogs and help


def test_a_dialog_is_answered_with_enter_or_a_letter_or_a_click(driver):
    answers = []

    def ask():
        buttons = [("Leave", lambda: answers.append("leave")), ("Save", lambda: answers.append("save")), ("Stay", None)]
        driver.app.push(Ask(driver.app, "Leave?", "The game is not over yet. " * 10, buttons))
        driver.frame()
        return driver.app.screen

    counter = driver.open(CounterScreen)
    clean = driver.pixels()
    for keys, expected in (
        (["return"], "leave"),
        (["tab", "return"], "save"),
        (["right", "space"], "save"),
        (["l"], "leave"),
    ):
        question = ask()
        assert question.rect.contains(question.form.widgets[-1].rect)
        driver.press(*keys)
        assert answers.pop() == expected and driver.app.screen is counter
    ask()
    driver.press("escape")
    assert not answers and driver.app.screen is counter and (driver.pixels() == clean).all()
    driver.click(ask().form.widgets[1].rect.center)
    assert answers == ["save"]
    assert counter.received == [], "the screen below received none of the keys"


def test_a_dialog_fits_in_any_window(driver):
    driver.open(CounterScreen)
    driver.app.push(
        Ask(driver.app, "Leave?", "Words. " * 30, [("A long answer", None), ("Another one", None), ("No", None)])
    )
    for size in ((320, 240), (1600, 900), (400, 900)):
        driver.resize(size)
        whole = Rect(0, 0, *size)
        question = driver.app.screen
        assert whole.contains(question.rect)
        buttons = [button.rect for button in question.form.widgets]
        assert all(question.rect.contains(rect) for rect in buttons)
        assert all(rect.collidelist(buttons[n + 1 :]) < 0 for n, rect in enumerate(buttons))


def test_a_text_dialog_stays_open_until_the_input_is_valid(driver):
    given = []

    def done(text):
        given.append(text)
        if "wrong" in text:
            raise ShoverWorldError("that is wrong")

    counter = driver.open(CounterScreen)
    driver.app.push(AskText(driver.app, "Name", "Which name?", "wrong", done))
    driver.press("return")
    assert driver.app.screen is not counter and given == ["wrong"]
    driver.press("backspace", control=True)
    driver.type("right")
    driver.press("return")
    assert driver.app.screen is counter and given[-1] == "right"
    driver.app.push(AskText(driver.app, "Name", "Which name?", "", done))
    driver.press("escape")
    assert driver.app.screen is counter and len(given) == 2


def test_the_help_can_be_scrolled_and_closed(driver):
    counter = driver.open(CounterScreen, size=(400, 300))
    keys = [*EVERYWHERE] * 12
    driver.app.push(HelpScreen(driver.app, "Help", "Words above. " * 10, [("Keys", keys)]))
    driver.frame()
    page, top = driver.app.screen, driver.pixels()
    driver.press("down")
    assert page.scroll > 0 and changed_pixels(top, driver.pixels()).any()
    driver.press("end")
    bottom = page.scroll
    driver.wheel(-3)
    assert page.scroll == bottom
    driver.wheel(1)
    assert page.scroll < bottom
    driver.resize((320, 240))
    driver.press("home", "page down", "page up", "f1")
    assert driver.app.screen is counter


# --- text and key names


@pytest.mark.parametrize("text", ["\udcff\ud800.txt", "W" * 20_000, "漢" * 20_000, "\U0001f600\u0301\u202e", "\ufe0f"])
def test_any_unicode_text_can_be_drawn(driver, text):
    """For example, a file name can contain bytes that are not valid UTF-8."""
    driver.open(CounterScreen)
    clean = driver.pixels()
    driver.app.say(f"{text} {text}")
    driver.frame()
    assert theme.written(text).get_width() <= theme.WIDEST
    assert changed_pixels(clean, driver.pixels()).any()


@pytest.mark.parametrize("text", ["", "a", "some words that are long", "W" * 80, "two\nlines", "tab\tand \0 nothing"])
def test_fitted_and_wrapped_text_stays_within_the_width(driver, text):
    driver.open(CounterScreen)
    for room in (0, 5, 40, 200):
        assert theme.width_of(theme.fitted(text, room)) <= max(room, 0)
        if room >= 40:
            assert all(theme.width_of(line) <= room for line in theme.wrapped(text, room))
            assert "".join(theme.wrapped(text, room)).replace(" ", "") == "".join(text.split())


def test_a_title_with_millions_of_characters_does_not_freeze_the_window(driver):
    """Without limits, splitting a very long text into lines would take minutes."""
    driver.open(CounterScreen)
    text = "x" * 2_000_000
    assert theme.width_of(theme.fitted(text, 200)) <= 200
    lines = theme.wrapped(text, 200)
    assert sum(map(len, lines)) == theme.LONGEST and all(theme.width_of(line) <= 200 for line in lines)
    theme.set_caption(text)
    assert len(pygame.display.get_caption()[0]) == theme.LONGEST_CAPTION


def test_keys_have_the_same_names_on_all_keyboard_layouts():
    def event(key, unicode="", scancode=0):
        return pygame.event.Event(pygame.KEYDOWN, key=key, unicode=unicode, mod=0, scancode=scancode)

    assert named(event(pygame.K_UP)) == "up" and named(event(pygame.K_KP_PLUS)) == "+"
    assert named(event(pygame.K_EQUALS, "=")) == "+" and named(event(pygame.K_7, "+")) == "+"
    assert named(event(pygame.K_KP_ENTER)) == "return" and named(event(pygame.K_KP5)) == "5"
    assert named(event(1588, "ش", 4)) == "a", "on a Persian keyboard, the name depends on the position of the key"
    assert named(event(pygame.K_AMPERSAND, "&", 30)) == "1" == named(event(pygame.K_AMPERSAND, "1", 30)), (
        "on a French keyboard, digits need Shift"
    )
    assert named(event(pygame.K_SEMICOLON, ".", 54)) == "." and named(event(pygame.K_5, "[", 34)) == "["
    assert named(event(pygame.K_1, "!", 30)) == "1" and named(event(pygame.K_SLASH, "/", 56)) == "/"
    assert [key_name(name) for name in ("up", "b", "f1", "escape", "shift+tab", "page up")] == [
        "Up", "B", "F1", "Esc", "Shift+Tab", "Page up",
    ]  # fmt: skip


# --- errors at the start


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"SDL_VIDEODRIVER": "nonsense"}, ""),
        ({"SDL_VIDEODRIVER": "x11", "DISPLAY": ":987"}, ""),
        ({"SDL_VIDEODRIVER": None, "DISPLAY": None, "WAYLAND_DISPLAY": None}, "neither DISPLAY nor"),
        ({"SDL_VIDEODRIVER": None, "DISPLAY": ":987", "WAYLAND_DISPLAY": None}, "the display :987 does not respond"),
    ],
)
def test_the_error_for_a_missing_display_suggests_the_terminal(environment, why, tmp_path):
    variables = {"SHOVERWORLD_HOME": str(tmp_path), "XDG_RUNTIME_DIR": None, **environment}
    done = run_shover("play", "01-first-push", variables=variables)
    assert done.returncode == 2
    assert "no window could be opened" in done.stderr and "--terminal" in done.stderr and why in done.stderr
    assert len(done.stderr.splitlines()) == 1, "there is no other output"


def test_the_error_for_missing_pygame_names_the_extra(tmp_path):
    blocker = tmp_path / "pygame"
    blocker.mkdir()
    (blocker / "__init__.py").write_text("raise ImportError('not here')\n")
    done = run_shover("play", variables={"PYTHONPATH": str(tmp_path), "SHOVERWORLD_HOME": str(tmp_path)})
    assert done.returncode == 2 and 'pip install "shoverworld[gui]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_importing_the_package_does_not_import_pygame():
    code = "import sys, shoverworld, shoverworld.cli, shoverworld.play.session; sys.exit('pygame' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.txt"], "nowhere.txt: no file, collection or level has this name"),
        (["01-first-push", "--rules", "chess"], "the presets are 'milestone1', 'walker', 'phase2'"),
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--seed", "-1"], "seed=-1: must be an integer"),
        (["--game", "chess"], "game='chess': must be one of 'shover'"),
    ],
)
def test_command_line_errors_are_reported_before_a_window_opens(arguments, words, tmp_path, capsys, monkeypatch):
    from shoverworld.cli import main

    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path))
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonsense")  # opening a window would fail with a different error
    assert main(["play", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_course_gui_accepts_the_command_line_options():
    path = ROOT / "course" / "gui.py"
    done = subprocess.run([sys.executable, str(path), "--help"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "--terminal" in done.stdout


def test_changed_pixels_marks_the_pixels_that_differ(driver):
    """Other tests rely on this helper to detect a difference."""
    assert changed_pixels(np.zeros((2, 2, 3)), np.eye(2)[..., None] * np.ones(3)).sum() == 2
