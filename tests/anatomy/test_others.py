"""Skeletons that others made: Rigify's metarigs, as Blender's own exporter writes them."""

import os
from pathlib import Path
from subprocess import run

import pytest

from creature_sim.anatomy import anatomy_of
from creature_sim.errors import DefinitionError
from creature_sim.library.loader import builtin_models
from tests.anatomy.walking import assert_walks_at_once
from tests.export.peers import BLENDER, validated

WALKERS = {"basic_human": 1, "human": 1, "basic_quadruped": 2, "cat": 2, "horse": 2, "wolf": 2}
"""Pairs of legs."""


@pytest.fixture(scope="module")
def rigs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of them."""
    if not BLENDER.is_file():
        pytest.skip("needs Blender as a module: tests/tools/peers.sh")
    folder = tmp_path_factory.mktemp("rigs")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    words = [str(BLENDER), str(Path(__file__).parent / "in_blender.py"), str(folder)]
    done = run(words, env=environment, capture_output=True, text=True, timeout=300)
    assert (folder / "shark.glb").is_file(), done.stdout + done.stderr
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", WALKERS)
def test_they_walk_at_once(name: str, rigs: Path) -> None:
    assert_walks_at_once(f"{name}.glb", WALKERS[name], rigs)


@pytest.mark.slow
def test_a_shark_has_no_legs(rigs: Path) -> None:
    with pytest.raises(DefinitionError, match=r"shark.glb: expected legs"):
        anatomy_of(rigs / "shark.glb")


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_models())
def test_the_validator_of_khronos_has_nothing_to_say_of_ours(name: str) -> None:
    issues = validated(builtin_models()[name])
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues
