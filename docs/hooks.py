"""Pages that are made of something else when MkDocs builds the site, so that they cannot go stale.

The home page is README.md; contributing and changelog are the files of those names; the commands
come from the typer app, and the keys of creatures and worlds from their JSON Schemas.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from creature_sim.cli.commands import app
from creature_sim.library.loader import Kind, schema_text

ROOT = Path(__file__).parent.parent
COPIES = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that no file in docs/ holds."""
    for page, source in COPIES.items():
        files.append(File.generated(config, page, content=copied(ROOT / source)))
    files.append(File.generated(config, "commands.md", content=commands()))
    files.append(File.generated(config, "keys.md", content=keys()))
    return files


def copied(source: Path) -> str:
    """A file of the top level as a page: its links lead where the site has what they mean."""
    text = source.read_text().replace("](docs/", "](").replace("](README.md", "](index.md")
    text = text.replace("](CONTRIBUTING.md", "](contributing.md")
    return text.replace("](CHANGELOG.md", "](changelog.md")


def commands() -> str:
    """Every command with its arguments and options, from the app itself."""
    root: Any = typer.main.get_command(app)
    parts = ["# Commands\n", f"{root.help}\n", "Every command explains itself with `--help` too.\n"]
    parts += ["| command | what it does |", "|---|---|"]
    found = list(_leaves("creature-sim", typer.Context(root)))
    for name, command, _ in found:
        first = _sentence(command.help)
        parts.append(f"| [`{name}`](#{name.replace(' ', '-')}) | {first} |")
    parts.append("")
    for name, command, context in found:
        usage = " ".join([name, *command.collect_usage_pieces(context)])
        parts += [f"## {name}\n", f"{command.help}\n", f"```text\n{usage}\n```\n"]
        parts += ["| argument or option | meaning |", "|---|---|"]
        for parameter in command.get_params(context):
            if parameter.name != "help":
                record = parameter.get_help_record(context) or (parameter.make_metavar(context), "")
                parts.append(f"| `{_escaped(record[0])}` | {_escaped(record[1])} |")
        parts.append("")
        if parts[-2] == "|---|---|":
            parts[-3:] = []
    return "\n".join(parts)


def _leaves(name: str, context: typer.Context) -> Iterator[tuple[str, Any, typer.Context]]:
    """Commands that have none below them, with their whole names and contexts."""
    group: Any = context.command
    for key in group.list_commands(context):
        below = group.get_command(context, key)
        inner = typer.Context(below, info_name=key, parent=context)
        if hasattr(below, "commands"):
            yield from _leaves(f"{name} {key}", inner)
        else:
            yield f"{name} {key}", below, inner


def _sentence(text: str) -> str:
    return _escaped(text.strip().splitlines()[0])


def _escaped(text: str) -> str:
    """Text in a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def keys() -> str:
    """Every key that a creature's or a world's file may have, from the JSON Schemas."""
    parts = [
        "# Keys of creatures and worlds\n",
        "Every key that a file may have. Keys without a default must be written. Editors that know "
        "TOML schemas complete them: `creature-sim new` writes the schema beside a new file, whose "
        "first line names it, and `creature-sim schema creature` prints it.\n",
    ]
    seen = {"CreatureDef"}
    kinds: tuple[Kind, ...] = ("creature", "world")
    for kind in kinds:
        schema = json.loads(schema_text(kind))
        parts += [f"## A {kind}\n", _table("", schema)]
        for name, table in _tables(schema).items():
            if name not in seen:
                seen.add(name)
                model = schema["$defs"][name]
                parts.append(_table(f"### {_title(table, model)} {{ #{name} }}\n", model))
    return "\n".join(parts)


def _tables(schema: dict[str, Any]) -> dict[str, str]:
    """The models of a schema that files write as tables, and how each is first written."""
    found: dict[str, str] = {}
    waiting = [("", schema)]
    while waiting:
        path, model = waiting.pop(0)
        for key, field in model["properties"].items():
            for name, is_list in _references(field, False):
                below = schema["$defs"][name]
                if name not in found and "properties" in below:
                    inner = f"{path}.{key}".strip(".")
                    found[name] = f"[[{inner}]]" if is_list else f"[{inner}]"
                    waiting.append((inner, below))
    return found


def _references(field: object, is_list: bool) -> Iterator[tuple[str, bool]]:
    """The models that a field names, and whether it holds a list of them."""
    if isinstance(field, dict):
        if "$ref" in field:
            yield field["$ref"].rsplit("/", 1)[1], is_list
        for key in ("items", "anyOf", "oneOf"):
            yield from _references(field.get(key), is_list or key == "items")
    elif isinstance(field, list):
        for one in field:
            yield from _references(one, is_list)


def _title(table: str, model: dict[str, Any]) -> str:
    """How a table is written, with its kind if it has one."""
    for key in ("kind", "how", "shape"):
        kind = model["properties"].get(key, {})
        if "const" in kind:
            return f'`{table}` with `{key} = "{kind["const"]}"`'
    return f"`{table}`"


def _table(heading: str, model: dict[str, Any]) -> str:
    lines = [heading]
    description = str(model.get("description", "")).splitlines()
    if description:
        lines.append(f"{description[0]}\n")
    lines += ["| key | value | default | meaning |", "|---|---|---|---|"]
    required = model.get("required", [])
    for key, field in model["properties"].items():
        default = "" if key in required else f"`{json.dumps(field.get('default'))}`"
        if default in ("`null`", "`[]`", "`{}`") or default.startswith("`{"):
            default = "see there" if default.startswith('`{"') else "none"
        meaning = str(field.get("description", "")).replace("|", "\\|").replace("\n", " ")
        meaning = re.sub(r"(?<=\w)\[", r"\\[", meaning)
        lines.append(f"| `{key}` | {_type(field)} | {default} | {meaning} |")
    return "\n".join(lines) + "\n"


def _type(field: dict[str, Any]) -> str:
    """The type of a field in words, with its bounds."""
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[1]
        plain = re.sub(r"(?<!^)(?=[A-Z])", " ", name.removesuffix("Def")).lower()
        return f"[{plain}](#{name})" if name.endswith("Def") and name != "CreatureDef" else plain
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    for choice in ("anyOf", "oneOf"):
        if choice in field:
            found = [_type(one) for one in field[choice] if one.get("type") != "null"]
            return " or ".join(dict.fromkeys(found))
    if field.get("type") == "array":
        if "prefixItems" in field:
            inner = list(dict.fromkeys(_type(one) for one in field["prefixItems"]))
            return f"{len(field['prefixItems'])} x {' or '.join(inner)}"
        return f"list of {_type(field.get('items', {}))}"
    if field.get("type") == "object":
        inside = field.get("additionalProperties")
        return f"table of {_type(inside)}" if isinstance(inside, dict) else "table"
    return _number(field)


def _number(field: dict[str, Any]) -> str:
    names = {
        "number": "number",
        "integer": "whole number",
        "string": "text",
        "boolean": "true or false",
    }
    bounds = []
    if "exclusiveMinimum" in field:
        bounds.append(f"above {field['exclusiveMinimum']:g}")
    if "minimum" in field:
        bounds.append(f"from {field['minimum']:g}")
    if "exclusiveMaximum" in field and field["exclusiveMaximum"] < 1e4:
        bounds.append(f"below {field['exclusiveMaximum']:g}")
    if "maximum" in field and field["maximum"] < 1e6:
        bounds.append(f"to {field['maximum']:g}")
    return " ".join([names.get(field.get("type", ""), "number"), *bounds])
