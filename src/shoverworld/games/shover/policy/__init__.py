"""A learned policy over the moves of the planner: features, labels from the planner, and a search guided by the policy.

patches.py    3 x 3 patterns of the board, seen from each of the four directions and mirrored
windows.py    the number of boxes in windows and in possible squares
features.py   the features of the moves of a game
labels.py     states along a plan, with all moves that keep the plan as short as it is
guided.py     a layer-by-layer search ordered by the policy, and the policy's own walk
best_first.py LevinTS and PHS*
portfolio.py  the shortest plan within a limit, from searches with and without the policy
teacher.py    training levels, and plans for them that do not depend on the speed of the machine
"""
