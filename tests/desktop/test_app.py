"""The window: one turn of the loop, the stack of screens, notes, screenshots, sizes, and failures."""

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
from tests.paths import ROOT
from tests.windows import Hands, changed_pixels, game, hands

__all__ = ["hands"]
SPOT = Rect(10, 10, 20, 20)


class Paper(WindowScreen):
    """A screen with a spot whose brightness is the number of keys it has heard."""

    def __init__(self, app: App, colour=(40, 0, 0)):
        super().__init__(app)
        self.colour, self.heard, self.log, self.dirty = colour, [], [], False

    def handle(self, event):
        if event.type == pygame.KEYDOWN:
            self.heard.append(pygame.key.name(event.key))
            self.dirty = True
            if self.heard[-1] == "x":
                raise ConfigError("this cannot be done")
            if self.heard[-1] == "z":
                raise ZeroDivisionError("a fault")

    def update(self, seconds):
        self.log.append(("update", len(self.heard)))

    def draw(self, surface):
        if self.stale:
            surface.fill(self.colour)
        if not (self.stale or self.dirty):
            return []
        self.dirty = False
        pygame.draw.rect(surface, (0, 10 * len(self.heard), 0), SPOT)
        return [SPOT]

    def lay_out(self, size):
        self.log.append(("size", size))

    def opened(self):
        self.log.append("opened")

    def closed(self):
        self.log.append("closed")

    def crashed(self):
        self.log.append("crashed")


class Stubborn(Paper):
    def closing(self):
        self.log.append("asked")
        return False


class Slip(Paper):
    """A small screen over another."""

    over = True

    def draw(self, surface):
        if self.stale:
            pygame.draw.rect(surface, (0, 0, 200), Rect(100, 100, 50, 50))
            return [Rect(100, 100, 50, 50)]
        return []


def colour_at(hands: Hands, pos) -> tuple:
    return tuple(hands.app.surface.get_at(pos))[:3]


# --- one turn of the loop


def test_the_frame_that_hears_a_key_shows_it(hands):
    paper = hands.open(Paper)
    assert colour_at(hands, (15, 15)) == (0, 0, 0)
    assert hands.press("a") == [SPOT]
    assert colour_at(hands, (15, 15)) == (0, 10, 0)
    assert paper.log[-1] == ("update", 1), "heard before time went on, drawn after"


def test_all_waiting_events_are_handled_in_one_frame(hands):
    paper = hands.open(Paper)
    for key in "abcdefg":
        hands.key(key)
    hands.frame()
    assert "".join(paper.heard) == "abcdefg" and colour_at(hands, (15, 15)) == (0, 70, 0)


def test_nothing_is_drawn_when_nothing_happens(hands):
    hands.open(Paper)
    assert hands.frame() == [] and hands.frame() == []


def test_a_window_that_was_covered_is_redrawn(hands):
    hands.open(Paper)
    hands.app.surface.fill((255, 255, 255))
    hands.post(pygame.WINDOWEXPOSED)
    hands.frame()
    assert colour_at(hands, (300, 300)) == (40, 0, 0)


def test_a_window_with_its_old_size_again_is_redrawn(hands):
    hands.open(Paper)
    hands.resize(hands.app.surface.get_size())
    assert colour_at(hands, (300, 300)) == (40, 0, 0)


def test_screens_that_are_gone_are_forgotten_for_good(hands):
    gone = []

    class Brief(Paper):
        def update(self, seconds):
            super().update(seconds)
            self.itself = self  # only the garbage collection can tell that nobody needs it
            gone.append(weakref.ref(self))
            last = len(gone) == 3
            self.app.quit() if last else self.app.go(Brief(self.app))

    hands.open(Paper)
    hands.app.go(Brief(hands.app))
    hands.app.run()
    gc.unfreeze()
    assert gone[0]() is None


def test_a_held_key_counts_again_only_where_that_makes_sense(hands):
    paper = hands.open(Paper)
    for key in (pygame.K_RIGHT, pygame.K_m):
        for _ in range(3):  # three times down, never up: it is held
            hands.post(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0)
    hands.frame()
    assert paper.heard == ["right", "right", "right", "m"]
    hands.post(pygame.WINDOWFOCUSLOST)  # its going up may be told to another window
    hands.press("m")
    assert paper.heard[-1] == "m" and len(paper.heard) == 5


