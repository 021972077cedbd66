"""`creature-sim check`, `schema`, `list` and `new`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from creature_sim.cli.app import Force, app
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.library.loader import Kind

new = typer.Typer(help="Write a commented definition to start from.", no_args_is_help=True)
app.add_typer(new, name="new")


@app.command()
def check(file: Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file.")]) -> None:
    """Validate the file of a world or a creature, and list every problem."""
    from creature_sim.definitions import WorldDef
    from creature_sim.library.loader import check as check_file

    definition = check_file(file)
    if isinstance(definition, WorldDef):
        names = ", ".join(
            [placement.creature for placement in definition.creatures]
            + [rig.name for rig in definition.rigs]
        )
        print(f"ok: {file} is a valid world: {definition.terrain.kind} with {names}")
    else:
        count, gait = len(definition.all_legs), definition.gait.kind
        print(f"ok: {file} is a valid creature: {count} legs, {gait} gait")


@app.command()
def schema(kind: Annotated[Literal["world", "creature"], typer.Argument()]) -> None:
    """Print the JSON Schema of worlds or creatures, for editors."""
    from creature_sim.library.loader import schema_text

    print(schema_text(kind), end="")


@app.command("list")
def list_all() -> None:
    """List built-in worlds and creatures, and kinds of ground."""
    from creature_sim.library.loader import builtin_names, summary_of
    from creature_sim.terrain.registry import kind_names, kind_summary

    kinds: tuple[Kind, ...] = ("world", "creature")
    for kind in kinds:
        print(f"{kind}s")
        for name in builtin_names(kind):
            print(f"  {name:15} {summary_of(kind, name)}")
    print("kinds of ground")
    for name in kind_names():
        print(f"  {name:15} {kind_summary(name)}")


@new.command("creature")
def new_creature(
    name: str,
    legs: Annotated[int, typer.Option(help="Number of legs, 2 to 40.", metavar="N")] = 6,
    force: Force = False,
) -> None:
    """Write NAME.toml, a creature that can walk at once."""
    from creature_sim.library.scaffold import new_creature as text_of

    _write("creature", name, text_of(_checked(name), legs), force)


@new.command("world")
def new_world(
    name: str,
    kind: Annotated[
        str, typer.Option(help="Kind of ground, as `list` shows them.", metavar="KIND")
    ] = "hills",
    force: Force = False,
) -> None:
    """Write NAME.toml, a world that can run at once."""
    from creature_sim.library.scaffold import new_world as text_of

    _write("world", name, text_of(_checked(name), kind), force)


def _checked(name: str) -> str:
    """A name that is valid in a file name and in a definition."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}", name):
        raise DefinitionError(
            f"NAME: expected letters, digits, '_' and '-', at most 64, found {name!r}"
        )
    return name


def _write(kind: "Kind", name: str, text: str, force: bool) -> None:
    """Write a definition, and beside it the schema that its first line names."""
    from creature_sim.files.output import write_output
    from creature_sim.library.loader import schema_path
    from creature_sim.library.scaffold import schema_name

    path, beside = Path(f"{name}.toml"), Path(schema_name(kind))
    write_output(path, text.encode(), force)
    print(f"wrote {path}")
    if not beside.exists():
        write_output(beside, schema_path(kind).read_bytes(), force)
        print(f"wrote {beside}, with which editors complete the keys of a {kind}")
