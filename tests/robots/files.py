"""Real robots: those that pybullet's own package brings, and gymnasium's where it is installed."""

from importlib.util import find_spec
from pathlib import Path


def _folder(package: str) -> Path | None:
    """Where a package is; None where it is not installed."""
    spec = find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


DATA = _folder("pybullet_data") or Path("pybullet_data")
_GYM = _folder("gymnasium")
GYM = _GYM / "envs/mujoco/assets" if _GYM else None
"""Folder of gymnasium's MJCFs; None where it is not installed."""
DOGS = (
    "a1/a1.urdf",
    "aliengo/aliengo.urdf",
    "laikago/laikago.urdf",
    "laikago/laikago_toes.urdf",
    "laikago/laikago_toes_limits.urdf",
    "laikago/laikago_toes_zup.urdf",
    "laikago/laikago_toes_zup_lores.urdf",
    "mini_cheetah/mini_cheetah.urdf",
    "quadruped/spirit40.urdf",
    "quadruped/spirit40newer.urdf",
    "quadruped/vision60.urdf",
)
"""Four-legged ones."""
MINITAURS = (
    "minitaur",
    "minitaur_derpy",
    "minitaur_fixed_all",
    "minitaur_fixed_knees",
    "minitaur_rainbow_dash",
    "minitaur_rainbow_dash_v1",
    "minitaur_single_motor",
    "minitaur_v1",
    "quadruped",
    "microtaur/microtaur",
)
BODIES = ("ant", "half_cheetah", "humanoid", "humanoid_symmetric", "hopper", "walker2d")
GYMS = ("ant", "half_cheetah", "humanoid", "humanoidstandup", "hopper", "walker2d", "swimmer")
ROBOTS = (
    *(f"pybullet_data/{name}" for name in DOGS),
    *(f"pybullet_data/quadruped/{name}.urdf" for name in MINITAURS),
    "pybullet_data/humanoid/humanoid.urdf",
    "pybullet_data/biped/biped2d_pybullet.urdf",
    "pybullet_data/r2d2.urdf",
    *(f"pybullet_data/mjcf/{name}.xml" for name in BODIES),
    "pybullet_data/mjcf/humanoid_fixed.xml",
    *(f"gymnasium/{name}.xml" for name in GYMS),
)
"""Those of the table of docs/robots-in.md."""
