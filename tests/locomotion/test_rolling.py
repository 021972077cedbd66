"""Soles roll from heel to toe, and what they stand on does not slide."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.definitions import CreatureDef
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature, with_twins
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_angles, rotation_matrices
from creature_sim.score.reading import Flags, spans
from creature_sim.simulation import Simulation
from tests.advice.spoiling import table_of

FULL_STRIDE = 180
"""Ticks until a biped is in its stride."""
EXACT = 1e-8
"""What stands still moves by no more than this [m]."""


class Soles(NamedTuple):
    """The soles of a creature, tick by tick.

    pitches: (T, L) toes up [rad]. rolls: (T, L) how far they have rolled [rad]. heels, toes:
    (T, L, 3) their ends [m, world]. rotations: (T, L, 4). stands: (T, L). plain: (T,) seconds.
    ankles: (T, L) angles in the plane of their legs [rad].
    """

    pitches: Floats
    rolls: Floats
    heels: Floats
    toes: Floats
    rotations: Floats
    stands: Flags
    plain: Floats
    ankles: Floats

    def stances(self) -> list[tuple[int, slice]]:
        """Leg and ticks of every whole stance in full stride."""
        never = np.zeros(len(self.plain), bool)
        found = [
            (leg, slice(first, last))
            for leg, first, last in spans(self.stands, never)
            if first > FULL_STRIDE and last < len(self.plain)
        ]
        assert len(found) > 4
        return found


def slips_of(soles: Soles) -> float:
    """How far ends of soles slide at the most that are down while these stand [m]."""
    worst = 0.0
    for leg, stance in soles.stances():
        roll = soles.rolls[stance, leg]
        for ends, is_down in ((soles.heels, roll >= 0.0), (soles.toes, roll <= 0.0)):
            places = ends[stance, leg][is_down]
            worst = max(worst, float(abs(places - places[0]).max()))
    return worst


def soles_of(definition: CreatureDef, world: str, *steps: tuple[int, float]) -> Soles:
    """The soles of a creature that goes ahead so many ticks each, as told so."""
    seen: list[tuple[Any, ...]] = []
    with Simulation(with_creature(load_world(world), definition)) as simulation:
        for ticks, ahead in steps:
            for _ in range(ticks):
                simulation.step(Input.of([(ahead,)]))
                creature = simulation.snapshot.creatures[0]
                parts = creature.herd.parts
                feet, chain = parts["foot_target"]["records"][0], parts["leg_chain"]
                axes = rotation_matrices(chain["foot_rotation"][0])
                tips = chain["joints"][0, :, -1]
                foot = definition.all_legs[0].foot
                assert foot is not None
                pitches = np.arcsin((axes[..., 0] * feet["normal"]).sum(axis=-1))
                heels, toes = tips - foot.heel * axes[..., 0], tips + foot.toe * axes[..., 0]
                seen.append(
                    (
                        pitches, feet["roll"], heels, toes, chain["foot_rotation"][0],
                        feet["phase"] == STANDING, parts["gait"]["records"]["plain"][0],
                        chain["angles"][0, :, len(definition.all_legs[0].bones) - 1, 0],
                    )
                )  # fmt: skip
    return Soles(*map(np.array, zip(*seen, strict=True)))


@pytest.fixture(scope="module")
def walking() -> Soles:
    """A biped that walks ahead."""
    return soles_of(load_creature("biped"), "meadow", (480, 1.0))


def test_heels_touch_first_and_toes_leave_last(walking: Soles) -> None:
    for leg, stance in walking.stances():
        pitch = np.degrees(walking.pitches[stance, leg])
        assert pitch[0] > 8.0
        assert pitch[-1] < -12.0
        middle = pitch[len(pitch) * 2 // 5 : len(pitch) // 2]
        assert abs(middle).max() < 1e-9
        (turns,) = np.nonzero(np.diff(pitch) > 1e-9)
        assert not len(turns)  # it never rolls back


def test_what_a_sole_stands_on_does_not_slide(walking: Soles) -> None:
    """Its heel while toes are up, its toe while heels are, and both between."""
    assert slips_of(walking) < EXACT


def test_ankles_keep_within_their_limits() -> None:
    """A sole rolls as far as its ankle lets it: tilted by that it would slide."""
    table = table_of("biped")
    (pair,) = table["leg_pairs"]
    pair["pole"] = [1.0, 0.0, 0.0]
    free = soles_of(CreatureDef.model_validate(table), "meadow", (480, 1.0))
    low, high = -0.868, -0.43
    assert free.ankles[free.stands].min() < low - 0.005
    assert free.ankles[free.stands].max() > high + 0.005
    ankle = pair["joints"][2]
    ankle["lo"][0], ankle["hi"][0] = low, high
    narrow = soles_of(CreatureDef.model_validate(table), "meadow", (480, 1.0))
    assert narrow.ankles.min() >= low
    assert narrow.ankles.max() <= high
    at_limit = (narrow.ankles < low + 1e-6) | (narrow.ankles > high - 1e-6)
    assert (at_limit & narrow.stands & (narrow.rolls != 0.0)).sum() > 5
    assert slips_of(narrow) < EXACT


def test_soles_of_who_stands_are_flat() -> None:
    stopping = soles_of(load_creature("biped"), "meadow", (300, 1.0), (180, 0.0))
    assert abs(stopping.rolls[:300]).max() > 0.2
    assert (stopping.rolls[-60:] == 0.0).all()
    assert abs(stopping.pitches[-60:]).max() < 1e-9


def test_no_sole_turns_faster_than_eyes_follow(walking: Soles) -> None:
    turns = np.degrees(rotation_angles(walking.rotations[:-1], walking.rotations[1:]))
    assert turns.max() < 2.5


def test_toes_touch_first_backwards() -> None:
    going = soles_of(load_creature("biped"), "meadow", (480, -1.0))
    for leg, stance in going.stances():
        pitch = np.degrees(going.pitches[stance, leg])
        assert pitch[0] < -3.0
        assert pitch[-1] > 0.5


def test_soles_lie_flat_where_the_ground_is_not_plain() -> None:
    going = soles_of(load_creature("biped"), "stairs", (600, 1.0))
    rough = np.convolve(going.plain > 0.0, np.ones(30), "full")[: len(going.plain)] == 0.0
    assert rough.sum() > 60
    assert (going.rolls[rough] == 0.0).all()


def test_twins_keep_their_soles_flat() -> None:
    """Forces would tip them over the ends of those."""
    world = with_twins(with_creature(load_world("meadow"), load_creature("biped")))
    with Simulation(world) as simulation:
        assert (simulation.snapshot.creatures[0].herd.plan.legs["toe"] == 0.0).all()
