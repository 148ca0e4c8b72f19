"""A game of Shover-World together with its input handler, for tests that simulate key presses and clicks."""

from shoverworld.core.ui import Act, Place
from shoverworld.games.shover.game import GAME

from .boards import Game


class Table(Game):
    """A `Game` that also has an input handler."""

    def __init__(self, board, rules="milestone1", **keywords):
        super().__init__(board, rules, **keywords)
        self.handler = GAME.ui.controls.handler(self.env)

    @property
    def state(self):
        return self.env.get_state()

    def play(self, intent):
        """Carry out an intent and return the states before and after it."""
        before = self.state
        if isinstance(intent, Act):
            self.obs, *_, self.info = self.env.step(intent.action)
        elif isinstance(intent, Place):
            self.env.place(intent.cell)
        self.handler.played(self.state)
        return before, self.state

    def press(self, key):
        return self.play(self.handler.press(self.state, key))

    def figures(self):
        return {figure.label: figure for figure in GAME.ui.texts.figures(self.env, self.state, self.handler)}
