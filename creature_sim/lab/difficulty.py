"""How hard ground is: a kind and a difficulty d from 0 to 1 become a terrain.

Each kind of ground says in its own file, as `trial`, what d changes: lengths for legs that reach
0.5 m, which scale with the reach. Slopes, rough ground, stairs, obstacles and stepping stones
follow legged_gym (Rudin et al. 2022), gaps and pits legged_gym and Extreme Parkour (Cheng et al.
2023), rails, boxes and waves the terrain generators of Isaac Lab. The others have no model there:
tilted tiles are as steep as slopes; what stands in the way or hangs over it leaves a path straight
ahead.
"""

from creature_sim.errors import DefinitionError
from creature_sim.lab.climbs import CLIMBS, climb_ground
from creature_sim.terrain import Challenge, GroundDef
from creature_sim.terrain.registry import built_in, find_kind

REACH = 0.5
"""The reach of the legs that the kinds' numbers are for [m]."""
KINDS = tuple(name for name, kind in built_in().items() if kind.trial is not None)
"""Built-in kinds of ground with trials; those of packages have them too, if they say so."""
RENAMED = {"boxes": "steps", "tilted": "tilted_grid"}
"""Old names of kinds, which had two."""


def ground(
    kind: str,
    difficulty: float,
    reach: float,
    clearing: float,
    extent: float,
    *,
    climbs: bool = False,
) -> GroundDef:
    """The terrain of a trial.

    Args:
        kind: of the ground, or a course of `climbs.CLIMBS`; see `check_kind`.
        difficulty: from 0 to 1.
        reach: of the creature's legs [m].
        clearing: the ground is level this far around the start [m].
        extent: the course is at least this long [m].
        climbs: whether the creature leaves the floor where a course does.
    """
    challenge = Challenge(difficulty, reach / REACH, clearing, extent)
    if kind in CLIMBS and (climbs or kind not in KINDS):
        return climb_ground(kind, challenge)
    make = find_kind(kind).trial
    assert make is not None
    return make(challenge)


def check_kind(name: str) -> None:
    """Refuse a kind of ground that has no trials; DefinitionError names those that have."""
    if name in CLIMBS:
        return
    hint = f"; {name} is called {RENAMED[name]}" if name in RENAMED else ""
    try:
        has_trials = find_kind(name).trial is not None
    except DefinitionError:
        has_trials = False
    if not has_trials:
        raise DefinitionError(
            f"expected one of {', '.join(sorted({*KINDS, *CLIMBS}))}, found {name!r}{hint}"
        )
