"""Creatures that are made of models and walk, for the tests."""

from pathlib import Path

import numpy as np

from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.score import tracks
from tests.commands import sim
from tests.scenes import walk

SECONDS = 10


def assert_walks_at_once(model: str, pairs: int, folder: Path, world: str = "meadow") -> None:
    """The commands of the guide make a creature of a model, and it gets along.

    Args:
        model: a file in the folder.
        pairs: of legs that it has.
        folder: where the creature's file is written.
        world: on which it walks.
    """
    name = f"my_{Path(model).stem}"
    done = sim("new", "creature", name, "--from", model, "--force", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    checked = sim("check", f"{name}.toml", cwd=folder)
    assert checked.returncode == 0
    assert "warning" not in checked.stdout
    definition = load_creature(folder / f"{name}.toml")
    assert len(definition.leg_pairs) == pairs
    made = with_creature(load_world(world), definition)
    (track,) = tracks(walk(made, SECONDS * made.tick_rate), made.tick_rate)
    path = np.linalg.norm(np.diff(track.position, axis=0), axis=1).sum()
    assert path > 0.3 * definition.motion.speed * SECONDS
