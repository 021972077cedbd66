"""Where keys stand in TOML: the same keys that the standard library reads, each on its own line."""

import datetime
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.files.fields import Keys
from creature_sim.files.lines import located, positions
from creature_sim.files.problems import Problem
from creature_sim.library.loader import builtin_folder
from tests.marks import few

FILES = [*builtin_folder("creature").glob("*.toml"), *builtin_folder("world").glob("*.toml")]

TEXT = r'''# a comment with [brackets] and "quotes
title = "a \" = # b"   # behind
dotted . "quo.ted" . 'li"teral' = 1
long = """
x = 1 \
[y]
""" # end
raw = '''
TEXT += """'''
[z]
it''s
'''
empty = []
many = [
  1, # one
  [2, 3],

  { a = 1, b = { c = [4] } },
]
when = 1979-05-27 07:32:00

[ table . "sub table" ]
key = nan

[[list]]
[list.of]
a = 1
[[list]]
[[list.inner]]
b = 2
[[list.inner]]
b = 3
"""

LINES: dict[Keys, int] = {
    ("title",): 2,
    ("dotted", "quo.ted", 'li"teral'): 3,
    ("long",): 4,
    ("raw",): 8,
    ("empty",): 12,
    ("many",): 13,
    ("many", 0): 14,
    ("many", 1, 1): 15,
    ("many", 2, "b", "c", 0): 17,
    ("when",): 19,
    ("table", "sub table"): 21,
    ("table", "sub table", "key"): 22,
    ("list",): 24,
    ("list", 0, "of", "a"): 26,
    ("list", 1): 27,
    ("list", 1, "inner", 1, "b"): 31,
}


def keys_of(value: Any, keys: Keys = ()) -> set[Keys]:
    parts: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value))
    found = {keys} if keys else set()
    return found.union(*(keys_of(part, (*keys, key)) for key, part in parts))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_key_has_its_line(end: str) -> None:
    text = TEXT.replace("\n", end)
    found = positions(text)
    assert found.keys() == keys_of(tomllib.loads(text))
    assert {keys: found[keys].line for keys in LINES} == LINES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_built_in_files_have_all_their_keys(path: Path) -> None:
    text = path.read_text()
    found, lines = positions(text), text.splitlines()
    assert found.keys() == keys_of(tomllib.loads(text))
    for keys, position in found.items():
        if isinstance(keys[-1], str):
            assert keys[-1] in lines[position.line - 1]


scalars = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.booleans(),
    st.text(max_size=12),
    st.dates(datetime.date(1000, 1, 1)),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.slow
@few
@given(st.dictionaries(st.text(max_size=6), values, max_size=6))
def test_whatever_a_file_holds_has_a_line(table: dict[str, Any]) -> None:
    text = tomlkit.dumps(table)
    assert positions(text).keys() == keys_of(tomllib.loads(text))


def test_values_have_the_names_that_comments_give_them(tmp_path: Path) -> None:
    path = tmp_path / "bug.toml"
    path.write_text(
        "size = [1, 2, 3]  # length, width, height [m]\n"
        "offsets = [0, 1]  # left 1, right 1, ...\n"
        "bones = [\n  1, 2,\n]  # coxa, femur\n"
        "pair = [1, 2]  # two of them\n"
        "home = [1, 2]  # x, y of the foot\n"
    )
    problems = [
        Problem((key, 1), "expected more, found less") for key in ("size", "bones", "pair", "home")
    ]
    assert located(path, problems).splitlines() == [
        f"{path}:1: size[1] (width): expected more, found less",
        f"{path}:4: bones[1] (femur): expected more, found less",
        f"{path}:6: pair[1]: expected more, found less",
        f"{path}:7: home[1] (y): expected more, found less",
    ]


def test_a_missing_key_has_the_line_of_its_table(tmp_path: Path) -> None:
    path = tmp_path / "bug.toml"
    path.write_text("name = 1\n\n[body]\ncone = 4\n")
    missing = Problem(("body", "mass"), "expected a value, found none")
    assert located(path, [missing]) == f"{path}:3: body.mass: expected a value, found none"
    # One value that stands for several is named once.
    each = [Problem(("body", "cone", index), "expected less, found 4") for index in (0, 1)]
    assert located(path, each) == f"{path}:4: body.cone: expected less, found 4"
