"""`creature-sim check`, `schema`, `list` and `new`."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from creature_sim.cli.app import UNREADABLE, Force, Json, app
from creature_sim.cli.command import App
from creature_sim.cli.summary import counted
from creature_sim.cli.terminal import print_text
from creature_sim.errors import DefinitionError, TerrainError

if TYPE_CHECKING:
    from creature_sim.anatomy import Beside
    from creature_sim.library.loader import Kind

new = App(help="Write a commented definition to start from.")
app.add_typer(new, name="new")


Name = Annotated[str, typer.Argument(metavar="NAME", help="Of the file and of what is in it.")]


@app.command()
def check(
    source: Annotated[str, typer.Argument(metavar="FILE", help="A TOML file, or a built-in name.")],
    as_json: Json = False,
) -> None:
    """Validate the file of a world or a creature, and list every problem.

    Warns of what is valid and poor, and says what would be good.

    Exit code 0: it is valid; 2: it is not.
    """
    from creature_sim.advice import file_advice
    from creature_sim.cli.references import definition_file, kind_among
    from creature_sim.definitions import WorldDef
    from creature_sim.drivers import make_driver
    from creature_sim.library.loader import check as check_file
    from creature_sim.library.loader import located_in
    from creature_sim.simulation import Simulation
    from creature_sim.spawn.plans import plan_of
    from creature_sim.spawn.stances import check_stance

    if not source:
        raise DefinitionError(f"FILE: expected a path, found {source!r}")
    file = definition_file(source)
    kind_among(source, "world", "creature")
    try:
        definition = check_file(file)
        if isinstance(definition, WorldDef):
            with located_in(file):
                make_driver(definition)  # it may ask for what this world does not have
                Simulation(definition).close()  # its ground may have no place for who starts there
        else:
            with located_in(file, "creature"):
                check_stance(definition, plan_of(definition))
    except (DefinitionError, TerrainError) as error:
        if not as_json:
            raise
        problems = str(error).splitlines()
        print(json.dumps(_checked_file(source, None, "", "", problems)))
        raise typer.Exit(UNREADABLE) from None
    notes = file_advice(file, definition)
    if isinstance(definition, WorldDef):
        kind, names = "world", [definition.species_of(one).name for one in definition.creatures]
        names += [rig.name for rig in definition.rigs]
        content = f"{definition.terrain.kind} with {counted(names) or 'nobody'}"
    else:
        kind = "creature"
        content = f"{len(definition.all_legs)} legs, {definition.gait.kind} gait"
    if as_json:
        found = _checked_file(source, kind, definition.name, content, [])
        print(json.dumps({**found, "warnings": [note.document() for note in notes]}))
        return
    print(f"ok: {source} is a valid {kind}: {content}")
    for note in notes:
        print(f"warning: {note}")


def _checked_file(
    file: str, kind: str | None, name: str, content: str, problems: list[str]
) -> dict[str, object]:
    """The document of `check --json`."""
    return {
        "file": file,
        "ok": not problems,
        "kind": kind,
        "name": name,
        "content": content,
        "problems": problems,
        "warnings": [],
    }


@app.command()
def schema(
    kind: Annotated[
        Literal["world", "creature", "sweep", "objective"], typer.Argument(metavar="KIND")
    ],
) -> None:
    """Print the JSON Schema of worlds, creatures, sweeps or objectives, for editors."""
    from creature_sim.library.loader import schema_text

    print_text(schema_text(kind))


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """List built-in worlds and creatures, and kinds of ground."""
    from creature_sim.library.loader import builtin_names, evolved_names, summary_of
    from creature_sim.terrain.registry import kind_names, kind_summary

    kinds: tuple[Kind, ...] = ("world", "creature")
    found = {
        f"{kind}s": {name: summary_of(kind, name) for name in builtin_names(kind)} for kind in kinds
    }
    found["evolved"] = {name: summary_of("creature", name) for name in evolved_names()}
    found["kinds of ground"] = {name: kind_summary(name) for name in kind_names()}
    if as_json:
        named = {
            key.replace(" ", "_"): [{"name": name, "summary": text} for name, text in table.items()]
            for key, table in found.items()
        }
        print(json.dumps(named))
        return
    for heading, table in found.items():
        print(heading)
        for name, text in table.items():
            print(f"  {name:15} {text}")


@new.command("creature")
def new_creature(
    name: Name,
    legs: Annotated[
        int | None, typer.Option(help="Number of legs, 2 to 40. Default: 6.", metavar="N")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="A rigged model (.glb or .gltf, or the name of a built-in one) or a robot (.urdf, "
            "or .xml of MuJoCo) to find body and legs in.",
            metavar="MODEL",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--plot", help="With --from: a picture of what was found.", metavar="PNG"),
    ] = None,
    force: Force = False,
) -> None:
    """Write NAME.toml, a creature that can walk at once.

    With --from its body, its legs and its gait are those that a model's skeleton asks for, or a
    robot's links; a robot is drawn by NAME.glb beside it.
    """
    from creature_sim.library.scaffold import new_creature as text_of

    if model is not None:
        _refuse_beside_model("--legs", legs)
        _found(_checked(name), model, picture, force)
        return
    if picture is not None:
        raise DefinitionError("--plot: expected --from MODEL beside it, found none")
    _write("creature", name, text_of(_checked(name), 6 if legs is None else legs), force)


def _found(name: str, model: str, picture: Path | None, force: bool) -> None:
    """Write the creature that a model is, beside a copy of its file where it is elsewhere."""
    from creature_sim.anatomy import (
        Beside,
        anatomy_of,
        creature_text,
        plot,
        robot_anatomy,
        tree_of,
    )
    from creature_sim.files.output import check_output, write_output
    from creature_sim.library.scaffold import schema_name
    from creature_sim.robots.reading import is_robot
    from creature_sim.score.plot import check_plot

    beside = Beside.of(model)
    check_output(Path(f"{name}.toml"), force)
    if picture is not None:
        check_plot(picture, force)
    if is_robot(beside.source):
        made = f"{name}.glb"
        check_output(Path(made), force)
        anatomy, data = robot_anatomy(beside.source)
        text = creature_text(anatomy, name, made, schema_name("creature"))
        print_text(tree_of(anatomy) + "\n")
        write_output(Path(made), data, force)
        print(f"wrote {made}, the robot's shapes as it stands")
    else:
        anatomy = anatomy_of(beside.source)
        text = creature_text(anatomy, name, beside.name, schema_name("creature"))
        print_text(tree_of(anatomy) + "\n")
    _copy(beside, force)
    if picture is not None:
        plot(anatomy, picture)
        print(f"wrote {picture}")
    _write("creature", name, text, force)


@new.command("world")
def new_world(
    name: Name,
    kind: Annotated[
        str | None,
        typer.Option(help="Kind of ground, as `list` shows them. Default: hills.", metavar="KIND"),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="A rigged model without legs, an arm or a tentacle, that is a chain of the world.",
            metavar="MODEL",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Write NAME.toml, a world that can run at once."""
    from creature_sim.library.scaffold import new_world as text_of

    if model is not None:
        _refuse_beside_model("--kind", kind)
        _chained(_checked(name), model, force)
        return
    _write("world", name, text_of(_checked(name), kind or "hills"), force)


