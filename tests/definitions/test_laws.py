"""What is true of every definition: files and JSON give it back, gaits are cycles."""

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.definitions.patterns import PATTERNS, PatternName, duty_factor, offsets
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.replay.codec import encode_world
from tests.marks import few

CREATURES = builtin_names("creature")
patterns = st.sampled_from(sorted(PATTERNS))
colours = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@st.composite
def creatures(draw: st.DrawFn) -> CreatureDef:
    """Built-in creatures that move, look and are called otherwise."""
    table = load_creature(draw(st.sampled_from(CREATURES))).model_dump()
    table["name"] = draw(st.from_regex(r"[a-z][a-z0-9_-]{0,20}", fullmatch=True))
    for key in ("speed", "turn_rate", "acceleration", "turn_acceleration"):
        table["motion"][key] *= draw(st.floats(0.1, 1.0))
    table["motion"]["lean"] = draw(st.floats(0.0, 1.0))
    table["body"]["mass"] = draw(st.floats(1e-3, 9e3))
    table["colours"] = {part: draw(colours) for part in ("body", "legs", "feet")}
    return CreatureDef.model_validate(table)


def without_none(value: Any) -> Any:
    """A table as TOML can hold it: what is not said is left out."""
    if isinstance(value, dict):
        return {key: without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [without_none(item) for item in value]
    return value


@pytest.mark.slow
@few
@given(creatures())
def test_a_creature_comes_back_from_json(creature: CreatureDef) -> None:
    assert CreatureDef.model_validate_json(creature.model_dump_json()) == creature


@pytest.mark.slow
@few
@given(creatures())
def test_a_creature_comes_back_from_its_file(creature: CreatureDef) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.toml"
        path.write_text(tomlkit.dumps(without_none(creature.model_dump())))
        assert load_creature(path) == creature


@pytest.mark.slow
@few
@given(st.sampled_from(builtin_names("world")), st.integers(0, 2**32 - 1), st.integers(20, 200))
def test_a_world_comes_back_from_its_bytes_and_gives_the_same_again(
    name: str, seed: int, rate: int
) -> None:
    world = load_world(name).model_copy(update={"seed": seed, "tick_rate": rate})
    data = encode_world(world)
    found = WorldDef.model_validate(json.loads(data))
    assert found == world
    assert encode_world(found) == data


@pytest.mark.slow
@few
@given(creatures())
def test_legs_of_a_pair_are_mirror_images(creature: CreatureDef) -> None:
    legs = creature.all_legs
    assert [leg.segment for leg in legs] == sorted(leg.segment for leg in legs)
    sides = {(leg.pair, leg.side): leg for leg in legs}
    assert len(sides) == len(legs)
    for left in (leg for leg in legs if leg.side == "left"):
        right = sides[left.pair, "right"]
        for a, b in ((left.mount, right.mount), (left.home, right.home), (left.pole, right.pole)):
            assert b == (a[0], -a[1], *a[2:])
        assert left.bones == right.bones


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"bones": (0.6, 0.02), "joints": ()},
            r"leg_pairs\[1\]\.bones: expected a foot that stands at least 0\.580 m",
        ),
        ({"pole": (0.0, 0.0, 0.0)}, r"leg_pairs\[1\]\.pole: expected a direction"),
        (
            {"bones": (0.05, 0.05), "joints": ()},
            r"leg_pairs\[1\]\.bones: expected a foot that stands at most 0\.095 m",
        ),
        ({"comfort": 0.96}, r"leg_pairs\[1\]\.comfort: expected a"),
    ],
)
def test_legs_that_cannot_stand_are_refused(changes: dict[str, Any], message: str) -> None:
    table = load_creature("hexapod").model_dump()
    table["leg_pairs"] = [*table["leg_pairs"]]
    table["leg_pairs"][1] = table["leg_pairs"][1] | changes
    with pytest.raises(ValidationError, match=message):
        CreatureDef.model_validate(table)


def pairs(count: int) -> list[tuple[int, bool]]:
    return [(pair, is_right) for pair in range(count) for is_right in (False, True)]


@given(patterns, st.integers(1, 20), st.floats(0.05, 0.99))
def test_offsets_lie_in_the_cycle(pattern: PatternName, count: int, duty: float) -> None:
    found = offsets(pattern, pairs(count), duty)
    assert len(found) == 2 * count
    assert all(0.0 <= offset < 1.0 for offset in found)
    assert 0.0 < duty_factor(pattern, count) < 1.0


@given(patterns.filter(lambda name: name != "gallop"), st.integers(1, 20), st.floats(0.05, 0.99))
def test_a_pair_steps_half_a_cycle_apart_but_bounds_together(
    pattern: PatternName, count: int, duty: float
) -> None:
    found = offsets(pattern, pairs(count), duty)
    apart = 0.0 if pattern in ("bound", "pronk") else 0.5
    for left, right in zip(found[::2], found[1::2], strict=True):
        assert abs((right - left) % 1.0 - apart) == pytest.approx(0.0, abs=1e-9) or (
            apart == 0.0 and (right - left) % 1.0 == pytest.approx(1.0)
        )


@pytest.mark.slow
@given(st.sampled_from(("wave", "ripple", "metachronal")), st.integers(2, 20), st.data())
def test_waves_run_from_the_last_leg_forward(
    pattern: PatternName, count: int, data: st.DataObject
) -> None:
    duty = duty_factor(pattern, count)
    pair = data.draw(st.integers(0, count - 2))
    found = offsets(pattern, pairs(count), duty)
    assume(count <= 6 or pattern != "metachronal")
    # A leg lifts when phase + offset passes the duty factor: the one behind a share earlier.
    behind, ahead = ((duty - found[2 * number]) % 1.0 for number in (pair + 1, pair))
    step = {"wave": 0.5 / count}.get(pattern, 1.0 / count)
    assert math.isclose((ahead - behind) % 1.0, step, abs_tol=1e-9)
