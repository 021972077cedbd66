"""Programs that use environments, each in a process of its own."""

import subprocess
import sys
from pathlib import Path


def outputs_of(program: str) -> list[str]:
    """What a program prints in two processes that hash strings differently."""
    return [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": "", "HOME": str(Path.home())},
        ).stdout
        for seed in ("1", "2")
    ]
