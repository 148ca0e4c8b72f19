"""Send random events to every screen of every game, in the window and in the terminal; no exception may escape.

python -m tests.random_events 1200           # 1200 seconds of processor time
python -m tests.random_events 30 --seed 7    # start with seed 7, to repeat an earlier run
"""
