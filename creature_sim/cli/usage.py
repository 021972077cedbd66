"""What is wrong with the words of a command line, as all errors say it."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

UsageError: Any = typer.BadParameter.__bases__[0]
"""What typer raises for words that it does not understand; it has no public name there."""
_EXTRA = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.+)\)", re.DOTALL)
_COMMAND = re.compile(r"No such command '(.+?)'\..*", re.DOTALL)
_LACKS = re.compile(r"Option '(.+)' requires an argument\.?")
_UNREADABLE = re.compile(r"path '(.+)' is not readable\.?", re.IGNORECASE | re.DOTALL)
_CHOICE = re.compile(r"(?:Value error, )?(.+) is not one of (.+?)\.?")


def mistake(error: Any) -> str:  # noqa: ANN401 - see above
    """One line about words that no command takes: the option, what was expected and found.

    Typer has no words of its own for numbers, and those of pydantic leave out what was found.
    """
    from pydantic import ValidationError

    from creature_sim.files.problems import problems_in

    if words := _unknown(error):
        return words
    parameter = getattr(error, "param", None)
    name = parameter and _name_of(parameter)
    if name and hasattr(error, "param_type"):
        return f"{name}: expected {_expected(parameter)}, found none"
    if name and (choice := _CHOICE.fullmatch(error.message)):
        choices = choice[2].replace("'", "")
        return f"{name}: expected one of {choices}, found {choice[1]}"
    if path := _UNREADABLE.search(error.message):
        return f"{path[1]}: expected a readable file, found none (Permission denied)"
    if name and isinstance(error.__cause__, ValidationError):
        return f"{name}: {problems_in(error.__cause__, None)[0].text}"
    return " ".join(error.format_message().split()).removesuffix(".")


def refuse_empty_paths(words: Mapping[str, Any], parameters: Sequence[Any]) -> None:
    """Refuse empty words that stand for paths: they would be the folder that we are in."""
    for parameter in parameters:
        given = words.get(parameter.name)
        is_empty = "" in given if isinstance(given, list | tuple) else given == ""
        if is_empty and _expected(parameter) == "a path":
            raise UsageError(f"{_name_of(parameter)}: expected a path, found ''")


def _name_of(parameter: Any) -> str:  # noqa: ANN401
    return str(parameter.opts[0] if parameter.opts[0][0] == "-" else parameter.metavar)


def _unknown(error: Any) -> str:  # noqa: ANN401
    """The line about words that stand for nothing, or are not all there; "" about others."""
    from creature_sim.files.hints import hint, near

    command, path = error.ctx and error.ctx.command, error.ctx and error.ctx.command_path
    if hasattr(error, "possibilities"):
        known = [name for one in command.params for name in one.opts] if command else ()
        found = hint(error.option_name, known) if near(error.option_name, known) else ""
        return f"{error.option_name}: expected an option of {path}, found no such one{found}"
    message = error.format_message()
    if extra := _EXTRA.fullmatch(message):
        return f"expected no more words after those of {path}, found {extra[1]}"
    if lacks := _LACKS.fullmatch(message):
        options = command.params if command else ()
        option = next((one for one in options if lacks[1] in one.opts), None)
        return f"{lacks[1]}: expected {_expected(option)}, found none"
    if named := _COMMAND.fullmatch(message):
        return f"expected a command of {path}, found {named[1]!r}{hint(named[1], command.commands)}"
    return ""


_EXPECTED = {
    **dict.fromkeys((int, "integer"), "a whole number"),
    **dict.fromkeys((float, "float"), "a number"),
    **dict.fromkeys((Path, list[Path], "path", "file"), "a path"),
}
"""What words stand for, by the types of newer versions of typer and the names of older ones."""


def _expected(parameter: Any) -> str:  # noqa: ANN401
    """What a word that is not there would stand for."""
    known = getattr(parameter, "type_descriptor", None) or getattr(parameter, "type", None)
    if choices := getattr(known, "choices", None):
        return f"one of {', '.join(map(str, choices))}"
    return _EXPECTED.get(getattr(known, "annotation", getattr(known, "name", None)), "a value")