def _chained(name: str, model: str, force: bool) -> None:
    """Write the world of a chain that a model is."""
    from creature_sim.anatomy import Beside, chain_of, chain_text
    from creature_sim.files.output import check_output
    from creature_sim.library.scaffold import schema_name

    beside = Beside.of(model)
    check_output(Path(f"{name}.toml"), force)
    text = chain_text(chain_of(beside.source), name, beside.name, schema_name("world"))
    _copy(beside, force)
    _write("world", name, text, force)


def _copy(beside: "Beside", force: bool) -> None:
    """Copy a model's file to this folder, if it is elsewhere."""
    from creature_sim.files.output import write_output

    if beside.is_copied:
        write_output(Path(beside.name), beside.source.read_bytes(), force)
        print(f"wrote {beside.name}, a copy of {beside.source}")


def _refuse_beside_model(option: str, value: object) -> None:
    """Refuse what a model decides."""
    if value is not None:
        raise DefinitionError(f"{option}: expected none beside --from MODEL, found {value}")


def _checked(name: str) -> str:
    """A name that is valid in a file name and in a definition."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}", name):
        raise DefinitionError(
            f"NAME: expected letters, digits, '_' and '-', at most 64, found {name!r}"
        )
    return name


def _write(kind: "Kind", name: str, text: str, force: bool) -> None:
    """Write a definition, and beside it the schema that its first line names.

    The schema comes first: on a full disk a definition that has none would be in the way of the
    next try.
    """
    from creature_sim.files.output import check_output, write_output
    from creature_sim.library.loader import schema_path
    from creature_sim.library.scaffold import schema_name

    path, beside = Path(f"{name}.toml"), Path(schema_name(kind))
    check_output(path, force)
    has_schema = beside.exists()
    if not has_schema:
        write_output(beside, schema_path(kind).read_bytes(), force)
    write_output(path, text.encode(), force)
    print(f"wrote {path}")
    if not has_schema:
        print(f"wrote {beside}, with which editors complete the keys of a {kind}")
