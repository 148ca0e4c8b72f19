"""Tests of the agents from the Phase 2 report: first the parts of an agent on single boards, then whole games."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from shoverworld import ConfigError, ShoverWorldEnv
from shoverworld.agents import RandomAgent
from shoverworld.games.shover.agents import GreedyAgent, Phase2Agent
from shoverworld.games.shover.agents.phase2_heuristic import (
    Heuristic,
    distance_field,
    h_jam,
    h_kill,
    h_misc,
    h_sq,
    kill_positions,
)
from shoverworld.games.shover.agents.phase2_squares import completing_pushes, nearly_complete_squares
from tests.boards import expect, play

UP, RIGHT, DOWN, LEFT, BARRIER_MAKER, HELLIFY = range(6)  # the action codes in phase2


def board_of(text, rules="milestone1", **keywords):
    """Return the state and the rules of a game on this board, in the form that the terms of h expect."""
    env = play(text, rules=rules, **keywords).env
    return env.get_state(), env.rules.numbers()


def agent_on(board, actions=(), rules="phase2", agent=None, **keywords):
    """Return a game after these actions, and a Phase2Agent that has observed the game."""
    game = play(board, actions, rules, agent=agent, **keywords)
    player = Phase2Agent(game.env, seed=0)
    player.reset(game.info)
    player.look(game.info)
    return game, player


def whole_game(env, agent, seed=None, options=None):
    """Play to the end. Return the last info, the actions, and each invalid action with the board at the time."""
    obs, info = env.reset(seed=seed, options=options)
    agent.reset(info)
    actions, invalid, over = [], [], False
    while not over:
        action = tuple(agent.act(obs, info))
        before = obs["grid"].tobytes()
        obs, _, terminated, truncated, info = env.step(action)
        actions.append(action)
        if not info["last_action_valid"]:
            invalid.append((before, action))
        over = terminated or truncated
    return info, actions, invalid


# --- the heuristic

LAKE = """
    L . . #
    . # . B
    B . . B
