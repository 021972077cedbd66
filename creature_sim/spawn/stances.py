"""Whether legs can stand at all: on level ground, with the body at its ride height."""

from creature_sim.components import LegRecord, Plan
from creature_sim.definitions import CreatureDef
from creature_sim.errors import DefinitionError
from creature_sim.locomotion.reach import FULL_STRETCH, reach_to, reaches
from creature_sim.maths import Vec, mix, vec

FRACTIONS = (1.0, 0.75, 0.5, 0.25, 1.25, 1.5)
"""Feet are put down at home, or at these fractions of the way there from below their hips."""
FRAME = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
"""Where a segment is, and how it is turned, in its own frame."""


def check_stance(definition: CreatureDef, plan: Plan) -> None:
    """Refuse a creature with feet that cannot stand, near their homes, on level ground.

    Raises:
        DefinitionError: a line for each of those legs, with its key.
    """
    problems: dict[str, str] = {}
    for (key, _), leg in zip(definition.named_legs(), plan.legs, strict=True):
        problem = stance_problem(leg)
        if problem:
            problems.setdefault(key, f"{key}: {problem}")
    if problems:
        raise DefinitionError("\n".join(problems.values()))


def places_of(leg: LegRecord, home: Vec) -> list[Vec]:
    """Where a foot with this home [m, segment] is put down, best first [m, segment]."""
    below_hip = (leg.mount[0], leg.mount[1], leg.home[2])
    return [mix(below_hip, home, fraction) for fraction in FRACTIONS]


def stance_problem(leg: LegRecord) -> str:
    """Why a leg cannot stand on level ground, as "expected, found"; empty if it can."""
    home = vec(leg.home)
    if any(reaches(*FRAME, leg, place) for place in places_of(leg, home)):
        return ""
    far, stretch = reach_to(leg, home)
    expected = "expected a leg that can stand at its home on level ground, found one whose"
    if far < leg.min_reach:
        return (
            f"{expected} bones and joints fold to {leg.min_reach * leg.arm:.3f} m at least: its "
            f"home is {far * leg.arm:.3f} m from where they begin to bend"
        )
    return (
        f"{expected} bones and joints go {100.0 * stretch:.0f} % of the way to their limits there, "
        f"where {100.0 * FULL_STRETCH:g} % is the most"
    )
