# pyright: basic
"""A priority queue for compiled searches: a binary heap of nodes ordered by a float key, older nodes first in a tie."""

from typing import NamedTuple

import numpy as np

from .jit import inner


class OpenList(NamedTuple):
    """The heap. `keys[0]` and `nodes[0]` are the next node; `size[0]` is the number of nodes."""

    keys: np.ndarray  # float64 (capacity,)
    nodes: np.ndarray  # int64 (capacity,)
    size: np.ndarray  # int64 (1,)


def new_open_list(capacity: int) -> OpenList:
    return OpenList(np.empty(capacity), np.empty(capacity, np.int64), np.zeros(1, np.int64))


@inner
def comes_first(key, node, other_key, other_node):
    return key < other_key or (key == other_key and node < other_node)


@inner
def push_open(heap, key, node):
    """Add a node. The caller checks the capacity."""
    place = heap.size[0]
    heap.size[0] += 1
    while place > 0:
        parent = (place - 1) >> 1
        if not comes_first(key, node, heap.keys[parent], heap.nodes[parent]):
            break
        heap.keys[place], heap.nodes[place] = heap.keys[parent], heap.nodes[parent]
        place = parent
    heap.keys[place], heap.nodes[place] = key, node


@inner
def pop_open(heap):
    """Remove the node with the smallest key and return it. The heap must not be empty."""
    found = heap.nodes[0]
    heap.size[0] -= 1
    size = heap.size[0]
    key, node = heap.keys[size], heap.nodes[size]
    place = 0
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and comes_first(
            heap.keys[child + 1], heap.nodes[child + 1], heap.keys[child], heap.nodes[child]
        ):
            child += 1
        if not comes_first(heap.keys[child], heap.nodes[child], key, node):
            break
        heap.keys[place], heap.nodes[place] = heap.keys[child], heap.nodes[child]
        place = child
    heap.keys[place], heap.nodes[place] = key, node
    return found