# --- the pile


def test_screens_come_and_go(hands):
    first = hands.open(Paper)
    second = Paper(hands.app, (0, 0, 40))
    hands.app.push(second)
    hands.press("a")
    assert (first.heard, second.heard) == ([], ["a"]) and colour_at(hands, (300, 300)) == (0, 0, 40)
    hands.app.pop()
    hands.press("b")
    assert first.heard == ["b"] and second.log[-1] == "closed" and colour_at(hands, (300, 300)) == (40, 0, 0)
    assert first.log.count("opened") == 2
    third = Paper(hands.app)
    hands.app.go(third)
    assert first.log[-1] == "closed" and hands.app.screens == [third]


def test_a_slip_lies_over_the_screen_below(hands):
    hands.open(Paper)
    hands.app.push(Slip(hands.app))
    hands.frame()
    assert colour_at(hands, (300, 300)) == (40, 0, 0) and colour_at(hands, (120, 120)) == (0, 0, 200)
    hands.app.pop()
    hands.frame()
    assert colour_at(hands, (120, 120)) == (40, 0, 0)


def test_without_a_screen_it_is_over(hands):
    hands.open(Paper)
    hands.app.pop()
    assert not hands.app.running and hands.frame() == []


# --- the end


def test_the_cross_of_the_window_asks_every_screen(hands):
    stubborn = hands.open(Stubborn)
    hands.app.push(Paper(hands.app))
    hands.post(pygame.QUIT)
    hands.frame()
    assert hands.app.running and "asked" in stubborn.log
    hands.app.quit()
    assert not hands.app.running


def test_run_ends_and_keeps_the_settings(hands):
    hands.open(Paper, settings=Settings(agent="greedy"))
    hands.resize((777, 555))
    hands.post(pygame.QUIT)
    assert hands.app.run() == 0
    again, message = Settings.load()
    assert message is None and (again.agent, again.width, again.height) == ("greedy", 777, 555)
    assert not pygame.display.get_init()


def test_a_fault_ends_the_program_but_every_screen_may_save_first(hands):
    first = hands.open(Paper)
    second = Paper(hands.app)
    hands.app.push(second)
    with pytest.raises(ZeroDivisionError):
        hands.press("z")
    assert first.log[-1] == second.log[-1] == "crashed"


# --- notes


def test_a_refused_move_is_reported_and_the_game_goes_on(hands):
    paper = hands.open(Paper)
    clean = hands.pixels()
    hands.press("x")
    assert hands.app.running and changed_pixels(clean, hands.pixels()).sum() > 500
    hands.press("a")
    assert paper.heard == ["x", "a"]


def test_a_note_goes_after_a_while_without_a_trace(hands):
    hands.open(Paper)
    clean = hands.pixels()
    hands.app.say("Something happened.")
    hands.frame()
    assert changed_pixels(clean, hands.pixels()).any()
    hands.frame(0.5)
    assert changed_pixels(clean, hands.pixels()).any()
    hands.frame(60)
    assert (hands.pixels() == clean).all()


def test_a_short_note_is_seen_for_three_seconds(hands):
    hands.open(Paper)
    hands.app.say("Saved.")
    for _ in range(11):
        hands.frame(0.25)
    assert hands.app.note
    hands.frame(0.25)
    assert not hands.app.note


def test_a_note_hides_neither_the_panel_nor_the_buttons(hands):
    table = hands.open(lambda app: TableScreen(app, game("A B . L")))
    hands.app.say("Saved to a place with a long name " * 3)
    hands.frame()
    rects = [rect for _, rect in table.display.panel.placed()]
    assert hands.app.note_rect and hands.app.note_rect.collidelist(rects) < 0
    menu = hands.open(MenuScreen)
    hands.app.say("Saved to a place with a long name " * 3)
    hands.frame()
    assert hands.app.note_rect.collidelist([button.rect for button in menu.buttons]) < 0


def test_notes_of_the_same_frame_are_joined(hands):
    hands.open(Paper)
    for words in ("One thing.", "Another thing.", "One thing."):
        hands.app.say(words)
    assert hands.app.note == "One thing. Another thing."
    hands.frame()
    hands.app.say("A third.")
    assert hands.app.note == "A third."


