"""What is wrong with the words of a command line, as all errors say it."""

import re
from typing import Any

import typer

UsageError: Any = typer.BadParameter.__bases__[0]
"""What typer raises for words that it does not understand; it has no public name there."""
_CHOICE = re.compile(r"(?:Value error, )?(.+) is not one of (.+?)\.?")


def mistake(error: Any) -> str:  # noqa: ANN401 - see above
    """One line about words that no command takes: the option, what was expected and found.

    Typer has no words of its own for numbers, and those of pydantic leave out what was found.
    """
    from pydantic import ValidationError

    from creature_sim.files.problems import problems_in

    parameter = getattr(error, "param", None)
    name = parameter and (parameter.opts[0] if parameter.opts[0][0] == "-" else parameter.metavar)
    if name and hasattr(error, "param_type"):
        return f"{name}: expected a value, found none"
    if name and (choice := _CHOICE.fullmatch(error.message)):
        choices = choice[2].replace("'", "")
        return f"{name}: expected one of {choices}, found {choice[1]}"
    if name and isinstance(error.__cause__, ValidationError):
        return f"{name}: {problems_in(error.__cause__, None)[0].text}"
    return " ".join(error.format_message().split()).removesuffix(".")
