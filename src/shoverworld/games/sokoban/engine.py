"""The rules over rows of games: the kernels that the single and the batched environment call."""

from shoverworld.core.jit import inner, kernel

from . import rules as rulebook
from .state import BOX, PLAYING, SECOND, SOLVED, TARGET, TIMEOUT, WALL


@kernel
def play(state, i, rules, reward, action):
    """One step of game i; returns its reward and all that its info dict says."""
    event = rulebook.step(state, i, rules, action)
    game = state.game[i]
    return (
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
    )


@inner
def judge(state, i, earned, results):
    outcome = state.game[i].outcome
    results.reward[i] = earned
    results.terminated[i] = outcome == SOLVED
    results.truncated[i] = outcome == TIMEOUT
    results.outcome[i] = outcome


@kernel
def step_rows(first, last, state, rules, reward, actions, over, bank, results):
    """One step of the games from `first` to `last`; those that are over begin anew instead, on any stored level.

    Without stored levels they wait for a room that is drawn (rooms.py).
    """
    for i in range(first, last):
        if over[i]:
            if len(bank.boxes) > 0:
                rulebook.reset(state, i, bank, -1)
                judge(state, i, 0.0, results)
        else:
            event = rulebook.step(state, i, rules, actions[i])
            judge(state, i, rulebook.reward_of(event, state.game[i], reward), results)


@kernel
def reset_rows(first, last, state, bank, level, chosen, results):
    """Begin the chosen games from `first` to `last` anew: on this stored level, or on any of them with level = -1."""
    for i in range(first, last):
        if chosen[i]:
            rulebook.reset(state, i, bank, level)
            judge(state, i, 0.0, results)


@kernel
def first_outside(actions, count):
    """The first of the actions that lies outside the action space, or -1."""
    for i in range(len(actions)):
        if not 0 <= actions[i] < count:
            return i
    return -1


@kernel
def mark_valid(state, rules, mask):
    """Set mask[i, action] for each action that would be valid in game i; all False when it is over."""
    games, count = mask.shape
    for i in range(games):
        for action in range(count):
            mask[i, action] = state.game[i].outcome == PLAYING and rulebook.is_valid(state, i, rules, action)


# The codes of gym-sokoban's room_state, by wall, target, box and player. There a player hides the target under him.
WALL_CODE, FLOOR_CODE, TARGET_CODE, BOX_ON_TARGET_CODE, BOX_CODE, PLAYER_CODE = range(6)


@kernel
def write_grid(state, first, last, grid):
    """Write the room_state of the games from `first` to `last`: grid is uint8 (N, cells)."""
    for i in range(first, last):
        planes, game = state.planes[i], state.game[i]
        for cell in range(planes.shape[1]):
            on_target = planes[TARGET, cell] != 0
            bare = FLOOR_CODE - planes[WALL, cell] + on_target
            grid[i, cell] = BOX_CODE - on_target if planes[BOX, cell] != 0 else bare  # any target, as in gym-sokoban
        grid[i, game.player] = PLAYER_CODE
        if planes.shape[0] > SECOND:
            grid[i, game.second] = PLAYER_CODE