"""


def test_kill_positions_are_next_to_lava_and_at_a_lava_edge():
    def marked(rules):
        games, numbers = board_of(LAKE, rules)
        return kill_positions(games, numbers).reshape(5, 6)[1:-1, 1:-1].astype(int).tolist()

    assert marked("milestone1") == [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
    assert marked("phase2") == [[0, 1, 1, 0], [1, 0, 0, 1], [1, 1, 1, 1]]


def test_h_kill_is_the_sum_of_the_distances_to_kill_positions():
    games, numbers = board_of(LAKE)
    assert h_kill(games, distance_field(games, numbers)).tolist() == [3 + 1 + 4]
    games, numbers = board_of(LAKE, "phase2")
    assert h_kill(games, distance_field(games, numbers)).tolist() == [0]


def test_h_kill_is_rows_plus_columns_for_a_box_without_a_path_to_lava():
    games, numbers = board_of(". # B # L")
    assert h_kill(games, distance_field(games, numbers)).tolist() == [1 + 5]
    games, numbers = board_of(LAKE, "walker")  # the walker has no space behind any of the three boxes
    assert h_kill(games, distance_field(games, numbers)).tolist() == [3 * (3 + 4)]


def test_h_jam_counts_boxes_that_are_blocked_on_all_four_sides():
    board = """
        . B . . .
        B B B . L
        . B . # B
        . . . . #
    """
    games, _ = board_of(board)
    assert h_jam(games).tolist() == [1]  # only the middle of the cross is blocked; the box at (2, 4) has lava above it
    games, _ = board_of("B # .\nB B .", "milestone1")
    assert h_jam(games).tolist() == [2]  # edges, a barrier and other boxes block the boxes at (0, 0) and (1, 0)
    games, _ = board_of("B # .\nB B .", "phase2")
    assert h_jam(games).tolist() == [0]  # the edge is lava, so it blocks no box


def test_h_sq_depends_only_on_the_largest_perfect_square():
    board = """
        B B . B B B
        B B . B B B
        . . . B B B
        B . . . . .
    """
    games, _ = board_of(board)
    assert h_sq(games, 0.5).tolist() == [-0.5 * 9]
    games, _ = board_of("B B B\nB B .\n. . .")
    assert h_sq(games, 0.5).tolist() == [0]


def test_h_misc_prefers_removing_a_box_now_and_pushing_the_moving_box():
    def misc(board, actions):
        game = play(board, actions, "phase2")
        return h_misc(game.env.get_state(), game.env.rules.numbers())[0]

    assert misc(". B .", [(0, 1, "up")]) < misc(". B .", [(0, 1, "right")])
    row = ". . . . . . ."
    board = f"{row}\n. B . . . B .\n{row}"
    moving, from_rest = [(1, 1, "right"), (1, 2, "right")], [(1, 1, "right"), (1, 5, "left")]
    assert misc(board, moving) < misc(board, from_rest) < misc(board, moving) + 1


def test_a_walker_makes_the_last_push_even_if_the_next_box_is_far_away():
    board = """
        # . . . . . . .
        L B A . . . . .
        # . . . . . B .
        # . . . . . . .
    """
    _, player = agent_on(board, rules="walker")
    left = (1, 2, 4)
    assert player.options[left].boxes == 1 and player.options[left].estimate < player.here.estimate
    assert player.make_plan() == [left] and player.expanded == 1


def test_h_counts_only_spent_stamina_if_no_box_is_left():
    for rules in ("walker", "milestone1"):
        game = play("A B L", ["right" if rules == "walker" else (0, 1, "right")], rules)
        assert 0 < Heuristic(game.env.rules)(game.env.get_state())[0] < 1


def test_h_is_the_sum_of_its_terms():
    games, numbers = board_of(LAKE)
    parts = h_kill(games, distance_field(games, numbers)) + h_misc(games, numbers) + 7 * h_jam(games)
    assert Heuristic(play(LAKE).env.rules, alpha=0.5, beta=7)(games).tolist() == (parts + h_sq(games, 0.5)).tolist()


def test_h_is_not_negative_and_is_infinite_if_the_game_is_lost():
    board = "B B B .\nB B B .\nB B B .\n. . . ."
    games, _ = board_of(board, "phase2")
    assert Heuristic(play(board).env.rules, alpha=1)(games)[0] >= 0
    lost = play("A B . . L", [(0, 1, "right")], initial_stamina=50)
    assert lost.info["outcome"] == "exhausted"
    assert Heuristic(lost.env.rules)(lost.env.get_state()).tolist() == [np.inf]


# --- specials


def test_hellify_is_played_as_soon_as_it_is_possible():
    board = """
        . . . . . . .
        . B B B . . .
        . B B B . . B
        . B B B . . .
        . . . . . . .
    """
    _, player = agent_on(board)
    assert player.attractive_special()[2] == HELLIFY


PLUG = """
    L . B B . . B
    . . B B . . .
"""


def test_the_barrier_maker_is_not_played_if_it_would_trap_a_box():
    _, tired = agent_on(PLUG, rules="milestone1", initial_stamina=60)
    assert tired.attractive_special() is None
    game, player = agent_on(PLUG, rules="milestone1")
    assert player.attractive_special() is None
    info, _, _ = whole_game(game.env, player, options={"map": PLUG})
    assert info["outcome"] == "cleared" and info["number_destroyed"] == 5  # all boxes burn, so no box was trapped


def test_the_barrier_maker_is_not_played_if_it_would_enclose_the_walker():
    board = """
        A . B B . . .
        . . B B . B L
    """
    _, player = agent_on(board, rules="walker")
    assert player.attractive_special() is None
    _, player = agent_on(board.replace("A .", ". .").replace(". .\n", ". A\n"), rules="walker")
    assert player.attractive_special() == (0, 0, 5)


def test_the_barrier_maker_is_played_on_the_last_boxes():
    board = PLUG.replace(". . B\n", ". . .\n")
    game, player = agent_on(board, rules="milestone1")
    game.do(player.attractive_special())
    assert game.info["outcome"] == "cleared"


def test_the_barrier_maker_is_played_if_it_blocks_no_path():
    board = """
        L B . B B . .
        . . . B B . .
    """
    _, player = agent_on(board, rules="milestone1")
    assert player.attractive_special() == (0, 0, 5)


DETOUR = """
    L # # # # # #
    . . B B . . B
    . . B B . . .
    . . . . . . .
