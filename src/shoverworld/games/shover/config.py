"""The rules as data: `Rules`, `Reward`, the special actions and the three presets.

The rules depend only on this data, never on the name of a preset.
"""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from shoverworld.core.config import GameReward, GameRules, RuleField
from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import both
from shoverworld.core.rules_text import parse_rules

from .problems import NO_STAMINA, NOOP_CODE, PROBLEMS

# The possible values of each rule whose value is a word. The kernels use the index of the word in the tuple.
WORDS = {
    "actor": ("leap", "walk", "select"),
    "edge": ("wall", "lava"),
    "stationary": ("contact", "front", "last_push"),
    "pick": ("oldest", "smallest"),
    "order": ("action_first", "squares_first"),
    "hellify": ("interior", "whole"),
}
LEAP, WALK, SELECT = range(3)
CONTACT, FRONT, LAST_PUSH = range(3)
OLDEST, SMALLEST = range(2)
ACTION_FIRST, SQUARES_FIRST = range(2)
INTERIOR, WHOLE = range(2)

LARGEST_SIDE = 256
_FORCES = ("step_cost", "initial_force", "unit_force", "barrier_stamina", "initial_stamina")
FIELDS = (
    *(RuleField(name, "word", words=words) for name, words in WORDS.items()),
    *(RuleField(name, "number", 0) for name in _FORCES),
    RuleField("z_base", "whole", 0, 100),
    RuleField("perf_sq_initial_age", "whole", 0, 2**31 - 1),
    RuleField("max_timestep", "whole", 1, 2**31 - 1),
    RuleField("n_rows", "whole", 1, LARGEST_SIDE),
    RuleField("n_cols", "whole", 1, LARGEST_SIDE),
    RuleField("noop", "truth"),
    RuleField("push_pays_step_cost", "truth"),
)


class Special(NamedTuple):
    """A special action (1.5), which acts on a perfect square. Its code is higher than the codes of the directions."""

    name: str
    subject: str  # the name, with an article if needed, for use in a sentence
    key: str  # the key that plays the action
    smallest: int  # the smallest n for which the action can use an n x n square
    effect: str  # what the action does to the square, for the help
    leaves: str  # one word for what the square turns into
    result: str  # what happened to the square: the end of a sentence that begins "the 3 x 3 square"
    event: str  # the field of ShoverEvent that stores the size n of the square that the action used


# The UI, the action space and the planner use this table. The effects themselves are in rules.py (`special`).
SPECIALS = (
    Special(
        "barrier maker",
        "the barrier maker",
        "b",
        2,
        "turn a perfect square into barriers",
        "barriers",
        "became barriers",
        "barrier",
    ),
    Special(
        "hellify",
        "hellify",
        "h",
        3,
        "burn a perfect square of size 3 or more, leaving lava",
        "lava",
        "burnt",
        "hellified",
    ),
)
NOOP, FIRST_SPECIAL = -1, 4  # codes relative to `z_base`; 0 to 3 are the directions
BARRIER_MAKER, HELLIFY = range(FIRST_SPECIAL, FIRST_SPECIAL + len(SPECIALS))
ACTION_KINDS = FIRST_SPECIAL + len(SPECIALS)  # the number of kinds of action, not counting the no-op


@both
def rule_problem(noop, z_base, initial_stamina):
    """Return the message if these rules are incompatible with one another, or -1."""
    if initial_stamina == 0:
        return NO_STAMINA
    return NOOP_CODE if noop and z_base == 0 else -1


@both
def lava_reward(lava, initial_force):
    """Return the reward per box burnt in lava. If it is not set (not a number), it is the initial force."""
    return initial_force if lava != lava else lava


@dataclass(frozen=True)
class Reward(GameReward):
    """The reward for a step (rule 1.6). Every component can be changed."""

    lava: float | None = None  # reward per box burnt in lava; None means `initial_force`
    barrier: float = 10.0  # reward per cell that the barrier maker converts
    hellify: float = 0.0  # reward per cell that hellify converts
    push_cost: float = 0.0  # the fraction of a push's stamina cost that is subtracted from the reward
    invalid: float = -1.0  # added to the reward if the action is invalid


