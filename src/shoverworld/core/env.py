"""The base classes for all single (unbatched) environments."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, fields, is_dataclass
from difflib import get_close_matches
from operator import index
from typing import Any, ClassVar, NamedTuple, Protocol, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .actions import action_at, action_sizes, actions_at, expected_action, indices_of
from .checks import known, seed_number
from .errors import ActionError, ConfigError, ResetNeeded
from .game import Game
from .hashing import canonical_bytes, digest
from .notebook import png
from .replay_messages import message
from .screen import RenderWindow

TIMEOUT = "timeout"  # the outcome that truncates an episode; every other outcome terminates it
ActionLike = int | np.integer[Any] | Sequence[Any] | np.ndarray  # what `step` accepts


class Event(NamedTuple):
    """The result of a step. A game may return a different tuple, with more fields between `reward` and `outcome`."""

    reward: float
    outcome: Any = None  # falsy while the game is in progress


class Listener(Protocol):
    """An object that is notified of everything that happens in an environment, no matter which wrapper was called."""

    def began(self, seed: int | None) -> None: ...

    def stepped(self, action: tuple[int, ...], reward: float) -> None: ...

    def placed(self, position: tuple[int, ...]) -> None: ...

    def state_was_set(self) -> None: ...


class GridEnv(gymnasium.Env[Any, Any]):
    """A Gymnasium environment that keeps the whole game in one state object, which can be copied, saved and restored.

    `step`, `reset`, `get_state`, `set_state`, hashes, replays, action checks and render modes are implemented here. A
    game supplies the rest. This is a complete small game:

        class CorridorEnv(GridEnv):
            game = GAME  # the descriptor: name, title, ids

            def __init__(self, level: str = "@...F", render_mode: str | None = None):
                super().__init__(render_mode)
                self.level = level
                self.action_space = spaces.Discrete(2)  # left, right
                self.observation_space = spaces.Box(0, len(level) - 1, (1,), np.int64)

            def begin(self, options, seed):  # `self.np_random` is seeded already
                text = options.get("map", self.level).strip()
                self._state = Corridor(text, text.index("@"))  # any object with copy(); str(state) is the map

            def apply(self, action):
                self._state.move(2 * action - 1)
                return Event(reward=-1.0, outcome=self.outcome)

            def make_observation(self):
                return np.array([self._state.player])

            def make_info(self, event):
                return {"steps": self._state.steps, "outcome": self.outcome}

            @property
            def outcome(self):
                return "solved" if self._state.is_solved else None

    The following defaults can all be overridden: `state_hash` hashes all fields of the state. `map_text` returns
    `str(state)`. `recipe` returns the id without arguments, and `check_recipe` lets a replay set any argument.
    `figures` returns the number of steps (`state.steps`, or 0 if the state has no such attribute). `remark` returns an
    empty string. `action_mask` allows every action. `reset` accepts only the option `map`. `text` and `picture` show
    `map_text`. The last action counts as invalid if the state has an attribute `valid` that is False; the state's
    attributes `reason` (a code) and `remark` (a sentence) then give the reason.

    The outcome "timeout" truncates an episode; every other outcome terminates it. The `listeners` are notified after
    every reset, step, `place` and `set_state`.
    """

    game: ClassVar[Game]
    metadata: ClassVar[dict[str, Any]] = {  # pyright: ignore[reportIncompatibleVariableOverride]
        # Gymnasium declares `metadata` without ClassVar.
        "render_modes": ["human", "rgb_array", "ansi"],
        "render_fps": 30,
    }
    reset_options: ClassVar[tuple[str, ...]] = ("map",)
    action_names: ClassVar[tuple[str, ...]] = ()  # names of the numbers in a MultiDiscrete action, for error messages
    rebuilt: ClassVar[tuple[str, ...]] = ()  # attributes that `connect` derives from the state; they are not copied
    rules: Any = None
    _state: Any = None

    def __init__(self, render_mode: str | None = None):
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(map(repr, self.metadata["render_modes"]))
            raise ConfigError(f"render_mode={render_mode!r}: must be None or one of {modes}")
        self.render_mode = render_mode
        self._in_window = render_mode is not None and render_mode.endswith("human")
        self._screen: RenderWindow | None = None
        self._started = False
        self._playing = False  # True between a reset and the end of the game
        self._actions = range(0)  # the valid actions if the action space is Discrete
        self._actions_of: Any = None  # the action space to which `_actions` belongs
        self.listeners: list[Listener] = []

    # --- required of every game

    # The next two are declared but not defined, because Python finds a function that `CompiledEnv` stores in the
    # instance much faster if the class has no method of the same name.

    apply: Callable[..., Any]
    """Play one action, given as integers inside the action space, and return an event.

    An event is a tuple whose first field is the reward and whose last field is falsy while the game is in progress.
    """

    make_observation: Callable[[], Any]
    """Return the observation of the current state. It must not share memory with the state."""

    def begin(self, options: Any, seed: int | None, /) -> None:
        """Set `_state` to the first state of a game. `options` is the value that `prepare` returned."""
        raise NotImplementedError

    def make_info(self, event: Any) -> dict[str, Any]:
        """Return the info dict. `event` is the value that `apply` returned, or `last_event()` if there was no step."""
        raise NotImplementedError

    @property
    def outcome(self) -> str | None:
        """How the game ended, in one word, or None while the game is in progress."""
        raise NotImplementedError

    # --- Gymnasium's interface

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a game. The documentation of the class lists the options."""
        start = self.prepare({} if options is None else options)
        seed = seed_number(seed)
        super().reset(seed=seed)
        self.begin(start, seed)
        self._started = True
        self._playing = True
        self._find_actions()
        for listener in self.listeners:
            listener.began(seed)
        shown = self.observe()
        if self._in_window:
            self.render()
        return shown

    def step(self, action: ActionLike) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play one action. An action outside the action space raises ActionError and changes nothing."""
        if not self._playing:
            raise game_over(self.outcome if self._started else None)
        numbers = self.parse_action(action)
        event = self.apply(*numbers)
        reward = event[0]
        terminated = truncated = False
        if event[-1]:
            self._playing = False
            truncated = self.outcome == TIMEOUT
            terminated = not truncated
        if self.listeners:
            for listener in self.listeners:
                listener.stepped(numbers, reward)
        if self._in_window:
            self.render()
        info = self.make_info(event)
        if "invalid_reason" not in info:
            info["invalid_reason"] = self.invalid_reason()
        make_observation = self.make_observation  # in two steps, because Python calls a stored function faster this way
        return make_observation(), reward, terminated, truncated, info

    def render(self) -> np.ndarray | str | None:  # type: ignore[override]
        if self.render_mode is None:
            gymnasium.logger.warn(
                'render() has no effect: create the environment with render_mode="rgb_array", "ansi" or "human"'
            )
            return None
        self.require_started()
        if self.render_mode == "ansi":
            return self.text()
        tiny = self.render_mode.startswith("tiny_")
        if not self._in_window:
            return self.tiny_picture() if tiny else self.picture()
        self._screen = self._screen or RenderWindow(self.game.title, self.metadata["render_fps"])
        self._screen.show(self.tiny_picture() if tiny else self.window_picture(), self.hud())
        return None

    def close(self) -> None:
        if self._screen is not None:
            self._screen.close()
            self._screen = None

    # --- actions and options

    def prepare(self, options: dict[str, Any]) -> Any:
        """Check the options of `reset` before anything changes, and return the argument for `begin`."""
        known(options, self.reset_options, "option")
        return options

    def parse_action(self, action: ActionLike) -> tuple[int, ...]:
        """Convert an action to integers inside the action space. Override this for a space that is not `Discrete`."""
        try:
            number = index(action)  # type: ignore[arg-type]
        except TypeError:
            raise self.bad_action(action) from None
        if number not in self._actions:
            raise self.bad_action(action)
        return (number,)

    def bad_action(self, action: object) -> ActionError:
        expected = expected_action(self.action_space, self.action_names)
        return ActionError(f"action {action!r:.60} is outside the action space; expected {expected}")

    def _find_actions(self) -> None:
        space = self.action_space
        if space is not self._actions_of and isinstance(space, spaces.Discrete):
            self._actions, self._actions_of = range(int(space.start), int(space.start + space.n)), space

    def action_mask(self) -> NDArray[np.bool_]:
        """Return a flat Boolean array that marks the valid actions. All entries are False if the game is over.

        In a `MultiDiscrete` space, there is one entry for each combination of numbers. `FlatActions` makes the space
        `Discrete`, and `action_space.sample` expects int8: `env.action_space.sample(env.action_mask().astype("int8"))`.
        """
        self.require_started()
        mask = np.zeros(action_sizes(self.action_space), np.bool_)
        if self._playing:
            self.mark_valid(mask)
        return mask.reshape(-1)

    def mark_valid(self, mask: NDArray[np.bool_]) -> None:
        """Set the entries for valid actions to True. `mask` has one axis for each number in an action."""
        mask[...] = True

    def action_masks(self) -> NDArray[np.bool_]:
        """Return `action_mask()`. MaskablePPO from sb3-contrib looks for a method with this name.

        For a `MultiDiscrete` space, MaskablePPO expects a different mask, so wrap the environment in `FlatActions`.
        """
        return self.action_mask()

    def valid_actions(self) -> list[Any]:
        """Return the valid actions in the form that `step` accepts, in mask order. If the game is over, return [].

        Actions that differ only in a number that does not matter are listed once (`mark_once`).
        """
        mask = self.action_mask().reshape(action_sizes(self.action_space))
        self.mark_once(mask)
        return actions_at(self.action_space, np.flatnonzero(mask))

    def mark_once(self, mask: NDArray[np.bool_]) -> None:
        """Unmark each action that has the same effect as another marked action.

        By default, all actions are assumed to have different effects.
        """

    def action_of(self, index: SupportsIndex) -> Any:
        """Return the action with this index in `action_mask`, in the form that `step` accepts."""
        return action_at(self.action_space, index)

    def index_of(self, action: ActionLike) -> int:
        """Return the index of an action in `action_mask`."""
        return int(indices_of(self.action_space, np.array(self.parse_action(action))))

    def place(self, position: Sequence[int]) -> None:
        """Move the player without taking a step, in games that allow such moves."""
        raise ActionError(f"place({position!r}): this game does not support free moves")

    # --- states

    def observe(self) -> tuple[Any, dict[str, Any]]:
        """Return the observation and info for the current state."""
        self.require_started()
        info = self.make_info(self.last_event())
        return self.make_observation(), {"invalid_reason": self.invalid_reason()} | info

    def last_event(self) -> Any:
        """Return the event from the last step, reconstructed from the state as far as possible."""
        return None

    def get_state(self) -> Any:
        """Return a copy of the whole game, including the state of its random number generator.

        `set_state` can restore the copy, in this environment or in another one.
        """
        self.require_started()
        return copied(self._state)

    def set_state(self, state: Any) -> None:
        """Continue from a state that `get_state` returned. This environment keeps its own rules."""
        self.check_state(state)
        self.restore(state)
        self._started = True
        self._playing = self.outcome is None
        self._find_actions()
        for listener in self.listeners:
            listener.state_was_set()

    def check_state(self, state: Any) -> None:
        """Raise ConfigError if this environment cannot continue from `state`."""
        if self._state is not None and not isinstance(state, type(self._state)):
            raise ConfigError(
                f"set_state: expected a {type(self._state).__name__} from get_state, not {type(state).__name__}"
            )

    def restore(self, state: Any) -> None:
        """Continue from a copy of a state that `check_state` has accepted."""
        self.connect(copied(state))

    def connect(self, state: Any) -> None:
        """Use this state object from now on."""
        self._state = state

    def require_started(self) -> None:
        if not self._started:
            raise game_over(None)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes that `deepcopy` and `pickle` keep: all except the window and those in `rebuilt`."""
        return {name: value for name, value in self.__dict__.items() if name not in (*self.rebuilt, "_screen")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept, _screen=None)
        if self._state is not None:
            self.connect(self._state)
        self.__dict__.update(kept)  # keep the original spaces with their random number generators

    # --- replays

    def state_hash(self) -> str:
        """Return a hash of the current state, as 16 hexadecimal digits.

        States that agree in everything that matters to the game have equal hashes, on every machine.
        """
        self.require_started()
        return digest(self.canonical())

    def canonical(self) -> bytes:
        """Return everything in the state that matters to the game, as bytes."""
        return canonical_bytes(self._state)

    def recipe(self) -> tuple[str, dict[str, Any]]:
        """Return the id and the keyword arguments that recreate this environment.

        The value of each argument is a number, a string, a bool or a dict of these.
        """
        return self.own_id(), {}

    @classmethod
    def check_recipe(cls, env_id: str, keywords: Mapping[str, Any]) -> None:
        """Raise ConfigError if a replay is not allowed to set these arguments. Replays may be untrusted.

        Override this if an argument of the environment is a file path or makes `reset` take a long time. The default
        allows all arguments, but core/replay.py accepts only numbers, bools and plain words as their values.
        """

    def own_id(self) -> str:
        """Return the id in this environment's spec if it is one of the game's ids, otherwise the game's first id."""
        ids = [f"{self.game.namespace}/{env_id.name}" for env_id in self.game.ids]
        return self.spec.id if self.spec and self.spec.id in ids else self.game.default_id

    def map_text(self) -> str:
        """Return the current map as a string that `reset(options={"map": text})` accepts."""
        self.require_started()
        return str(self._state)

    def figures(self) -> dict[str, float]:
        """Return the statistics of the game so far, such as `steps`."""
        self.require_started()
        return {"steps": getattr(self._state, "steps", 0)}

    def remark(self) -> str:
        """Return a short description of the last step for human readers."""
        return ""

    # --- invalid actions

    def explain(self, action: ActionLike) -> str:
        """Return a sentence that explains why an action would be invalid now, or "" if it would be valid.

        Nothing changes.
        """
        if not self._playing:
            raise game_over(self.outcome if self._started else None)
        numbers, state = self.parse_action(action), self.get_state()
        generator = self.np_random.bit_generator
        kept = generator.state
        self.apply(*numbers)
        why = self.why_invalid()
        generator.state = kept
        self.restore(state)
        return why

    def why_invalid(self, state: Any = None) -> str:
        """Return a sentence that explains why the action that led to this state (default: the current state) was
        invalid, or "" if it was valid.
        """
        state = self._state if state is None else state
        if getattr(state, "valid", True):
            return ""
        return getattr(state, "remark", "") or "this action is not possible here"

    def invalid_reason(self) -> str:
        """Return the code for the reason why the last action was invalid, or "" if it was valid."""
        if getattr(self._state, "valid", True):
            return ""
        return getattr(self._state, "reason", "") or "invalid"

    # --- rendering

    def picture(self) -> NDArray[np.uint8]:
        """Return a picture of the current state as a uint8 array of shape (height, width, 3)."""
        return glyph_picture(self.map_text())

    def _repr_png_(self) -> bytes | None:
        """Return the picture that a notebook shows, or None before the first reset."""
        return png(self.picture()) if self._started else None

    def window_picture(self) -> NDArray[np.uint8]:
        """Return the picture for the "human" render mode."""
        return self.picture()

    def hud(self) -> list[tuple[str, str]]:
        """Return the labels and values that are shown above the board in the "human" render mode.

        They are the values in the panel of the game's own window or, in a game without a user interface, `figures()`.
        """
        ui = getattr(self.game, "ui", None)
        if ui is None:
            return [(name.capitalize(), f"{value:g}") for name, value in self.figures().items()]
        return [(figure.label, figure.value) for figure in ui.texts.figures(self, self._state, None)]

    def tiny_picture(self) -> NDArray[np.uint8]:
        """Return the picture for the tiny render modes, in games that have such modes."""
        raise NotImplementedError

    def text(self) -> str:
        """Return the string for the "ansi" render mode."""
        return self.map_text()


