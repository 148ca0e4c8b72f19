"""The reference engine: an independent implementation of Shover-World, written from section 1 of the rules.

It shares no code with the engine, with which the tests compare it. It is slow and simple: plain lists and dicts, a full
scan for perfect squares at every update, one method per rule.

    twin = ShoverTwin(rules, reward, grid=[[0, 10, 0]], agent=(0, 0))
    obs, reward, terminated, truncated, info = twin.step(0, 1, 2)
"""

import copy

LAVA, EMPTY, BARRIER = -100, 0, 100
DIRECTIONS = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # up, right, down, left
DOWN = 2


def is_box(value):
    return 1 <= value <= 10


class ShoverTwin:
    """One game. `rules` and `reward` are those of the package; `grid` is a list of rows."""

    def __init__(self, rules, reward, grid, agent):
        self.rules = rules
        self.reward = reward
        self.grid = [list(line) for line in grid]
        self.rows, self.cols = len(grid), len(grid[0])
        self.agent = tuple(agent)
        if self.cell(*self.agent) != EMPTY:
            raise ValueError(f"the shover must start on an empty cell, not on {self.agent}")
        self.stamina = float(rules.initial_stamina)
        self.timestep = 0
        self.outcome = None
        self.destroyed = 0
        self.ages = dict.fromkeys(self.find_squares(), 0)  # rule 1.4: age 0 at reset
        self.moved = {}  # (row, col) of a box -> the direction in which it moved in the preceding timestep
        self.last_push = None  # direction of the last successful push in the episode
        self.direction = DOWN
        self.previous_selected_position = (-1, -1)
        self.previous_action = -1
        self.clear_step_facts()

    def clear_step_facts(self):
        """Reset the values that describe a single step."""
        self.valid = True
        self.invalid_reason = ""
        self.chain_length = 0
        self.initial_force_charged = False
        self.burnt = 0
        self.push_cost = 0.0
        self.barrier_cells = 0
        self.hellified_cells = 0

    # ---- the map -----------------------------------------------------------------------------

    def cell(self, row, col):
        """Return the value of a cell, or None if the cell is off the map."""
        if 0 <= row < self.rows and 0 <= col < self.cols:
            return self.grid[row][col]
        return None

    def box_at(self, row, col):
        return 0 <= row < self.rows and 0 <= col < self.cols and is_box(self.grid[row][col])

    def number_of_boxes(self):
        return sum([1 <= value <= 10 for line in self.grid for value in line])

    # ---- one step ----------------------------------------------------------------------------

    def step(self, row, col, z):
        if self.outcome is not None:  # rule 1.6
            raise RuntimeError(f"the game is over ({self.outcome})")
        self.check_action(row, col, z)
        self.clear_step_facts()
        self.squares_before = list(self.ages)
        self.timestep += 1
        self.previous_selected_position = (row, col)
        self.previous_action = z
        moved_before, self.moved = self.moved, {}  # rule 1.3: a mark lasts one timestep

        code = z - self.rules.z_base  # -1 no-op, 0-3 direction, 4 barrier maker, 5 hellify
        special = code >= 4
        if 0 <= code <= 3:
            self.direction = code
            self.act_in_direction(self.target(row, col, code), code, moved_before)
        elif code == -1:
            self.stamina -= self.rules.step_cost

        # rule 1.4: the order of special and update
        if special and self.rules.order == "action_first":
            self.act_special(code)
        self.update_squares()
        if special and self.rules.order == "squares_first":
            self.act_special(code)

        self.outcome = self.find_outcome()
        terminated = self.outcome in ("cleared", "exhausted")
        truncated = self.outcome == "timeout"
        return self.observation(), self.step_reward(), terminated, truncated, self.info()

    def all_z(self):
        base = self.rules.z_base
        return range(base - 1 if self.rules.noop else base, base + 6)

    def check_action(self, row, col, z):
        # rule 1.1: outside the action space
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise ValueError(f"position {(row, col)} is not on the {self.rows} x {self.cols} map")
        if z not in self.all_z():
            raise ValueError(f"action {z} is not in {list(self.all_z())}")

    # ---- Rule 1.1: the target cell ------------------------------------------------------------

    def target(self, row, col, direction):
        if self.rules.actor == "walk":
            d_row, d_col = DIRECTIONS[direction]
            return self.agent[0] + d_row, self.agent[1] + d_col
        return row, col

    def can_walk_to(self, target):
        # rule 1.1: with `select` the target must be a box
        return self.cell(*target) == EMPTY and self.rules.actor != "select"

    def act_in_direction(self, target, direction, moved_before):
        if self.can_walk_to(target):
            self.agent = target
            self.stamina -= self.rules.step_cost
        elif self.can_push(target, direction):
            self.push(target, direction, moved_before)
            self.agent = target
        else:
            self.make_invalid(self.reason_against(target, direction))

    def make_invalid(self, reason):
        self.valid = False
        self.invalid_reason = reason
        self.stamina -= self.rules.step_cost

    def reason_against(self, target, direction):
        """Return the reason why no action is possible at the target."""
        if self.box_at(*target):
            beyond = self.chain(target, direction)[1]
            return "edge_beyond" if self.cell(*beyond) is None else "barrier_beyond"
        if self.rules.actor == "select":
            return "no_box"
        return {None: "off_map", LAVA: "lava", BARRIER: "barrier"}[self.cell(*target)]

    # ---- Rule 1.2: the push -------------------------------------------------------------------

    def chain(self, target, direction):
        """Return the cells of the chain, from the target to the front, and the cell beyond."""
        (row, col), (d_row, d_col) = target, DIRECTIONS[direction]
        cells = []
        while self.box_at(row, col):
            cells.append((row, col))
            row, col = row + d_row, col + d_col
        return cells, (row, col)

    def burns(self, position):
        value = self.cell(*position)
        return value == LAVA or (value is None and self.rules.edge == "lava")

    def can_push(self, target, direction):
        cells, beyond = self.chain(target, direction)
        return bool(cells) and (self.cell(*beyond) == EMPTY or self.burns(beyond))

    def push(self, target, direction, moved_before):
        cells, beyond = self.chain(target, direction)
        self.pay_push(cells, direction, moved_before)
        values = [self.grid[row][col] for row, col in cells]
        self.grid[target[0]][target[1]] = EMPTY
        landings = cells[1:] + [beyond]
        if self.burns(beyond):
            landings.pop()  # the front box is destroyed; `beyond` does not change
            self.burnt = 1
            self.destroyed += 1
            self.stamina += self.rules.initial_force  # rule 1.3: the refund
        for (row, col), value in zip(landings, values, strict=False):
            self.grid[row][col] = value
            self.moved[row, col] = direction
        self.last_push = direction
        self.chain_length = len(cells)

    # ---- Rule 1.3: cost of a push -------------------------------------------------------------

    def starts_from_rest(self, cells, direction, moved_before):
        if self.rules.stationary == "contact":
            return moved_before.get(cells[0]) != direction
        if self.rules.stationary == "front":
            return moved_before.get(cells[-1]) != direction
        return self.last_push != direction  # "last_push"; None at first, so the first push costs the initial force

    def pay_push(self, cells, direction, moved_before):
        self.push_cost = self.rules.unit_force * len(cells)
        if self.starts_from_rest(cells, direction, moved_before):
            self.push_cost += self.rules.initial_force
            self.initial_force_charged = True
        if self.rules.push_pays_step_cost:
            self.push_cost += self.rules.step_cost
        self.stamina -= self.push_cost

    # ---- Rule 1.4: perfect squares ------------------------------------------------------------

    def find_squares(self):
        """Return every square (n, row, col) on the map, in row-major order."""
        found = []
        for row in range(self.rows):
            for col in range(self.cols):
                if not 1 <= self.grid[row][col] <= 10:
                    continue
                for n in range(2, min(self.rows - row, self.cols - col) + 1):
                    if not self.all_boxes(n, row, col):
                        break  # no larger block at this corner is full either
                    if not self.box_in_ring(n, row, col):
                        found.append((n, row, col))
        return found

    def all_boxes(self, n, row, col):
        for r in range(row, row + n):
            for c in range(col, col + n):
                if not is_box(self.grid[r][c]):
                    return False
        return True

    def box_in_ring(self, n, row, col):
        for i in range(-1, n + 1):  # corners included; cells off the map are not boxes
            if self.box_at(row - 1, col + i) or self.box_at(row + n, col + i):
                return True
            if self.box_at(row + i, col - 1) or self.box_at(row + i, col + n):
                return True
        return False

    def update_squares(self):
        present = self.find_squares()
        self.ages = {s: self.ages[s] + 1 if s in self.ages else 0 for s in present}
        for square in present:
            if self.ages[square] >= self.rules.perf_sq_initial_age:
                self.replace_square(square, lambda on_border: EMPTY)

    def replace_square(self, square, new_value):
        """Replace each cell of a square with new_value(on_border)."""
        n, row, col = square
        for i in range(n):
            for j in range(n):
                on_border = i in (0, n - 1) or j in (0, n - 1)
                self.grid[row + i][col + j] = new_value(on_border)
                self.moved.pop((row + i, col + j), None)  # the box is gone
        del self.ages[square]

    # ---- Rule 1.5: specials -------------------------------------------------------------------

    def pick_square(self, smallest_n):
        candidates = [square for square in self.ages if square[0] >= smallest_n]

        def rank(square):
            n, row, col = square
            if self.rules.pick == "smallest":
                return n, -self.ages[square], row, col
            return -self.ages[square], row, col

        return min(candidates, key=rank, default=None)

    def act_special(self, code):
        smallest = 2 if code == 4 else 3
        square = self.pick_square(smallest)
        if square is None:
            dissolved = any(n >= smallest for n, _, _ in self.squares_before)
            none = "no_square" if code == 4 else "no_large_square"
            return self.make_invalid("square_dissolved" if dissolved else none)
        self.stamina -= self.rules.step_cost
        if code == 4:
            self.make_barrier(square)
        else:
            self.hellify(square)

    def make_barrier(self, square):
        self.replace_square(square, lambda on_border: BARRIER)
        self.barrier_cells = square[0] ** 2
        self.stamina += self.rules.barrier_stamina * self.barrier_cells

    def hellify(self, square):
        if self.rules.hellify == "whole":
            self.replace_square(square, lambda on_border: LAVA)
        else:
            self.replace_square(square, lambda on_border: EMPTY if on_border else LAVA)
        self.hellified_cells = square[0] ** 2
        self.destroyed += self.hellified_cells

    # ---- Rule 1.6: reward and end -------------------------------------------------------------

    def step_reward(self):
        lava = self.rules.initial_force if self.reward.lava is None else self.reward.lava
        return float(
            lava * self.burnt
            + self.reward.barrier * self.barrier_cells
            + self.reward.hellify * self.hellified_cells
            - self.reward.push_cost * self.push_cost
            + (0 if self.valid else self.reward.invalid)
        )

    def find_outcome(self):
        if self.number_of_boxes() == 0:
            return "cleared"
        if self.stamina <= 0:
            return "exhausted"
        if self.timestep >= self.rules.max_timestep:
            return "timeout"
        return None

    # ---- Rule 1.7: observation ----------------------------------------------------------------

    def observation(self):
        return {
            "grid": [list(line) for line in self.grid],
            "agent": self.agent,
            "direction": self.direction,
            "stamina": self.stamina,
            "previous_selected_position": self.previous_selected_position,
            "previous_action": self.previous_action,
        }

    def info(self):
        squares = sorted(self.ages, key=lambda s: (-self.ages[s], s[1], s[2]))
        return {
            "timestep": self.timestep,
            "stamina": self.stamina,
            "number_of_boxes": self.number_of_boxes(),
            "number_destroyed": self.destroyed,
            "last_action_valid": self.valid,
            "invalid_reason": self.invalid_reason,
            "chain_length": self.chain_length,
            "initial_force_charged": self.initial_force_charged,
            "lava_destroyed_this_step": self.burnt,
            "perfect_squares_available": [(n, (row, col)) for n, row, col in squares],
            "square_ages": [self.ages[square] for square in squares],
            "map": -1,  # the map is not one of the environment's own maps
            "outcome": self.outcome,
        }

    # ---- Rule 1.1: the mouse click ------------------------------------------------------------

    def place(self, row, col):
        if self.outcome is not None:
            raise RuntimeError(f"the game is over ({self.outcome})")
        if self.cell(row, col) != EMPTY:
            raise ValueError(f"{(row, col)} is not an empty cell of the map")
        if self.rules.actor == "walk" and (row, col) not in self.within_reach():
            raise ValueError(f"no path of empty cells from {self.agent} to {(row, col)}")
        self.agent = (row, col)

    def within_reach(self):
        """Return the cells that the shover can reach across empty cells, including its own."""
        seen, frontier = {self.agent}, [self.agent]
        while frontier:
            row, col = frontier.pop()
            for d_row, d_col in DIRECTIONS:
                neighbour = (row + d_row, col + d_col)
                if self.cell(*neighbour) == EMPTY and neighbour not in seen:
                    seen.add(neighbour)
                    frontier.append(neighbour)
        return seen

    # ---- for tests -----------------------------------------------------------------------------

    def valid_actions(self):
        """Return every valid action (row, col, z), or an empty set after the end."""
        if self.outcome is not None:
            return set()
        positions = [(row, col) for row in range(self.rows) for col in range(self.cols)]
        return {(*p, z) for z in self.all_z() for p in self.valid_positions(z, positions)}

    def all_actions(self):
        return {(row, col, z) for row in range(self.rows) for col in range(self.cols) for z in self.all_z()}

    def valid_positions(self, z, positions):
        code = z - self.rules.z_base
        if code == -1:
            return positions
        if code >= 4:  # the position is ignored, so one trial is enough
            return positions if self.valid_after_trial(z) else []
        targets = [(position, self.target(*position, code)) for position in positions]
        return [p for p, t in targets if self.can_walk_to(t) or self.can_push(t, code)]

    def valid_after_trial(self, z):
        trial = copy.copy(self)
        trial.grid = [list(line) for line in self.grid]
        trial.ages, trial.moved = dict(self.ages), dict(self.moved)
        trial.step(0, 0, z)
        return trial.valid

    def key(self):
        """Return a hashable key for what can affect the rest of the game. The shover's direction is omitted."""
        return (
            tuple(map(tuple, self.grid)),
            self.agent,
            self.stamina,
            self.timestep,
            frozenset(self.ages.items()),
            frozenset(self.moved.items()),
            self.last_push,
        )
