"""Us and the peers in one run: `python benchmarks/compare.py [griddly jumanji gym_sokoban]`.

The peers live in virtual environments of their own (.peers/), made on the first run. Figures are steps a second;
what was run stands beside each. Ratios are against the peer's best figure of the same kind.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.peers.run import measure  # noqa: E402
from shoverworld import bench  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure shoverworld and its peers in one run.")
    parser.add_argument("peers", nargs="*", default=["griddly", "jumanji", "gym_sokoban"])
    parser.add_argument("--seconds", type=float, default=3.0)
    chosen = parser.parse_args()
    single = bench.single(chosen.seconds, **bench.BOARD)
    batched = bench.batched(chosen.seconds, 8192, 1, False, **bench.BOARD)
    print(f"{'':<22}{'one env':>14}{'ratio':>9}{'batched':>14}{'ratio':>9}   what")
    print(
        f"{'shoverworld':<22}{single:>14,.0f}{'':>9}{batched:>14,.0f}{'':>9}   9x13, phase2, pushes at boxes, auto-reset"
    )
    for peer in measure(chosen.peers, chosen.seconds, ROOT / ".peers"):
        if "error" in peer:
            print(f"{peer['peer']:<22}{peer['error']}")
            continue
        name = f"{peer['peer']} {peer['version']}"
        line = f"{name:<22}{peer['single']:>14,.0f}{single / peer['single']:>8.1f}x"
        line += (
            f"{peer['batched']:>14,.0f}{batched / peer['batched']:>8.1f}x"
            if peer.get("batched")
            else f"{'-':>14}{'':>9}"
        )
        print(line + f"   {peer['what']}")


if __name__ == "__main__":
    main()
