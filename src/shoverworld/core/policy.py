# pyright: basic
"""Policies over the candidate actions of a state: linear in hashed features, with a softmax. No game is known here.

A game lists the candidates of a state and writes `features[candidate, k]`: for each candidate the same number of
indices into one table of weights, whose size is a power of two. The score of a candidate is the sum of its weights.

    features  3 17 4    scores  w[3] + w[17] + w[4]     softmax  0.9
              3 12 8            w[3] + w[12] + w[8]              0.1

Games inline these functions into their search loops. All sums have a fixed order, so equal input gives equal results.
"""

import math

import numpy as np

from .jit import inner, kernel

# How a search with a policy orders its open list; see `priority`. AUTO: the search that suits the game best.
GREEDY, LEVIN, PHS, AUTO = range(4)
_FIRST = np.uint64(0x9E3779B97F4A7C15)
_SECOND = np.uint64(0xBF58476D1CE4E5B9)


@inner
def mixed(code, more):
    """Return a 64-bit hash of a hash and another number, to build the hash of a sequence step by step."""
    code = (np.uint64(code) ^ np.uint64(more)) * _FIRST
    return (code ^ (code >> np.uint64(29))) * _SECOND


@inner
def index_of(code, size):
    """Return the index in a table of `size` entries (a power of two) for a hash from `mixed`."""
    return np.int32((code >> np.uint64(32)) & np.uint64(size - 1))


@inner
def scores(table, features, count, out):
    """Write the scores of the first `count` candidates. float32 `table`, int32 `features` (., k), float64 `out`."""
    for candidate in range(count):
        total = 0.0
        for k in range(features.shape[1]):
            total += table[features[candidate, k]]
        out[candidate] = total


@inner
def softmax(values, count, out):
    """Write the probabilities of `count` candidates with these scores. `out` may be the same array as `values`."""
    most = values[0]
    for candidate in range(1, count):
        most = max(most, values[candidate])
    total = 0.0
    for candidate in range(count):
        out[candidate] = math.exp(values[candidate] - most)
        total += out[candidate]
    for candidate in range(count):
        out[candidate] /= total


@inner
def log_policy(values, count, uniform, out):
    """Write the logarithms of the probabilities, with a share `uniform` spread equally. `out` may be `values`."""
    softmax(values, count, out)
    for candidate in range(count):
        out[candidate] = math.log((1.0 - uniform) * out[candidate] + uniform / count)


@inner
def gradient(values, count, optimal, out):
    """Write the derivative of the loss by each score, and return the loss: -log(probability of the optimal candidates).

    Any distribution over the optimal candidates has no loss, so the policy is free to prefer one of them.
    `values` and `out` may be the same array. The state needs at least one optimal candidate.
    """
    softmax(values, count, out)
    good = 0.0
    for candidate in range(count):
        if optimal[candidate]:
            good += out[candidate]
    good = max(good, 1e-30)
    for candidate in range(count):
        if optimal[candidate]:
            out[candidate] -= out[candidate] / good
    return -math.log(good)


@inner
def adagrad(table, squares, features, count, slopes, rate):
    """Change the weights against the derivatives by the scores, each weight at a pace of its own (Adagrad)."""
    for candidate in range(count):
        slope = slopes[candidate]
        if abs(slope) < 1e-4:  # such a change would cost as much time as any other
            continue
        for k in range(features.shape[1]):
            i = features[candidate, k]
            squares[i] += slope * slope
            table[i] -= rate * slope / math.sqrt(squares[i])


@inner
def priority(method, depth, bound, log_probability):
    """Return the key by which a search with a policy orders its open list; the smallest key comes first.

    depth: the cost of the path to the node. bound: a lower bound on the remaining cost (0 if there is none).
    log_probability: the sum of the logarithms of the policy along the path.
    LEVIN: log(d / pi). PHS: log((g + h) / pi^(1 + h/g)), the key of PHS*. GREEDY: the newest nodes first, so that
    the search is the policy's own walk with backtracking.
    """
    if method == PHS:
        cost = max(depth, 1.0)
        return math.log(cost + bound) - (1.0 + bound / cost) * log_probability
    if method == LEVIN:
        return math.log(max(depth, 1.0)) - log_probability
    return -depth


@kernel
def fit(table, squares, features, starts, optimal, states, rate, work):
    """Learn from `states` states in order. Return the sum of their losses and how often the best candidate was optimal.

    The candidates of state i are the rows starts[i] to starts[i + 1] of `features` and `optimal`.
    """
    loss, hits = 0.0, 0
    for i in range(states):
        first, count = starts[i], starts[i + 1] - starts[i]
        if count < 2:
            continue
        rows = features[first : first + count]
        good = optimal[first : first + count]
        scores(table, rows, count, work)
        hits += good[best(work, count)]
        loss += gradient(work, count, good, work)
        adagrad(table, squares, rows, count, work, rate)
    return loss, hits


@kernel
def measure(table, features, starts, optimal, states, work):
    """Return the sum of the losses and the number of hits, as `fit` does, without learning."""
    loss, hits = 0.0, 0
    for i in range(states):
        first, count = starts[i], starts[i + 1] - starts[i]
        if count < 2:
            continue
        good = optimal[first : first + count]
        scores(table, features[first : first + count], count, work)
        hits += good[best(work, count)]
        loss += gradient(work, count, good, work)
    return loss, hits


@inner
def best(values, count):
    """Return the first candidate with the highest score."""
    found = 0
    for candidate in range(1, count):
        if values[candidate] > values[found]:
            found = candidate
    return found
