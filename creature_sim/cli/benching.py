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
    with progress("drawing", 2 + len(COUNTS), unit="measurements", quiet=as_json) as show:
        found = measure(definition, COUNTS, show)
    if as_json:
        print(json.dumps({"world": definition.name, **found}))
    else:
        _print(definition.name, found)


@bench.command("tick")
def bench_tick(
    world: World = "hills",
    as_json: Json = False,
) -> None:
    """Measure what a tick costs, by system, and how much more that is than its rays and legs alone.

    Herds of 1 to 1,000 of the world's first creature walk ahead. The floor is the rays of a tick in
    bare batches, and plain FABRIK in C for all legs; it needs a C compiler.
    """
    from creature_sim.lab.bench import COUNTS
    from creature_sim.lab.bench import bench_tick as measure

    definition = world_of(world)
    if not definition.creatures:
        raise DefinitionError(f"{world}: expected a world with creatures, found none")
    with progress("walking", len(COUNTS), unit="herds", quiet=as_json) as show:
        found = measure(definition, COUNTS, show)
    if as_json:
        print(json.dumps(found))
    else:
        _print_ticks(found)


def _print_ticks(found: dict[str, Any]) -> None:
    herds = found["herds"]
    print(f"{found['creature']}, {found['world']}; microseconds a creature and tick")
    print(f"{'':20}" + "".join(f"{herd['creatures']:>12,}" for herd in herds))

    def row(name: str, cells: list[float | None]) -> None:
        print(f"{name:20}" + "".join(f"{'-' if c is None else c:>12}" for c in cells))

    for name, key in (("tick", "us_per_creature"), ("rays cast", "rays")):
        row(name, [herd[key] for herd in herds])
    row("p99 / median", [round(herd["p99_ms"] / herd["median_ms"], 2) for herd in herds])
    row("floor: rays", [herd["floor_rays"] for herd in herds])
    row("floor: legs in C", [herd["floor_legs"] for herd in herds])
    row("tick / floor", [herd["ratio"] for herd in herds])
    for name in herds[-1]["systems"]:
        row(name, [herd["systems"][name] for herd in herds])
    if found["missing"]:
        print(f"no floor for legs: {found['missing']}")


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
