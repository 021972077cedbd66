import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import creature_sim.ik
from creature_sim.ik import SHOULDER, WRIST, elbow, solve, solve_path, solve_tree


def digest() -> str:
    """Hash of the bits of solves of every kind."""
    t = np.arange(12)
    targets = np.stack([t % 5 - 1.7, t % 3 - 0.9, t % 7 / 2.0 - 1.1], axis=1) * 0.8
    start = np.array([[0.0, 0, 0], [1, 0, 0], [1.5, 1, 0], [2.5, 1, 0.5], [3, 1, 1]])
    arm = [SHOULDER, elbow((0.0, 1.0, 0.0)), None, WRIST]
    bits = hashlib.blake2b()
    for solution in (
        solve_path(start, targets),
        solve_path(start, targets, pole=[0.0, 3.0, 9.0]),
        solve_path(start, targets[:4], limits=arm),
        solve(start, targets[0], method="damped_least_squares"),
        solve_tree(start, [-1, 0, 1, 2, 1], {3: targets[1], 4: targets[2]}),
    ):
        for field in (solution.joints, solution.rotations, solution.error):
            bits.update(np.asarray(field, np.float64).tobytes())
    return bits.hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize(
    "variation",
    [
        {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        {"NUMBA_DISABLE_JIT": "1"},
    ],
    ids=lambda variation: next(iter(variation)),
)
def test_the_bits_are_the_same_on_other_processors_and_without_a_compiler(
    variation: dict[str, str],
) -> None:
    root = Path(__file__).parents[2]
    code = "from tests.ik.test_exactness import digest; print(digest())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | variation,
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest()


def test_kernels_use_nothing_that_changes_between_machines() -> None:
    forbidden = re.compile(
        r"fastmath|parallel|np\.(dot|sum|sin|cos|tan|arc\w+|exp|log|power|linalg|einsum|inner)"
        r"|math\.(?!sqrt)|from math import (?!sqrt$|pi$)|\.sum\(\)(?!\s*!=)|\.dot\(| @ |\*\* "
    )
    folder = Path(creature_sim.ik.__file__).parent
    for path in sorted(folder.glob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            assert not forbidden.search(line), f"{path.name}:{number}: {line}"
