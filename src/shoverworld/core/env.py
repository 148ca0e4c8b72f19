"""GridEnv: what every single environment shares, around the rules of its game."""

from typing import Any, ClassVar, Protocol

import gymnasium
import numpy as np

from .errors import ActionError, ConfigError, ResetNeeded
from .game import Game
from .screen import RenderWindow


class Listener(Protocol):
    """Someone who wants to know what happens in an environment, whichever wrapper it came through; see `listeners`."""

    def began(self, seed: int | None) -> None: ...

    def stepped(self, action: tuple[int, ...], reward: float) -> None: ...

    def placed(self, position: tuple[int, ...]) -> None: ...

    def state_was_set(self) -> None: ...


class GridEnv(gymnasium.Env):
    """A Gymnasium environment whose whole game is a `State`: it can be taken out, kept and put back.

    A game keeps its state in `_state` and fills in `observe`, `set_state`, `action_mask` and the pictures (`_picture`,
    `_text`, and `_tiny_picture` when it has tiny render modes); and for replays `outcome`, `state_hash`, `recipe`,
    `map_text`, `figures` and `remark`. It tells its `listeners` of every reset, step and `set_state`, after it happened,
    and of a free move of the player (`place`) if it has such a thing.
    """

    game: ClassVar[Game]
    title = "Shover-World"  # of the window
    held: ClassVar[tuple[str, ...]] = ()  # attributes that `_hold` makes of the state: views, compiled calls
    _state: Any
    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 30}

    def __init__(self, render_mode: str | None):
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(map(repr, self.metadata["render_modes"]))
            raise ConfigError(f"render_mode={render_mode!r}: must be None or one of {modes}")
        self.render_mode = render_mode
        self._in_window = render_mode is not None and render_mode.endswith("human")
        self._screen: RenderWindow | None = None
        self._begun = False
        self._playing = False  # between a reset and the end of the game
        self.listeners: list[Listener] = []

    # --- for games to fill in

    def observe(self) -> tuple[Any, dict[str, Any]]:
        """The observation and info of the game as it stands."""
        raise NotImplementedError

    def set_state(self, state: Any) -> None:
        raise NotImplementedError

    def _hold(self, state: Any) -> None:
        """Play on this state from now on."""
        raise NotImplementedError

    def action_mask(self) -> np.ndarray:
        """Which actions would be valid now: bool, flat over the dimensions of the action space."""
        raise NotImplementedError

    @property
    def outcome(self) -> str | None:
        """None while the game goes on, else how it ended, in one word."""
        raise NotImplementedError

    def state_hash(self) -> str:
        """16 hexadecimal digits, the same on every machine for games that are equal in all that matters."""
        raise NotImplementedError

    def recipe(self) -> tuple[str, dict[str, Any]]:
        """The id and the keywords that make this environment again: numbers, words, truths, or dicts of these."""
        raise NotImplementedError

    def map_text(self) -> str:
        """The map as it lies now, as text that `reset(options={"map": text})` takes."""
        raise NotImplementedError

    def figures(self) -> dict[str, float]:
        """What tells how a game went, such as `steps`."""
        raise NotImplementedError

    def remark(self) -> str:
        """What the last step did, in a few words for people."""
        return ""

    def place(self, position: Any) -> None:
        """Move the player freely, in games that have a mouse click for that."""
        raise ActionError(f"place({position!r}): there is no free move in this game")

    def _picture(self) -> np.ndarray:
        raise NotImplementedError

    def _tiny_picture(self) -> np.ndarray:
        """For the tiny render modes, of games that have them."""
        raise NotImplementedError

    def _text(self) -> str:
        raise NotImplementedError

    # --- shared

    def get_state(self) -> Any:
        """A copy of the whole game, dice included. `set_state` puts it back, here or in another environment."""
        self._must_have_begun()
        return self._state.copy()

    def __getstate__(self) -> dict[str, Any]:
        """For `deepcopy` and `pickle`: all but the window and what looks into the state's memory."""
        return {name: value for name, value in self.__dict__.items() if name not in (*self.held, "_screen")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept, _screen=None)
        self._hold(self._state)
        self.__dict__.update(kept)  # the spaces, with their dice

    def _has_begun(self, seed: int | None) -> tuple[Any, dict[str, Any]]:
        """The end of every `reset`: tells the listeners, gives the observation and info, and shows the game."""
        self._begun = self._playing = True
        for listener in self.listeners:
            listener.began(seed)
        shown = self.observe()
        if self._in_window:
            self.render()
        return shown

    def render(self) -> Any:
        if self.render_mode is None:
            gymnasium.logger.warn(
                'render() does nothing: make the environment with render_mode="rgb_array", "ansi" or "human"'
            )
            return None
        self._must_have_begun()
        if self.render_mode == "ansi":
            return self._text()
        picture = self._tiny_picture() if self.render_mode.startswith("tiny_") else self._picture()
        if not self._in_window:
            return picture
        self._screen = self._screen or RenderWindow(self.title, self.metadata["render_fps"])
        self._screen.show(picture)
        return None

    def close(self) -> None:
        if self._screen is not None:
            self._screen.close()
            self._screen = None

    def _must_have_begun(self) -> None:
        if not self._begun:
            raise game_over(None)


def game_over(outcome: str | None) -> ResetNeeded:
    what = f"the game is over ({outcome})" if outcome else "the game has not begun"
    return ResetNeeded(f"{what}: call reset() before the next step")
