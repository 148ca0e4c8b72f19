"""The kernels that apply the rules to rows of games. Both the single and the batched environment call them."""

from shoverworld.core.jit import as_record, kernel
from shoverworld.core.results import write_result

from . import rules as rulebook
from .config import SokobanRewardNumbers, SokobanRuleNumbers
from .state import BOX, PLAYING, SECOND, TARGET, TIMEOUT, WALL, SokobanState, SokobanStep


@kernel
def play_row(state, i, rules, reward, action):
    """Play one step of game i. Return the fields of SokobanStep as a tuple.

    `rules` and `reward` are records (core/jit.py).
    """
    rules, reward = rules[0], reward[0]
    event = rulebook.step(state, i, rules, action)
    game = state.game[i]
    return SokobanStep(
        rulebook.reward_of(event, game, reward),
        game.steps,
        game.moves,
        game.pushes,
        game.pulls,
        game.boxes,
        game.on_target,
        event.valid,
        game.level,
        game.outcome,
    )[:]


def play(
    state: SokobanState, i: int, rules: SokobanRuleNumbers, reward: SokobanRewardNumbers, action: int
) -> SokobanStep:
    """Play one step of game i, which is changed in place."""
    return SokobanStep(*play_row(state, i, as_record(rules), as_record(reward), action))


@kernel
def step_rows(first, last, state, rules, reward, actions, over, bank, results):
    """Play one step of games `first` to `last`. Games that are over restart on a random stored level instead.

    Without stored levels, they wait until a room is generated for them (rooms.py).
    """
    for i in range(first, last):
        if over[i]:
            if len(bank.boxes) > 0:
                rulebook.reset(state, i, bank, -1)
                write_result(results, i, 0.0, PLAYING, TIMEOUT)
        else:
            event = rulebook.step(state, i, rules, actions[i])
            game = state.game[i]
            write_result(results, i, rulebook.reward_of(event, game, reward), game.outcome, TIMEOUT)


@kernel
def reset_rows(first, last, state, bank, level, chosen, results):
    """Start the chosen games from `first` to `last` on this stored level, or on random ones if level = -1."""
    for i in range(first, last):
        if chosen[i]:
            rulebook.reset(state, i, bank, level)
            write_result(results, i, 0.0, PLAYING, TIMEOUT)


@kernel
def mark_valid(state, rules, mask):
    """Set mask[i, action] to whether the action is valid in game i. If the game is over, no action is valid."""
    games, count = mask.shape
    for i in range(games):
        for action in range(count):
            mask[i, action] = state.game[i].outcome == PLAYING and rulebook.is_valid(state, i, rules, action)


# The cell codes of gym-sokoban's room_state. A player hides the target in the same cell.
WALL_CODE, FLOOR_CODE, TARGET_CODE, BOX_ON_TARGET_CODE, BOX_CODE, PLAYER_CODE = range(6)


@kernel
def write_grid(state, first, last, grid):
    """Write the room_state of games `first` to `last`. `grid` is uint8 (N, cells)."""
    for i in range(first, last):
        planes, game = state.planes[i], state.game[i]
        for cell in range(planes.shape[1]):
            on_target = planes[TARGET, cell] != 0
            bare = FLOOR_CODE - planes[WALL, cell] + on_target
            grid[i, cell] = BOX_CODE - on_target if planes[BOX, cell] != 0 else bare  # on any target, as in gym-sokoban
        grid[i, game.player] = PLAYER_CODE
        if planes.shape[0] > SECOND:
            grid[i, game.second] = PLAYER_CODE
