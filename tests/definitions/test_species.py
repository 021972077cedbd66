"""Species: creatures written out in a world's own file."""

from pathlib import Path

import pytest

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.library.loader import load_creature, load_world
from creature_sim.replay.codec import encode_world

WORLD = """\
name = "mine"
terrain = {{ kind = "flat" }}

[[creatures]]
creature = "bug"

[{key}.bug]
name = "bug"
body = {{ size = [0.5, 0.3, 0.2], ride_height = 0.25, mass = 4.0 }}
motion = {{ speed = 0.6, turn_rate = 1.0, acceleration = 1.5, turn_acceleration = 4.0 }}
gait = {{ kind = "phase", pattern = "tripod", stride_length = 0.3, step_height = 0.08 }}

[[{key}.bug.leg_pairs]]
mount = [0.2, 0.12, 0.0]
bones = [0.09, 0.24, 0.32]
home = [0.2, 0.45]

[[{key}.bug.leg_pairs]]
mount = [-0.2, 0.12, 0.0]
bones = [0.09, 0.24, 0.32]
home = [-0.2, 0.45]
"""


def test_a_world_holds_species_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(WORLD.format(key="species"))
    world = load_world(file)
    assert world.species_of(world.creatures[0]).motion.speed == 0.6
    assert world.leg_counts == (4,)


def test_the_old_key_of_species_names_the_new_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(WORLD.format(key="plans"))
    with pytest.raises(DefinitionError, match=r"plans: expected its new name, species, found"):
        load_world(file)


def test_worlds_of_old_replays_are_read() -> None:
    world = load_world("meadow")
    written = encode_world(world).replace(b'"species"', b'"plans"')
    assert b'"plans"' in written
    read = WorldDef.model_validate_json(written)
    assert read == world
    assert read.species_of(read.creatures[0]) == load_creature(read.creatures[0].creature)
