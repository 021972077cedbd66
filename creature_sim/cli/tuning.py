"""`creature-sim tune`."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from creature_sim.cli.app import MISMATCH, Force, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.references import Walker, creature_of
from creature_sim.cli.signals import Stopped
from creature_sim.cli.terminal import console
from creature_sim.cli.workers import Cluster, Jobs, checked, process_count
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.lab.tuning import Tuned

MOST = 100_000
"""Largest number of evaluations."""

Budget = Annotated[int, typer.Option("--budget", metavar="N", help="Number of evaluations.")]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", help="Of the search; another one, another way.")
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Use the evaluations that are kept, and go on.")
]


@app.command()
def tune(
    creature: Walker,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The tuned creature (.toml).")
    ],
    over: Annotated[
        str,
        typer.Option(
            metavar="KEY[=LOW:HIGH],...",
            help="Numbers of the creature's file that are varied; auto: gait, height and feet.",
        ),
    ] = "auto",
    worlds: Annotated[
        str, typer.Option(metavar="WORLD,...", help="Where it is tuned: names or files.")
    ] = "hills,stairs",
    objective: Annotated[
        str,
        typer.Option(metavar="NAME|FILE", help="What is better: walk, speed, or a file (.toml)."),
    ] = "walk",
    held_out: Annotated[
        str | None,
        typer.Option(
            metavar="WORLD,...",
            help="Where it has to be better, too, and is not tuned. Default: the objective's.",
        ),
    ] = None,
    budget: Budget = 500,
    seed: Seed = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    resume: Resume = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Vary numbers of a creature's file until it walks better, and write the file with the best.

    Every evaluation is kept beside it (.jsonl), whatever ends the command; --resume goes on.

    Exit code 0: it is better, also on ground that it was not tuned on; 1: it is not; 2: bad input.
    """
    from creature_sim.files.output import check_output, write_output
    from creature_sim.lab.tuning import Evaluator, Journal, load_objective, task_of
    from creature_sim.lab.tuning import tune as search
    from creature_sim.lab.tuning.search import library
    from creature_sim.lab.tuning.writing import text_with
    from creature_sim.score.registry import load_plugins
    from creature_sim.workers import open_workers

    checked("--budget", budget, MOST)
    if not 0 <= seed < 2**32:
        raise DefinitionError(f"--seed: expected a number from 0 to {2**32 - 1}, found {seed}")
    workers = process_count(jobs, cluster)
    if output.suffix != ".toml":
        raise DefinitionError(f"-o: expected a file that ends with .toml, found {output}")
    check_output(output, force)
    library()
    load_plugins()
    creature_of(creature)
    task = task_of(
        creature,
        over,
        _names("--worlds", worlds),
        load_objective(objective),
        held_out=_names("--held-out", held_out) if held_out is not None else (),
        budget=budget,
        seed=seed,
    )
    text_with(creature, (), (), output)  # what it is written with is there
    begin = time.perf_counter()
    path = output.with_suffix(".jsonl")
    with Journal(path, resume=resume, force=force) as journal:
        try:
            with (
                progress(
                    f"tuning {task.creature.name}", task.steps, unit="evaluations", quiet=as_json
                ) as show,
                open_workers(workers, cluster) as found,
            ):
                evaluate = Evaluator(found, journal, show)
                tuned = search(task, evaluate)
        except Stopped as stop:
            stop.done += f"; {journal.count:,} are in {path}, --resume goes on"
            raise
    document = {
        "creature": task.creature.name,
        "output": str(output),
        "journal": str(path),
        **_document(tuned),
        "ran": evaluate.ran,
        "seconds": round(time.perf_counter() - begin, 3),
        "processor_seconds": round(evaluate.seconds, 3),
    }
    changes = [(knob.path, value) for knob, value in zip(task.knobs, tuned.values, strict=True)]
    write_output(output, text_with(creature, changes, _notes(tuned), output).encode(), force)
    if as_json:
        print(json.dumps(document))
    else:
        _print(document)
    if not tuned.is_better:
        raise typer.Exit(MISMATCH)


