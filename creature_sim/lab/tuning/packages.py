"""The packages of the extra `tune`: imported when they are needed, and missed in our words."""

from importlib import import_module
from typing import Any

from creature_sim.errors import DefinitionError


def needed(name: str) -> Any:  # noqa: ANN401 - they have no types, or types of their own
    """A module of such a package; DefinitionError where that is not installed."""
    try:
        return import_module(name)
    except ImportError:
        raise DefinitionError(
            f"tune: expected the package {name.partition('.')[0]}, found none; "
            "pip install 'creature-sim[tune]'"
        ) from None
