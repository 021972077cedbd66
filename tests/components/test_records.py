"""Records: typed fields for mypy and for people, numpy records for kernels."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from creature_sim import components
from creature_sim.components import (
    FootRecord,
    GaitRecord,
    Record,
    Records,
    Saved,
    Vector,
    zeros,
)
from creature_sim.maths.jit import kernel

RECORDS = sorted(
    (
        kind
        for kind in vars(components).values()
        if isinstance(kind, type) and issubclass(kind, Record)
    ),
    key=lambda kind: kind.__name__,
)

PROGRAM = """
from creature_sim.components import FootRecord, RecordTable, zeros

feet = zeros(FootRecord, 2, 6)
reveal_type(feet[0, 3].progress)
reveal_type(feet[0])
feet[0, 3].progres
"""


def test_the_users_components_are_found_by_name() -> None:
    for name in ("Body", "LegChain", "FootTarget", "Foothold", "Gait", "Command", "Probes"):
        assert getattr(components, name).__doc__


@pytest.mark.parametrize("kind", [kind for kind in RECORDS if kind is not Record])
def test_a_record_has_the_fields_of_its_class_without_padding(kind: type[Record]) -> None:
    assert kind.dtype.names == tuple(kind.__annotations__)
    sizes = [kind.dtype[name].itemsize for name in kind.__annotations__]
    assert all(kind.dtype[name].base.itemsize == 8 for name in kind.__annotations__)
    assert kind.dtype.itemsize == sum(sizes)
    for name, hint in kind.__annotations__.items():
        letter = "i" if hint is int else "f"
        assert kind.dtype[name].base.kind == letter, name


def test_all_records_are_looked_at() -> None:
    assert len(RECORDS) > 12


def test_fields_read_the_same_in_python_and_in_kernels() -> None:
    feet = zeros(FootRecord, 2, 3)
    feet[1, 2].progress, feet[1, 2].position[:] = 0.25, (1.0, 2.0, 3.0)

    @kernel
    def doubled(found: Records[FootRecord]) -> float:
        found[2].progress = 2.0 * found[2].progress
        return float(found[2].position[1])

    assert doubled(feet[1]) == 2.0
    assert feet["progress"].tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5]]
    assert isinstance(feet, np.ndarray)
    assert zeros(GaitRecord, 4).shape == (4,)


def test_a_field_may_not_hide_an_attribute_of_numpy() -> None:
    with pytest.raises(TypeError, match=r"Bad\.base: numpy's scalars have that attribute"):

        class Bad(Record):
            base: Vector


@pytest.mark.slow
def test_a_misspelt_field_is_an_error_of_mypy(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is in the dev extra")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(program)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert 'Revealed type is "float"' in done.stdout.replace("builtins.", "")
    assert 'components.records.Records[creature_sim.components.herds.FootRecord]"' in done.stdout
    assert '"FootRecord" has no attribute "progres"; maybe "progress"?' in done.stdout


@pytest.mark.parametrize("count", [0, 1, 3])
def test_what_is_saved_comes_back_whatever_becomes_of_it(count: int) -> None:
    feet, bones = zeros(FootRecord, count, 6), np.ones((count, 6, 3, 4))
    feet["progress"] = np.arange(count)[:, None]
    feet["phase"][:, 2] = 7
    bones[:, 1, 2, 3] = -np.arange(count, dtype=np.float64)
    for array in (feet, bones, zeros(GaitRecord, count)):
        before = array.copy()
        saved = Saved(array)
        array[...] = 0
        found = saved.rows()
        assert found.dtype == before.dtype
        assert found.shape == before.shape
        assert found.tobytes() == before.tobytes()
        assert saved.rows(slice(1, 2)).tobytes() == before[1:2].tobytes()


def test_what_all_creatures_of_a_herd_share_is_saved_once() -> None:
    feet = zeros(FootRecord, 100, 6)
    feet["progress"] = np.arange(100)[:, None]
    size = sum(each.nbytes for each in vars(Saved(feet)).values() if isinstance(each, np.ndarray))
    assert size < feet.nbytes / 10