def _names(option: str, text: str) -> list[str]:
    """The words of a list with commas."""
    found = [word.strip() for word in text.split(",")]
    if not all(found):
        raise DefinitionError(f"{option}: expected names or files with commas, found {text!r}")
    return found


def _document(tuned: "Tuned") -> dict[str, Any]:
    """What was found."""
    task = tuned.task
    places = [(place, False) for place in task.ground.places]
    places += [(place, True) for place in task.held_out.places]
    sides = zip(places, tuned.before.runs, tuned.after.runs, strict=True)
    return {
        "is_better": tuned.is_better,
        "objective": task.objective.name,
        "seed": task.seed,
        "evaluations": tuned.evaluations,
        "values": [
            {
                "key": knob.name,
                "from": knob.start,
                "to": value,
                "low": knob.low,
                "high": knob.high,
            }
            for knob, value in zip(task.knobs, tuned.values, strict=True)
        ],
        "score": {"before": _digits(tuned.before.score), "after": _digits(tuned.after.score)},
        "held_out": {
            "before": _digits(tuned.before.held_out),
            "after": _digits(tuned.after.held_out),
        },
        "runs": [
            {
                "world": place[0],
                "seed": place[1],
                "held_out": is_held_out,
                "before": _digits(task.objective.score([before])),
                "after": _digits(task.objective.score([after])),
                "failed_before": task.objective.failed([before]),
                "failed_after": task.objective.failed([after]),
            }
            for (place, is_held_out), before, after in sides
        ],
    }


def _digits(score: float) -> float:
    return round(score, 6)


def _notes(tuned: "Tuned") -> list[str]:
    """The comment in the file."""
    task, before, after = tuned.task, tuned.before, tuned.after
    worlds = ", ".join(dict.fromkeys(name for name, _ in task.ground.places))
    others = ", ".join(dict.fromkeys(name for name, _ in task.held_out.places))
    values = ", ".join(
        f"{knob.name} {knob.start:g} -> {value:g}"
        for knob, value in zip(task.knobs, tuned.values, strict=True)
    )
    verdict = "better there, too" if tuned.is_better else "NOT better there"
    return [
        f"Tuned by creature-sim tune: {tuned.evaluations} evaluations of the objective "
        f"{task.objective.name}, seed {task.seed}.",
        f"{values}.",
        f"Score on {worlds}: {before.score:.3f} -> {after.score:.3f}; with other seeds on "
        f"{others}: {before.held_out:.3f} -> {after.held_out:.3f}, {verdict}.",
    ]


def _print(document: dict[str, Any]) -> None:
    """A few lines and tables for people."""
    from rich.table import Table

    print(
        f"{document['evaluations']:,} evaluations in {document['seconds']:.1f} s, "
        f"{document['processor_seconds']:.1f} s of processor time"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("key", no_wrap=True)
    for name in ("before", "after", "least", "most"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in document["values"]:
        numbers = (f"{one[key]:.4g}" for key in ("from", "to", "low", "high"))
        table.add_row(one["key"], *numbers)
    console().print(table)
    table = Table(box=None, pad_edge=False)
    for name, side in (("world", "left"), ("seed", "right"), ("", "left")):
        table.add_column(name, justify=side, no_wrap=True)  # type: ignore[arg-type]
    for name in ("before", "after"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("failed")
    for run in document["runs"]:
        table.add_row(
            run["world"],
            str(run["seed"]),
            "held out" if run["held_out"] else "",
            *(f"{run[key]:.3f}" for key in ("before", "after")),
            ", ".join(run["failed_after"]),
        )
    console().print(table)
    for name, key in (("score", "score"), ("held out", "held_out")):
        print(f"{name}: {document[key]['before']:.3f} -> {document[key]['after']:.3f}")
    better = "better, also where it was not tuned"
    print(better if document["is_better"] else "not better where it was not tuned")
    print(f"wrote {document['output']}; {document['journal']} has all evaluations")