# --- shared with the batched environments and the replays


def game_over(outcome: str | None) -> ResetNeeded:
    if outcome:
        return ResetNeeded(f"the game is over ({outcome}): call reset() before the next step")
    return ResetNeeded("the game has not begun: call reset() first")


def changed_fields(rules: Any, usual: Any, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of `rules` whose values differ from those in `usual`.

    Values that are dataclasses become dicts.
    """
    names = [field.name for field in fields(rules) if field.name not in without]
    changed = {name: getattr(rules, name) for name in names if getattr(rules, name) != getattr(usual, name)}
    return {name: asdict(value) if is_dataclass(value) else value for name, value in changed.items()}  # type: ignore[arg-type]


def check_rule_names(keywords: Mapping[str, Any], names: Iterable[str]) -> None:
    """Raise ConfigError if a replay sets any argument other than these rules of its game."""
    names = list(names)
    for name in keywords:
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]}?" if near else f"the rules are {', '.join(names)}"
            raise ConfigError(message("not a rule", name=name, hint=hint))


def copied(state: Any) -> Any:
    return state.copy() if hasattr(state, "copy") else deepcopy(state)


_COLOURS: Mapping[str, tuple[int, int, int]] = {" ": (238, 238, 232), ".": (238, 238, 232), "#": (70, 72, 80)}


def glyph_picture(text: str, cell: int = 16) -> NDArray[np.uint8]:
    """Return a picture of a map with one square per character. The same character always has the same colour."""
    rows = text.rstrip("\n").split("\n")
    width = max(map(len, rows))
    pixels = np.zeros((len(rows), width, 3), np.uint8)
    for y, row in enumerate(rows):
        for x, character in enumerate(row.ljust(width)):
            code = ord(character)
            pixels[y, x] = _COLOURS.get(character, (60 + code * 67 % 180, 60 + code * 101 % 180, 60 + code * 149 % 180))
    return np.kron(pixels, np.ones((cell, cell, 1), np.uint8))
