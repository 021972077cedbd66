"""Advice on a file that `check` has found valid."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from creature_sim.advice.advice import Advice, Value
from creature_sim.advice.footprints import crowd_advice
from creature_sim.advice.plans import plan_advice
from creature_sim.advice.sizes import rig_sizes
from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.files.lines import located
from creature_sim.files.problems import problem_in
from creature_sim.library.loader import written_species


class Note(NamedTuple):
    """Advice, and the file that its key is in."""

    file: Path
    advice: Advice

    def __str__(self) -> str:
        """As errors are: file and line, the key, what is poor, and what would be good."""
        return located(self.file, [problem_in(f"{self.advice.key}: {self.advice}")])

    def document(self) -> dict[str, Value]:
        """As plain data."""
        return {"file": str(self.file), **self.advice.document()}


def file_advice(file: Path, definition: WorldDef | CreatureDef) -> list[Note]:
    """All advice on a file: of a world, on its creatures too, in whatever file they are written.

    Args:
        file: of the definition.
        definition: as `creature_sim.library.loader.check` has read it.
    """
    if isinstance(definition, CreatureDef):
        return [Note(file, advice) for advice in plan_advice(definition)]
    found = [Note(file, advice) for advice in (*crowd_advice(definition), *rig_sizes(definition))]
    for name, written in written_species(file).items():
        prefix = "".join(f"{key}." for key in written.keys)
        for advice in plan_advice(definition.species[name]):
            moved = replace(advice, key=prefix + advice.key)
            found.append(Note(file if written.keys else written.path, moved))
    return found
