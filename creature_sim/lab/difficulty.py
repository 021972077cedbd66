"""How hard ground is: a kind and a difficulty d from 0 to 1 become a terrain.

Lengths below are those for legs that reach 0.5 m; for others they scale with the reach. Slopes,
rough ground, stairs, obstacles and stepping stones follow legged_gym (Rudin et al. 2022), gaps and
pits legged_gym and Extreme Parkour (Cheng et al. 2023), rails, boxes and waves the terrain
generators of Isaac Lab. Tilted tiles have no model there: they are as steep as slopes.

    slope            rise over run 0.4 d
    rough            heights within +-0.05 d, 0.25 m apart
    stairs           risers 0.05 + 0.18 d, treads 0.31 m, flights of 8
    obstacles        boxes up to 0.05 + 0.2 d high, 0.6 to 1.2 m long, one in every 2 x 2 m
    stepping_stones  stones of 1.5 (1.05 - d), gaps 0.05 + 0.05 d, 1 m deep
    gap              ditches d wide, 1 m deep, 1.6 m of level ground between them
    pit              2 m wide and d deep, 1.6 m of level ground between them
    rails            0.05 + 0.15 d high, 0.1 m thick, 1 m of level ground between them
    boxes            0.45 m wide, heights from 0 to 0.05 + 0.15 d
    wave             heights within +-0.2 d, 2 m from crest to crest
    tilted           tiles of 0.5 m, tilted by up to 0.4 d along X and along Y

Grounds of nature and what comes down have no models there either:

    pyramid          stairs down to all sides first: risers 0.05 + 0.18 d, treads 0.31 m
    hills            waves of 4 m, 0.6 d high, with two octaves on them
    dunes            0.6 d high, 4 m from crest to crest
    craters          0.5 d deep, 1 to 2 m wide, one in every 2.5 x 2.5 m, rims of a quarter of that
    terraces         hills of 6 m, 0.5 d high, cut into risers of 0.05 + 0.1 d
    islands          0.5 d high, about 4 m from one to the next

What stands in the way or hangs over it; a course leads straight ahead:

    canyon           0.6 d deep, sides of 1 m, a floor of 1.2 m that winds 1.2 m to either side in
                     8 m: the way leads up and down its sides
    wall             1 m high, 3 m ahead, with a gate 2.4 - 1.4 d wide
    pillar           0.4 m thick and 1 m high, 3.2 - 1.6 d from axis to axis; the way lies between
    tunnel           2.4 - 1.2 d wide and 1.0 - 0.4 d high, all the way
    overhang         a ledge 1.0 - 0.4 d above the floor, all the way
"""

from collections.abc import Callable

from creature_sim.definitions import (
    AddDef,
    BlendDef,
    CanyonDef,
    CratersDef,
    DunesDef,
    FlatDef,
    GapDef,
    HillsDef,
    IslandsDef,
    LayersDef,
    ObstaclesDef,
    OverhangDef,
    PillarDef,
    PitDef,
    PyramidDef,
    RailsDef,
    RoughDef,
    SlopeDef,
    StairsDef,
    SteppingStonesDef,
    StepsDef,
    TerracesDef,
    TerrainDef,
    TiltedGridDef,
    TunnelDef,
    WallDef,
    WaveDef,
)

REACH = 0.5
"""The reach of the legs that the numbers above are for [m]."""
FINEST = 0.3
"""No grid of boxes or tiles is finer: over the whole ground it would be too many [m]."""


def ground(
    kind: str, difficulty: float, reach: float, clearing: float, extent: float
) -> TerrainDef:
    """The terrain of a trial.

    Args:
        kind: one of KINDS.
        difficulty: from 0 to 1.
        reach: of the creature's legs [m].
        clearing: the ground is level this far around the start [m].
        extent: stepping stones lie at least this far from the start [m].
    """
    return KINDS[kind](difficulty, reach / REACH, clearing, extent)


def _slope(d: float, _scale: float, clearing: float, _extent: float) -> TerrainDef:
    return SlopeDef(kind="slope", grade=0.4 * d, clearing=clearing)


