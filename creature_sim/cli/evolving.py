"""`creature-sim evolve`."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from creature_sim.cli.references import objective_of
from creature_sim.cli.workers import Cluster, Jobs, process_count
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.lab.evolution import Evolved


@app.command()
def evolve(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The best creature (.toml).")
    ],
    worlds: Annotated[
        str, typer.Option(metavar="WORLD,...", help="Where it evolves: names or files.")
    ] = "hills",
    objective: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE", help="What is better: body, walk, speed, or a file (.toml)."
        ),
    ] = "body",
    budget: Budget = 500,
    seed: Seed = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    resume: Resume = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Evolve a body, its legs and its gait from random ones to a walker, and write its file.

    Every evaluation is kept beside it (.jsonl), whatever ends the command; --resume goes on.

    Exit code 0: it walks and passes M1 to M8; 1: it does not; 2: bad input.
    """
    from creature_sim.files.output import check_output, write_output
    from creature_sim.lab.evolution import evolve as search
    from creature_sim.lab.evolution import text_of
    from creature_sim.lab.tuning import Ground
    from creature_sim.score.registry import load_plugins

    checked_search(budget, seed)
    path, name = journal_of(output), output.stem
    _check_name(name)
    work = Work(output, process_count(jobs, cluster), cluster, resume, force, as_json)
    check_output(output, force)
    load_plugins()
    asked = objective_of(objective)
    definition = asked.definition
    ground = Ground("--worlds", world_names("--worlds", worlds), definition.seeds, asked)
    held_out = definition.held_out
    other = Ground(f"{asked.name}: held_out.worlds", held_out.worlds, held_out.seeds, asked)
    with evaluator(f"evolving {name}", budget + 1, path, work) as evaluate:
        begin = time.perf_counter()
        found = search(name, ground, other, asked, evaluate, budget=budget, seed=seed)
    notes = [
        f"Evolved by creature-sim evolve --worlds {worlds} --objective {objective} "
        f"--budget {budget} --seed {seed}.",
        f"Score {found.best.score:.3f}; the best of the random creatures it began with had "
        f"{found.first:.3f}.",
    ]
    write_output(output, text_of(found.best.genome, name, notes).encode(), force)
    document = {
        "output": str(output),
        "journal": str(path),
        "seed": seed,
        "evaluations": found.evaluations,
        "legs": 2 * len(found.best.genome.legs),
        "score": {"first": round(found.first, 6), "best": round(found.best.score, 6)},
        "held_out": round(asked.score(found.held_out), 6),
        "unsound": found.best.unsound,
        "ran": evaluate.ran,
        "seconds": round(time.perf_counter() - begin, 3),
        "processor_seconds": round(evaluate.seconds, 3),
    }
    if as_json:
        print(json.dumps(document))
    else:
        _print(document, found)
    if document["unsound"]:
        raise typer.Exit(MISMATCH)


def _check_name(name: str) -> None:
    """Refuse a name of a file that no creature can have."""
    from pydantic import TypeAdapter, ValidationError

    from creature_sim.files.definition import Name
    from creature_sim.files.problems import problems_in

    try:
        TypeAdapter(Name).validate_python(name)
    except ValidationError as error:
        text = problems_in(error, None)[0].text
        raise DefinitionError(
            f"-o: the file has the creature's name before .toml: {text}"
        ) from None


def _print(document: dict[str, Any], found: "Evolved") -> None:
    """A few lines for people."""
    print_cost(document)
    print(
        f"{document['legs']} legs, {found.best.genome.pattern}; score "
        f"{document['score']['first']:.3f} -> {document['score']['best']:.3f}; held out "
        f"{document['held_out']:.3f}"
    )
    unsound = ", ".join(dict.fromkeys(document["unsound"]))
    print(f"it does not pass {unsound}" if unsound else "it passes M1 to M8")
    print(f"wrote {document['output']}; {document['journal']} has all evaluations")