"""


def test_a_special_action_that_makes_paths_longer_is_played_only_if_stamina_is_low():
    _, player = agent_on(DETOUR, rules="milestone1")
    assert player.attractive_special() is None
    _, player = agent_on(DETOUR, rules="milestone1", initial_stamina=60)
    assert player.attractive_special() == (0, 0, 5)


def test_a_square_without_a_path_to_lava_is_turned_into_barriers():
    board = """
        . . . . # . .
        . B B . # . L
        . B B . # . B
        . . . . # . .
    """
    _, player = agent_on(board, rules="milestone1")
    assert player.attractive_special() == (0, 0, 5)


def test_a_plan_never_contains_a_special_action_that_would_trap_a_box():
    _, player = agent_on(PLUG, rules="milestone1")
    assert all(z < 5 for _, _, z in player.make_plan())


# --- nearly complete squares


def nearly(board):
    return list(nearly_complete_squares(play(board).obs["grid"]))


def test_nearly_complete_squares_lack_one_box_and_contain_no_barrier_or_lava():
    assert nearly("B B .\nB . .\n. . A") == [(2, (0, 0), (1, 1))]
    assert nearly("B B .\nB # .\n. . A") == []
    assert nearly("B B .\nB L .\n. . A") == []
    assert nearly("B B .\n. . .\n. . A") == []
    larger = "B B B .\nB . B .\nB B B A"
    assert nearly(larger)[0] == (3, (0, 0), (1, 1)) and len(nearly(larger)) == 5


def test_a_square_is_completed_with_one_push_and_then_used_by_a_special_action():
    board = """
        . . . . . . .
        . B B . . . .
        . B . B . . .
        . . . . . . .
        . . . . . . .
    """
    game, player = agent_on(board)
    assert player.completing_push() == (2, 3, LEFT)
    info, actions, _ = whole_game(game.env, player, options={"map": board})
    assert actions == [(2, 3, LEFT), (0, 0, BARRIER_MAKER)] and info["outcome"] == "cleared"
    assert player.fired == {"complete square": 1, "special": 1}


@pytest.mark.parametrize(
    "board",
    [
        ". . . . .\n. B B . .\n. B # B .\n. . . . .",  # there is a barrier inside the square
        ". . . . .\n. B B . .\n. B L B .\n. . . . .",  # there is lava inside the square
        ". . . . . .\n. B B . . .\n. B . . B .\n. . . . . .",  # the missing box is two pushes away
        ". . . B . .\n. B B . . .\n. B . B . .\n. . . . . .",  # there is a box in the corner of the ring
        ". . . . . .\n. B B . . .\n. B . B . .\n. B . . . .",  # there is a box beside the square
    ],
)
def test_squares_that_one_push_cannot_complete_are_ignored(board):
    _, player = agent_on(board)
    assert list(completing_pushes(player.here, player.options, player.rules)) == []
    assert player.completing_push() is None


def test_a_square_is_not_completed_if_the_agent_would_reject_the_special_action():
    board = """
        L . B B . . B
        . . B . B . .
    """  # barriers would cut the box on the right off from the lava, as on the board PLUG
    _, player = agent_on(board, rules="milestone1")
    assert player.completing_push() is None


def test_a_walker_can_complete_a_square_from_its_current_cell():
    board = """
        . . . . . . .
        . B B . . . .
        . B . B A . .
        . . . . . . .
        . . L . . . .
    """
    _, player = agent_on(board, rules="walker")
    assert player.completing_push() == (2, 4, 4)
    _, player = agent_on(board.replace("A", ".").replace("L", "A"), rules="walker")
    assert player.completing_push() is None


# --- continue-push

FIELD = """
    . . . . . . . . .
    . . . . . . . . .
    . . . B . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def continued(player, game):
    return player.continue_push(game.obs, game.info)


