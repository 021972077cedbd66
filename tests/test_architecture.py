"""The rules of the house that a machine can check."""

import ast
import inspect
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import cache
from importlib import import_module
from pathlib import Path

import esper
import pytest

import creature_sim
from creature_sim import errors
from creature_sim.definitions import WorldDef
from creature_sim.errors import SimulationError
from creature_sim.maths.jit import NO_KERNELS
from creature_sim.simulation import Simulation
from creature_sim.systems import SYSTEMS
from creature_sim.terrain.kinds.tunnel import TunnelDef
from tests.props.test_props import FERRY
from tests.scenes import scene
from tests.systems.test_chains import tailed

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "creature_sim"
STEP_ROOMS = (
    "maths",
    "ik",
    "terrain",
    "components",
    "props",
    "locomotion",
    "motions",
    "systems",
    "twin",
    "spawn",
)
"""Folders of all that runs in a tick or before the first one."""
MASSES = {PACKAGE / "twin/building.py", PACKAGE / "twin/multibody.py"}
"""Bodies of twins, which pybullet makes exact on one machine only."""
STEP_CODE = sorted(
    {
        *(path for room in STEP_ROOMS for path in (PACKAGE / room).rglob("*.py")),
        PACKAGE / "drivers.py",
        PACKAGE / "inputs.py",
    }
    - MASSES
)
OTHER_KERNELS = {
    "models/boxes.py",
    "models/posing.py",
    "score/section.py",
    "score/survey.py",
    "snapshots/hashes.py",
    "snapshots/leg_planes.py",
    "snapshots/lifts.py",
    "snapshots/pose_bytes.py",
    "snapshots/pose_tapes.py",
    "snapshots/settling.py",
    "snapshots/tapes.py",
}
"""Modules that have kernels, but of which no number reaches a state."""
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


@pytest.mark.parametrize("room", STEP_ROOMS)
def test_rooms_of_a_tick_are_there(room: str) -> None:
    """So that the tests below look at something."""
    assert list((PACKAGE / room).rglob("*.py"))


@pytest.mark.slow
def test_all_kernels_are_in_the_rooms_of_a_tick_or_named_here() -> None:
    elsewhere = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if path not in STEP_CODE and any(map(is_kernel, functions_of(path)))
    }
    assert elsewhere == OTHER_KERNELS
    assert sum(any(map(is_kernel, functions_of(path))) for path in STEP_CODE) > 20


def functions_of(path: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(path.read_text())
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


@pytest.mark.slow
@pytest.mark.parametrize("path", STEP_CODE, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_kernels_use_nothing_whose_bits_differ(path: Path) -> None:
    for kernel in filter(is_kernel, functions_of(path)):
        assert inexact_names(kernel) == []
        for node in ast.walk(kernel):
            assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult | ast.Pow))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("sum", "pow", "prange"), f"{kernel.name}:{node.lineno}"


@pytest.mark.slow
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
    paths = list((PACKAGE / room).rglob("*.py"))
    assert paths
    for path in paths:
        assert [kernel.name for kernel in functions_of(path) if is_kernel(kernel)] == [], path


