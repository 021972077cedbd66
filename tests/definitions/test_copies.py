"""A copy with other values forgets what the original had worked out."""

import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from pydantic import BaseModel

import creature_sim
from creature_sim.definitions import PlacementDef
from creature_sim.files.definition import Definition
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.simulation import Simulation
from tests.definitions.test_mutations import EXAMPLES, models


def classes() -> Iterator[type]:
    """Every class of the package."""
    for module in walk_packages(creature_sim.__path__, "creature_sim."):
        if module.name.endswith("__main__") or ".view." in module.name:  # runs, needs a display
            continue
        found = import_module(module.name)
        for _, kind in inspect.getmembers(found, inspect.isclass):
            if kind.__module__ == module.name:
                yield kind


def cached(kind: type) -> list[str]:
    return [
        name
        for base in kind.__mro__
        for name, value in vars(base).items()
        if isinstance(value, cached_property)
    ]


@pytest.mark.slow
def test_a_used_world_that_is_copied_to_three_creatures_simulates_three() -> None:
    world = load_world("meadow")
    with Simulation(world) as simulation:
        assert len(simulation.snapshot.creatures) == 1
    places = [PlacementDef(creature="hexapod", position=(2.0 * i, 0.0)) for i in range(3)]
    three = world.model_copy(update={"creatures": tuple(places)})
    assert three.herds == (("hexapod", (0, 1, 2)),)
    assert three.leg_counts == (6, 6, 6)
    with Simulation(three) as simulation:
        assert len(simulation.snapshot.creatures) == 3


@pytest.mark.slow
@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("model", EXAMPLES, ids=lambda model: model.__name__)
def test_no_cache_of_any_model_survives_a_copy(model: type[Definition], deep: bool) -> None:
    made = EXAMPLES[model].model_copy()
    if isinstance(made, type(load_world("meadow"))):
        made = load_world("meadow")
    for name in cached(model):
        getattr(made, name)
        assert name in made.__dict__
    made.__dict__["_anything"] = 1  # what a plugin's model may keep
    copied = made.model_copy(deep=deep)
    assert copied.__dict__.keys() <= model.model_fields.keys()
    assert copied == made.model_copy()


def test_whatever_caches_is_a_model_of_ours_or_is_made_anew_when_it_changes() -> None:
    with_caches = [kind for kind in classes() if cached(kind)]
    assert len(with_caches) > 5
    for kind in with_caches:
        if issubclass(kind, BaseModel):
            assert issubclass(kind, Definition), kind
        else:  # `replace` calls the constructor
            assert is_dataclass(kind) or not hasattr(kind, "__copy__"), kind
    found = {kind for kind in classes() if issubclass(kind, BaseModel)}
    assert found == set(models())


def test_with_creature_takes_a_definition_a_name_or_a_file(tmp_path: Path) -> None:
    world = load_world("hills")
    spider = load_creature("spider4")
    assert with_creature(world, "spider4") == with_creature(world, spider)
    file = tmp_path / "mine.toml"
    from creature_sim.library.loader import builtin_folder

    file.write_text((builtin_folder("creature") / "spider4.toml").read_text())
    assert with_creature(world, file) == with_creature(world, str(file))
    assert with_creature(world, file).species == {"spider4": spider}


def test_no_bound_of_a_field_hides_another() -> None:
    """Of two bounds of the same kind pydantic applies the alias's own, not the field's."""
    models_of = [kind for kind in classes() if issubclass(kind, Definition)]
    assert len(models_of) > 40
    for model in models_of:
        for name, field in model.model_fields.items():
            kinds = [type(bound) for bound in field.metadata]
            assert len(kinds) == len(set(kinds)), f"{model.__name__}.{name}: {field.metadata}"
