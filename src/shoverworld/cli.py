"""The command line, `shover`. A command's module is imported only when the command runs."""

import argparse
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from .commands import parser as command_line
from .commands import streams
from .commands.reading import reading_options


def main(
    arguments: list[str] | None = None, script: str = "", defaults: Mapping[str, Any] | None = None, about: str = ""
) -> int:
    """Run a command and return the exit code.

    `script`: the name of a script that runs a single command. `defaults`: the script's own default values for the
    options of that command. `about`: text for the top of the script's help.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    streams.prepare()
    called = script or " ".join(["shover", *arguments[:1]])
    try:
        code = _run(arguments, script, defaults or {}, about)
        sys.stdout.flush()  # a full disk is reported below
        return code
    except BrokenPipeError:  # the process that reads the pipe has ended
        return 0
    except OSError as error:  # usually a path that is not writable
        streams.report(called, error)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    finally:
        streams.finish()


def _run(arguments: list[str], script: str, defaults: Mapping[str, Any], about: str) -> int:
    parser = command_line.build()
    if arguments and script:
        _adapt(_subparser(parser, arguments[0]), script, defaults, about)
    chosen = parser.parse_args(arguments)
    if chosen.command is None:
        parser.print_help()
        return 0
    chosen.called = script or f"shover {chosen.command}"
    command = import_module(f".commands.{chosen.command}", __package__)
    from .commands.trust import trusting  # imports Gymnasium, which the help does not need
    from .core.errors import ShoverWorldError

    try:
        with reading_options(chosen), trusting(chosen):
            return command.run(chosen) or 0
    except ShoverWorldError as error:
        streams.report(chosen.called, error)
        return 2


def _subparser(parser: argparse.ArgumentParser, command: str) -> argparse.ArgumentParser:
    choices: Any = next(action.choices for action in parser._actions if isinstance(action.choices, dict))
    return choices[command]


def _adapt(command: argparse.ArgumentParser, script: str, defaults: Mapping[str, Any], about: str) -> None:
    """Show the script's name and defaults in the help. Hide the switches that the script always turns on."""
    command.prog = script
    command.description = f"{about} {command.description or ''}".strip()
    command.set_defaults(**defaults)
    for option in command._actions:
        value = defaults.get(option.dest)
        if value is True:
            option.help = argparse.SUPPRESS
        elif value is not None:
            option.help = re.sub(r" \(default: .*\)$", "", option.help or "") + f" (default: {value})"


if __name__ == "__main__":
    sys.exit(main())