def test_a_note_stays_over_what_is_drawn_below_it(hands):
    hands.open(Paper)
    hands.app.say("A long note that reaches to the left edge of the window. " * 4)
    hands.frame()
    noted = hands.pixels()
    rect = hands.app.note_rect
    assert rect.bottom <= hands.app.surface.get_height() and rect.top > hands.app.surface.get_height() // 2
    hands.app.screen.stale = True  # all below the note is drawn
    hands.frame()
    assert (hands.pixels(rect) == noted[rect.top : rect.bottom, rect.left : rect.right]).all()


def test_a_screenshot_shows_the_window(hands, tmp_path):
    hands.open(Paper)
    hands.press("a")
    shown_before = hands.pixels()
    hands.press("f12")
    (path,) = (tmp_path / "home" / "screenshots").glob("*.png")
    picture = pygame.surfarray.array3d(pygame.image.load(path)).swapaxes(0, 1)
    assert (picture == shown_before).all()
    hands.press("f12")
    pictures = [pygame.image.load(path) for path in (tmp_path / "home" / "screenshots").glob("*.png")]
    looks = [pygame.surfarray.array3d(picture).swapaxes(0, 1) for picture in pictures]
    assert len(looks) == 2 and (looks[0] == looks[1]).all(), "the note about the first is not in the second"


def test_a_failed_screenshot_is_reported(hands, tmp_path):
    hands.open(Paper)
    (tmp_path / "home").write_text("a file where a folder should be")
    hands.press("f12")
    assert hands.app.running and "cannot save in " in hands.app.note


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


@pytest.mark.skipif(os.name != "posix", reason="limits of posix")
def test_a_partial_screenshot_is_removed(tmp_path):
    settings = {**os.environ, "SHOVERWORLD_HOME": str(tmp_path)}
    child = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, timeout=120, env=settings)
    assert child.returncode == 0, child.stderr
    assert "The screenshot failed: " in child.stdout and "cannot be written: " in child.stdout
    assert list((tmp_path / "screenshots").iterdir()) == []


# --- sizes


def test_a_resized_window_is_laid_out_and_redrawn(hands):
    paper = hands.open(Paper)
    hands.resize((500, 700))
    assert ("size", (500, 700)) in paper.log and hands.drawn == [Rect(0, 0, 500, 700)]
    assert colour_at(hands, (499, 699)) == (40, 0, 0)


def test_no_window_is_opened_too_small(hands):
    hands.open(Paper, size=(3, 3))
    assert hands.app.surface.get_size() == SMALLEST


def test_options_come_from_the_settings_unless_given(hands):
    hands.open(Paper, fps=60, animation=True)
    assert (hands.app.fps, hands.app.animation) == (60, True)
    hands.close()
    app = App(Settings(fps=60, animation=False, width=400, height=300))
    assert (app.fps, app.animation, app.surface.get_size()) == (60, False, (400, 300))
    app.close()


# --- parts


class Workspace(WindowScreen):
    """A form to try widgets on."""

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


def test_a_button_is_pressed_by_a_click_or_by_the_focus(hands):
    pressed = []
    button = Button("Go", lambda: pressed.append(1), "G")
    hands.open(lambda app: Workspace(app, [button, Button("Other", list)]))
    hands.click(button.rect.center)
    assert len(pressed) == 1 and button.focused
    hands.press("return", "space")
    assert len(pressed) == 3
    hands.hold(button.rect.center)
    hands.let_go((800, 600))  # let go elsewhere: not meant
    assert len(pressed) == 3
    button.enabled = False
    hands.click(button.rect.center)
    assert len(pressed) == 3
    hands.press("tab")
    assert not button.focused


def test_a_pointer_over_a_button_is_seen(hands):
    button = Button("Go", list)
    hands.open(lambda app: Workspace(app, [button]))
    cold = hands.pixels(button.rect)
    hands.point(button.rect.center)
    assert hands.drawn == [button.rect] and changed_pixels(cold, hands.pixels(button.rect)).any()


def test_a_text_field_takes_typed_text(hands):
    done, changes = [], []
    field = TextField("ab", done=done.append, changed=changes.append)
    hands.open(lambda app: Workspace(app, [field]))
    hands.click(field.rect.center)
    hands.press("end")
    hands.type("Cd é")
    assert field.text == "abCd é"
    hands.press("left", "left", "backspace", "delete", "home")
    hands.type("x")
    assert field.text == "xabCé" == changes[-1]
    hands.press("return")
    assert done == ["xabCé"]
    hands.press("end", "backspace", control=True)
    assert field.text == ""


