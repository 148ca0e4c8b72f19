# pyright: basic
"""Labelled states as the examples that core/policy.py learns from: the features of every push, and which are optimal."""

import numpy as np

from shoverworld.core.jit import kernel

from .features import for_boxes, list_pushes
from .level_batch import tables_at


@kernel
def write_examples(batch, states, order, first, end, features, starts, optimal, w, size):
    """Write the examples for the states order[first:end]. Return the next state and the number of examples.

    Stops early when `features` is full. A state without an optimal push in the list is left out.
    """
    written, rows = 0, 0
    most = 4 * states.boxes.shape[1]
    starts[0] = 0
    for place in range(first, end):
        if rows + most > len(features) or written + 1 >= len(starts):
            return place, written
        s = order[place]
        level = states.level[s]
        tables, own = tables_at(batch, level), for_boxes(w, batch.count[level])
        last = states.last[s]
        count, _ = list_pushes(
            tables, own, states.boxes[s], states.player[s], np.int64(-1) if last < 0 else np.int64(last >> 2),
            np.int64(last & 3), features[rows:], size,
        )  # fmt: skip
        good = 0
        for push in range(count):
            optimal[rows + push] = states.optimal[s, w.box[push]] >> w.direction[push] & 1
            good += optimal[rows + push]
        if good > 0:
            rows += count
            written += 1
            starts[written] = rows
    return end, written
