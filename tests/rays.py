"""Ground to cast rays on, for tests that ask the same ground again and again."""

from creature_sim.ground.rays import Physics
from creature_sim.terrain import TerrainDef
from tests.grounds import SharedPhysics, shared_terrain

_kept: list[tuple[TerrainDef, int, Physics]] = []


def rays_on(terrain: TerrainDef, seed: int) -> Physics:
    """A ground that stays open until another is asked for, since each takes up to 150 MB."""
    if not _kept or _kept[0][:2] != (terrain, seed):
        for *_, physics in _kept:
            physics.close()
        _kept[:] = [(terrain, seed, SharedPhysics(shared_terrain(terrain, seed)))]
    return _kept[0][2]