def test_a_text_field_for_numbers_takes_only_digits(hands):
    field = TextField(allowed="0123456789")
    hands.open(lambda app: Workspace(app, [field]))
    hands.click(field.rect.center)
    hands.type("1a2-3")
    assert field.text == "123"


def test_a_click_sets_the_caret_and_a_long_text_scrolls(hands):
    field = TextField("W" * 100)
    hands.open(lambda app: Workspace(app, [field]))
    hands.click((field.rect.right - 12, field.rect.centery))
    assert 90 < field.caret <= 100, "the end of a long text is seen first"
    hands.press("home")
    hands.click((field.rect.left + theme.GAP + 1, field.rect.centery))
    assert field.caret == 0


@pytest.mark.parametrize("letter", ["W", "i", "é", "漢"])
def test_no_text_is_too_long(hands, letter):
    """Who pastes a book where a path is expected has a part of it there, and a window that goes on."""
    changes = []
    field = TextField(changed=changes.append)
    workspace = hands.open(lambda app: Workspace(app, [field]))
    workspace.form.focus(field)
    hands.post(pygame.TEXTINPUT, text=letter * 50_000)
    hands.frame()
    assert field.text == letter * len(field.text) and len(field.text) == 4096 and len(changes) == 1
    hands.press("home")
    start = hands.pixels(field.rect)
    field.set(text="", caret=0)
    hands.frame()
    assert changed_pixels(start, hands.pixels(field.rect)).sum() > 200, "the beginning was seen"
    field.put(letter * 4096)
    hands.click((field.rect.left + theme.GAP + 1, field.rect.centery))
    assert 0 < field.caret < 4096


def test_a_list_is_chosen_from_by_keys_mouse_and_wheel(hands):
    chosen, picked = [], []
    items = [ListItem(n, f"line {n}", "note", below="more" if n == 3 else "") for n in range(30)]
    choice = ListBox(items, 2, chosen.append, picked.append, row_height=25)
    hands.open(lambda app: Workspace(app, [choice]))
    assert choice.value == 2
    hands.click(choice.row_rect(1).center)
    assert chosen == [1]
    hands.press("down", "down", "page down", "end", "down")
    assert choice.value == 29 and choice.rect.contains(choice.row_rect(29)), "it scrolls to what is chosen"
    hands.press("home", "up")
    assert choice.value == 0 and choice.scroll == 0
    hands.wheel(-2)
    assert choice.scroll == 50 and choice.value == 0
    hands.press("return")
    assert picked == [0]


def test_a_double_click_picks(hands):
    picked = []
    choice = ListBox([ListItem(n, str(n)) for n in range(3)], picked=picked.append)
    hands.open(lambda app: Workspace(app, [choice]))
    for now, expected in ((1000, []), (1300, [1]), (1400, [1]), (2000, [1]), (2300, [1, 1])):
        choice.clock = lambda now=now: now
        hands.click(choice.row_rect(1).center)
        assert picked == expected, f"at {now} ms"


def test_an_empty_list_is_allowed(hands):
    choice = ListBox([])
    hands.open(lambda app: Workspace(app, [choice]))
    hands.click(choice.rect.center)
    hands.press("down", "return")
    assert choice.value is None


def test_a_timeline_is_scrubbed(hands):
    places = []
    line = Timeline(20, [(3, "burn"), (9, "special"), (20, "end")], places.append)
    hands.open(lambda app: Workspace(app, [line]))
    hands.drag((line.x_of(2), line.rect.centery), (line.x_of(15), line.rect.centery), steps=13)
    assert places == list(range(2, 16))
    assert [line.place_at(line.x_of(place)) for place in range(21)] == list(range(21))
    hands.point((line.x_of(4), line.rect.centery))
    assert line.place == 15, "it is moved only while the button is down"
    empty = Timeline(0)
    empty.rect = Rect(0, 0, 200, 30)
    assert empty.place_at(150) == 0


def test_the_focus_goes_round(hands):
    widgets = [Button("a", list), Label("words"), TextField(), Button("b", list)]
    workspace = hands.open(lambda app: Workspace(app, widgets))
    seen = []
    for _ in range(4):
        hands.press("tab")
        seen.append(widgets.index(workspace.form.focused))
    assert seen == [0, 2, 3, 0], "words take no focus"
    hands.press("tab", shift=True)
    assert workspace.form.focused is widgets[3]


