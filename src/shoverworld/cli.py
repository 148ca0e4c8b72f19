"""`shover`: the command line. Every command is a file in commands/; `shover COMMAND --help` tells its options."""

import argparse
import sys

from .commands import COMMANDS
from .core.errors import ShoverWorldError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="shover", description="Grid worlds for people, search agents and learning agents."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    chosen = parser.parse_args(arguments)
    try:
        return chosen.run(chosen) or 0
    except ShoverWorldError as error:
        print(f"shover {chosen.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
        return 0
    except OSError as error:  # a path that cannot be written, most of the time
        print(f"shover {chosen.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
