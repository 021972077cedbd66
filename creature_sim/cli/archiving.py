"""`creature-sim tune --archive`: a folder of creatures, each the best of its kind."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from creature_sim.cli.evaluating import Work, evaluator, print_cost
from creature_sim.cli.terminal import console
from creature_sim.errors import OutputError
from creature_sim.files.output import write_output

if TYPE_CHECKING:
    from creature_sim.lab.tuning import Elite, Evaluator, Task

JOURNAL = "evaluations.jsonl"


def write_archive(reference: str, task: "Task", kind: Literal["gaits", "legs"], work: Work) -> bool:
    """Fill an archive, write a file for each of its creatures, and tell.

    Returns:
        whether without each leg one was found that is faster than the creature as it is, also on
        held-out ground; of gaits, whether one was found.
    """
    from creature_sim.lab.tuning import changes_of, find_elites, text_with
    from creature_sim.lab.tuning.archive import held_out_runs, speed_of
    from creature_sim.lab.tuning.packages import needed

    needed("ribs.archives")
    _open(work)
    title = f"filling an archive of {kind} of {task.creature.name}"
    with evaluator(title, _steps(task, kind), work.output / JOURNAL, work) as evaluate:
        begin = time.perf_counter()
        archive = find_elites(task, kind, evaluate)
        held_out = list(map(speed_of, held_out_runs(task, kind, evaluate, archive.elites)))
        known = _known(task, evaluate) if kind == "legs" else []
    head = (
        f"From an archive of creature-sim tune --archive {kind}: {archive.evaluations} "
        f"evaluations of the objective {task.objective.name}, seed {task.seed}."
    )
    found = []
    for elite, speed in zip(archive.elites, held_out, strict=True):
        path = work.output / f"{_name(kind, elite)}.toml"
        compared = _compared(known, elite, speed)
        notes = [head, f"{_meant(kind, elite)}: score {elite.score:.3f}, {elite.speed:.3f} m/s."]
        if compared and not compared["is_better"]:
            notes.append("NOT faster than the creature as it was on all ground.")
        text = text_with(reference, changes_of(task.knobs, elite.values), notes, path)
        write_output(path, text.encode(), force=True)
        found.append(
            {
                "file": str(path),
                **_kinds(kind, elite),
                "score": round(elite.score, 6),
                "speed": round(elite.speed, 6),
                "speed_held_out": round(speed, 6),
                **compared,
                "values": task.named(elite.values),
            }
        )
    document = {
        "creature": task.creature.name,
        "output": str(work.output),
        "archive": kind,
        "objective": task.objective.name,
        "seed": task.seed,
        "evaluations": archive.evaluations,
        "kinds": archive.kinds,
        "elites": found,
        "ran": evaluate.ran,
        "seconds": round(time.perf_counter() - begin, 3),
        "processor_seconds": round(evaluate.seconds, 3),
    }
    if work.as_json:
        print(json.dumps(document))
    else:
        _print(document)
    if kind == "gaits":
        return bool(found)
    return len(found) == archive.kinds and all(elite["is_better"] for elite in found)


def _known(task: "Task", evaluate: "Evaluator") -> list[tuple[float, float]]:
    """Speeds of the creature as its file says, without each of its legs: here, and held out."""
    from creature_sim.lab.tuning.archive import fallbacks, speed_of

    here, there = fallbacks(task, evaluate), fallbacks(task, evaluate, is_held_out=True)
    return list(zip(map(speed_of, here), map(speed_of, there), strict=True))


def _open(work: Work) -> None:
    """Make the folder, unless it is there and is one of ours, or empty."""
    folder = work.output
    try:
        folder.mkdir(exist_ok=True)
        names = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise OutputError(
            f"{folder}: expected a folder for an archive, found none, and none can be made "
            f"({error.strerror})"
        ) from None
    if names and JOURNAL not in names:
        raise OutputError(f"{folder}: expected an empty folder or an archive, found other files")


def _steps(task: "Task", kind: str) -> int:
    """How many evaluations there will be, at most."""
    from creature_sim.lab.tuning.archive import CELLS

    legs = len(task.creature.all_legs)
    return task.budget + (3 * legs if kind == "legs" else min(task.budget, CELLS * CELLS))


def _name(kind: str, elite: "Elite") -> str:
    if kind == "legs":
        return f"leg-{round(elite.kind[0])}"
    return f"speed-{elite.kind[0]:.3f}-duty-{elite.kind[1]:.3f}"


def _meant(kind: str, elite: "Elite") -> str:
    if kind == "legs":
        return f"Without leg {round(elite.kind[0])}, counted from 0"
    return f"Its feet stand {elite.kind[1]:.3f} of the time"


def _kinds(kind: str, elite: "Elite") -> dict[str, float]:
    if kind == "legs":
        return {"lost_leg": round(elite.kind[0])}
    return {"duty_factor": round(elite.kind[1], 6)}


def _compared(
    known: Sequence[tuple[float, float]], elite: "Elite", held_out: float
) -> dict[str, Any]:
    """The speeds of the creature as its file says, without the same leg; whether both are lower."""
    if not known:
        return {}
    here, there = known[round(elite.kind[0])]
    return {
        "speed_before": round(here, 6),
        "speed_before_held_out": round(there, 6),
        "is_better": elite.speed > here and held_out > there,
    }


def _print(document: dict[str, Any]) -> None:
    """A table for people."""
    from rich.table import Table

    print_cost(document)
    table = Table(box=None, pad_edge=False)
    table.add_column("file", no_wrap=True)
    is_of_legs = document["archive"] == "legs"
    for name in ("score", "m/s", "held out"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("as it was", "held out", "faster") if is_of_legs else ():
        table.add_column(name, justify="right", no_wrap=True)
    for elite in document["elites"]:
        keys = ["score", "speed", "speed_held_out"]
        keys += ["speed_before", "speed_before_held_out"] * is_of_legs
        verdict = ["yes" if elite["is_better"] else "NO"] if is_of_legs else []
        numbers = (f"{elite[key]:.3f}" for key in keys)
        table.add_row(Path(elite["file"]).name, *numbers, *verdict)
    console().print(table)
    print(
        f"{len(document['elites'])} of {document['kinds']} kinds; files and evaluations are in "
        f"{document['output']}"
    )
