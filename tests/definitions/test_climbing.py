"""What a creature's file says of feet that hold, and creatures that are told to climb."""

from pathlib import Path
from typing import Any

import pytest

from creature_sim.advice.plans import plan_advice
from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.library.loader import load_creature, load_world, written_species
from creature_sim.library.scaffold import new_creature
from creature_sim.library.variants import with_climbers, with_creature
from creature_sim.spawn.plans import plan_of
from tests.climbers import climber

WORLD = """\
name = "mine"
terrain = { kind = "flat" }
"""


def load(tmp_path: Path, *placements: str) -> WorldDef:
    """A world with these placements."""
    file = tmp_path / "mine.toml"
    file.write_text(WORLD + "".join(f"\n[[creatures]]\n{lines}\n" for lines in placements))
    return load_world(file)


@pytest.mark.parametrize(
    ("climb", "message"),
    [
        ({"overhang": 0.5}, r"climb.overhang"),
        ({"overhang": 4.0}, r"climb.overhang"),
        ({"grip": 0.0}, r"climb.grip"),
        ({"grip": 0.1}, r"climb.grip: expected at least 0.167, with which all 6 feet"),
        ({"hold": -1.0}, r"climb.hold"),
        ({"hold": 5.0}, r"climb.hold: expected at most 0.\d+, the reach .* stand on nothing"),
        ({"weight_keeps": "often"}, r"climb.weight_keeps"),
        ({"gripp": 1.0}, r"climb.gripp"),
        ({"weight_keeps": 1}, r"climb.weight_keeps"),
        ({"weight_keeps": "no"}, r"climb.weight_keeps"),
    ],
)
def test_feet_that_hold_nothing_are_refused(climb: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.split(":")[0].rsplit(".", 1)[-1]) as caught:
        climber("hexapod", **climb)
    if ":" in message:
        assert caught.match(message)


def test_less_steep_ground_asks_less_of_feet() -> None:
    climber("hexapod", grip=0.13, overhang=0.8)


def test_without_the_key_nothing_climbs() -> None:
    assert not plan_of(load_creature("hexapod")).body[0].climbs
    body = plan_of(climber("hexapod", grip=0.4, hold=0.02, weight_keeps=True)).body[0]
    assert (body.climbs, body.grip, body.hold, body.weight_keeps) == (1, 0.4, 0.02, 1)


def test_a_creature_told_to_climb_is_a_species_of_its_own() -> None:
    spider = load_creature("spider8")
    other = spider.climbing
    assert other.climb
    assert other.name == "spider8-climbing"
    assert other.climbing is other
    assert other.model_copy(update={"climb": None, "name": spider.name}) == spider


def test_placements_say_who_climbs(tmp_path: Path) -> None:
    ant, told = 'creature = "ant"', 'creature = "ant"\nclimb = true'
    world = load(tmp_path, ant, told, told)
    assert [name for name, _ in world.herds] == ["ant", "ant-climbing"]
    assert [members for _, members in world.herds] == [(0,), (1, 2)]
    assert not any(placement.climb for placement in world.creatures)
    assert world.species["ant-climbing"] == load_creature("ant").climbing
    again = WorldDef.model_validate(world.model_dump(mode="json"))
    assert again == world
    assert load(tmp_path, told).species.keys() == {"ant-climbing"}
    assert written_species(tmp_path / "mine.toml").keys() == {"ant-climbing"}


def test_who_climbs_by_its_file_is_told_nothing_new(tmp_path: Path) -> None:
    file = tmp_path / "bug.toml"
    text = new_creature("bug", 6)
    assert "# [climb]" in text
    file.write_text(text + "\n[climb]\ngrip = 0.7\n")
    world = load(tmp_path, 'creature = "bug.toml"', 'creature = "bug.toml"\nclimb = true')
    assert list(world.species) == ["bug"]
    assert world.species["bug"].climb is not None
    assert world.species["bug"].climb.grip == 0.7


def test_a_whole_world_is_told_to_climb() -> None:
    world = with_climbers(with_creature(load_world("meadow"), "ant"))
    assert world.species_of(world.creatures[0]).climb
    assert list(world.species) == ["ant"]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"up": (0.0, 0.0, 0.0)}, "up: expected a direction"),
        ({"up": (0.0, 1.0)}, "up"),
        ({"height": 1.0}, "height: expected it beside up"),
        ({"up": (0.0, 0.0, -1.0), "folded": True}, "folded: expected a start without up"),
        ({"up": (0.0, 0.0, -1.0), "overturned": True}, "overturned: expected a start without up"),
    ],
)
def test_starts_that_contradict_themselves_are_refused(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PlacementDef(creature="ant", **keys)


def test_a_world_that_was_not_loaded_tells_nobody_to_climb() -> None:
    from creature_sim.simulation import Simulation

    creature = load_creature("ant")
    world = WorldDef.model_validate(
        {
            "name": "here",
            "terrain": {"kind": "flat"},
            "creatures": [{"creature": "ant", "climb": True}],
            "species": {"ant": creature},
        }
    )
    with pytest.raises(DefinitionError, match=r"creatures\[0\].climb: .*load_world"):
        Simulation(world)


def test_check_says_whose_feet_hold_too_little_between_steps() -> None:
    def advice(**climb: Any) -> list[str]:
        plan: CreatureDef = climber("hexapod", **climb)
        return [one.key for one in plan_advice(plan) if one.key == "climb.grip"]

    assert advice(grip=0.2, weight_keeps=True)
    assert not advice(grip=0.3, weight_keeps=True)
    assert not advice(grip=0.2)


@pytest.mark.parametrize("key", ["climb", "physical", "folded", "overturned", "alone"])
def test_no_number_and_no_word_stands_for_true(tmp_path: Path, key: str) -> None:
    for wrong in ("1", "'no'"):
        with pytest.raises(
            DefinitionError, match=rf"creatures\[0\].{key}: expected true or false, found {wrong}"
        ):
            load(tmp_path, f'creature = "ant"\n{key} = {wrong}')
