"""A learned policy over the moves of the planner: features, labels from the planner, and a search guided by the policy.

patches.py    3 x 3 patterns of the board, seen from each of the four directions and mirrored
windows.py    the number of boxes in windows and in possible squares
features.py   the features of the moves of a game
plans.py      short plans for many levels in one kernel call, from searches that do not depend on the clock
labels.py     states along these plans, with all moves that keep a plan as short as it is
guided.py     a layer-by-layer search ordered by the policy, and the policy's own walk
best_first.py LevinTS and PHS*
portfolio.py  the shortest plan within a limit, from searches with and without the policy
teacher.py    training levels, with labels and examples for learning
"""
