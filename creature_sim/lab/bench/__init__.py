"""What a tick costs, and what it would cost at least: `creature-sim bench tick`."""

from creature_sim.lab.bench.plain_c import MissingError, plain_c, pointer
from creature_sim.lab.bench.tick import COUNTS, bench_tick

__all__ = ["COUNTS", "MissingError", "bench_tick", "plain_c", "pointer"]
