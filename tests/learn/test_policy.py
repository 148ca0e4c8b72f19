# pyright: basic
"""Tests of the arithmetic of policies: probabilities, gradients, Adagrad and the open list, against NumPy and heapq."""

import heapq
import itertools

import numpy as np
import pytest

from shoverworld.core.jit import kernel
from shoverworld.core.open_list import new_open_list, pop_open, push_open
from shoverworld.core.policy import GREEDY, LEVIN, PHS, fit, gradient, log_policy, measure, priority


@kernel
def slopes(values, optimal, out):
    return gradient(values, len(values), optimal, out)


@kernel
def logarithms(values, uniform, out):
    log_policy(values, len(values), uniform, out)


@kernel
def key(method, depth, bound, log_probability):
    return priority(method, depth, bound, log_probability)


@kernel
def add(heap, value, node):
    push_open(heap, value, node)


@kernel
def take(heap):
    return pop_open(heap)


def loss_of(scores: np.ndarray, optimal: np.ndarray) -> float:
    chances = np.exp(scores - scores.max())
    return -np.log(chances[optimal].sum() / chances.sum())


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_equals_finite_differences(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=7) * 3
    optimal = rng.random(7) < 0.4
    optimal[seed] = True
    out = np.zeros(7)
    assert slopes(scores, optimal, out) == pytest.approx(loss_of(scores, optimal))
    for i in range(7):
        change = np.eye(7)[i] * 1e-6
        expected = (loss_of(scores + change, optimal) - loss_of(scores - change, optimal)) / 2e-6
        assert out[i] == pytest.approx(expected, abs=1e-7)


def examples(rng: np.random.Generator, states: int, size: int):
    counts = rng.integers(2, 6, states)
    starts = np.concatenate(([0], np.cumsum(counts)))
    features = rng.integers(0, size, (starts[-1], 4)).astype(np.int32)
    optimal = rng.random(starts[-1]) < 0.3
    optimal[starts[:-1]] = True
    return features, starts.astype(np.int64), optimal


def test_the_slope_of_each_weight_equals_finite_differences_of_the_loss():
    """A weight that several candidates share gets the sum of their slopes."""
    rng = np.random.default_rng(3)
    features, starts, optimal = examples(rng, 1, 6)
    table = rng.normal(size=6).astype(np.float32)
    work, out = np.zeros(8), np.zeros(starts[1])
    slopes(table[features].sum(axis=1).astype(float), optimal, out)
    for i in range(6):
        expected = (out[:, None] * (features == i)).sum()
        losses = []
        for sign in (1, -1):
            moved = table.copy()
            moved[i] += np.float32(sign * 2**-7)
            losses.append(measure(moved, features, starts, optimal, 1, work)[0])
        assert (losses[0] - losses[1]) * 2**6 == pytest.approx(expected, abs=1e-3)


def test_fit_is_adagrad():
    rng = np.random.default_rng(5)
    features, starts, optimal = examples(rng, 30, 64)
    table, squares = np.zeros(64, np.float32), np.ones(64, np.float32)
    loss, hits = fit(table, squares, features, starts, optimal, 30, 0.1, np.zeros(8))
    weights, sums, total, good = np.zeros(64), np.ones(64), 0.0, 0
    for first, end in itertools.pairwise(starts):
        scores, best = weights[features[first:end]].sum(axis=1), optimal[first:end]
        good += bool(best[scores.argmax()])
        total += loss_of(scores, best)
        chances = np.exp(scores) / np.exp(scores).sum()
        slope = chances - np.where(best, chances / chances[best].sum(), 0)
        for candidate, row in enumerate(features[first:end]):
            for i in row if abs(slope[candidate]) >= 1e-4 else ():
                sums[i] += slope[candidate] ** 2
                weights[i] -= 0.1 * slope[candidate] / np.sqrt(sums[i])
    np.testing.assert_allclose(table, weights, atol=1e-5)
    assert loss == pytest.approx(total, rel=1e-5)
    assert hits == good
    assert measure(table, features, starts, optimal, 30, np.zeros(8))[0] < loss


def test_a_policy_with_a_uniform_share_is_a_distribution():
    scores, out = np.array([100.0, 0.0, -1000.0]), np.zeros(3)
    logarithms(scores, 0.03, out)
    assert np.exp(out).sum() == pytest.approx(1.0)
    assert np.exp(out[2]) == pytest.approx(0.01)


def test_the_keys_of_the_searches():
    assert key(LEVIN, 4.0, 9.0, -2.0) == pytest.approx(np.log(4) + 2)
    assert key(PHS, 4.0, 6.0, -2.0) == pytest.approx(np.log(10) + 2.5 * 2)
    assert key(PHS, 4.0, 0.0, -2.0) == pytest.approx(key(LEVIN, 4.0, 0.0, -2.0))
    assert key(GREEDY, 5.0, 0.0, -9.0) < key(GREEDY, 4.0, 0.0, 0.0)


def test_the_open_list_returns_the_smallest_key_and_the_oldest_node_first():
    rng = np.random.default_rng(1)
    heap, other = new_open_list(500), []
    for node in range(500):
        value = float(rng.integers(0, 60))
        add(heap, value, node)
        heapq.heappush(other, (value, node))
        if node % 3 == 0:
            assert take(heap) == heapq.heappop(other)[1]
    while other:
        assert take(heap) == heapq.heappop(other)[1]
    assert heap.size[0] == 0