def test_the_moving_box_is_pushed_again_if_the_push_leads_to_a_better_board():
    game, player = agent_on(FIELD, [(2, 3, "left")])
    assert continued(player, game) == (2, 2, LEFT)


def test_the_moving_box_is_not_pushed_again_if_the_push_does_not_lead_to_a_better_board():
    game, player = agent_on(FIELD, [(2, 3, "right")])  # the box is two cells from the edge before and after the push
    assert continued(player, game) is None


def test_a_continued_push_must_be_at_least_as_good_as_the_planned_action():
    game, player = agent_on(FIELD, [(2, 3, "right")])
    player.plan = [(2, 4, LEFT)]  # the cells to the left and right are equally far from the edge
    assert (
        player.options[2, 4, LEFT].estimate > player.options[2, 4, RIGHT].estimate
    )  # a push to the left costs the initial force
    assert continued(player, game) == (2, 4, RIGHT)
    player.plan = [(2, 4, UP)]
    assert continued(player, game) is None


def test_a_continued_push_must_be_valid():
    game, player = agent_on(FIELD.replace("B . .", "B . #"), [(2, 3, "right")])
    assert continued(player, game) is None


def test_a_continued_push_removes_the_next_box_of_a_chain():
    game, player = agent_on(". . . . .\n. B B B L\n. . . . .", [(1, 1, "right")], rules="milestone1")
    expect(game, ". . . . .\n. . B B L\n. . . . .")
    assert continued(player, game) == (1, 2, 2)


SHORE = """
    # . . . . . . .
    L . . B B B . .
    # . . . . . . .
    L . B . . . . .
    # . . . . . . .
"""


def test_removing_a_box_now_takes_precedence_over_a_lower_h():
    game, player = agent_on(SHORE, [(3, 2, "left")], rules="milestone1")
    burn, approach = (3, 1, 4), (1, 5, 4)  # either one box burns or three boxes move closer to the lava
    assert player.options[approach].estimate < player.options[burn].estimate
    player.plan = [approach]
    assert continued(player, game) == burn
    assert player.greedy.choose(player.here, player.options) == burn


def test_there_is_no_push_to_continue_at_the_start_or_after_an_invalid_action():
    game, player = agent_on(FIELD)
    assert continued(player, game) is None
    game, player = agent_on(FIELD, [(2, 3, "left"), (0, 0, "left")])
    assert continued(player, game) is None


# --- plans


def test_a_plan_ends_with_the_first_removal_of_a_box():
    board = """
        . . . . . . .
        . . B . . . .
        . . . . . B .
        . . . . . . .
    """
    for algorithm in ("astar", "rbfs"):
        game = play(board, rules="phase2")
        player = Phase2Agent(game.env, algorithm)
        player.look(game.info)
        plan = player.make_plan()
        game.do(*plan)
        assert len(plan) == 2 and game.history("lava_destroyed_this_step") == [0, 1]
        assert player.subgoals == 1 and player.expanded > 0


def test_a_plan_that_removes_no_box_leads_to_the_best_board_found():
    game = play("L . . . . . B\n. . . . . . .", rules="milestone1")
    for algorithm in ("astar", "rbfs"):
        player = Phase2Agent(game.env, algorithm, expansions=3)
        player.look(game.info)
        assert player.make_plan() == [(0, 6, 4), (0, 5, 4), (0, 4, 4)]
        assert player.patience == 16


# --- the fail-safe

STUCK = """
    # # # .
    # B # .
    # # # .
"""


