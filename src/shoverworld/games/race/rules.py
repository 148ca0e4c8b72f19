"""The rules of the grid race. Each rule is implemented once: rules about lines in lines.py, all others here.

docs/race.md explains the rules.

For the big picture, begin with `step`. For the details, read this file from top to bottom.
The decorators only select how a function is compiled (core/jit.py); ignore them while reading.
Symbols on the boards below:  # off the track   . track   S start   F finish   A, B cars
"""

from shoverworld.core.grid import roll
from shoverworld.core.jit import both, inner, part

from .codes import FINISH
from .lines import clear_line, is_track, passes_finish
from .reasons import BAD_LINE, FINE, OCCUPIED, OFF_TRACK
from .state import FINISHED, PLAYING, TIMEOUT, RaceEvent

ACTIONS = 9
KEEP = 4  # the action that keeps the velocity

# ---------------------------------------------------------------- where a car may go


@both
def landing_cell(car, action):
    """Return the cell on which a car lands with this action.

    A car that has moved from q to p repeats this displacement, changed by at most one cell per axis, and lands on
    2p - q + (k, l).

    q . . p . . *    the nine actions around *, in reading order:                 0 1 2    l = -1
                                                                                  3 4 5    l = 0
    (* is action 4, which keeps the velocity)                                     6 7 8    l = 1
                                                                             k = -1 0 1
    """
    return car.row + car.drow + action // 3 - 1, car.col + car.dcol + action % 3 - 1


@both
def car_on(cars, who, row, col):
    """Return a car other than car `who` that is on this cell, or -1. Finished cars are no longer on the track."""
    for other in range(len(cars)):
        car = cars[other]
        if car.row == row and car.col == col and other != who and car.place == 0:
            return other
    return -1


@inner
def is_occupied(cars, who, row, col):
    """Return whether a car other than car `who` is on this cell."""
    return car_on(cars, who, row, col) >= 0


@inner
def fault_of(state, i, rules, who, row, col):
    """Return the first fault of a move by car `who` in game i to this cell, or FINE if the move is legal.

    A # .    A . B     The landing cell must be on the track, the line must stay on the track (lines.py), and no other
                       car may be on the landing cell.

    A move to the cell that the car is already on is always legal, because a car does not block itself.
    """
    cars, bank = state.cars[i], state.bank
    car, ground = cars[who], bank.ground[state.game[i].track]
    if not is_track(ground, bank.rows, bank.cols, row, col):
        return OFF_TRACK
    if not clear_line(ground, bank.cols, car.row, car.col, row, col, rules.line):
        return BAD_LINE
    if is_occupied(cars, who, row, col):
        return OCCUPIED
    return FINE


@inner
def legal(state, i, rules, who, action):
    """Return whether this action of car `who` in game i is legal. The state does not change."""
    row, col = landing_cell(state.cars[i, who], action)
    return fault_of(state, i, rules, who, row, col) == FINE


@inner
def finishes(state, i, rules, who, row, col):
    """Return whether car `who` in game i finishes with a legal move to this cell.

    The car must land on a finish cell. With finish="cross", it is enough to cross a finish cell:    A . F . *
    """
    car, bank = state.cars[i, who], state.bank
    ground = bank.ground[state.game[i].track]
    if rules.cross:
        return passes_finish(ground, bank.cols, car.row, car.col, row, col)
    return ground[row * bank.cols + col] == FINISH


# ---------------------------------------------------------------- what a move does


@inner
def drive(car, row, col):
    """Move the car to this cell. The displacement becomes the velocity of the car."""
    car.drow, car.dcol = row - car.row, col - car.col
    car.row, car.col = row, col


@inner
def punish(car, rules):
    """Penalize an illegal move: the car stays on its cell, loses its velocity, and skips its next turns."""
    car.drow, car.dcol = 0, 0
    car.wait = rules.penalty
    car.penalties += 1


@inner
def take_place(cars, game, who):
    """Assign a place in the ranking to car `who`, which has finished and leaves the track.

    The place is one more than the number of cars that finished in fewer steps, so cars that finish in the same round
    share a place.
    """
    place = 1
    for other in range(len(cars)):
        place += cars[other].place > 0 and cars[other].steps < cars[who].steps
    cars[who].place = place
    game.racing -= 1


