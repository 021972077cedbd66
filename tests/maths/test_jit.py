"""Kernels: what Python calls, what other kernels call, and where both are kept."""

import errno
import gc
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile
from numba.core.runtime import _nrt_python
from numba.core.runtime.nrt import rtsys

from creature_sim.ik import solve_leg
from creature_sim.maths import Floats, inlining, jit
from creature_sim.maths.compiler import Kernel
from creature_sim.maths.jit import cache_root, kernel, unchecked
from creature_sim.maths.sources import PACKAGE, name_of_sources


def twice(x: float) -> float:
    return x + x


def summed(values: Floats, factor: float) -> float:
    total = 0.0
    for value in values:
        total += factor * value
    return total


def sum_of_x(records: Any) -> float:
    total = 0.0
    for i in range(len(records)):
        total += records[i].x
    return total


@pytest.mark.slow
def test_a_kernel_that_kernels_call_is_compiled_for_python_only_when_python_calls_it() -> None:
    inner = kernel(twice)

    @kernel
    def outer(x: float) -> float:
        return inner(x) + 1.0

    assert outer(2.0) == 5.0
    assert isinstance(inner, Kernel)
    assert not inner.overloads
    assert inner(3.0) == 6.0
    assert len(inner.overloads) == 1


def test_kernels_call_each_other_at_any_depth() -> None:
    one = kernel(twice)

    @kernel
    def two(x: float) -> float:
        return one(x) + one(x)

    @kernel
    def three(values: Floats) -> float:
        total = 0.0
        for value in values:
            total += two(value) + one(value)
        return total

    assert three(np.array([1.0, 2.0])) == 18.0
    assert three(np.array([])) == 0.0


@pytest.mark.parametrize("most", [inlining.MOST, 0])
def test_parts_of_a_kernel_that_is_too_large_stay_functions(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inlining, "MOST", most)
    monkeypatch.setattr(inlining, "LEAST", 0)
    sum_up = kernel(summed)

    @kernel
    def outer(values: Floats) -> float:
        return sum_up(values, 2.0) + sum_up(values, values[0])

    assert outer(np.array([1.0, 2.0, 4.0])) == 21.0
    assert isinstance(outer, Kernel)
    (compiled,) = outer.overloads.values()
    code = compiled.library.get_llvm_str()
    assert len(re.findall(r"call .*@\w*summed", code)) == (0 if most else 2)


@pytest.mark.slow
def test_a_user_s_own_compiled_function_may_call_a_kernel() -> None:
    def miss(joints: Floats, lengths: Floats) -> float:
        target = (1.0, 0.0, 1.0)
        solve_leg(joints, lengths, (0.0, 0.0, 0.0), target, (0.0, 0.0, 5.0))
        return float(abs(joints[-1][0] - target[0]) + abs(joints[-1][2] - target[2]))

    joints = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.1, 2.0]])
    assert numba.njit(miss)(joints, np.array([1.0, 1.0])) < 1e-6


@pytest.mark.slow
def test_an_error_in_a_kernel_that_a_kernel_calls_reaches_python() -> None:
    @kernel
    def make(count: int) -> Floats:
        if count < 0:
            raise ValueError("expected a count")
        return np.zeros(count)

    @kernel
    def length(count: int) -> int:
        return len(make(count))

    assert length(3) == 3
    with pytest.raises(ValueError, match="expected a count"):
        length(-1)


def test_kernels_free_their_own_arrays_and_count_their_users_without_calls(
    tmp_path: Path,
) -> None:
    def last_of(count: int) -> float:
        values = np.zeros(count)
        longer = values
        for i in range(count):
            tail = values[i:] if i % 2 else longer[:3]
            tail[0] += i
            longer = np.concatenate((values, longer[:i]))
        return float(longer[count - 1])

    last = Kernel(last_of, tmp_path)  # LLVM's code of what was kept on disk cannot be read
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    assert last(6) == last_of(6)
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0
    (compiled,) = last.overloads.values()
    assert not re.search(r"call .*@NRT_(inc|dec)ref|atomicrmw", compiled.library.get_llvm_str())


def test_garbage_is_collected_after_compiling_as_before() -> None:
    assert gc.isenabled()
    assert kernel(twice)(1) == 2
    assert gc.isenabled()
    gc.disable()
    try:
        assert kernel(twice)(1.0) == 2.0
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_kernel_runs_where_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    doubled = Kernel(twice, tmp_path)
    assert doubled(4.0) == 8.0


