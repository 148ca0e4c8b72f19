"""Boards drawn as strings: `play` plays actions on a board, and `expect` compares the resulting board with a drawing.

    . empty    A the shover    B box    # barrier    L lava

If the drawing consists of numbers (Format A of rule 1.8), every number is compared, including the strengths of boxes.
An action is `(row, col, "right")`. A walker's moves, the no-op and the specials need no position: `"right"`, `"barrier"`.
"""

from shoverworld import ShoverWorldEnv

CODES = {"noop": -1, "up": 0, "right": 1, "down": 2, "left": 3, "barrier": 4, "hellify": 5}
SYMBOLS = {0: ".", 100: "#", -100: "L", **dict.fromkeys(range(1, 11), "B")}


class Game:
    """An environment and everything that it has returned since the reset."""

    def __init__(self, board, rules="milestone1", agent=None, **keywords):
        self.env = ShoverWorldEnv(rules=rules, seed=0, **keywords)
        self.reset(board, agent)

    def reset(self, board, agent=None):
        options = {"map": board} if agent is None else {"map": board, "agent": agent}
        self.obs, self.info = self.env.reset(options=options)
        self.infos, self.rewards, self.stamina_changes, self.ends = [], [], [], []

    def do(self, *actions):
        for action in actions:
            before = self.info["stamina"]
            self.obs, reward, terminated, truncated, self.info = self.env.step(self.numbers(action))
            self.infos.append(self.info)
            self.rewards.append(reward)
            self.stamina_changes.append(self.info["stamina"] - before)
            self.ends.append((terminated, truncated))
        return self

    def numbers(self, action):
        if isinstance(action, str):
            action = (0, 0, action)
        row, col, z = action
        return (row, col, self.env.rules.z_base + CODES[z]) if isinstance(z, str) else action

    def place(self, position):
        self.env.place(position)
        self.obs, self.info = self.env.observe()

    def history(self, key):
        """Return the value of this key in the info dict of each step."""
        return [info[key] for info in self.infos]

    @property
    def squares(self):
        """The perfect squares and their ages."""
        return dict(zip(self.info["perfect_squares_available"], self.info["square_ages"], strict=True))

    @property
    def shover(self):
        return tuple(self.obs["agent"].tolist())


def play(board, actions=(), rules="milestone1", **keywords):
    """Return a game on this board after these actions."""
    return Game(board, rules, **keywords).do(*actions)


def expect(game, board):
    """Assert that the board is as drawn. The shover's cell is compared if the drawing has an A."""
    rows = [line.strip() for line in board.strip().splitlines()]
    if any(mark.isdigit() for mark in board):
        wanted = [row.split() for row in rows]
        found = [[str(value) for value in row] for row in game.obs["grid"].tolist()]
    else:
        wanted = [list(row.replace(" ", "")) for row in rows]
        found = [[SYMBOLS[value] for value in row] for row in game.obs["grid"].tolist()]
        if "A" in board:
            row, col = game.shover
            found[row][col] = "A" if found[row][col] == "." else "?"  # the shover can stand only on an empty cell
    assert found == wanted, f"\nexpected:\n{_drawn(wanted)}\n\nfound:\n{_drawn(found)}"


def _drawn(rows):
    return "\n".join("  " + " ".join(row) for row in rows)
