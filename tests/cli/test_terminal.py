"""No text of a file, a name or a plug-in commands the terminal that it is printed on."""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from creature_sim.cli.command import Command
from creature_sim.cli.commands import app
from creature_sim.cli.progress import progress
from creature_sim.cli.terminal import console, escaped, guarded, one_line, print_text
from tests.commands import sim
from tests.replay.test_replay import rewritten

CLEAR = "\x1b[2J\x1b[H"
"""Clears a terminal."""
BAD = f"{CLEAR}\x07\x7f\x9b2J\u202e\u2066\u2028\r\nverified: all fine"
SHOWN = r"\x1b[2J\x1b[H\x07\x7f\x9b2J\u202e\u2066\u2028\r\nverified: all fine"


def assert_harmless(text: str) -> None:
    assert text
    for character in text:
        assert character == "\n" or character.isprintable(), repr(text)
    assert not any(line.startswith("verified: all fine") for line in text.splitlines())


def test_control_characters_are_shown() -> None:
    assert one_line(BAD) == SHOWN
    assert escaped("a\tb\nc\x1b") == "a\tb\nc\\x1b"
    assert one_line("schön 歩く 🕷") == "schön 歩く 🕷"
    assert one_line(b"\xff".decode(errors="surrogateescape")) == r"\udcff"


def test_what_an_encoding_does_not_have_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for encoding, shown in (("ascii", r"sch\xf6n \u251c"), ("latin-1", r"schön \u251c")):
        stream = io.TextIOWrapper(io.BytesIO(), encoding, newline="\n")
        monkeypatch.setattr(sys, "stdout", stream)
        with guarded():
            print("schön ├")
            print_text("schön ├\n")
            console().print("schön ├")
        stream.seek(0)
        assert stream.read() == f"{shown}\n" * 3


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    done = sim("run", "--ticks", "30", "--headless", "--record", "walk.mcap", cwd=tmp_path)
    assert done.returncode == 0
    return tmp_path / "walk.mcap"


@pytest.fixture
def forged(walk: Path) -> Path:
    """A replay that claims to be made by kernels, versions and systems with evil names."""

    def change(name: str, data: bytes) -> bytes:
        if name != "creature_sim":
            return data
        table = json.loads(data)
        evil = {key: BAD for key in ("math_profile", "creature_sim", "systems", "computer")}
        return json.dumps({**table, **evil, BAD: BAD}).encode()

    return rewritten(walk, walk.with_name("forged.mcap"), change)


def test_metadata_of_a_replay(forged: Path) -> None:
    done = sim("info", "forged.mcap", cwd=forged.parent)
    assert_harmless(done.stdout)
    assert SHOWN in done.stdout
    done = sim("verify", "forged.mcap", cwd=forged.parent)
    assert done.returncode != 0
    assert_harmless(done.stdout + done.stderr)
    json.loads(sim("verify", "--json", "forged.mcap", cwd=forged.parent).stdout)


def test_names_in_a_replay(walk: Path) -> None:
    def change(name: str, data: bytes) -> bytes:
        if name == "world.json":
            assert b'"name":"hills"' in data
            return data.replace(b'"name":"hills"', b'"name":' + json.dumps(BAD).encode())
        return data

    rewritten(walk, walk.with_name("named.mcap"), change)
    for words in (["verify"], ["info"], ["score"], ["replay", "--headless"]):
        done = sim(*words, "named.mcap", cwd=walk.parent)
        assert_harmless(done.stdout + done.stderr)


@pytest.mark.slow
def test_names_of_files(walk: Path) -> None:
    (walk.parent / "evil[").mkdir()  # together "[/b]", which closes what no markup has opened
    file = f"evil[/b]{BAD}.mcap"
    walk.rename(walk.parent / file)
    for words in (["verify"], ["info"], ["score"], ["replay", "--headless"]):
        done = sim(*words, file, cwd=walk.parent)
        assert done.returncode == 0, done.stderr
        assert_harmless(done.stdout + done.stderr)
        assert words[0] == "replay" or "evil[/b]" in done.stdout
    done = sim("export", file, "-o", f"{BAD}.html", cwd=walk.parent)
    assert done.returncode == 0
    assert_harmless(done.stdout)
    for words in (
        ["check", f"{BAD}.toml"],
        ["run", BAD],
        ["run", "--creature", f"{BAD}.toml"],
        ["run", "--seconds", BAD],
        [BAD],
        ["schema", BAD],
        ["new", "world", BAD],
    ):
        done = sim(*words, cwd=walk.parent)
        assert done.returncode == 2
        assert_harmless(done.stderr)


def test_names_and_keys_in_definitions(tmp_path: Path) -> None:
    quoted = json.dumps(BAD)
    for text in (
        f"name = {quoted}\nbody = 3\n",
        f"{quoted} = 1\n",
        f"[terrain]\nkind = {quoted}\n",
        f'name = "a"\n[[creatures]]\ncreature = {quoted}\n[terrain]\nkind = "flat"\n',
    ):
        (tmp_path / "bug.toml").write_text(text)
        done = sim("check", "bug.toml", cwd=tmp_path)
        assert done.returncode == 2
        assert_harmless(done.stderr)
        found = json.loads(sim("check", "bug.toml", "--json", cwd=tmp_path).stdout)
        assert found["problems"]


def test_summaries_of_plug_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("creature_sim.terrain.registry.kind_summary", lambda name: BAD)
    done = sim("list")
    assert_harmless(done.stdout)
    assert SHOWN in done.stdout
    found = json.loads(sim("list", "--json").stdout)
    assert found["kinds_of_ground"][0]["summary"] == BAD


def test_bars_and_tables_keep_their_colours_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Terminal()
    with redirect_stderr(screen), redirect_stdout(screen), guarded():
        with progress(f"verifying {CLEAR}[/]", 3) as show:
            show(3)
        console().print(f"[bold]{CLEAR}{BAD}")
    shown = screen.getvalue()
    assert CLEAR not in shown
    assert "\x1b[?25l" in shown  # the bar hides the cursor
    assert "\x1b[1m" in shown
    assert r"\x1b[2J" in shown
    for character in "\x07\x7f\x9b\u202e":
        assert character not in shown


def test_what_the_encoding_lacks_is_shown() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    with redirect_stdout(stream), guarded():
        print("schön", "\ud800")
    assert raw.getvalue() == rb"sch\xf6n \ud800" + b"\n"


def test_a_message_of_a_library_keeps_its_newline() -> None:
    stream = io.StringIO()
    with redirect_stderr(stream), guarded():
        sys.stderr.write("WARNING: one\n")
        sys.stderr.write(f"WARNING: {BAD}\n")
    assert stream.getvalue() == f"WARNING: one\nWARNING: {SHOWN}\n"


def test_who_keeps_a_stream_may_reset_the_terminal_at_the_end() -> None:
    stream = io.StringIO()
    with redirect_stdout(stream), guarded():
        kept = sys.stdout
        kept.write("\x1b[0m")
    kept.write("\x1b[0m")
    assert stream.getvalue() == "\\x1b[0m\x1b[0m"


def test_streams_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with guarded():
        assert sys.stdout is None
        console().print("nobody sees this")


def test_every_command_is_guarded() -> None:
    import typer

    def leaves(group: object) -> list[object]:
        below = getattr(group, "commands", None)
        return [group] if below is None else [x for one in below.values() for x in leaves(one)]

    found = leaves(typer.main.get_command(app))
    assert len(found) > 15
    assert all(isinstance(command, Command) for command in found)