def test_what_is_kept_of_a_kernel_names_no_module_of_numba_s_that_would_be_loaded_with_it(
    tmp_path: Path,
) -> None:
    def last_of_zeros(count: int) -> float:
        return float(np.zeros(count)[-1])

    assert Kernel(last_of_zeros, tmp_path)(3) == 0.0
    (kept,) = tmp_path.rglob("*.nbc")
    assert b"numba.np.arrayobj" not in kept.read_bytes()


def test_a_kernel_takes_arguments_by_name() -> None:
    assert kernel(twice)(x=2.0) == 4.0


def test_arrays_that_numba_refuses_are_refused_by_a_kernel() -> None:
    for wrong in (np.ma.masked_array([1.0, 2.0]), np.array(["one"], object)):
        with pytest.raises((TypeError, numba.core.errors.NumbaError)):
            kernel(summed)(wrong, 2.0)


def test_a_kernel_survives_a_pickle() -> None:
    assert pickle.loads(pickle.dumps(kernel(twice)))(4.0) == 8.0


CALL = """
import sys
from numba.core import event
from creature_sim.maths.quaternions import quat_multiply
with event.install_recorder("numba:compile") as recorder:
    print(quat_multiply((0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.0)))
print(len(recorder.buffer))
print("numba.np.arraymath" in sys.modules)
"""


def answer_of(folder: Path, name: str) -> list[str]:
    """What `CALL` prints in a process of its own, with a copy of the package and a cache there."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    environment["PYTHONPATH"] = str(folder / name)
    command = [sys.executable, "-c", CALL]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_copy_of_the_package_elsewhere_uses_the_same_compiled_kernels(tmp_path: Path) -> None:
    answers = []
    for name in ("one", "two"):
        shutil.copytree(
            PACKAGE, tmp_path / name / "creature_sim", ignore=shutil.ignore_patterns("__pycache__")
        )
        answers.append(answer_of(tmp_path, name))
    assert answers[0][0] == answers[1][0]
    assert int(answers[0][1]) > 0
    assert answers[1][1:] == ["0", "False"]  # nothing was compiled, nor was the compiler loaded
    edited = tmp_path / "two" / "creature_sim" / "maths" / "vectors.py"
    edited.write_text(edited.read_text() + "\n# an edit\n")
    assert int(answer_of(tmp_path, "two")[1]) > 0
    edited = tmp_path / "one" / "creature_sim" / "locomotion" / "flight.py"
    edited.write_text(edited.read_text() + "\n# an edit\n")
    assert int(answer_of(tmp_path, "one")[1]) == 0  # no kernel of maths depends on it


def test_kernels_of_ours_are_kept_by_their_place_in_the_package() -> None:
    root = cache_root()
    assert root is not None
    assert isinstance(solve_leg, Kernel)
    folder = root / name_of_sources("creature_sim.ik.leg")
    assert solve_leg.stats.cache_path == str(folder / "ik" / "leg.py")


def test_other_versions_of_numba_compile_in_their_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "KNOWN", ("0.0.",))

    def thrice(x: float) -> float:
        return 3.0 * x

    compiled = kernel(thrice)
    assert not isinstance(compiled, Kernel)
    assert compiled(2.5) == 7.5


def test_an_unchecked_kernel_looks_at_types_once() -> None:
    looks: list[object] = []
    add_up = kernel(summed)

    def look(value: object) -> object:
        looks.append(value)
        return typeof(value)

    typeof = add_up.typeof_pyval  # type: ignore[attr-defined]
    add_up.typeof_pyval = look  # type: ignore[attr-defined]
    quick = unchecked(add_up)
    for size in (3, 2, 0):
        values = np.arange(float(size))
        assert quick(values, 2.0) == add_up(values, 2.0) == 2.0 * values.sum()
    assert len(looks) == 2
    assert quick.__name__ == "summed"


def test_an_unchecked_kernel_refuses_what_is_no_array_and_records_of_another_size() -> None:
    record = np.dtype([("x", "f8"), ("y", "f8")])
    quick = unchecked(kernel(sum_of_x))
    assert quick(np.array([(1.0, 2.0), (3.0, 4.0)], record)) == 4.0
    for wrong in (2.0, None, [(1.0, 2.0)], np.zeros(2), np.zeros(2, [("x", "f8")])):
        with pytest.raises((TypeError, ValueError)):
            quick(wrong)
    assert quick(np.array([(5.0, 0.0)], record)) == 5.0


def test_what_is_no_kernel_of_known_make_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert unchecked(twice) is twice
    monkeypatch.setattr(jit, "KNOWN", ("0.0.",))
    of_other_make = kernel(twice)
    assert unchecked(of_other_make) is of_other_make
