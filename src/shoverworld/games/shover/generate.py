"""How games begin: on a given map, on a random one, or on a random one that can be cleared."""
from . import rules as rulebook
def begin(state, i, rules, setup, dock):
    rulebook.reset(state, i, rules, setup)
