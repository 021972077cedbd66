"""The rules of the house that a machine can check."""

import ast
import io
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import creature_sim
from creature_sim import errors
from creature_sim.maths.jit import NO_KERNELS
from creature_sim.systems import SYSTEMS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "creature_sim"
STEP_ROOMS = ("maths", "ik", "terrain", "components", "props", "locomotion", "systems", "spawn")
"""Folders of all that runs in a tick or before the first one."""
STEP_CODE = sorted(
    [
        *(path for room in STEP_ROOMS for path in (PACKAGE / room).rglob("*.py")),
        PACKAGE / "drivers.py",
    ]
)
INEXACT = {
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "arcsin", "arccos", "arctan"),
    *("arctan2", "exp", "expm1", "log", "log2", "log10", "log1p", "pow", "power", "tanh", "cbrt"),
    *(
        "hypot",
        "dist",
        "dot",
        "matmul",
        "einsum",
        "sum",
        "mean",
        "linalg",
        "norm",
        "prod",
        "cumsum",
    ),
}


def inexact_names(tree: ast.AST) -> list[str]:
    """Functions of numpy or math, used below a node, whose bits differ between machines."""
    return [
        f"{node.value.id}.{node.attr} in line {node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("np", "math", "numpy")
        and node.attr in INEXACT
    ]


def is_kernel(node: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "kernel" for mark in node.decorator_list)


@pytest.mark.parametrize("path", STEP_CODE, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_kernels_use_nothing_whose_bits_differ(path: Path) -> None:
    tree = ast.parse(path.read_text())
    kernels = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and is_kernel(node)
    ]
    for kernel in kernels:
        assert inexact_names(kernel) == []
        for node in ast.walk(kernel):
            assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult | ast.Pow))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("sum", "pow", "prange"), f"{kernel.name}:{node.lineno}"


@pytest.mark.parametrize(
    "path",
    [path for path in STEP_CODE if path.relative_to(PACKAGE).parts[0] not in ("maths", "ik")],
    ids=lambda path: path.relative_to(PACKAGE).as_posix(),
)
def test_what_runs_before_and_between_kernels_is_exact_too(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert inexact_names(tree) == []
    for node in ast.walk(tree):
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult | ast.Pow))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "sum", f"{path.name}:{node.lineno}: differs between Pythons"


@pytest.mark.parametrize("room", NO_KERNELS)
def test_rooms_left_out_of_the_cache_key_have_no_kernels(room: str) -> None:
    for path in (PACKAGE / room).rglob("*.py"):
        tree = ast.parse(path.read_text())
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        assert [function.name for function in functions if is_kernel(function)] == [], path


def test_no_kernel_is_compiled_with_fastmath_or_in_parallel() -> None:
    for path in PACKAGE.rglob("*.py"):
        names = [
            token.string
            for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline)
            if token.type == tokenize.NAME
        ]
        assert "fastmath" not in names, path
        assert "parallel" not in names, path


@pytest.mark.slow
def test_imports_go_down_only() -> None:
    importlinter = pytest.importorskip("importlinter", reason="import-linter is in the dev extra")
    del importlinter
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("creature_sim", {"numba", "numpy", "pybullet", "pyglet", "pydantic"}),
        ("creature_sim.ik", {"pybullet", "pyglet", "pydantic", "esper"}),
        ("creature_sim.simulation", {"pyglet", "mcap", "rich", "typer"}),
        ("creature_sim.replay", {"pyglet", "rich", "typer"}),
        ("creature_sim.export.page", {"pyglet", "PIL", "rich", "typer"}),
        ("creature_sim.export.render", {"pyglet", "av", "rich", "typer"}),
        ("creature_sim.cli", {"numba", "numpy", "PIL", "pydantic", "pyglet", "rich.progress"}),
    ],
)
def test_imports_load_only_what_they_need(module: str, unwanted: set[str]) -> None:
    code = f"import sys, {module}; print(*(set({sorted(unwanted)!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_public_names_are_these() -> None:
    assert creature_sim.__all__ == [
        "SYSTEMS",
        "CreatureSimError",
        "Event",
        "Input",
        "Part",
        "Recorder",
        "Session",
        "Simulation",
        "load_creature",
        "load_world",
        "make_driver",
        "open_replay",
        "record",
        "verify",
        "with_creature",
    ]
    for name in creature_sim.__all__:
        assert getattr(creature_sim, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'walk'"):
        _ = creature_sim.walk  # type: ignore[attr-defined]


def test_the_tick_is_this() -> None:
    assert [system.__name__ for system in SYSTEMS] == [
        "ApplyInputs",
        "MoveProps",
        "CarryFeet",
        "MoveBodies",
        "ChooseGait",
        "PlanProbes",
        "LookUp",
        "LoadGround",
        "SenseGround",
        "ChooseFootholds",
        "ScheduleSteps",
        "SwingFeet",
        "PoseBodies",
        "SolveLegs",
        "MoveTargets",
        "SolveChains",
        "SolveTrees",
    ]


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    drawn = errors.__doc__ or ""
    for name, kind in vars(errors).items():
        if isinstance(kind, type):
            assert name in drawn
            assert issubclass(kind, errors.CreatureSimError)
