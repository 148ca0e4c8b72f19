"""Tests of points, ratios and seeds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoverworld.arena.exam import Points
from shoverworld.arena.marks import points_of, ratio_to
from shoverworld.arena.matches import line_ups
from shoverworld.arena.seeds import derived_seed


@pytest.mark.parametrize(
    ("reference", "result", "more", "ratio"),
    [
        (6, 8, False, 0.75),
        (8, 6, True, 0.75),
        (6, 6, False, 1),
        (6, 5, False, 1),  # better than the best known result
        (0, 4, False, 0),
        (0, 0, False, 1),
        (-5, -10, True, 0),
        (None, 8, False, None),
        (6, None, False, None),
    ],
)
def test_a_ratio_compares_a_result_with_the_reference(reference, result, more, ratio):
    assert ratio_to(reference, result, more) == ratio


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.booleans())
def test_a_ratio_is_between_0_and_1(reference, result, more):
    assert 0 <= (ratio_to(reference, result, more) or 0) <= 1


@pytest.mark.parametrize(
    ("won", "ratio", "invalid", "failed", "points"),
    [
        (True, 1.0, 0, False, 3),
        (True, 0.5, 0, False, 2),
        (True, None, 0, False, 3),  # without a reference, nobody can do better
        (True, 0.5, 3, False, 1.7),
        (False, None, 0, False, 0),
        (False, None, 5, True, 0),  # never less than zero
        (True, 0.5, 100, False, 0),
    ],
)
def test_points_of_a_game(won, ratio, invalid, failed, points):
    assert points_of(Points(1, 2, "steps", 0.1, 0.5), won, ratio, invalid, failed) == points


def test_seeds_depend_on_every_part_and_on_nothing_else():
    assert derived_seed("secret", "game", "a", 1) == derived_seed("secret", "game", "a", 1)
    seeds = {
        derived_seed(*parts)
        for parts in [("s", "a", 1), ("s", "a", 2), ("s", "b", 1), ("t", "a", 1), ("s", "a1", ""), ("s", "a", "1", "")]
    }
    assert len(seeds) == 6 and all(0 <= seed < 2**63 for seed in seeds)


def test_every_student_has_every_seat_equally_often():
    games = list(line_ups(["c", "a", "b"], 2))
    assert games == [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]
