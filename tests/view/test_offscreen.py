"""Pictures without a screen, and one sentence where there is nothing to draw on."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from creature_sim.errors import DisplayUnavailable
from creature_sim.figures.camera import Camera
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.view.offscreen import Studio, render
from tests.forks import start_script
from tests.marks import sample_of
from tests.windows import Screen

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "name", sample_of(builtin_names("creature"), slow=("biped", "centipede", "hexapod", "spider8"))
)
def test_pictures_without_a_screen_are_not_empty_and_repeat_exactly(name: str) -> None:
    world = with_creature(load_world("hills"), load_creature(name))
    with Simulation(world) as simulation:
        for _ in range(30):
            simulation.step()
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    try:
        first = render(world, pose, terrain, (320, 180))
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    assert first.shape == (180, 320, 3)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 500
    assert (render(world, pose, terrain, (320, 180)) == first).all()
    with Studio(world, terrain, (320, 180)) as studio:
        assert (studio.render(pose) == first).all()
        assert (studio.render(pose, is_overlaid=True) != first).any()
        assert (studio.render(pose, Camera(yaw=2.0)) != first).any()


WITHOUT = """
from creature_sim.errors import DisplayUnavailable
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.view.open import show_simulation
with Simulation(load_world("meadow")) as simulation:
    try:
        show_simulation(simulation, max_ticks=1)
    except DisplayUnavailable as error:
        print(error)
"""


@pytest.mark.parametrize("display", [None, ":9471"])
def test_no_display_is_one_sentence_that_says_what_to_do(display: str | None) -> None:
    text = _without({"DISPLAY": display})
    assert "no display" in text
    assert "--headless" in text
    assert "DISPLAY" in text


def _without(changes: dict[str, str | None]) -> str:
    """The one line that a process says which asks for a window in a changed environment."""
    environment = {**os.environ, **changes}
    kept = {key: value for key, value in environment.items() if value is not None}
    process = start_script(WITHOUT, env=kept)
    stdout, stderr = process.communicate()
    assert (process.returncode, stderr) == (0, "")
    lines = [line for line in stdout.splitlines() if not line.startswith("pybullet")]
    assert len(lines) <= 1
    return lines[0] if lines else ""


def test_a_window_without_opengl_33_is_one_sentence(screen: Screen) -> None:
    text = _without({"DISPLAY": screen.display, "MESA_GL_VERSION_OVERRIDE": "2.1"})
    if not text:
        pytest.skip("this OpenGL cannot be made to look old")
    assert "OpenGL 3.3" in text
    assert "--headless" in text


def test_a_window_without_fonts_is_one_sentence(screen: Screen, tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text("<fontconfig></fontconfig>")
    text = _without({"DISPLAY": screen.display, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")})
    assert "no font" in text
    assert "--headless" in text


def test_importing_what_shows_loads_no_pyglet() -> None:
    script = (
        "import sys, creature_sim.view.open, creature_sim.view.offscreen"
        "; assert not [name for name in sys.modules if name.startswith('pyglet')]"
    )
    subprocess.run([sys.executable, "-c", script], timeout=60, check=True)
