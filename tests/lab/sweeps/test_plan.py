"""What a sweep's file asks for, and what is wrong with it."""

from pathlib import Path

import pytest

from creature_sim.errors import DefinitionError
from creature_sim.lab.sweeps import Plan, read_plan
from creature_sim.library.changes import changed, path_in
from creature_sim.library.loader import load_creature, load_world
from tests.lab.sweeps.files import SMALL, written


def plan(folder: Path, text: str) -> Plan:
    return read_plan(written(folder, text))


def test_a_grid_has_every_combination_once_and_the_last_axis_varies_first(tmp_path: Path) -> None:
    found = plan(tmp_path, SMALL)
    assert len(found.points) == len(set(found.keys)) == 8
    heights = [point.changes[0][1] for point in found.points]
    assert heights == [0.05, 0.09] * 4
    assert [point.seed for point in found.points[:4]] == [0, 0, 1, 1]
    assert [point.creature for point in found.points] == ["hexapod"] * 4 + ["spider4"] * 4
    repeated = SMALL.replace("[0.05, 0.09]", "[0.05, 0.09, 0.05]")
    assert plan(tmp_path, repeated).keys == found.keys


def test_a_list_of_grids_shares_what_it_does_not_write(tmp_path: Path) -> None:
    found = plan(
        tmp_path,
        """
        worlds = ["meadow", "hills"]
        creatures = ["hexapod"]
        creature.gait.step_height = 0.07
        [[runs]]
        seeds = [7]
        creature.gait.duty_factor = [0.55, 0.6]
        [[runs]]
        worlds = ["stairs"]
        drives = ["forward 1", "wander"]
        creature.gait.step_height = 0.1
        """,
    )
    assert len(found.points) == 4 + 2
    assert {point.world for point in found.points[:4]} == {"meadow", "hills"}
    assert dict(found.points[0].changes) == {
        ("creature", "gait", "step_height"): 0.07,
        ("creature", "gait", "duty_factor"): 0.55,
    }
    assert found.points[5][1:4] == ("stairs", None, "wander")
    assert dict(found.points[5].changes) == {("creature", "gait", "step_height"): 0.1}


def test_the_world_of_a_point_is_that_of_its_files_with_its_values(tmp_path: Path) -> None:
    text = SMALL + "creature.leg_pairs.1.home = [[0.0, 0.44]]\nworld.terrain.seed_is = []\n"
    text = text.replace("world.terrain.seed_is = []", "world.friction = [0.4]")
    found = plan(tmp_path, text.replace('["hexapod", "spider4"]', '["hexapod"]'))
    world = found.world(found.points[-1])
    hexapod = world.species_of(world.creatures[0])
    assert hexapod.gait.step_height == 0.09
    assert hexapod.leg_pairs[1].home == (0.0, 0.44)
    assert hexapod.leg_pairs[0] == load_creature("hexapod").leg_pairs[0]
    assert (world.seed, world.friction, world.driver) == (1, 0.4, "forward 1")
    assert world.terrain == load_world("meadow").terrain


def test_files_are_looked_for_beside_the_sweep_and_their_edits_are_other_runs(
    tmp_path: Path,
) -> None:
    own = tmp_path / "own.toml"
    text = Path(load_file("hexapod")).read_text().replace("../schemas", "schemas")
    own.write_text(text)
    source = SMALL.replace('["hexapod", "spider4"]', '["own.toml"]')
    before = plan(tmp_path, source).keys
    own.write_text(text + "# a comment\n")
    assert plan(tmp_path, source).keys == before
    own.write_text(text.replace("speed = 0.7 ", "speed = 0.6 "))
    assert not set(before) & set(plan(tmp_path, source).keys)


def load_file(name: str) -> Path:
    from creature_sim.library.loader import builtin_folder

    return builtin_folder("creature") / f"{name}.toml"


BAD = {
    "no such key": ("creature.gait.stride_lenght = [0.4]", ":1: creature.gait.stride_lenght: "),
    "did you mean": ("creature.gait.stride_lenght = [0.4]", "did you mean stride_length?"),
    "no such value": ("creature.gait.duty_factor = [0.6, 3]", "creature.gait.duty_factor[1]: "),
    "no such table": ("creature.gate.duty_factor = [0.6]", "gate: expected no such key"),
    "no such place": (
        "creature.leg_pairs.3.home = [[0.0, 0.4]]",
        "expected a position from 0 to 2 in a list, found '3'",
    ),
    "below a number": ("creature.gait.step_height.x = [1]", "expected a table or a list above it"),
    "empty axis": ("creature.gait.duty_factor = []", "duty_factor: expected a list of at least 1"),
    "empty worlds": ("worlds = []", "worlds: expected a list of at least 1"),
    "no worlds": ("", "worlds: expected names or files of worlds, found none"),
    "no creatures": ("!creature.gait.duty_factor = [0.6]", "creatures: expected the names"),
    "unknown creature": ('creatures = ["hexpod"]', "creatures[0]: expected a built-in creature"),
    "unknown world": ('worlds = ["meadow", "hils"]', "worlds[1]: expected a built-in world"),
    "bad drive": ('drives = ["forward 1", "forwrd 2"]', "drives[1]: "),
    "bad seeds": ("seeds = 0", "seeds: expected at least 1"),
    "bad seed": ("seeds = [1.5]", "seeds"),
    "other keys": ("speed = [1]", "speed: expected no such key"),
    "replays": ('replays = "some"', "replays: expected 'none', 'failed' or 'all'"),
    "too many": (
        "seeds = 100000\ncreature.gait.step_height = [0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11, "
        "0.12, 0.13, 0.14, 0.15]",
        "expected at most 1,000,000 runs, found 1,100,000",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused_with_the_line_and_the_key(case: str, tmp_path: Path) -> None:
    text, expected = BAD[case]
    bare = text.removeprefix("!")
    rest = ['worlds = ["meadow"]'] if "worlds" not in text and case != "no worlds" else []
    if not text.startswith("!") and "creatures" not in text:
        rest.append('creatures = ["hexapod"]')
    with pytest.raises(DefinitionError) as caught:
        plan(tmp_path, "\n".join([bare, *rest]))
    assert expected in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "sweep.toml"))


def test_changes_leave_the_table_that_they_are_made_to_as_it_is() -> None:
    table = {"a": {"b": [1, 2]}}
    made = changed(table, [(path_in("a.b.1"), 5), (path_in("c.d"), {"e": 1})])
    assert made == {"a": {"b": [1, 5]}, "c": {"d": {"e": 1}}}
    assert table == {"a": {"b": [1, 2]}}
