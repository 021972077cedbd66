"""`creature-sim tune`."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from creature_sim.cli.app import MISMATCH, Force, Json, app
from creature_sim.cli.evaluating import (
    Budget,
    Resume,
    Seed,
    Work,
    checked_search,
    evaluator,
    journal_of,
    print_cost,
    world_names,
)
from creature_sim.cli.references import Walker, creature_of, objective_of
from creature_sim.cli.terminal import console
from creature_sim.cli.workers import Cluster, Jobs, process_count

if TYPE_CHECKING:
    from creature_sim.lab.tuning import Task, Tuned


@app.command()
def tune(
    creature: Walker,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The tuned creature (.toml), or a folder."
        ),
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
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="What is better: walk, speed, or a file (.toml). Default: walk; with --archive "
            "legs speed.",
        ),
    ] = None,
    held_out: Annotated[
        str | None,
        typer.Option(
            metavar="WORLD,...",
            help="Where it has to be better, too, and is not tuned. Default: the objective's.",
        ),
    ] = None,
    archive: Annotated[
        Literal["gaits", "legs"] | None,
        typer.Option(
            metavar="KIND",
            help="Instead of one creature a folder of them: gaits, the best one for each speed and "
            "duty factor; or legs, the best one for each leg that is lost.",
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

    Exit code 0: it is better, also on ground that it was not tuned on; 1: it is not, or not without
    every leg; 2: bad input.
    """
    from creature_sim.cli.archiving import write_archive
    from creature_sim.lab.tuning import task_of
    from creature_sim.lab.tuning.knobs import offsets_of
    from creature_sim.lab.tuning.packages import needed
    from creature_sim.lab.tuning.writing import text_with
    from creature_sim.score.registry import load_plugins

    checked_search(budget, seed)
    work = Work(output, process_count(jobs, cluster), cluster, resume, force, as_json)
    needed("cma")
    load_plugins()
    definition = creature_of(creature)
    extra = ["motion.speed"] if archive == "gaits" else []
    if archive == "legs":
        extra = offsets_of(definition)
    if objective is None:
        objective = "speed" if archive == "legs" else "walk"
    task = task_of(
        creature,
        over,
        world_names("--worlds", worlds),
        objective_of(objective),
        held_out=world_names("--held-out", held_out) if held_out is not None else (),
        budget=budget,
        seed=seed,
        extra=extra,
    )
    text_with(creature, (), (), output)  # what files are written with is there
    if archive is not None:
        is_better = write_archive(creature, task, archive, work)
    else:
        is_better = _write_tuned(creature, task, work)
    if not is_better:
        raise typer.Exit(MISMATCH)


def _write_tuned(reference: str, task: "Task", work: Work) -> bool:
    """Tune, write the file, and tell; whether it is better."""
    from creature_sim.files.output import check_output, write_output
    from creature_sim.lab.tuning import changes_of, text_with, tune

    path = journal_of(work.output)
    check_output(work.output, work.force)
    with evaluator(f"tuning {task.creature.name}", task.steps, path, work) as evaluate:
        begin = time.perf_counter()
        tuned = tune(task, evaluate)
    document = {
        "creature": task.creature.name,
        "output": str(work.output),
        "journal": str(path),
        **_document(tuned),
        "ran": evaluate.ran,
        "seconds": round(time.perf_counter() - begin, 3),
        "processor_seconds": round(evaluate.seconds, 3),
    }
    changes = changes_of(task.knobs, tuned.values)
    text = text_with(reference, changes, _notes(tuned), work.output)
    write_output(work.output, text.encode(), work.force)
    if work.as_json:
        print(json.dumps(document))
    else:
        _print(document)
    return tuned.is_better


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

    print_cost(document)
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
