"""`shover web`: the page of the web player from this machine, with planners, agents, records and local files.

The server process is small: it serves files, checks messages and starts child processes. Whatever concerns a game (rules,
planners, agents, level files) runs in the child processes (`worker.py`), which can be ended at any time. Only `app.py`,
`guards.py`, `protocol.py` and `serve.py` import the web framework.
"""