# ---------------------------------------------------------------- whose turn it is


@inner
def take_turn(car):
    """Count a turn as a step, whether the car moves or skips the turn."""
    car.steps += 1
    car.taken += 1


@inner
def next_turn(cars, game, rules):
    """Pass the turn to the next car that is still racing and not waiting. Waiting cars skip their turns.

    The race ends when all cars have finished, or after the last round. If there is only one car, it skips its
    turns immediately.
    """
    if game.racing == 0:
        game.outcome = FINISHED
        return
    while True:
        game.turn += 1
        if game.turn == len(cars):
            if game.rounds >= rules.max_rounds:
                game.outcome = TIMEOUT
                game.turn = 0
                return
            game.turn = 0
            game.rounds += 1
        car = cars[game.turn]
        if car.place == 0:
            if car.wait == 0:
                return
            car.wait -= 1
            take_turn(car)


# ---------------------------------------------------------------- a step


@part
def step(state, i, rules, action):
    """Play the turn of the current car in game i, then pass the turn to the next car. The state changes in place.

    `action` must be between 0 and 8.
    """
    cars, game = state.cars[i], state.game[i]
    who = game.turn
    car = cars[who]
    for other in range(len(cars)):
        cars[other].taken = 0
    row, col = landing_cell(car, action)
    fault = fault_of(state, i, rules, who, row, col)
    finished = fault == FINE and finishes(state, i, rules, who, row, col)
    event = RaceEvent(who, action, car.row, car.col, row, col, fault, finished)
    take_turn(car)
    if fault == FINE:
        drive(car, row, col)
    else:
        punish(car, rules)
    if finished:
        take_place(cars, game, who)
    next_turn(cars, game, rules)
    note_event(game, event)
    return event


@inner
def note_event(game, event):
    game.car = event.car
    game.action = event.action
    game.from_row, game.from_col = event.from_row, event.from_col
    game.to_row, game.to_col = event.to_row, event.to_col
    game.fault = event.fault
    game.valid = event.fault == FINE
    game.finished = event.finished


@inner
def reward_of(cars, game, reward, who):
    """Return the reward of car `who` for the last step: for turns that the car took or skipped, and for its move."""
    earned = reward.step * cars[who].taken
    if game.car == who and game.fault != FINE:
        earned += reward.illegal
    if game.car == who and game.finished:
        earned += reward.finish
    return earned


# ---------------------------------------------------------------- how a race begins


@inner
def stand(car, row, col):
    """Place a car at rest on this cell (q = p)."""
    car.row, car.col, car.drow, car.dcol = row, col, 0, 0
    car.wait, car.steps, car.taken, car.penalties, car.place = 0, 0, 0, 0, 0


@inner
def free_start(state, i, who):
    """Return a random start cell that is not occupied by a car with a number below `who`."""
    cars, game, bank = state.cars[i], state.game[i], state.bank
    chosen = roll(game, bank.start_count[game.track] - who)
    place = 0
    while True:
        cell = bank.starts[game.track, place]
        row, col = cell // bank.cols, cell % bank.cols
        if not is_occupied(cars[:who], who, row, col):
            if chosen == 0:
                return row, col
            chosen -= 1
        place += 1


@part
def reset(state, i, track):
    """Start game i on the track with this index in the bank, or on a random track if `track` is -1.

    Each car starts on a random free start cell. The track must have a start cell for each car.
    """
    cars, game = state.cars[i], state.game[i]
    game.track = roll(game, len(state.bank.start_count)) if track < 0 else track
    for who in range(len(cars)):
        row, col = free_start(state, i, who)
        stand(cars[who], row, col)
    begin(game, len(cars))


@part
def reset_at(state, i, track, places):
    """Start game i on this track with each car on a given cell. `places` has one row, (x, y), for each car."""
    cars, game = state.cars[i], state.game[i]
    game.track = track
    for who in range(len(cars)):
        stand(cars[who], places[who, 1], places[who, 0])
    begin(game, len(cars))


@inner
def begin(game, cars):
    game.turn, game.rounds, game.racing, game.outcome = 0, 1, cars, PLAYING
    note_event(game, RaceEvent(-1, KEEP, 0, 0, 0, 0, FINE, False))
