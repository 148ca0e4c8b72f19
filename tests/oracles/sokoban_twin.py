"""The reference engine: an independent implementation of Sokoban, written from section 2 of the rules.

It shares no code with the engine, with which the tests compare it. It is slow and simple: a cell is a pair (row, col),
the walls are a set of cells, boxes and targets are dicts of cells, and everything is recomputed at every step.

    twin = SokobanTwin.parse('''
        #####
        #@$.#
        #####
    ''')
    reward, terminated, truncated, happened = twin.step(4)   # push right
"""

import copy
import textwrap

DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

PUSHES = [("push", direction) for direction in DIRECTIONS]
MOVES = [("move", direction) for direction in DIRECTIONS]
PULLS = [("pull", direction) for direction in DIRECTIONS]

WALL, FLOOR, TARGET, BOX_ON_TARGET, BOX, PLAYER = range(6)  # gym-sokoban's codes
REWARD = {"step": -0.1, "on": 1, "off": -1, "solved": 10}


def all_actions(players=1, pull=False, four=False):
    """Return all actions by number: (player, kind, direction); None is the no-op."""
    each = PUSHES if four else PUSHES + MOVES + (PULLS if pull else [])
    return ([] if four else [None]) + [(player, *action) for player in range(players) for action in each]


class SokobanTwin:
    """One game. `boxes` and `targets` map a cell to a number: 1 for all, or different numbers if targets are fixed."""

    def __init__(self, walls, targets, boxes, players, pull=False, four=False, max_steps=200, reward=REWARD):
        self.walls = frozenset(walls)
        self.targets = dict(targets)
        self.boxes = dict(boxes)
        self.players = [tuple(player) for player in players]
        self.actions = all_actions(len(self.players), pull, four)
        self.max_steps = max_steps
        self.reward = reward
        self.steps = 0
        self.outcome = None
        self.check()

    def check(self):
        everything = [*self.walls, *self.boxes, *self.players]
        if len(set(everything)) < len(everything):
            raise ValueError("a cell contains more than one object")
        if sorted(self.boxes.values()) != sorted(self.targets.values()) or not self.boxes:
            raise ValueError("boxes and targets must correspond one to one")

    @classmethod
    def parse(cls, text, **options):
        """Parse a level drawn in XSB characters; a second `@` is the second player."""
        walls, targets, boxes, players = set(), {}, {}, []
        for row, line in enumerate(textwrap.dedent(text).strip("\n").split("\n")):
            for col, char in enumerate(line):
                cell = (row, col)
                if char == "#":
                    walls.add(cell)
                if char in ".*+":
                    targets[cell] = 1
                if char in "$*":
                    boxes[cell] = 1
                if char in "@+":
                    players.append(cell)
        return cls(walls, targets, boxes, players, **options)

    # ---- one step ----------------------------------------------------------------------------

    def step(self, action):
        """Make a step; return (reward, terminated, truncated, what happened)."""
        if self.outcome is not None:
            raise RuntimeError(f"the game is over ({self.outcome})")
        if not 0 <= action < len(self.actions):
            raise ValueError(f"action {action} is not in 0…{len(self.actions) - 1}")
        home_before = len(self.boxes_at_home())
        self.steps += 1
        happened = self.act(self.actions[action])
        home_after = len(self.boxes_at_home())

        # A box that moves from one target to another does not change the number of boxes on targets.
        reward = self.reward["step"]
        if home_after > home_before:
            reward += self.reward["on"]
        elif home_after < home_before:
            reward += self.reward["off"]
        if home_after == len(self.boxes):
            reward += self.reward["solved"]
            self.outcome = "solved"
        elif self.steps >= self.max_steps:
            self.outcome = "timeout"
        happened |= {"on target": home_after, "outcome": self.outcome}
        return reward, self.outcome == "solved", self.outcome == "timeout", happened

    def boxes_at_home(self):
        """Return the cells where a box is on a target that counts for it."""
        return {cell for cell, number in self.boxes.items() if self.targets.get(cell) == number}

    # ---- actions -----------------------------------------------------------------------------

    def act(self, action):
        if action is None:
            return {"did": "nothing", "valid": True, "why": ""}
        player, kind, direction = action
        return {"push": self.push, "move": self.move, "pull": self.pull}[kind](player, direction)

    def is_free(self, cell):
        """Return whether a cell contains no wall, box or player."""
        return cell not in self.walls and cell not in self.boxes and cell not in self.players

    def move(self, player, direction):
        """Walk only; nothing happens if the cell in front of the player is not free."""
        before = neighbour(self.players[player], direction)
        if not self.is_free(before):
            return {"did": "nothing", "valid": False, "why": self.thing_on(before)}
        self.players[player] = before
        return {"did": "move", "valid": True, "why": ""}

    def thing_on(self, cell):
        """Return what occupies a cell: a wall, a box or a player."""
        things = {"wall": self.walls, "box": self.boxes, "player": self.players}
        return next(name for name, cells in things.items() if cell in cells)

    def push(self, player, direction):
        """Push exactly one box; walk if there is no pushable box in front of the player."""
        before = neighbour(self.players[player], direction)
        beyond = neighbour(before, direction)
        if before not in self.boxes:
            return self.move(player, direction)
        if not self.is_free(beyond):
            return {"did": "nothing", "valid": False, "why": f"{self.thing_on(beyond)}_beyond"}
        self.boxes[beyond] = self.boxes.pop(before)
        self.players[player] = before
        return {"did": "push", "valid": True, "why": ""}

    def pull(self, player, direction):
        """Step away and pull the box behind the player along; walk if there is no box."""
        stood = self.players[player]
        behind = neighbour(stood, OPPOSITE[direction])
        happened = self.move(player, direction)
        if happened["valid"] and behind in self.boxes:
            self.boxes[stood] = self.boxes.pop(behind)
            happened["did"] = "pull"
        return happened

    # ---- observation -------------------------------------------------------------------------

    def grid(self, rows, cols):
        """Return gym-sokoban's room state: a box on any target counts as on target, even on another box's target."""
        return [[self.code((row, col)) for col in range(cols)] for row in range(rows)]

    def code(self, cell):
        if cell in self.players:
            return PLAYER
        if cell in self.boxes:
            return BOX_ON_TARGET if cell in self.targets else BOX
        if cell in self.walls:
            return WALL
        return TARGET if cell in self.targets else FLOOR

    def valid_actions(self):
        """Return the valid actions, or an empty set after the end."""
        if self.outcome is not None:
            return set()
        return {number for number in range(len(self.actions)) if self.valid_after_trial(number)}

    def valid_after_trial(self, action):
        trial = copy.copy(self)
        trial.boxes, trial.players = dict(self.boxes), list(self.players)
        return trial.step(action)[3]["valid"]


OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


def neighbour(cell, direction):
    (row, col), (d_row, d_col) = cell, DIRECTIONS[direction]
    return row + d_row, col + d_col
