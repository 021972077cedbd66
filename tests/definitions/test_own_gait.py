"""A gait pattern of one's own: one entry in a table, and creatures walk by it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from creature_sim.definitions import patterns
from creature_sim.score import tracks
from tests.locomotion.test_gaits import with_gait
from tests.scenes import scene, walk

ENTRY = """PATTERNS = {
    "tetrapod": GaitPattern(
        lambda leg: (leg.behind + leg.is_right) / 3.0,
        lambda pairs: 2.0 / 3.0,
    ),
"""

# In a process that reads a copy of this one file instead of the package's own.
PROGRAM = """
import importlib.util, sys
name = "creature_sim.definitions.patterns"
spec = importlib.util.spec_from_file_location(name, sys.argv[1])
sys.modules[name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules[name])

import json
from creature_sim.library.loader import schema_text
from tests.definitions.test_own_gait import TETRAPOD, walked
print(json.dumps(walked(pattern="tetrapod") | {"schema": "tetrapod" in schema_text("creature")}))
"""

TETRAPOD = (2 / 3 - 2 / 3, 2 / 3 - 1.0, 2 / 3 - 1 / 3, 2 / 3 - 2 / 3, 2 / 3 - 0.0, 2 / 3 - 1 / 3)
"""The same by hand: offsets of the six legs, pair by pair, left before right."""


def walked(**gait: object) -> dict[str, Any]:
    """How a hexapod walks by a gait: how far, how many feet are in the air, its offsets."""
    plan = with_gait("hexapod", **gait)
    world = scene("meadow", "hexapod", driver="forward 9")
    world = world.model_copy(update={"species": {"hexapod": plan}})
    (track,) = tracks(walk(world, 540), 60)
    return {
        "distance": float(track.position[-1, 0]),
        "standing": float((~track.is_swinging[240:]).mean()),
        "offsets": plan.cycle()[0],
    }


@pytest.mark.slow
def test_a_pattern_is_one_entry_of_a_table(tmp_path: Path) -> None:
    source = Path(patterns.__file__).read_text()
    copy = tmp_path / "patterns.py"
    copy.write_text(source.replace("PATTERNS = {\n", ENTRY))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(copy)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema"]
    assert found["offsets"] == pytest.approx([offset % 1.0 for offset in TETRAPOD])
    assert found["distance"] > 2.0
    assert found["standing"] == pytest.approx(2.0 / 3.0, abs=0.05)


@pytest.mark.slow
def test_offsets_in_the_creatures_file_need_no_code() -> None:
    found = walked(offsets=tuple(offset % 1.0 for offset in TETRAPOD), duty_factor=2.0 / 3.0)
    assert found["distance"] > 2.0
    assert found["standing"] == pytest.approx(2.0 / 3.0, abs=0.05)
