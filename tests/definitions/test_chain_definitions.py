"""Chains and trees as users write them: what is refused, and that errors name their keys."""

import re
from pathlib import Path

import pytest

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.library.loader import load_world
from tests.commands import sim
from tests.scenes import RIGS

CHAIN = """
name = "w"
terrain = { kind = "flat" }
[[chains]]
name = "c"
root = [0.0, 0.0, 1.0]
bones = [0.4, 0.3]
target = { kind = "command", start = [0.3, 0.0, 1.2] }
"""
TREE = """
name = "w"
terrain = { kind = "flat" }
[[trees]]
name = "t"
root = [0.0, 0.0, 1.0]
joints = [
  { name = "a", offset = [0.0, 0.0, 0.5] },
  { name = "b", parent = "a", offset = [0.3, 0.0, 0.0] },
]
targets = [{ joint = "b", target = { kind = "command", start = [0.3, 0.0, 1.2] } }]
"""

BAD: dict[str, tuple[str, str, list[str]]] = {
    "nothing in it": (
        CHAIN[: CHAIN.index("[[")],
        "",
        ["creatures: expected creatures, chains or trees"],
    ),
    "no target": (CHAIN, "target =  => goal = ", ["chains[0].goal: expected no such key"]),
    "negative bone": (CHAIN, "[0.4, 0.3] => [0.4, -0.3]", ["chains[0].bones[1]: expected"]),
    "no bones": (CHAIN, "[0.4, 0.3] => []", ["chains[0].bones"]),
    "bone as text": (CHAIN, '[0.4, 0.3] => ["a", 1.0]', ["chains[0].bones[0]: expected", "'a'"]),
    "nan root": (CHAIN, "root = [0.0 => root = [nan", ["chains[0].root[0]: expected", "nan"]),
    "far root": (CHAIN, "root = [0.0 => root = [1e9", ["chains[0].root[0]: expected", "10000"]),
    "unknown target": (CHAIN, '"command" => "cat"', ["chains[0].target.kind", "'cat'"]),
    "command without start": (
        CHAIN,
        ", start = [0.3, 0.0, 1.2] => ",
        ["chains[0].target.start: expected a list of 3 values"],
    ),
    "one keyframe": (
        CHAIN,
        '"command", start = [0.3, 0.0, 1.2] => "spline", period = 1.0, keyframes = [[0.0, 0.0, 0]]',
        ["chains[0].target.keyframes"],
    ),
    "no period": (
        CHAIN,
        '"command", start = [0.3, 0.0, 1.2] => "spline", period = 0.0, keyframes = []',
        ["chains[0].target.period: expected at least 0.001"],
    ),
    "no creature to be on": (
        CHAIN,
        "root => creature = 0\nroot",
        ["chains[0].creature: expected creatures to refer to"],
    ),
    "no creature to follow": (
        CHAIN,
        '"command", start = [0.3, 0.0, 1.2] => "creature-body", creature = 2',
        ["chains[0].target.creature: expected creatures to refer to"],
    ),
    "its own tip": (
        CHAIN,
        '"command", start = [0.3, 0.0, 1.2] => "chain-tip", chain = "c"',
        ["chains[0].target.chain: expected the name of another one of chains, found 'c'"],
    ),
    "no direction": (
        CHAIN,
        "root => direction = [0.0, 0.0, 0.0]\nroot",
        ["chains[0].direction: expected a direction, found [0.0, 0.0, 0.0]"],
    ),
    "limits for other bones": (
        CHAIN,
        'root => limits = [{ kind = "free" }, { kind = "free" }, { kind = "free" }]\nroot',
        ["chains[0].limits: expected one for each of bones, 2, or one for all, found 3"],
    ),
    "unknown limit": (
        CHAIN,
        'root => limits = [{ kind = "knee" }]\nroot',
        ["chains[0].limits[0].kind", "'knee'"],
    ),
    "limit upside down": (
        CHAIN,
        'root => limits = [{ kind = "hinge", axis = [0.0, 1.0, 0.0], lo = 1.0, hi = -1.0 }]\nroot',
        ["chains[0].limits[0].lo: expected angles in order"],
    ),
    "hinge without axis": (
        CHAIN,
        'root => limits = [{ kind = "elbow" }]\nroot',
        ["chains[0].limits[0].axis: expected a list of 3 values"],
    ),
    "cone too wide": (
        CHAIN,
        'root => limits = [{ kind = "ball", cone = 4.0 }]\nroot',
        ["chains[0].limits[0].cone: expected at most 3.14159"],
    ),
    "flat but upright": (
        CHAIN,
        "root => planar = true\nroot",
        ["chains[0].direction: expected a direction in the"],
    ),
    "pose of other bones": (
        CHAIN,
        "root => pose = [[1.0, 0.0, 0.0]]\nroot",
        ["chains[0].pose: expected one for each of bones, 2"],
    ),
    "same name twice": (
        CHAIN + CHAIN[CHAIN.index("[[") :],
        "",
        ["chains[1].name: expected a new name, found 'c'"],
    ),
    "unknown parent": (
        TREE,
        'parent = "a" => parent = "z"',
        ["trees[0].joints[1].parent: expected 'root' or", "'z'"],
    ),
    "unknown effector": (
        TREE,
        'joint = "b" => joint = "z"',
        ["trees[0].targets[0].joint: expected the name of one of joints", "'z'; there are a, b"],
    ),
    "brace to nowhere": (
        TREE,
        'root => braces = [["a", "z"]]\nroot',
        ["trees[0].braces[0]: expected two names, 'root' or of joints"],
    ),
    "pole of an end": (
        TREE,
        'parent = "a", => parent = "a", pole = [1.0, 0.0, 0.0],',
        ["trees[0].joints[1].pole: expected one child"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_definitions_name_their_keys(case: str, tmp_path: Path) -> None:
    text, change, expected = BAD[case]
    if change:
        old, new = change.split(" => ")
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "w.toml"
    path.write_text(text)
    with pytest.raises(DefinitionError) as caught:
        load_world(path)
    assert re.match(rf"{path}(:\d+)?: ", str(caught.value))
    for part in expected:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["arm", "--target", "1,2"], ["--target: expected X,Y,Z", "'1,2'"]),
        (["arm", "--target", "1,2,x"], ["--target: expected X,Y,Z", "'1,2,x'"]),
        (["arm", "--target", "1,2,nan"], ["--target: expected X,Y,Z", "'1,2,nan'"]),
        (["arm", "--target", "1,2,1e9"], ["--target: expected X,Y,Z", "10000"]),
        (["arm", "--target", ""], ["--target: expected X,Y,Z"]),
        (["hills", "--target", "1,2,3"], ["--target: expected a world with a chain", "'hills'"]),
        (["humanoid", "--target", "1,2,3"], ["--target: expected a world with a chain"]),
    ],
)
def test_bad_targets_give_one_message(
    words: list[str], expected: list[str], tmp_path: Path
) -> None:
    done = sim("run", *words, "--headless", "--record", "a.mcap", cwd=tmp_path)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    for part in expected:
        assert part in done.stderr
    assert not list(tmp_path.iterdir())


def test_definitions_of_rigs_survive_json() -> None:
    for name in RIGS:
        world = load_world(name)
        assert WorldDef.model_validate_json(world.model_dump_json()) == world
        assert world.settable_targets == (
            ((True,),) if name == "playground" else ((False,) * (5 if name == "humanoid" else 1),)
        )