# --- questions and help


def test_a_question_is_answered_by_key_letter_or_click(hands):
    answers = []

    def ask():
        buttons = [("Leave", lambda: answers.append("leave")), ("Save", lambda: answers.append("save")), ("Stay", None)]
        hands.app.push(Ask(hands.app, "Leave?", "The game is not over yet. " * 10, buttons))
        hands.frame()
        return hands.app.screen

    paper = hands.open(Paper)
    clean = hands.pixels()
    for keys, expected in (
        (["return"], "leave"),
        (["tab", "return"], "save"),
        (["right", "space"], "save"),
        (["l"], "leave"),
    ):
        question = ask()
        assert question.rect.contains(question.form.widgets[-1].rect)
        hands.press(*keys)
        assert answers.pop() == expected and hands.app.screen is paper
    ask()
    hands.press("escape")
    assert not answers and hands.app.screen is paper and (hands.pixels() == clean).all()
    hands.click(ask().form.widgets[1].rect.center)
    assert answers == ["save"]
    assert paper.heard == [], "the screen below has heard nothing of it"


def test_a_question_fits_into_any_window(hands):
    hands.open(Paper)
    hands.app.push(
        Ask(hands.app, "Leave?", "Words. " * 30, [("A long answer", None), ("Another one", None), ("No", None)])
    )
    for size in ((320, 240), (1600, 900), (400, 900)):
        hands.resize(size)
        whole = Rect(0, 0, *size)
        question = hands.app.screen
        assert whole.contains(question.rect)
        buttons = [button.rect for button in question.form.widgets]
        assert all(question.rect.contains(rect) for rect in buttons)
        assert all(rect.collidelist(buttons[n + 1 :]) < 0 for n, rect in enumerate(buttons))


def test_a_question_for_a_text_stays_until_the_answer_can_be_used(hands):
    given = []

    def done(text):
        given.append(text)
        if "wrong" in text:
            raise ShoverWorldError("that is wrong")

    paper = hands.open(Paper)
    hands.app.push(AskText(hands.app, "Name", "Which name?", "wrong", done))
    hands.press("return")
    assert hands.app.screen is not paper and given == ["wrong"]
    hands.press("backspace", control=True)
    hands.type("right")
    hands.press("return")
    assert hands.app.screen is paper and given[-1] == "right"
    hands.app.push(AskText(hands.app, "Name", "Which name?", "", done))
    hands.press("escape")
    assert hands.app.screen is paper and len(given) == 2


def test_help_scrolls_and_closes(hands):
    paper = hands.open(Paper, size=(400, 300))
    keys = [*EVERYWHERE] * 12
    hands.app.push(HelpScreen(hands.app, "Help", "Words above. " * 10, [("Keys", keys)]))
    hands.frame()
    page, top = hands.app.screen, hands.pixels()
    hands.press("down")
    assert page.scroll > 0 and changed_pixels(top, hands.pixels()).any()
    hands.press("end")
    bottom = page.scroll
    hands.wheel(-3)
    assert page.scroll == bottom
    hands.wheel(1)
    assert page.scroll < bottom
    hands.resize((320, 240))
    hands.press("home", "page down", "page up", "f1")
    assert hands.app.screen is paper


# --- words


@pytest.mark.parametrize("text", ["\udcff\ud800.txt", "W" * 20_000, "漢" * 20_000, "\U0001f600\u0301\u202e", "\ufe0f"])
def test_any_text_can_be_drawn(hands, text):
    """Such as the name of a file that is not written in UTF-8."""
    hands.open(Paper)
    clean = hands.pixels()
    hands.app.say(f"{text} {text}")
    hands.frame()
    assert theme.written(text).get_width() <= theme.WIDEST
    assert changed_pixels(clean, hands.pixels()).any()


@pytest.mark.parametrize("text", ["", "a", "some words that are long", "W" * 80, "two\nlines", "tab\tand \0 nothing"])
def test_texts_fit_into_their_space(hands, text):
    hands.open(Paper)
    for room in (0, 5, 40, 200):
        assert theme.width_of(theme.fitted(text, room)) <= max(room, 0)
        if room >= 40:
            assert all(theme.width_of(line) <= room for line in theme.wrapped(text, room))
            assert "".join(theme.wrapped(text, room)).replace(" ", "") == "".join(text.split())


