"""`shover`: the command line. Every command is a file in commands/; `shover COMMAND --help` tells its options."""

import argparse
import re
import sys
from collections.abc import Mapping
from typing import Any

from .commands import COMMANDS
from .core.errors import ShoverWorldError


def main(
    arguments: list[str] | None = None, script: str = "", defaults: Mapping[str, Any] | None = None, about: str = ""
) -> int:
    """`script`: the name of a file that stands for one command, with `defaults` of its own for the command's options;
    `about` stands above its help."""
    parser = argparse.ArgumentParser(
        prog="shover", description="Grid worlds for people, search agents and learning agents."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    if arguments and script:
        _rename(commands.choices[arguments[0]], script, defaults or {}, about)
    chosen = parser.parse_args(arguments)
    chosen.called = script or f"shover {chosen.command}"
    try:
        return chosen.run(chosen) or 0
    except ShoverWorldError as error:
        print(f"{chosen.called}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
        return 0
    except OSError as error:  # a path that cannot be written, most of the time
        print(f"{chosen.called}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _rename(command: argparse.ArgumentParser, script: str, defaults: Mapping[str, Any], about: str) -> None:
    """Let the help of a command tell the name and the defaults that hold. A switch that is always on is no option."""
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
