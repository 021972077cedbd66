"""Skinned models that others made; without the packages that have them they are skipped.

assimp-utils, assimp-testmodels   packages of Debian
morse-simulator-data              likewise; `dpkg -x` is enough
janusweb                          an npm package, where `tests/tools/peers.sh` has the others
"""

import os
import shutil
from pathlib import Path
from subprocess import run

import pytest

from tests.anatomy.walking import assert_walks_at_once
from tests.commands import sim
from tests.export.peers import BLENDER, NODE

pytestmark = pytest.mark.slow
ASSIMP = Path("/usr/share/assimp/models")
MORSE = Path("/usr/share/morse/data/robots/human_rig.blend")
JANUS = NODE / "node_modules" / "janusweb" / "media" / "assets" / "janus-avatar-base.glb"


def converted(name: str, folder: Path) -> str:
    """A test model of Assimp as .glb in a folder; returns its name."""
    program, source = shutil.which("assimp"), ASSIMP / name
    if program is None or not source.is_file():
        pytest.skip("needs the packages assimp-utils and assimp-testmodels of Debian")
    found = f"{source.stem.lower()}.glb"
    done = run([program, "export", str(source), found, "-fglb2"], cwd=folder, timeout=60)
    assert done.returncode == 0
    return found


@pytest.mark.parametrize("world", ["hills", "stairs"])
@pytest.mark.parametrize(
    ("name", "pairs"),
    [("X/BCN_Epileptic.X", 1), ("X/Testwuson.X", 2), ("BVH/Boxing_Toes.bvh", 1)],
)
def test_models_of_assimp_walk(name: str, pairs: int, world: str, tmp_path: Path) -> None:
    assert_walks_at_once(converted(name, tmp_path), pairs, tmp_path, world)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("FBX/huesitos.fbx", "expected legs"),
        ("SMD/WusonSMD.smd", "expected a skeleton"),
        ("FBX/animation_with_skeleton.fbx", "expected the same positive scale along all axes"),
    ],
)
def test_models_of_assimp_that_cannot_walk(name: str, why: str, tmp_path: Path) -> None:
    done = sim("new", "creature", "x", "--from", converted(name, tmp_path), cwd=tmp_path)
    assert done.returncode == 2
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_mannequin_in_the_middle_of_a_step_walks(tmp_path: Path) -> None:
    """Its rest pose is no mirror image, and its ankles are high."""
    if not JANUS.is_file():
        pytest.skip("needs the npm package janusweb")
    shutil.copy(JANUS, tmp_path / "janus.glb")
    assert_walks_at_once("janus.glb", 1, tmp_path, "stairs")


def test_a_person_of_makehuman_walks(tmp_path: Path) -> None:
    """Thighs and shins of two bones each, straight at rest."""
    if not (BLENDER.is_file() and MORSE.is_file()):
        pytest.skip("needs Blender (tests/tools/peers.sh) and morse-simulator-data of Debian")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    script = str(Path(__file__).parent / "armature_in_blender.py")
    words = [str(BLENDER), script, str(MORSE), str(tmp_path / "human.glb")]
    done = run(words, env=environment, capture_output=True, text=True, timeout=300)
    assert (tmp_path / "human.glb").is_file(), done.stdout + done.stderr
    assert_walks_at_once("human.glb", 1, tmp_path, "stairs")
