"""The areas that a player can reach in a room, as sets of bits.

An area is a set of bits, one for each numbered cell. Most rooms are small: the walls between their floor cells are
numbered too (see `number_floor`), and an area fits into one word. In a small room, an area spreads in all directions at
once:

    # # # # # #     The floor is 4 cells wide, so the cell below n is n + 4. Shifting an area by 4 bits moves all its
    # # @ 2 # #     cells up or down; shifting it by 1 bit moves them to the left or to the right. Cells that are not
    # 4 $ 6 7 #     free are then removed. The player @ is on cell 1, and the box $ on cell 5. The area grows from
    # # # # # #     {1} to {1, 2} and then to {1, 2, 6, 7}.

A large room has too many cells for one word. The walls of a large room have no numbers, and its areas
spread cell by cell.
"""

import numpy as np

from shoverworld.core.jit import both, inner

ZERO, ONE = np.uint64(0), np.uint64(1)


@both
def words_for(cells):
    """Return the number of words in an area if a room has this many floor cells."""
    return (cells >> 6) + 1


@inner
def bit_of(cell):
    """Return the bit of a cell within its word."""
    return ONE << np.uint64(cell & 63)


@inner
def word_of(cell, words):
    """Return the index of the word that contains the bit of a cell. It is the constant 0 if `words` is the constant 1."""
    return (cell >> 6) * (words > 1)


@inner
def is_in(area, cell, words):
    return area[word_of(cell, words)] & bit_of(cell) != ZERO


@inner
def add(area, cell, words):
    area[word_of(cell, words)] |= bit_of(cell)


@inner
def remove(area, cell, words):
    area[word_of(cell, words)] &= ~bit_of(cell)


@inner
def lowest(bits):
    """Return the index of the lowest bit that is set. LLVM compiles the loop, which counts bits, to one instruction."""
    below = (bits - ONE) & ~bits
    count = 0
    while below:
        below &= below - ONE
        count += 1
    return count


@inner
def spread_in_small_room(reached, free, stride, sides):
    """Return the free cells of a small room that the player can reach from the cells in `reached`.

    The number after the last cell of a row belongs to the next row. `sides` therefore contains the cells that can be
    entered from the right, and those that can be entered from the left.
    """
    up_down, after_left, after_right = np.uint64(stride), free & sides[0], free & sides[1]
    before = ZERO
    while reached != before:
        before = reached
        reached |= (reached >> up_down | reached << up_down) & free
        reached |= (reached >> ONE & after_left) | (reached << ONE & after_right)
    return reached


@inner
def spread(area, edge, free, near, beside, words):
    """Extend an area to all free cells that the player can reach from the cells in `edge`. Clear `edge`."""
    again = True
    while again:
        again = False
        for word in range(words):
            first, todo, reached = 64 * word, edge[word], area[word]
            entered = todo | ~reached
            edge[word] = ZERO
            while todo:
                new = beside[first + lowest(todo)] & free[word] & ~reached
                reached |= new
                todo = (todo & (todo - ONE)) | new
            area[word] = reached
            if words > 1:  # continue with neighbours whose bits are in other words
                entered &= reached
                while entered:
                    here = first + lowest(entered)
                    entered &= entered - ONE
                    for direction in range(4):
                        there = near[4 * here + direction]
                        if there // 64 != word and is_in(free, there, words) and not is_in(area, there, words):
                            add(area, there, words)
                            add(edge, there, words)
                            again = True
