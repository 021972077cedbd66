"""The command as a user meets it, with real files."""

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader

import creature_sim
from creature_sim.cli.command import ORDER
from creature_sim.cli.summary import print_run
from creature_sim.library.loader import (
    builtin_names,
    load_creature,
    load_world,
    schema_path,
    schema_text,
)
from creature_sim.library.scaffold import world_kinds
from creature_sim.replay import open_replay
from tests.commands import COMMAND, Command, process, sim
from tests.forks import start
from tests.marks import THOROUGH


@pytest.fixture
def bug(tmp_path: Path) -> Path:
    done = sim("new", "creature", "bug", "--legs", "4", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return tmp_path / "bug.toml"


@pytest.mark.slow
def test_run_json_contract_and_verification(tmp_path: Path) -> None:
    done = process(
        "run", "stairs", "--creature", "spider4", "--ticks", "90", "--headless", "--json",
        "--drive", "forward 1; left 1", "--seed", "4", "--record", "walk.mcap",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert list(found) == [
        "world", "ticks", "seconds", "tick_rate", "digest", "ticks_per_second", "replay",
        "creatures", "distance", "start", "end", "slow",
    ]  # fmt: skip
    assert found["slow"] == []
    assert (found["world"], found["ticks"], found["seconds"]) == ("stairs", 90, 1.5)
    assert found["replay"] == "walk.mcap"
    (creature,) = found["creatures"]
    assert creature["name"] == "spider4"
    assert creature["distance"] == found["distance"] > 0.3
    assert creature["start"] == found["start"]
    assert creature["end"] == found["end"]

    done = sim("verify", "walk.mcap", "--json", cwd=tmp_path)
    assert done.returncode == 0
    assert json.loads(done.stdout) == [
        {
            "file": "walk.mcap",
            "ok": True,
            "ticks": 90,
            "first": 0,
            "digest": found["digest"],
            "divergence": None,
            "is_cut": False,
            "reason": "",
        }
    ]
    played = json.loads(sim("replay", "walk.mcap", "--headless", "--json", cwd=tmp_path).stdout)
    assert played["ticks"] == 90
    assert (played["file"], played["replay"]) == ("walk.mcap", None)
    assert played["end"] == pytest.approx(found["end"], abs=6e-5)
    assert played["distance"] == pytest.approx(found["distance"], rel=0.02)
    told = sim("info", "walk.mcap", cwd=tmp_path).stdout
    assert "spider4" in told
    assert "stairs" in told
    assert re.search(
        r"\nlegs: +1\.\d+ passes of FABRIK in a tick, \d+ at most, 0\.\d+ % laid", told
    )
    assert "(first 1.5 s)" in told
    solved = json.loads(sim("info", "walk.mcap", "--json", cwd=tmp_path).stdout)["fabrik"]
    states = open_replay(tmp_path / "walk.mcap").rerun()
    seen = [state.herds[0].parts["leg_chain"] for state in states]
    passes = np.array([chain["passes"] for chain in seen[1:]])
    assert solved["ticks"] == len(passes) == 90
    assert solved["passes"] == pytest.approx(passes.mean())
    assert solved["most"] == passes.max()
    assert solved["laid"] == pytest.approx(np.mean([chain["is_laid"] for chain in seen[1:]]))


@pytest.mark.slow
def test_demo_can_be_repeated(tmp_path: Path) -> None:
    for command in (process, sim):
        done = command("demo", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "every digest is equal" in done.stdout
        assert "creature-sim replay" in done.stdout
        assert str(tmp_path / "creature-sim-demo.html") in done.stdout
    names = ["creature-sim-demo.html", "creature-sim-demo.mcap"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    page = (tmp_path / names[0]).read_text()
    assert page.startswith("<!doctype html>")
    assert len(page) > 30_000


@pytest.mark.slow
def test_verify_says_what_differs(tmp_path: Path) -> None:
    from tests.replay.messages import with_field
    from tests.replay.test_replay import rewritten

    assert (
        sim("run", "--ticks", "60", "--headless", "--record", "a.mcap", cwd=tmp_path).returncode
        == 0
    )

    def flip(message: dict[str, Any]) -> None:
        message["commands"][0][0] ^= 1

    rewritten(tmp_path / "a.mcap", tmp_path / "b.mcap", with_field("/input", 1, flip))
    done = sim("verify", "a.mcap", "b.mcap", cwd=tmp_path)
    assert done.returncode == 1
    assert "verified: a.mcap" in done.stdout
    assert "differs: b.mcap: first at tick 1, part 'command'" in done.stdout
    done = sim("verify", "--json", "b.mcap", cwd=tmp_path)
    (found,) = json.loads(done.stdout)
    assert found["ok"] is False
    assert found["divergence"] == {"tick": 1, "part": "command", "creature": 0}

    def other(name: str, data: bytes) -> bytes:
        return (
            data.replace(b'"math_profile":"', b'"math_profile":"77')
            if name == "creature_sim"
            else data
        )

    rewritten(tmp_path / "a.mcap", tmp_path / "c.mcap", other)
    done = sim("verify", "c.mcap", "--json", cwd=tmp_path)
    assert done.returncode == 3
    assert json.loads(done.stdout)[0]["ok"] is None


@pytest.mark.slow
@pytest.mark.parametrize("legs", [2, 3, 4, 5, 6, 8, 11, 40])
def test_new_creatures_run_at_once(legs: int, tmp_path: Path) -> None:
    from creature_sim.library.scaffold import new_creature
    from creature_sim.simulation import Simulation
    from tests.scenes import scene

    path = tmp_path / "bug.toml"
    path.write_text(new_creature("bug", legs))
    bug = load_creature(path)
    assert len(bug.all_legs) == legs
    world = scene("meadow", "hexapod", driver="forward 5")
    world = world.model_copy(
        update={
            "species": {"bug": bug},
            "creatures": (world.creatures[0].model_copy(update={"creature": "bug"}),),
        }
    )
    with Simulation(world) as simulation:
        begin = simulation.snapshot.creatures[0].position[0]
        for _ in range(180):
            simulation.step()
        assert simulation.snapshot.creatures[0].position[0] > begin + 0.8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "command"),
    [
        *((kind, sim) for kind in world_kinds()),
        pytest.param("hills", process, marks=THOROUGH),
    ],
)
def test_new_worlds_run_at_once(kind: str, command: Command, tmp_path: Path) -> None:
    assert command("new", "world", "place", "--kind", kind, cwd=tmp_path).returncode == 0
    assert command("check", "place.toml", cwd=tmp_path).stdout.startswith("ok:")
    done = command("run", "place.toml", "--headless", "--ticks", "10", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["world"] == "place"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind"), [("hexapod", "creature"), ("meadow", "world"), ("evolved-9", "creature")]
)
def test_what_is_built_in_is_checked_by_its_name(name: str, kind: str, tmp_path: Path) -> None:
    done = sim("check", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"ok: {name} is a valid {kind}: ")
    assert json.loads(sim("check", "--json", name, cwd=tmp_path).stdout)["file"] == name


@pytest.mark.slow
def test_list_names_everything() -> None:
    shown = process("list").stdout
    for name in (*builtin_names("world"), *builtin_names("creature")):
        assert name in shown


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["world", "creature", "sweep", "objective"])
def test_schemas_are_those_of_the_models(kind: str) -> None:
    assert kind in ("world", "creature", "sweep", "objective")
    assert json.loads(process("schema", kind).stdout)["type"] == "object"
    assert schema_path(kind).read_text() == schema_text(kind), (  # type: ignore[arg-type]
        f"creature-sim schema {kind} > creature_sim/library/schemas/{kind}.json"
    )


def test_builtin_definitions_name_their_schema() -> None:
    for kind, loads in (("world", load_world), ("creature", load_creature)):
        for name in builtin_names(kind):  # type: ignore[arg-type]
            from creature_sim.library.loader import builtin_folder

            path = builtin_folder(kind) / f"{name}.toml"  # type: ignore[arg-type]
            schema = path.read_text().splitlines()[0].removeprefix("#:schema ")
            assert (path.parent / schema).resolve() == schema_path(kind)  # type: ignore[arg-type]
            assert loads(name).name == name


@pytest.mark.slow
def test_help_is_there_for_every_command() -> None:
    for words in (
        [],
        ["run"],
        ["verify"],
        ["replay"],
        ["new"],
        ["new", "creature"],
        ["demo"],
        ["trial"],
    ):
        done = process(*words, "--help")
        assert done.returncode == 0
        assert "Usage" in done.stdout


def test_a_new_creature_without_room_for_its_schema_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "creature.schema.json").symlink_to("nowhere")
    for _ in range(2):  # the first try is not in the way of the second
        done = sim("new", "creature", "bug", cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith("error: creature.schema.json: ")
        assert not (tmp_path / "bug.toml").exists()


@pytest.mark.slow
def test_help_begins_with_what_a_new_user_needs() -> None:
    shown = sim("--help").stdout
    lines = shown[shown.index("Commands") :].splitlines()
    names = [words[0] for line in lines if (words := line.strip(" │").split())]
    named = [name for name in names if name in ORDER]
    assert named[:3] == ["run", "demo", "new"]
    assert named == [name for name in ORDER if name in named]
    assert len(named) == len(ORDER)
    assert sim().stdout == shown  # no word at all
    assert "creature" in sim("new").stdout


@pytest.mark.slow
def test_a_package_can_be_run() -> None:
    command = [sys.executable, "-m", "creature_sim"]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"creature-sim {creature_sim.__version__}\n"
    assert creature_sim.__version__ == metadata.version("creature-sim")
    done = subprocess.run([*command, "list"], capture_output=True, text=True, check=True)
    assert "hexapod" in done.stdout


@pytest.mark.slow
def test_a_shell_completes_commands_options_and_names() -> None:
    for words, index, expected in (
        ("creature-sim ve", 1, {"verify"}),
        ("creature-sim run --rec", 2, {"--record"}),
        ("creature-sim run me", 2, {"meadow"}),
        ("creature-sim run --creature spider", 3, {"spider4", "spider8"}),
        ("creature-sim new ", 2, {"creature", "world"}),
    ):
        environment = {
            **os.environ,
            "_CREATURE_SIM_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(index),
        }
        stdout, stderr = start(env=environment).communicate()
        assert set(stdout.split()) == expected, stderr


def test_many_creatures_are_summarised(capsys: pytest.CaptureFixture[str]) -> None:
    walkers = [
        {"name": name, "distance": 0.01 * index, "start": [0.0] * 3, "end": [1.0, 2.0, 3.0]}
        for index, name in enumerate([*["hexapod"] * 2000, "spider4"])
    ]
    fall = {"tick": 30, "reason": "it tipped over"}
    walkers[3] |= {"fell": [fall, fall], "lies": True}
    walkers[5] |= {"fell": [fall]}
    walkers[2000] |= {"fell": [fall], "lies": True}
    print_run(
        {
            "world": "w", "ticks": 60, "seconds": 1.0, "ticks_per_second": 5.0, "digest": "d",
            "replay": None, "creatures": walkers,
        }
    )  # fmt: skip
    assert capsys.readouterr().out.splitlines() == [
        "2,001 creatures walked on w for 1.0 s:",
        "  2,000 x hexapod: 0.00 to 19.99 m, 9.99 m on average; 2 fell 3 times, 1 lying at the end",
        "  spider4: 20.00 m; 1 fell, 1 lying at the end",
        "60 ticks, 5.0 per second",
        "digest d",
    ]


def test_a_fall_and_what_was_refused_are_summarised(capsys: pytest.CaptureFixture[str]) -> None:
    walker = {
        "name": "stool", "distance": 1.5, "end": [1.0, 2.0, 3.0], "lies": True,
        "fell": [{"tick": 30, "reason": "it tipped over"}],
        "refused": [{"tick": 45, "motion": "stand", "reason": "too few footholds there"}],
    }  # fmt: skip
    print_run(
        {
            "world": "w", "ticks": 60, "seconds": 1.0, "tick_rate": 60, "ticks_per_second": 5.0,
            "digest": "d", "replay": None, "creatures": [walker],
        }
    )  # fmt: skip
    assert capsys.readouterr().out.splitlines()[:3] == [
        "stool walked 1.50 m on w in 1.0 s and lies at (1.00, 2.00, 3.00)",
        "  fell at 0.50 s: it tipped over",
        "  stand refused at 0.75 s: too few footholds there",
    ]


@pytest.mark.slow
def test_no_garbage_is_looked_for_while_a_command_loads_and_later_often() -> None:
    code = (
        "import gc, sys; sys.argv = ['creature-sim', '--version']\n"
        "from creature_sim import cli\n"
        "cli.main()\n"
        "assert gc.get_threshold()[0] == cli.WHILE_LOADING\n"
        "assert gc.get_freeze_count() > 10_000\n"
        "for _ in range(2):\n"
        "    gc.collect()\n"
        "    assert gc.get_threshold()[0] == cli.GARBAGE"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['creature-sim', '--help']\n"
        "from creature_sim.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'numpy', 'pybullet', 'pyglet', 'pydantic', 'mcap'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.slow
def test_piped_output_has_no_progress_bar(tmp_path: Path) -> None:
    done = process("run", "--headless", "--ticks", "30", cwd=tmp_path)
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


@pytest.mark.slow
def test_a_replay_that_is_cut_off_is_used_with_a_notice(tmp_path: Path) -> None:
    assert (
        sim("run", "--ticks", "90", "--headless", "--record", "a.mcap", cwd=tmp_path).returncode
        == 0
    )
    done = sim("replay", "a.mcap", "a.mcap", "--json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "OTHER: expected none with --headless or --json" in done.stderr
    whole = (tmp_path / "a.mcap").read_bytes()
    # It is cut within the ticks of the second second, which are written together: the first stays.
    with (tmp_path / "a.mcap").open("rb") as stream:
        summary = make_reader(stream).get_summary()
    assert summary is not None
    later = next(chunk for chunk in summary.chunk_indexes if chunk.message_start_time > 10**9)
    cut = later.chunk_start_offset + later.chunk_length // 2
    (tmp_path / "a.mcap").write_bytes(whole[:cut])
    for words in (("replay", "--headless"), ("info",)):
        done = sim(*words, "a.mcap", cwd=tmp_path)
        assert done.returncode == 0
        assert "breaks off after tick 60" in done.stderr
        assert "recorded in" not in done.stdout
    done = sim("verify", "a.mcap", cwd=tmp_path)
    assert done.returncode == 4
    assert "proven up to tick 60, then cut off" in done.stdout
    (tmp_path / "a.mcap").write_bytes(whole[:3000])
    for command in ("verify", "replay", "info"):
        done = sim(command, "a.mcap", cwd=tmp_path)
        assert done.returncode == 2
        assert "breaks off before its first state" in done.stderr
    (tmp_path / "a.mcap").write_bytes(whole[: len(whole) // 2])
    done = sim("info", "a.mcap", "--json", cwd=tmp_path)
    assert done.stderr == ""
    assert json.loads(done.stdout)["cut"]
    for asked in (["info"], ["replay", "--headless"]):
        assert "digest" not in sim(*asked, "a.mcap", cwd=tmp_path).stdout
        assert json.loads(sim(*asked, "a.mcap", "--json", cwd=tmp_path).stdout)["digest"] is None


@pytest.mark.slow
def test_output_that_cannot_be_written_is_one_line() -> None:
    for words in (["list"], ["schema", "world"], ["run", "--headless", "--ticks", "2", "--json"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert done.returncode == 2
        assert done.stderr.startswith("error: expected to write")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("words", [["list"], ["schema", "world"]])
def test_who_no_longer_reads_the_output_is_not_told_that_something_differs(
    words: list[str],
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as closed:
        done = subprocess.run([*COMMAND, *words], stdout=closed, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.slow
def test_closed_standard_error_does_not_matter(tmp_path: Path) -> None:
    line = " ".join([*COMMAND, "run", "--headless", "--ticks", "2", "2>&-"])
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0
    assert "2 ticks" in done.stdout


@pytest.mark.slow
def test_full_standard_error_keeps_the_exit_code() -> None:
    """It was 1, as of a replay that differs."""
    for words in (["check", "nothing.toml"], ["nothing"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([*COMMAND, *words], stdout=subprocess.PIPE, stderr=full)
        assert (done.returncode, done.stdout) == (2, b"")


def test_what_is_no_regular_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "link.mcap").symlink_to(tmp_path / "nowhere.mcap")
    for force in ([], ["--force"]):
        done = sim("run", "--headless", "--record", "link.mcap", *force, cwd=tmp_path)
        assert done.returncode == 2
    assert (tmp_path / "link.mcap").is_symlink()


def test_written_files_are_commented_toml(bug: Path) -> None:
    text = bug.read_text()
    assert text.count("#") > 10
    assert tomllib.loads(text)["name"] == "bug"
