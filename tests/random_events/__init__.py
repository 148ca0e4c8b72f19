"""Random events into every screen of every game, in the window and in the terminal; no exception may leave the loop.

python -m tests.random_events 1200           # 1200 seconds of processor time
python -m tests.random_events 30 --seed 7    # start with seed 7, to repeat what an earlier run has found
"""
