"""The slow twin: Sokoban written a second time, straight from section 2 of the rules.

It shares no line with the engine and exists to disagree with it. Everything is naive: a cell is a
pair (row, col), the walls are a set of cells, boxes and targets are dicts of cells, and what is to
be known is looked for anew at every step.

    twin = Twin.parse('''
        #####
        #@$.#
        #####
    ''')
    reward, terminated, truncated, happened = twin.step(4)   # push right
"""

import copy
import textwrap

DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

PUSHES = [("push", way) for way in DIRECTIONS]
MOVES = [("move", way) for way in DIRECTIONS]
PULLS = [("pull", way) for way in DIRECTIONS]

WALL, FLOOR, TARGET, BOX_ON_TARGET, BOX, PLAYER = range(6)  # gym-sokoban's codes
REWARD = {"step": -0.1, "on": 1, "off": -1, "solved": 10}


def all_actions(players=1, pull=False, four=False):
    """By number: (which player, what he does, where). None is the no-op."""
    each = PUSHES if four else PUSHES + MOVES + (PULLS if pull else [])
    return ([] if four else [None]) + [(player, *deed) for player in range(players) for deed in each]


class Twin:
    """One game. `boxes` and `targets` map a cell to a number: 1 for all, or each its own when targets are fixed."""

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
            raise ValueError("two things stand on one cell")
        if sorted(self.boxes.values()) != sorted(self.targets.values()) or not self.boxes:
            raise ValueError("every box needs a target, and every target a box")

    @classmethod
    def parse(cls, text, **options):
        """A room drawn in XSB characters; a second `@` is the second player."""
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
        """(reward, terminated, truncated, what happened)."""
        if self.outcome is not None:
            raise RuntimeError(f"the game is over ({self.outcome})")
        if not 0 <= action < len(self.actions):
            raise ValueError(f"action {action} is not in 0…{len(self.actions) - 1}")
        home_before = len(self.boxes_at_home())
        self.steps += 1
        happened = self.act(self.actions[action])
        home_after = len(self.boxes_at_home())

        # A box that goes from one target to another changes nothing: as many are on as before.
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
        """The cells on which a box stands on a target that counts for it."""
        return {cell for cell, number in self.boxes.items() if self.targets.get(cell) == number}

    # ---- what a player does ------------------------------------------------------------------

    def act(self, action):
        if action is None:
            return {"did": "nothing", "valid": True}
        player, deed, way = action
        return {"push": self.push, "move": self.move, "pull": self.pull}[deed](player, way)

    def is_free(self, cell):
        """Neither wall nor box nor player."""
        return cell not in self.walls and cell not in self.boxes and cell not in self.players

    def move(self, player, way):
        """Only walks: nothing happens when the cell before the player is not free."""
        before = neighbour(self.players[player], way)
        if not self.is_free(before):
            return {"did": "nothing", "valid": False}
        self.players[player] = before
        return {"did": "move", "valid": True}

    def push(self, player, way):
        """Pushes exactly one box; with no pushable box before the player it is the move."""
        before = neighbour(self.players[player], way)
        beyond = neighbour(before, way)
        if before not in self.boxes or not self.is_free(beyond):
            return self.move(player, way)
        self.boxes[beyond] = self.boxes.pop(before)
        self.players[player] = before
        return {"did": "push", "valid": True}

    def pull(self, player, way):
        """The player steps away, and the box behind follows him; with no box behind he just walks."""
        stood = self.players[player]
        behind = neighbour(stood, OPPOSITE[way])
        happened = self.move(player, way)
        if happened["valid"] and behind in self.boxes:
            self.boxes[stood] = self.boxes.pop(behind)
            happened["did"] = "pull"
        return happened

    # ---- what is seen ------------------------------------------------------------------------

    def grid(self, rows, cols):
        """gym-sokoban's room state: a box is shown as on target on any target, also on another box's."""
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
        """The actions that would count as valid now; none after the end."""
        if self.outcome is not None:
            return set()
        return {number for number in range(len(self.actions)) if self.valid_after_trial(number)}

    def valid_after_trial(self, action):
        trial = copy.copy(self)
        trial.boxes, trial.players = dict(self.boxes), list(self.players)
        return trial.step(action)[3]["valid"]


OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


def neighbour(cell, way):
    (row, col), (d_row, d_col) = cell, DIRECTIONS[way]
    return row + d_row, col + d_col
