"""The command: run random events for a given amount of processor time, then print what was reached and found."""

import argparse
import sys
from collections import Counter

from .run import Result, run_seeds


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.random_events", description=__doc__)
    parser.add_argument("seconds", type=float, help="processor time in seconds")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument(
        "--only", default="", help='only runs whose name contains this text, such as "race" or "window"'
    )
    chosen = parser.parse_args()
    results = []
    for result in run_seeds(chosen.seconds, chosen.seed, chosen.only):
        results.append(result)
        watch = result.watch
        print(
            f"seed {watch.seed:4}  {watch.name:18} {watch.events:6} events  {result.seconds:6.1f} s  {result.memory:6.0f} MB"
            f"  {result.threads} threads  {len(watch.findings)} findings",
            flush=True,
        )
        for finding in watch.findings:
            print(finding.details, flush=True)
    _print_summary(results)
    return 1 if any(result.watch.findings for result in results) else 0


def _print_summary(results: list[Result]) -> None:
    events: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    screens: Counter[str] = Counter()
    for result in results:
        events[result.watch.name] += result.watch.events
        seconds[result.watch.name] += result.seconds  # type: ignore[assignment]
        screens.update(result.watch.screens)
    print()
    for name in sorted(events):
        print(f"{name:18} {events[name]:7} events {seconds[name]:7.0f} s")
    print(f"{'all':18} {sum(events.values()):7} events {sum(seconds.values()):7.0f} s, {len(results)} seeds")
    print("events on each screen: " + ", ".join(f"{name} {count}" for name, count in screens.most_common()))
    found = Counter(finding.what for result in results for finding in result.watch.findings)
    print("findings: " + ("; ".join(f"{what} ({count})" for what, count in found.most_common()) or "none"))


if __name__ == "__main__":
    sys.exit(main())
