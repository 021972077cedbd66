"""Whatever one key holds, the error names that key, in our words."""

import re
import sys
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.files.definition import Definition, problems_of
from creature_sim.files.fields import Keys, follow
from creature_sim.files.problems import EXPECTED, Problem
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.terrain.registry import built_in
from tests.definitions.mutations import HOSTILE, definitions, mutations
from tests.marks import sample_of

DEFINITIONS = definitions()

PHRASES = re.compile(
    r"Input should|[A-Z]\w+ should|Value error|Assertion|Field required|Extra inputs|"
    r"valid (dictionary|integer|number|string|tuple|boolean)|Unable to|pydantic|constrained-|"
    r"literal\[|instance of|Exceeds the limit"
)
"""What pydantic says."""


def check_words(problem: Problem) -> None:
    assert re.fullmatch(r"expected .+, found .+", problem.text), problem
    assert not PHRASES.search(str(problem)), problem
    assert str(problem).isprintable(), problem


def is_named(keys: Keys, problems: list[Problem]) -> bool:
    """Whether a key, something in it or its own table is named."""
    for problem in problems:
        count = min(len(problem.keys), len(keys))
        if count and problem.keys[:count] == keys[:count]:
            return True
    name = next(key for key in reversed(keys) if isinstance(key, str))
    return any(re.search(rf"\b{name}\b", str(problem)) for problem in problems)


@pytest.mark.slow
@pytest.mark.parametrize("name", sample_of(DEFINITIONS, slow=tuple(DEFINITIONS)[::2]))
def test_the_error_of_a_changed_key_names_it(name: str) -> None:
    refused = 0
    for mutation in mutations(*DEFINITIONS[name]):
        try:
            mutation.model.model_validate(mutation.table)
        except ValidationError as error:
            refused += 1
            check_error(mutation.keys, error)
    assert refused > 50


def below(value: Any) -> list[Definition]:
    """All definitions within a value."""
    if isinstance(value, Definition):
        fields = [getattr(value, name) for name in type(value).model_fields]
        return [value, *below(fields)]
    if isinstance(value, dict):
        return below(list(value.values()))
    if isinstance(value, list | tuple):
        return [found for part in value for found in below(part)]
    return []


def examples() -> dict[type[Definition], Definition]:
    """One definition of every model."""
    kinds = {kind.__name__: kind for kind in models()}
    found: list[Any] = [
        *(load_creature(name) for name in builtin_names("creature")),
        *(load_world(name) for name in builtin_names("world")),
        *(
            WorldDef.model_validate(table)
            for model, table in DEFINITIONS.values()
            if model is WorldDef
        ),
        *(TypeAdapter(kinds[model]).validate_python(table) for model, table in REST.items()),
    ]
    return {type(definition): definition for definition in below(found)}


def models() -> list[type[BaseModel]]:
    """All models of the package that files hold, but those of modules that a test took away."""
    built_in()
    return [
        model
        for model in dict.fromkeys(_derived(Definition))
        if model.__module__.startswith("creature_sim.") and model.__module__ in sys.modules
    ]


def _derived(root: type[BaseModel]) -> list[type[BaseModel]]:
    return [root, *(model for below in root.__subclasses__() for model in _derived(below))]


BASES = {"Definition", "GroundDef", "Boundless", "SmoothGround", "DataDef", "CycleDef"}
BASES |= {"LookDef", "RigLookDef"}
REST: dict[str, dict[str, Any]] = {
    "HeightsDef": {"kind": "heights", "file": "a.png", "spacing": 1.0},
    "MeshDef": {"kind": "mesh", "file": "a.obj"},
    "LegDef": {
        "mount": [0, 0, 0],
        "bones": [0.3, 0.3],
        "home": [0.2, 0.2],
        "side": "left",
        "pair": 0,
    },
    "GridDef": {"worlds": ["hills"]},
    "SweepDef": {"worlds": ["hills"]},
    "TermDef": {"worst": 0.0, "best": 1.0},
    "HeldOutDef": {"worlds": ["slope"], "seeds": [1]},
    "ObjectiveDef": {"terms": {"M7": {"worst": 0.0, "best": 1.0}}},
    "FreeDef": {"kind": "free"},
    "BallDef": {"kind": "ball", "cone": 1.0},
    "ShoulderDef": {"kind": "shoulder"},
    "WristDef": {"kind": "wrist"},
    "CommandDef": {"kind": "command", "start": [0, 0, 0]},
    "MouseDef": {"kind": "mouse", "start": [0, 0, 0]},
    "BodyTargetDef": {"kind": "creature-body", "creature": 0},
    "TipTargetDef": {"kind": "chain-tip", "chain": "a"},
    "MultiplyDef": {"how": "multiply", "ground": {"kind": "flat"}},
    "ClimbDef": {},
    "ChainModelDef": {"file": "a.glb", "bones": ["a", "b"]},
    "TreeModelDef": {"file": "a.glb", "nodes": {"root": "a", "b": "c"}},
    "SwingDef": {"node": "a", "leg": 0},
    "ModelDef": {"file": "a.glb", "legs": [["a", "b", "c"]]},
}
EXAMPLES = examples()


def test_there_is_an_example_of_every_model() -> None:
    assert {model.__name__ for model in models()} - BASES == {model.__name__ for model in EXAMPLES}


@pytest.mark.slow
@pytest.mark.parametrize("model", EXAMPLES, ids=lambda model: model.__name__)
def test_no_key_of_any_model_is_refused_in_words_of_pydantic(model: type[Definition]) -> None:
    whole = EXAMPLES[model].model_dump(exclude_none=True, exclude={"digest"})
    for key in [*model.model_fields, "unknown"]:
        for value in HOSTILE:
            try:
                model.model_validate({**whole, key: value})
            except ValidationError as error:
                check_error((key,), error)


def check_error(keys: Keys, error: ValidationError) -> None:
    """An error of a changed key names it, in words of ours that are listed."""
    problems = problems_of(error)
    assert is_named(keys, problems), (keys, problems)
    for problem in problems:
        check_words(problem)
    types = {detail["type"] for detail in error.errors(include_url=False)}
    assert types <= EXPECTED.keys() | OTHERWISE, types


OTHERWISE = {
    "value_error",
    "missing",
    "extra_forbidden",
    "union_tag_not_found",
    "union_tag_invalid",
}
"""Types of errors that are more than an expected value."""


@pytest.mark.parametrize(
    ("model", "location", "keys"),
    [
        (CreatureDef, ("gait", "phase", "phase"), ("gait", "phase")),
        (CreatureDef, ("leg_pairs", 1, "segment", "constrained-int"), ("leg_pairs", 1, "segment")),
        (
            WorldDef,
            ("species", "phase", "gait", "phase", "faster", 0, "froude"),
            ("species", "phase", "gait", "faster", 0, "froude"),
        ),
        (WorldDef, ("species", "a b", "[key]"), ("species", "a b")),
        (
            WorldDef,
            ("chains", 0, "limits", 2, "ball", "cone", 1),
            ("chains", 0, "limits", 2, "cone", 1),
        ),
        (WorldDef, ("props", 0, "phase"), ("props", 0, "phase")),
    ],
)
def test_tags_of_unions_are_no_keys(
    model: type[Definition], location: tuple[str | int, ...], keys: Keys
) -> None:
    assert follow(model, location).keys == keys
