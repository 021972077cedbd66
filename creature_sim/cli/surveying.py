"""`creature-sim world map` and `world info`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from creature_sim.cli.app import Force, Json, app
from creature_sim.cli.command import App
from creature_sim.cli.references import World, creature_of, world_of

if TYPE_CHECKING:
    from creature_sim.definitions import WorldDef

world = App(help="Look at the ground of a world.")
app.add_typer(world, name="world")

Seed = Annotated[int | None, typer.Option(metavar="N", help="Replaces the world's seed.")]


@world.command("map")
def world_map(
    name: World,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="A .png.")],
    seed: Seed = None,
    force: Force = False,
) -> None:
    """Draw a map with hill shading, contour lines, a scale bar and the creatures' starts."""
    from creature_sim.export.map import write_map
    from creature_sim.files.output import check_output
    from creature_sim.score.survey import survey

    check_output(output, force)
    interval = write_map(survey(_world(name, seed)), output, force)
    print(f"wrote {output}: contour lines every {interval:g} m")


@world.command("info")
def world_info(
    name: World,
    creature: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="Who is to walk. Default: the world's first."),
    ] = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Show how large, steep and rough the ground is, and how much of it a creature can walk on."""
    from creature_sim.score.survey import survey

    definition = _world(name, seed)
    walker = creature_of(creature) if creature is not None else None
    if not walker and definition.creatures:
        walker = definition.species_of(definition.creatures[0])
    found = survey(definition).document(walker)
    if as_json:
        print(json.dumps(found))
    else:
        _print(found)


def _world(name: str, seed: int | None) -> "WorldDef":
    from creature_sim.library.variants import with_seed

    definition = world_of(name)
    return definition if seed is None else with_seed(definition, seed)


def _print(found: dict[str, Any]) -> None:
    """Print a survey."""
    (x0, x1), (y0, y1), (z0, z1) = found["extent"].values()
    print(f"{found['world']}: {found['kind']}, seed {found['seed']}")
    extent = f"{x1 - x0:g} x {y1 - y0:g} m"
    if found["endless"]:
        extent = f"endless; of {extent} about {0.5 * (x0 + x1):g}, {0.5 * (y0 + y1):g} m"
    print(f"extent     {extent}, heights {z0:.2f} to {z1:.2f} m")
    (left, right), (near, far) = found["part"].values()
    if right - left < x1 - x0:
        where = f"{right - left:g} x {far - near:g} m about {0.5 * (left + right):g}, "
        print(f"part       {where}{0.5 * (near + far):g}, where all things stand; of it is:")
    if found["from_below"]:
        print("seen       from below, as who hangs there sees it")
    print(f"roughness  {1000 * found['roughness']:.0f} mm about the plane of each square metre")
    for row in found["slopes"]:
        bar = "#" * round(40 * row["share"])
        print(f"{row['from']:3} to {row['to']:2} deg {100 * row['share']:6.1f} %  {bar}".rstrip())
    if "creature" in found:
        creature = found["creature"]
        print(
            f"{creature['name']}: feet accept {100 * creature['footing']:.1f} % of the ground; "
            f"{100 * creature['walkable']:.1f} % can be walked to, with steps up to "
            f"{creature['climb']:.2f} m and ditches up to {creature['stride']:.2f} m"
        )
