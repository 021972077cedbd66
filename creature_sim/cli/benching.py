"""`creature-sim bench`."""

import json
from typing import Any

from creature_sim.cli.app import Json, app
from creature_sim.cli.command import App
from creature_sim.cli.progress import progress
from creature_sim.cli.references import World, world_of
from creature_sim.errors import DefinitionError

bench = App(help="Measure how fast this machine is.")
app.add_typer(bench, name="bench")


@bench.callback()
def _bench() -> None:
    """Keep `view` a command of its own."""


@bench.command("view")
def bench_view(
    world: World = "hills",
    as_json: Json = False,
) -> None:
    """Measure frames per second of one creature, and frame times of 1 to 1,000 creatures.

    Draws at 1280 x 720 without a screen, as a window would; the simulation is not counted.
    """
    from creature_sim.view.bench import COUNTS
    from creature_sim.view.bench import bench_view as measure

    definition = world_of(world)
    if not definition.creatures:
        raise DefinitionError(f"{world}: expected a world with creatures, found none")
    with progress("drawing", 2 + len(COUNTS), quiet=as_json) as show:
        found = measure(definition, COUNTS, show)
    if as_json:
        print(json.dumps({"world": definition.name, **found}))
    else:
        _print(definition.name, found)


def _print(world: str, found: dict[str, Any]) -> None:
    width, height = found["size"]
    print(
        f"{width} x {height}, {found['renderer']}, {found['samples'] or 1} samples per pixel, "
        f"{world}"
    )
    print(f"{'':20} {'fps':>8} {'min ms':>9} {'median ms':>10}")
    names = {"plain": "one, no shadows", "shadows": "one, with shadows"}
    rows = [(names[name], row) for name, row in found["one"].items()]
    rows += [(f"herd of {row['creatures']:,}", row) for row in found["herd"]]
    for name, row in rows:
        fps = row.get("fps", 1000.0 / row["median_ms"])
        print(f"{name:20} {fps:8.1f} {row['min_ms']:9.2f} {row['median_ms']:10.2f}")