@dataclass(frozen=True)
class Rules(GameRules):
    """The rules, with one field for each rule. The defaults are those of the `milestone1` preset.

    `Rules.preset(name)` returns a preset. `Rules.preset(name, edge="lava")` returns a copy of the preset with one rule
    changed.
    """

    field_checks: ClassVar[tuple[RuleField, ...]] = FIELDS
    of_level: ClassVar[tuple[str, ...]] = ("n_rows", "n_cols")

    actor: Literal["leap", "walk", "select"] = "leap"  # how the shover acts: leap, walk, select (1.1)
    z_base: int = 1  # the code of up; the codes of right, down, left, barrier maker and hellify follow
    noop: bool = False  # whether there is a no-op, with the code z_base - 1
    edge: Literal["wall", "lava"] = "wall"  # what lies beyond the edge of the map for a pushed box: wall, lava (1.2)
    step_cost: float = 1.0  # stamina cost of every action that is not a successful push
    push_pays_step_cost: bool = False  # whether a successful push costs `step_cost` as well (1.3)
    initial_force: float = 40.0  # stamina cost of starting a push from rest, refunded for each burnt box (1.3)
    unit_force: float = 10.0  # stamina cost for each box in the chain (1.3)
    stationary: Literal["contact", "front", "last_push"] = (
        "contact"  # which pushes cost the initial force: contact, front or last_push (1.3)
    )
    pick: Literal["oldest", "smallest"] = "oldest"  # the square that a special action uses: oldest, smallest (1.5)
    order: Literal["action_first", "squares_first"] = (
        "action_first"  # when squares age and dissolve: action_first, squares_first (1.4)
    )
    hellify: Literal["interior", "whole"] = "interior"  # which part of the square becomes lava: interior, whole (1.5)
    barrier_stamina: float = 1.0  # stamina gained per cell that the barrier maker converts (1.5)
    perf_sq_initial_age: int = 10  # the age in steps at which a square dissolves (1.4)
    initial_stamina: float = 1000.0
    max_timestep: int = 400
    n_rows: int = 6  # size of a random map
    n_cols: int = 9
    reward: Reward = field(default_factory=Reward)

    def __post_init__(self):
        self.check_fields()
        problem = rule_problem(self.noop, self.z_base, self.initial_stamina)
        if problem >= 0:
            raise ConfigError(PROBLEMS.sentence(problem))
        if not isinstance(self.reward, Reward):
            raise ConfigError(f"reward={self.reward!r}: must be a Reward, e.g. Reward(lava=40, invalid=-1)")

    @classmethod
    def preset(cls, name: str, **changes: Any) -> "Rules":
        """Return the preset with this name. Keyword arguments replace individual fields."""
        if name not in PRESETS:
            raise ConfigError(f"rules={name!r}: unknown preset; expected one of {', '.join(map(repr, PRESETS))}")
        return PRESETS[name].change(**changes)

    @property
    def first_z(self) -> int:
        """The lowest code in the action space."""
        return self.z_base - self.noop

    @property
    def z_count(self) -> int:
        return ACTION_KINDS + self.noop

    @property
    def without_position(self) -> list[int]:
        """The actions for which only z matters, as indices from `first_z`: every walk, the no-op and the specials."""
        if self.actor == "walk":
            return list(range(self.z_count))
        return [*range(self.noop), self.z_count - 2, self.z_count - 1]

    @property
    def push_baseline(self) -> float:
        return push_baseline(self)

    def numbers(self) -> "ShoverRuleNumbers":
        """Return these rules in the form that the kernels use."""
        words = {name: words.index(getattr(self, name)) for name, words in WORDS.items()}
        return ShoverRuleNumbers(**{name: words.get(name, getattr(self, name)) for name in ShoverRuleNumbers._fields})

    def reward_numbers(self) -> "ShoverRewardNumbers":
        return ShoverRewardNumbers(
            lava_reward(math.nan if self.reward.lava is None else self.reward.lava, self.initial_force),
            self.reward.barrier,
            self.reward.hellify,
            self.reward.push_cost,
            self.reward.invalid,
        )


def push_baseline(rules: Any) -> float:
    """Return the part of a push's cost that depends neither on the chain nor on its motion (1.3).

    `rules` is a `Rules` object or its numbers.
    """
    return rules.step_cost if rules.push_pays_step_cost else 0.0


class ShoverRuleNumbers(NamedTuple):
    """The fields of `Rules` that the kernels use. Each word is replaced by its index in WORDS."""

    actor: int
    z_base: int
    noop: bool
    step_cost: float
    push_pays_step_cost: bool
    initial_force: float
    unit_force: float
    stationary: int
    pick: int
    order: int
    hellify: int
    barrier_stamina: float
    perf_sq_initial_age: int
    initial_stamina: float
    max_timestep: int


class ShoverRewardNumbers(NamedTuple):
    lava: float
    barrier: float
    hellify: float
    push_cost: float
    invalid: float


PresetName = Literal["milestone1", "walker", "phase2"]
USUAL: PresetName = "milestone1"  # the preset for environments and maps that do not specify rules
PRESETS = {
    "milestone1": Rules(),
    "walker": Rules(
        actor="walk", noop=True, stationary="last_push", pick="smallest", order="squares_first", n_rows=10, n_cols=10
    ),
    "phase2": Rules(
        actor="select",
        z_base=0,
        edge="lava",
        step_cost=0.0,
        barrier_stamina=10.0,
        perf_sq_initial_age=20,
        n_rows=9,
        n_cols=13,
        reward=Reward(barrier=0.0, push_cost=1.0, invalid=0.0),
    ),
}


def resolve_rules(rules: "str | Rules") -> Rules:
    """Return the rules that a string describes ("phase2" or "phase2, edge=wall").

    A Rules object is returned unchanged.
    """
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str) and rules.strip():
        return parse_rules(rules, PRESETS)
    raise ConfigError(f"rules={rules!r}: must be a preset ({', '.join(map(repr, PRESETS))}) or a Rules object")
