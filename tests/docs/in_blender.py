"""Runs a script of a page in Blender's Python, in the file of a level if there is one.

Pictures are small and coarse; what asks to be called every now and then is called three times.
"""

import os
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy  # type: ignore[import-not-found]


def main(script: str, *level: str) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if level:
        bpy.ops.wm.open_mainfile(filepath=level[0])
    text = (
        Path(script)
        .read_text()
        .replace('"CYCLES", 32', '"CYCLES", 1')
        .replace("960, 540", "96, 54")
    )
    Path(script).write_text(text)
    names: dict[str, Any] = runpy.run_path(script)
    follow: Callable[[], float] | None = names.get("follow")
    if follow:
        counts = []
        for _ in range(3):
            assert follow() > 0.0
            counts.append(len(bpy.data.objects))
            os.utime(names["FILE"])
        assert len(set(counts)) == 1, counts


main(*sys.argv[1:])