def test_keys_by_their_names():
    def event(key, unicode="", scancode=0):
        return pygame.event.Event(pygame.KEYDOWN, key=key, unicode=unicode, mod=0, scancode=scancode)

    assert named(event(pygame.K_UP)) == "up" and named(event(pygame.K_KP_PLUS)) == "+"
    assert named(event(pygame.K_EQUALS, "=")) == "+" and named(event(pygame.K_7, "+")) == "+"
    assert named(event(pygame.K_KP_ENTER)) == "return" and named(event(pygame.K_KP5)) == "5"
    assert named(event(1588, "ش", 4)) == "a", "on a Persian keyboard the place of the key counts"
    assert named(event(pygame.K_AMPERSAND, "&", 30)) == "1" == named(event(pygame.K_AMPERSAND, "1", 30)), "French"
    assert named(event(pygame.K_SEMICOLON, ".", 54)) == "." and named(event(pygame.K_5, "[", 34)) == "["
    assert named(event(pygame.K_1, "!", 30)) == "1" and named(event(pygame.K_SLASH, "/", 56)) == "/"
    assert [key_name(name) for name in ("up", "b", "f1", "escape", "shift+tab", "page up")] == [
        "Up", "B", "F1", "Esc", "Shift+Tab", "Page up",
    ]  # fmt: skip


# --- how it fails


def shover(*arguments: str, **environment: str | None) -> subprocess.CompletedProcess:
    settings = {**os.environ, "SHOVERWORLD_HOME": "/nonexistent/shoverworld", **environment}
    for name in [name for name, value in settings.items() if value is None]:
        del settings[name]
    return subprocess.run(
        [sys.executable, "-m", "shoverworld.cli", *arguments],
        capture_output=True, text=True, env=settings, timeout=120, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"SDL_VIDEODRIVER": "nonsense"}, ""),
        ({"SDL_VIDEODRIVER": "x11", "DISPLAY": ":987"}, ""),
        ({"SDL_VIDEODRIVER": None, "DISPLAY": None, "WAYLAND_DISPLAY": None}, "neither DISPLAY nor"),
        ({"SDL_VIDEODRIVER": None, "DISPLAY": ":987", "WAYLAND_DISPLAY": None}, "the screen :987 does not answer"),
    ],
)
def test_without_a_screen_the_error_names_the_terminal(environment, why, tmp_path):
    done = shover("play", "01-first-push", SHOVERWORLD_HOME=str(tmp_path), XDG_RUNTIME_DIR=None, **environment)
    assert done.returncode == 2
    assert "no window could be opened" in done.stderr and "--terminal" in done.stderr and why in done.stderr
    assert len(done.stderr.splitlines()) == 1, "and nothing besides"


def test_without_pygame_the_extra_is_named(tmp_path):
    blocker = tmp_path / "pygame"
    blocker.mkdir()
    (blocker / "__init__.py").write_text("raise ImportError('not here')\n")
    done = shover("play", PYTHONPATH=f"{tmp_path}", SHOVERWORLD_HOME=str(tmp_path))
    assert done.returncode == 2 and 'pip install "shoverworld[gui]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_the_package_does_not_import_pygame():
    code = "import sys, shoverworld, shoverworld.cli, shoverworld.play.session; sys.exit('pygame' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.txt"], "nowhere.txt: there is no file"),
        (["01-first-push", "--rules", "chess"], "must be one of 'milestone1', 'walker', 'phase2'"),
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--seed", "-1"], "seed=-1: must be a whole number"),
        (["--game", "chess"], "game='chess': must be one of 'shover'"),
    ],
)
def test_command_line_errors_are_reported_before_a_window_opens(arguments, words, tmp_path, capsys, monkeypatch):
    from shoverworld.cli import main

    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path))
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonsense")  # a window would be another error
    assert main(["play", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_course_gui_is_a_thin_cover():
    path = ROOT / "course" / "gui.py"
    done = subprocess.run([sys.executable, str(path), "--help"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "--terminal" in done.stdout


def test_files_are_recognised_by_their_content(hands):
    """The helper of these tests can fail."""
    assert changed_pixels(np.zeros((2, 2, 3)), np.eye(2)[..., None] * np.ones(3)).sum() == 2