def _rough(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    spacing = max(0.25, 0.25 * scale)
    return RoughDef(kind="rough", amplitude=0.05 * d * scale, spacing=spacing, clearing=clearing)


def _stairs(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    return StairsDef(
        kind="stairs",
        riser=(0.05 + 0.18 * d) * scale,
        tread=0.31 * scale,
        count=8,
        landing=2.0 * clearing,
    )


def _obstacles(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    return ObstaclesDef(
        kind="obstacles",
        height=(0.05 + 0.2 * d) * scale,
        size=1.2 * scale,
        spacing=2.0 * scale,
        clearing=clearing,
    )


def _stepping_stones(d: float, scale: float, clearing: float, extent: float) -> TerrainDef:
    size, gap = 1.5 * (1.05 - d) * scale, (0.05 + 0.05 * d) * scale
    return SteppingStonesDef(
        kind="stepping_stones",
        size=size,
        gap=gap,
        depth=scale,
        extent=min(32.0, extent + size + gap),  # so that whole rows reach as far as asked for
        clearing=clearing,
    )


def _gap(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    if d == 0.0:
        return FlatDef(kind="flat")
    return GapDef(kind="gap", width=d * scale, depth=scale, spacing=1.6 * scale, clearing=clearing)


def _pit(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    if d == 0.0:
        return FlatDef(kind="flat")
    return PitDef(
        kind="pit", depth=d * scale, size=2.0 * scale, spacing=1.6 * scale, clearing=clearing
    )


def _rails(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    return RailsDef(
        kind="rails",
        height=(0.05 + 0.15 * d) * scale,
        thickness=0.1 * scale,
        spacing=scale,
        clearing=clearing,
    )


def _boxes(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    cell, height = max(FINEST, 0.45 * scale), (0.05 + 0.15 * d) * scale
    return StepsDef(kind="steps", cell=cell, height=height, clearing=clearing)


def _wave(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    wavelength = max(1.0, 2.0 * scale)
    return WaveDef(kind="wave", amplitude=0.2 * d * scale, wavelength=wavelength, clearing=clearing)


def _tilted(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    cell = max(FINEST, 0.5 * scale)
    return TiltedGridDef(kind="tilted_grid", cell=cell, grade=0.4 * d, clearing=clearing)


def _pyramid(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    return PyramidDef(
        kind="pyramid",
        riser=-(0.05 + 0.18 * d) * scale,
        tread=max(0.2, 0.31 * scale),
        count=8,
        landing=2.0 * clearing,
    )


def _from_level(
    ground: CanyonDef | HillsDef | TerracesDef, scale: float, clearing: float
) -> TerrainDef:
    """Ground that begins around a level clearing."""
    near = 1.5 * clearing  # distances are round, clearings square
    level = AddDef(how="add", ground=FlatDef(kind="flat"))
    beyond = BlendDef(how="blend", ground=ground, near=near, far=near + scale)
    return LayersDef(kind="layers", layers=(level, beyond))


def _hills(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    wavelength = max(1.0, 4.0 * scale)
    hills = HillsDef(kind="hills", amplitude=0.6 * d * scale, wavelength=wavelength, octaves=3)
    return _from_level(hills, scale, clearing)


def _dunes(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    wavelength = max(1.0, 4.0 * scale)
    return DunesDef(kind="dunes", height=0.6 * d * scale, wavelength=wavelength, clearing=clearing)


def _craters(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    return CratersDef(
        kind="craters",
        depth=0.5 * d * scale,
        rim=0.125 * d * scale,
        size=max(1.0, 2.0 * scale),
        spacing=max(1.25, 2.5 * scale),
        clearing=clearing,
    )


def _terraces(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    terraces = TerracesDef(
        kind="terraces",
        amplitude=0.5 * d * scale,
        wavelength=max(1.0, 6.0 * scale),
        riser=(0.05 + 0.1 * d) * scale,
    )
    return _from_level(terraces, scale, clearing)


def _islands(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    size = max(1.0, 4.0 * scale)
    return IslandsDef(kind="islands", size=size, depth=0.5 * d * scale, clearing=clearing)


def _canyon(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    canyon = CanyonDef(
        kind="canyon",
        depth=0.6 * d * scale,
        width=1.2 * scale,
        wall=max(0.25, scale),
        bend=1.2 * scale,
        wavelength=max(2.0, 8.0 * scale),
    )
    return _from_level(canyon, scale, clearing)


def _wall(d: float, scale: float, clearing: float, _extent: float) -> TerrainDef:
    return WallDef(
        kind="wall",
        height=scale,
        distance=max(3.0 * scale, clearing + scale),
        gate=(2.4 - 1.4 * d) * scale,
    )


def _pillar(d: float, scale: float, _clearing: float, _extent: float) -> TerrainDef:
    spacing = max(1.5, (3.2 - 1.6 * d) * scale)
    return PillarDef(kind="pillar", radius=0.2 * scale, height=scale, spacing=spacing)


def _tunnel(d: float, scale: float, _clearing: float, extent: float) -> TerrainDef:
    return TunnelDef(
        kind="tunnel",
        width=(2.4 - 1.2 * d) * scale,
        height=(1.0 - 0.4 * d) * scale,
        length=min(62.0, 2.0 * (extent + scale)),
    )


def _overhang(d: float, scale: float, _clearing: float, extent: float) -> TerrainDef:
    distance = min(30.0, extent + scale)
    return OverhangDef(
        kind="overhang",
        height=(1.0 - 0.4 * d) * scale,
        distance=distance,
        depth=min(60.0, distance + 4.0 * scale),
    )


KINDS: dict[str, Callable[[float, float, float, float], TerrainDef]] = {
    "slope": _slope,
    "rough": _rough,
    "stairs": _stairs,
    "obstacles": _obstacles,
    "stepping_stones": _stepping_stones,
    "gap": _gap,
    "pit": _pit,
    "rails": _rails,
    "boxes": _boxes,
    "wave": _wave,
    "tilted": _tilted,
    "pyramid": _pyramid,
    "hills": _hills,
    "dunes": _dunes,
    "craters": _craters,
    "terraces": _terraces,
    "islands": _islands,
    "canyon": _canyon,
    "wall": _wall,
    "pillar": _pillar,
    "tunnel": _tunnel,
    "overhang": _overhang,
}
"""What makes each kind's terrain of d, the scale, the clearing and the extent."""
