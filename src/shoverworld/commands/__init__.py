"""The commands of `shover`. `parser.py` describes their options, and each command is a module with a `run` function."""
