"""All metrics of a track."""

from creature_sim.definitions import WorldDef
from creature_sim.score import bodies, feet, rhythm
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.surface import Surface
from creature_sim.score.track import Track

TITLES = {
    "M1": "stance drift",
    "M2": "skate ratio",
    "M3": "touchdown error",
    "M4": "penetration, float",
    "M5": "limb penetration",
    "M6": "reach",
    "M7": "swing clearance",
    "M8": "edge violation",
    "M9": "duty factor",
    "M10": "phase regularity",
    "M11": "stability margin",
    "M12": "body smoothness",
    "M13": "rotation pops",
    "M14": "body tilt",
    "M15": "command tracking",
    "M16": "success",
    "M18": "idle shuffles",
    "M20": "Froude number",
    "M21": "cost",
}


def score_track(
    track: Track,
    surface: Surface,
    world: WorldDef,
    *,
    rays: float | None = None,
    microseconds: float | None = None,
) -> dict[str, Metric]:
    """Every metric by its number.

    Args:
        track: the run of one creature.
        surface: the ground that it walked on.
        world: for its terrain's name.
        rays: cast per leg and tick; None: not counted.
        microseconds: of computing per leg and tick.
    """
    surface = surface.among(track.props)
    heights = surface.nearest_heights(track.tips, track.ups_at(track.tips))
    margins = bodies.support_margin(track)
    found = {
        "M1": feet.stance_drift(track),
        "M2": feet.skate_ratio(track, heights),
        "M3": feet.touchdown_error(track, heights),
        "M4": feet.penetration(track, heights),
        "M5": feet.limb_penetration(track, surface),
        "M6": feet.reach_use(track),
        "M7": feet.swing_clearance(track, heights),
        "M8": feet.edge_violation(track, surface),
        "M9": rhythm.duty_factor(track),
        "M10": rhythm.phase_regularity(track),
        "M11": bodies.stability_margin(track, margins),
        "M12": bodies.body_smoothness(track, surface),
        "M13": bodies.rotation_pops(track),
        "M14": bodies.body_tilt(track),
        "M15": bodies.command_tracking(track),
    }
    failed = [number for number in ("M3", "M4", "M6") if found[number].verdict == "fail"]
    found["M16"] = bodies.success(track, surface, margins, world, failed)
    found["M18"] = rhythm.idle_shuffles(track)
    found["M20"] = rhythm.froude_number(track)
    if rays is None:
        found["M21"] = not_applicable("not counted")
    else:
        spent = "" if microseconds is None else f"; {microseconds:.1f} us per leg and tick"
        found["M21"] = judge(rays, 4.0, 3.0, f"rays per leg and tick{spent}")
    return found