@pytest.mark.slow
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
        ("creature_sim.cli", {"typer", "numpy"}),
        (
            "creature_sim.cli.commands",
            {"numba", "numpy", "PIL", "pydantic", "pyglet", "rich.progress"},
        ),
    ],
)
def test_imports_load_only_what_they_need(module: str, unwanted: set[str]) -> None:
    code = f"import sys, {module}; print(*(set({sorted(unwanted)!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def public_imports() -> dict[str, str]:
    """Names that type checkers see in the package, and the modules that they come from."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def test_public_names_are_what_type_checkers_and_users_find() -> None:
    imports = public_imports()
    assert sorted(creature_sim.__all__) == sorted(imports)
    for name, module in imports.items():
        assert getattr(creature_sim, name) is getattr(import_module(module), name)
    with pytest.raises(AttributeError, match="no attribute 'walk'"):
        _ = creature_sim.walk


@pytest.mark.parametrize("name", sorted(creature_sim.__all__))
def test_every_public_name_is_explained(name: str) -> None:
    found = getattr(creature_sim, name)
    if inspect.isclass(found) or inspect.isfunction(found):
        assert len(inspect.getdoc(found) or "") > 20
        methods = inspect.getmembers(found, inspect.isfunction) if inspect.isclass(found) else []
        own = [member for key, member in methods if key in vars(found) and not key.startswith("_")]
        assert all(inspect.getdoc(member) for member in own)


ARCHITECTURE = ROOT / "docs" / "architecture.md"


def test_processors_are_one_per_file_and_all_of_them_tick() -> None:
    found = []
    for path in sorted((PACKAGE / "systems").glob("*.py")):
        if path.name != "__init__.py":
            module = import_module(f"creature_sim.systems.{path.stem}")
            (processor,) = (
                kind
                for kind in vars(module).values()
                if inspect.isclass(kind)
                and issubclass(kind, esper.Processor)
                and kind.__module__ == module.__name__
            )
            assert inspect.getdoc(processor), path
            found.append(processor)
    assert len(found) == len(SYSTEMS)
    assert set(found) == set(SYSTEMS)


def test_the_page_lists_the_tick_in_its_order() -> None:
    if not ARCHITECTURE.exists():
        pytest.skip("there is no page about the architecture")
    names = {system.__name__ for system in SYSTEMS}
    listed = re.findall(r"^\| `(\w+)` \|", ARCHITECTURE.read_text(), re.MULTILINE)
    assert [name for name in listed if name in names] == [system.__name__ for system in SYSTEMS]


def busy_world() -> WorldDef:
    """A hexapod with chains and a tree on it, on hills with what moves and what is pushed."""
    table = tailed().model_dump()
    fork = [
        {"name": "fork", "offset": (0.0, 0.0, 0.5)},
        {"name": "left", "parent": "fork", "offset": (0.0, 0.4, 0.1)},
    ]
    above = {"kind": "creature-body", "creature": 0, "offset": [0.0, 0.0, 0.3]}
    tree = {
        "name": "tree",
        "root": (0.0, 0.0, 1.0),
        "joints": fork,
        "targets": [{"joint": "left", "target": above}],
    }
    changes = {"trees": [tree], "props": [FERRY], "driver": "forward 0.3; forward left 9"}
    return WorldDef.model_validate(table | changes)


def digests_of(
    world: WorldDef, systems: Sequence[type[esper.Processor]]
) -> Generator[str, None, None]:
    """Digests of tick after tick."""
    with Simulation(world, systems=systems) as simulation:
        for _ in range(120 if world.terrain.kind == "tunnel" else 90):
            try:
                simulation.step()
            except SimulationError:
                yield "no numbers any more"
                return
            yield simulation.digest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "world"),
    [
        ("PlaceBodies", "MoveBodies", "busy"),  # bodies walk on from where they were planned to be
        ("ApplyInputs", "MoveBodies", "busy"),  # a command counts in its own tick
        ("MoveProps", "CarryFeet", "busy"),  # feet go with where a prop is now
        ("CarryFeet", "MoveBodies", "busy"),  # so does the body, before it walks on
        ("MoveBodies", "PlanProbes", "busy"),  # rays begin where the body is now
        ("PlanProbes", "SenseGround", "busy"),  # what is cast was planned in this tick
        ("LookUp", "SenseGround", "tunnel"),  # rays begin below the roof
        ("SenseGround", "ChooseFootholds", "busy"),  # of what was sensed just now
        ("ChooseFootholds", "ScheduleSteps", "busy"),  # no foot lifts without a place to go to
        ("ScheduleSteps", "SwingFeet", "busy"),  # who lifts a foot swings it at once
        ("SwingFeet", "PoseBodies", "busy"),  # the body rides on feet as they are now
        ("PoseBodies", "CarryBodies", "busy"),  # what hangs on springs is the body as it is posed
        ("CarryBodies", "SolveLegs", "busy"),  # legs bend below the body as it is carried
        ("PoseBodies", "SolveLegs", "busy"),  # hips are where the body is
        ("PoseBodies", "SolveChains", "busy"),  # and so are roots of chains
        ("MoveTargets", "SolveChains", "busy"),  # a tip is where its target is now
        ("MoveTargets", "SolveTrees", "busy"),
    ],
)
def test_the_tick_keeps_to_its_order(first: str, second: str, world: str) -> None:
    names = [system.__name__ for system in SYSTEMS]
    a, b = names.index(first), names.index(second)
    assert a < b
    made = busy_world() if world == "busy" else tunnel()
    swapped = list(SYSTEMS)
    swapped[a], swapped[b] = swapped[b], swapped[a]
    with closing(digests_of(made, swapped)) as digests:  # so the order means something
        assert any(found != own for found, own in zip(digests, in_order(world), strict=True))


@cache
def in_order(world: str) -> list[str]:
    return list(digests_of(busy_world() if world == "busy" else tunnel(), SYSTEMS))


LOW_TUNNEL = TunnelDef(kind="tunnel", width=4.0, height=0.45, length=12.0)


def tunnel() -> WorldDef:
    """A hexapod that walks below a roof that its rays would begin above."""
    return scene("meadow", "hexapod", terrain=LOW_TUNNEL, driver="forward 9")


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    drawn = errors.__doc__ or ""
    for name, kind in vars(errors).items():
        if isinstance(kind, type):
            assert name in drawn
            assert issubclass(kind, errors.CreatureSimError)
