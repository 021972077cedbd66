"""A thousand damaged models: each is read, or refused with one line; nothing else happens."""

import json
import random
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import ChainDef
from creature_sim.errors import DefinitionError
from creature_sim.models import open_model
from creature_sim.models.binding import bind
from creature_sim.models.packing import packed
from tests.models.makes import binary, leg, painted_leg

MUTANTS, GROUP = 1_200, 200
CHAIN = ChainDef.model_validate(
    {
        "name": "leg",
        "root": (0.0, 0.0, 0.0),
        "bones": (1.0, 1.0),
        "model": {"file": "mutant.glb", "bones": ("hip", "knee", "tip")},
        "target": {"kind": "command", "start": (1.0, 0.0, 0.0)},
    }
)
VALUES: tuple[Any, ...] = (
    *(-1, 0, 1, 2, 3, 255, 2**31, 2**32, 2**63 - 1, 10**7, 1e30, -1e-30, 0.5),
    *(None, True, "", "VEC3", "../x.bin", "/etc/passwd", "data:;base64,AAAA", "\u0000", "a" * 5000),
    *([], {}, [0], [0] * 5, [[]], {"a": {}}, [1e300] * 16, [0.0] * 3, [None] * 4, ["0"]),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The keys of everything in a document."""
    found = [path] if path else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, below in pairs:
        inner = isinstance(below, dict | list)
        found += places(below, (*path, key)) if inner else [(*path, key)]
    return found


def mutant(rng: random.Random) -> bytes:
    """A damaged file."""
    document, data = leg() if rng.random() < 0.5 else painted_leg()
    kind = rng.randrange(6)
    if kind < 3:  # other values, and keys that are missing, in the JSON
        for _ in range(rng.randint(1, 3)):
            *path, last = rng.choice(places(document))
            place: Any = document
            try:
                for key in path:
                    place = place[key]
                if rng.random() < 0.2:
                    del place[last]
                else:
                    place[last] = rng.choice(VALUES)
            except (KeyError, IndexError, TypeError):
                continue  # an earlier change took it away
        return binary(document, data)
    if kind == 3:  # bytes of the JSON
        text = bytearray(json.dumps(document).encode())
        for _ in range(rng.randint(1, 6)):
            text[rng.randrange(len(text))] = rng.randrange(256)
        return binary(bytes(text), data)
    whole = bytearray(binary(document, data))
    if kind == 4:  # cut off
        return bytes(whole[: rng.randrange(len(whole))])
    for _ in range(rng.randint(1, 4)):  # words anywhere
        at = rng.randrange(len(whole) - 4)
        struct.pack_into("<I", whole, at, rng.choice((0, 1, 2**31, 2**32 - 1, rng.getrandbits(32))))
    return bytes(whole)


def refusal(path: Path) -> str:
    """Why a file is refused; nothing if it is read."""
    try:
        model = open_model(path, packed(path))
    except DefinitionError as error:
        return str(error)
    with suppress(DefinitionError):  # nodes have other names
        found = bind(CHAIN, model)
        assert np.isfinite(found.vertices).all()
        assert np.abs(found.weights.sum(axis=1) - 1.0).max() < 1e-6
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("group", range(MUTANTS // GROUP))
def test_damaged_models_are_read_or_refused(group: int, tmp_path: Path) -> None:
    path = tmp_path / "mutant.glb"
    refusals = 0
    for case in range(group * GROUP, (group + 1) * GROUP):
        path.write_bytes(mutant(random.Random(case)))
        said = refusal(path)
        if said:
            refusals += 1
            assert len(said.splitlines()) == 1, case
            assert said.startswith(str(path)), case
            assert len(said) < 1_000, case
    assert 0.3 * GROUP < refusals < GROUP
