"""Errors of files: their lines, one form of path, and what was meant."""

from pathlib import Path

import pytest

from creature_sim.errors import DefinitionError
from creature_sim.library.loader import builtin_folder, check, load_creature, load_world
from tests.commands import sim

HEXAPOD = (builtin_folder("creature") / "hexapod.toml").read_text()
WORLD = """\
name = "w"
terrain = { kind = "flat" }

[[creatures]]
creature = "hexapod"

[[creatures]]
creature = "bug.toml"
position = [3.0, 0.0]
"""


def refused(path: Path) -> list[str]:
    with pytest.raises(DefinitionError) as caught:
        check(path)
    return str(caught.value).splitlines()


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("mass = 4.0", "mas = 4.0",
         "body.mas: expected no such key, found 4.0; did you mean mass?"),
        ("0.14]", "-0.14]", "body.size[2] (height): expected more than 0, found -0.14"),
        ("0.0, 0.5]  # left", "0.0, 1.5]  # left",
         "gait.offsets[5] (right 3): expected less than 1, found 1.5"),
        ("speed = 0.7", "speed = '0.7'", "motion.speed: expected a number, found '0.7'"),
        ("ride_height = 0.26", "ride_height = 0x" + 2000 * "f", ""),
    ],
)  # fmt: skip
def test_an_error_has_the_line_of_its_key(
    old: str, new: str, expected: str, tmp_path: Path
) -> None:
    assert HEXAPOD.count(old) == 1
    path = tmp_path / "bug.toml"
    path.write_text(HEXAPOD.replace(old, new))
    (line,) = refused(path)
    if expected:
        assert line == f"{path}:{line_of(HEXAPOD, old)}: {expected}"
    else:
        assert line.startswith(f"{path}: expected a TOML file, found a number of thousands")


def test_every_line_of_many_problems_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bug.toml"
    path.write_text(HEXAPOD.replace("0.09, 0.24, 0.32", "0.09, 0.24, -0.32"))
    lines = [index + 1 for index, line in enumerate(HEXAPOD.splitlines()) if "bones" in line]
    assert [line.split(": ")[0] for line in refused(path)] == [f"{path}:{line}" for line in lines]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("a = 1\nb 2\n", 2, "expected TOML, found 'b 2': expected '=' after a key"),
        ("[a]\nb = 1\nb = 2\n", 3, "expected TOML, found 'b = 2': cannot overwrite a value"),
        ("a = [1,\n", 1, "expected TOML, found 'a = [1,': "),
    ],
)
def test_what_is_no_toml_has_its_line(text: str, line: int, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "bug.toml"
    path.write_text(text)
    (found,) = refused(path)
    assert found.startswith(f"{path}:{line}: {expected}")


def test_bytes_that_are_no_text_have_their_line(tmp_path: Path) -> None:
    path = tmp_path / "bug.toml"
    path.write_bytes(b'name = "a"\n\xff\n')
    assert refused(path) == [f"{path}:2: expected TOML text in UTF-8, found other bytes at 11"]


def test_an_error_in_the_creature_of_a_world_names_the_creatures_file(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(WORLD)
    bug = tmp_path / "bug.toml"
    bug.write_text(HEXAPOD.replace("mass = 4.0", "mass = -4.0"))
    with pytest.raises(DefinitionError) as caught:
        load_world(tmp_path / "w.toml")
    line = line_of(HEXAPOD, "mass")
    assert str(caught.value) == f"{bug}:{line}: body.mass: expected more than 0, found -4.0"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hexpod", "found 'hexpod'; did you mean hexapod?"),
        ("mi", "found 'mi'; did you mean mine?"),
        ("a/b.toml", "a/b.toml"),
    ],
)
def test_a_creature_that_a_world_does_not_find_is_named_there(
    name: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "w.toml"
    species = "\n".join(
        line.replace("[[", "[[species.mine.").replace("[", "[species.mine.", 1)
        if line.startswith("[") and not line.startswith("[[")
        else line.replace("[[", "[[species.mine.")
        if line.startswith("[[")
        else line
        for line in HEXAPOD.splitlines()[1:]
    ).replace('name = "hexapod"', "", 1)
    text = WORLD.replace("bug.toml", name) + '\n[species.mine]\nname = "mine"\n' + species
    path.write_text(text)
    (line,) = refused(path)
    assert line.startswith(f"{path}:8: creatures[1].creature: expected a built-in creature")
    assert line.endswith(expected)


def test_a_file_is_checked_as_what_most_of_its_keys_are_of(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_text('name = "w"\nseed = 3\ntick_rate = 60\n[terrian]\nkind = "flat"\n')
    assert refused(path)[0] == (
        f"{path}:4: terrian: expected no such key, found {{kind = 'flat'}}; did you mean terrain?"
    )


def test_an_error_of_the_ground_below_a_creature_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    low = 'terrain = { kind = "tunnel", width = 3.0, height = 0.3, thickness = 0.2 }'
    path.write_text(WORLD.replace("bug.toml", "ant").replace('terrain = { kind = "flat" }', low))
    done = sim("run", str(path), "--headless", "--ticks", "1")
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {path}:2: terrain.height: expected at least ")


@pytest.mark.slow
def test_new_files_may_move(tmp_path: Path) -> None:
    for kind in ("creature", "world"):
        done = sim("new", kind, f"my_{kind}", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        text = (tmp_path / f"my_{kind}.toml").read_text()
        assert str(tmp_path) not in text
        schema = text.splitlines()[0].removeprefix("#:schema ")
        assert schema == f"./{kind}.schema.json"
        assert (tmp_path / schema).read_text() == sim("schema", kind).stdout
        again = sim("new", kind, "another", cwd=tmp_path)
        assert again.stdout == "wrote another.toml\n"
        (tmp_path / "another.toml").unlink()
    assert load_creature(tmp_path / "my_creature.toml").name == "my_creature"