@pytest.mark.parametrize("rules", ["milestone1", "walker", "phase2"])
@pytest.mark.parametrize("make", [Phase2Agent, GreedyAgent])
def test_an_agent_without_a_valid_push_plays_to_the_end_without_repeating_invalid_actions(make, rules):
    env = ShoverWorldEnv(rules=rules, max_timestep=60)
    info, _, invalid = whole_game(env, make(env, seed=0), options={"map": STUCK})
    assert info["outcome"] == "timeout" and info["number_of_boxes"] == 1
    assert len(set(invalid)) == len(invalid)
    if rules == "phase2":  # every action is invalid: the agent tries 60 of the 72 actions
        assert len(invalid) == 60
    else:
        assert invalid == []


def test_an_agent_starts_over_after_trying_every_action():
    env = ShoverWorldEnv(rules="phase2")
    info, actions, _ = whole_game(env, Phase2Agent(env), options={"map": STUCK})
    assert info["timestep"] == 400 and set(Counter(actions[:72]).values()) == {1}
    assert all(one != other for one, other in pairwise(actions))


def test_an_agent_keeps_playing_if_boxes_can_be_pushed_but_not_removed():
    env = ShoverWorldEnv(rules="milestone1", initial_stamina=10_000, max_timestep=80)
    info, actions, invalid = whole_game(env, Phase2Agent(env, seed=0), options={"map": ". B . #\n. . . #\n# # # L"})
    assert info["outcome"] == "timeout" and invalid == [] and len(set(actions)) > 5


def test_the_greedy_agent_prefers_boards_that_it_has_not_visited():
    env = ShoverWorldEnv(rules="milestone1", initial_stamina=10_000)
    for seed in range(6):
        obs, info = env.reset(options={"map": ". B . #\n. . . #\n# # # L"})
        agent, boards = GreedyAgent(env, seed), {obs["grid"].tobytes()}
        for _ in range(3):
            obs, _, _, _, info = env.step(agent.act(obs, info))
            boards.add(obs["grid"].tobytes())
        assert len(boards) == 4


def test_an_agent_does_not_play_a_push_that_would_exhaust_the_shover():
    env = ShoverWorldEnv(rules="phase2", initial_stamina=45, max_timestep=20)
    info, _, _ = whole_game(env, Phase2Agent(env, seed=0), options={"map": FIELD})
    assert info["outcome"] == "timeout" and info["stamina"] == 45


# --- whole games

RANDOM_DOCK = {"number_of_boxes": 20, "number_of_barriers": 12, "number_of_lavas": 6}

MAPS = {
    "a river": """
        . . . . . . . . . . . . .
        . . . . . . . . . . L . .
        . . B B . . . . . . L . .
        . . B B . . . . . . L . .
        . . . . . . B . . . L . .
        . . . . . B B . . . L . .
        . . . . . . . . . . . . .
    """,
    "a diagonal": """
        . . . . # . . . . . . . .
        . . B # . L . B . . . . .
        . . # . . # B . B . . . .
        . # . . # . . B . . . . .
        . . B # . . . . . . . . L
    """,
    "a court": """
        # # # # # # # # # # # # #
        # . . . . . B B . . . B #
        # . . . . . B B . . . . #
        # . . . L . # # . B . . #
        # . . . . . B B . . . . #
        # . . . . . B B . . . . #
        # # # # # # # # # # # # #
    """,
    "a block": """
        . . . . . . . . . . . . .
        . . . . B B B B . . . . .
        . B . . B B B B . . # . .
        . . . . B B . B . . # B .
        . . . . B B B B B . # . .
        . . . . . . . . . . . . .
    """,
}


@pytest.mark.parametrize("algorithm", ["astar", "rbfs"])
def test_an_agent_clears_random_boards(algorithm):
    env = ShoverWorldEnv(rules="phase2", **RANDOM_DOCK)
    agent = Phase2Agent(env, algorithm, seed=0)
    games = [whole_game(env, agent, seed) for seed in range(20)]
    assert sum(info["outcome"] == "cleared" for info, _, _ in games) == 20
    assert all(invalid == [] for _, _, invalid in games)


