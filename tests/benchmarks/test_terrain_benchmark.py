import numba
import numpy as np
import pytest

from creature_sim.terrain import build_terrain
from creature_sim.terrain.kinds.hills import HillsDef
from creature_sim.terrain.tiles.chunks import nodes_of

HILLS = HillsDef(kind="hills", amplitude=1.0, wavelength=18.0, octaves=6, gain=0.3, endless=True)
PLACES = [(i, 3 - i) for i in range(8)]


def test_chunk_of_hills(benchmark):
    chunks = build_terrain(HILLS, 7).chunks

    def eight():
        return [chunks.tile(place) for place in PLACES]

    assert all(tile.heights.shape == (65, 65) for tile in benchmark(eight))


def test_chunk_of_hills_by_opensimplex(benchmark):
    """The same octaves on the same nodes, heights alone, on one thread: it is fastest so."""
    opensimplex = pytest.importorskip("opensimplex", reason="opensimplex is in the bench extra")
    numba.set_num_threads(1)
    noises = [opensimplex.OpenSimplex(seed) for seed in range(HILLS.octaves)]

    def eight():
        found = []
        for place in PLACES:
            x, y = (nodes_of(part) / HILLS.wavelength for part in place)
            heights = np.zeros((65, 65))
            for octave, noise in enumerate(noises):
                heights += HILLS.gain**octave * noise.noise2array(2**octave * y, 2**octave * x)
            found.append(heights.astype(np.float32))
        return found

    assert all(heights.std() > 0.1 for heights in benchmark(eight))