@pytest.mark.parametrize("algorithm", ["astar", "rbfs"])
@pytest.mark.parametrize(
    ("name", "rules"),
    [*((name, "phase2") for name in MAPS), *((name, "milestone1") for name in MAPS if "L" in MAPS[name])],
)
def test_an_agent_clears_hand_drawn_maps(name, rules, algorithm):
    env = ShoverWorldEnv(rules=rules)
    agent = Phase2Agent(env, algorithm, seed=0)
    info, actions, invalid = whole_game(env, agent, seed=0, options={"map": MAPS[name]})
    assert info["outcome"] == "cleared" and invalid == []
    assert sum(agent.fired.values()) == len(actions)


@pytest.mark.parametrize("algorithm", ["astar", "rbfs"])
def test_an_agent_clears_a_map_under_the_milestone1_rules(algorithm):
    env = ShoverWorldEnv()
    agent = Phase2Agent(env, algorithm, seed=0)
    games = [whole_game(env, agent, seed) for seed in range(8)]
    assert all(info["outcome"] == "cleared" and invalid == [] for info, _, invalid in games)


@pytest.mark.parametrize("algorithm", ["astar", "rbfs"])
def test_an_agent_clears_a_map_under_the_walker_rules(algorithm):
    env = ShoverWorldEnv(
        rules="walker", n_rows=7, n_cols=8, number_of_boxes=3, number_of_barriers=3, number_of_lavas=6, solvable=True
    )
    agent = Phase2Agent(env, algorithm, seed=0)
    games = [whole_game(env, agent, seed) for seed in range(6)]
    assert all(info["outcome"] == "cleared" and invalid == [] for info, _, invalid in games)


@pytest.mark.parametrize("make", [Phase2Agent, GreedyAgent])
def test_an_agent_plays_to_the_end_even_if_the_walker_gets_stuck(make):
    env = ShoverWorldEnv(rules="walker", n_rows=7, n_cols=7, max_timestep=100)
    agent = make(env, seed=0)
    for seed in range(3):
        info, _, invalid = whole_game(env, agent, seed)
        assert info["outcome"] in ("cleared", "exhausted", "timeout") and len(set(invalid)) == len(invalid)


@pytest.mark.parametrize("rules", ["phase2", "walker"])
def test_the_same_seed_gives_the_same_game(rules):
    env = ShoverWorldEnv(rules=rules, n_rows=7, n_cols=7, max_timestep=60)
    for make in (Phase2Agent, GreedyAgent):
        first, second = (whole_game(env, make(env, seed=5), seed=3)[1] for _ in range(2))
        assert first == second


def test_the_greedy_agent_burns_boxes_and_outperforms_the_random_agent():
    _, player = agent_on(". . . . .\n. . B . .\n. . . . .\nB . . . .", rules="phase2")
    assert player.greedy.choose(player.here, player.options)[:2] == (3, 0)
    env = ShoverWorldEnv(rules="phase2", **RANDOM_DOCK)
    greedy, chance = (
        [whole_game(env, agent, seed)[0]["number_of_boxes"] for seed in range(5)]
        for agent in (GreedyAgent(env, 0), RandomAgent(env, 0))
    )
    assert max(greedy) < min(chance)


def test_the_error_names_the_invalid_setting():
    env = ShoverWorldEnv(rules="phase2")
    for keywords, name in (
        ({"algorithm": "dijkstra"}, "algorithm"),
        ({"weight": 0.5}, "weight"),
        ({"alpha": 2}, "alpha"),
        ({"beta": -1}, "beta"),
        ({"expansions": 0}, "expansions"),
    ):
        with pytest.raises(ConfigError, match=name):
            Phase2Agent(env, **keywords)
