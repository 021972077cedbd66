"""Processes of the command that begin where another start would have ended.

To start Python and import what a command needs takes two to four seconds of a processor. Here one
process has done so, does nothing else, and divides itself for each command: what comes of it has
memory, streams, signals and an exit code of its own, as any process has. What is about the start
itself (what is imported, variables that Python or the loader read) takes `tests.commands.COMMAND`.
"""

import atexit
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import chdir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from types import ModuleType
from typing import IO

NUMBER, SIZE = b"%8d", 8
"""What is said of a process, and how many bytes that are."""
WARM = (
    ("run", "hills", "--headless", "--ticks", "60", "--record", "a.mcap"),
    ("verify", "a.mcap"),
    ("score", "a.mcap"),
)
"""These import what most commands need, and read the kernels."""


class Process:
    """One that was divided off; what `subprocess.Popen` has of it, as far as tests ask.

    Attributes:
        pid: its number, and that of its group.
        streams: the files that are its output and its errors.
        returncode: its exit code, once somebody has asked for it and it has one.
    """

    def __init__(self, channel: socket.socket, streams: tuple[IO[bytes], IO[bytes]]) -> None:
        """Wait until it is there."""
        self._channel, self.streams = channel, streams
        self._written: list[str] = []
        self.pid = int(channel.recv(SIZE))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._told(0.0)

    def wait(self, timeout: float = 120.0) -> int:
        """Its exit code, as soon as it has one."""
        code = self._told(timeout)
        if code is None:
            raise TimeoutError(f"{self.pid} runs for more than {timeout} s")
        return code

    def _told(self, timeout: float) -> int | None:
        if self.returncode is None:
            self._channel.settimeout(timeout or 1e-6)
            try:
                self.returncode = int(self._channel.recv(SIZE))
                self._channel.close()
            except TimeoutError:
                pass
        return self.returncode

    def communicate(self, timeout: float = 120.0) -> tuple[str, str]:
        """What it has written on its output and its errors, at its end."""
        self.wait(timeout)
        while len(self._written) < 2:
            with self.streams[len(self._written)] as stream:
                stream.seek(0)
                self._written.append(stream.read().decode())
        return self._written[0], self._written[1]

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it, whatever it does."""
        self.send_signal(signal.SIGKILL)


def start(*words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Process:
    """Begin the command with these words, in a session of its own."""
    return _begun("", words, cwd, env)


def start_script(
    script: str, *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Process:
    """Begin a program that stands in a text, in a session of its own."""
    return _begun(script, words, cwd, env)


def _begun(
    script: str, words: Sequence[str], cwd: Path | None, env: Mapping[str, str] | None
) -> Process:
    ours, theirs = socket.socketpair()
    streams = TemporaryFile(), TemporaryFile()  # noqa: SIM115 - closed when they were read
    asked = {
        "script": script,
        "words": words,
        "cwd": str(cwd or Path.cwd()),
        "env": dict(os.environ if env is None else env),
    }
    with theirs:
        files = [theirs.fileno(), *(stream.fileno() for stream in streams)]
        text, server = json.dumps(asked).encode(), _server()
        socket.send_fds(server, [NUMBER % len(text)], files)
        server.sendall(text)
    return Process(ours, streams)


@cache
def _server() -> socket.socket:
    """The process that divides itself; it ends with this one."""
    ours, theirs = socket.socketpair()
    with theirs:
        server = subprocess.Popen(
            [sys.executable, "-u", "-m", "tests.forks", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            start_new_session=True,
            # What a shell starts in the background ignores Ctrl-C, and so would all processes.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
    assert ours.recv(SIZE), "it has not started"

    @atexit.register
    def _end() -> None:
        ours.close()
        server.wait(10.0)

    return ours


def _serve(asking: socket.socket) -> str:
    """Divide for every command that is asked for; the new process returns with its script."""
    with TemporaryDirectory() as folder, chdir(folder):
        for words in WARM:
            sys.argv = ["creature-sim", *words]
            main()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that wait
    gc.collect()
    gc.freeze()  # the new ones share what is there as long as nobody looks at it
    asking.send(NUMBER % os.getpid())
    while True:
        size, files, _, _ = socket.recv_fds(asking, SIZE, 3)
        if not size:
            os._exit(0)
        text = asking.recv(int(size), socket.MSG_WAITALL)
        if not os.fork():
            break
        for file in files:
            os.close(file)
    asking.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    teller, *streams = files
    process = os.fork()
    if process:
        for file in streams:
            os.close(file)
        os.write(teller, NUMBER % process)
        _, status = os.waitpid(process, 0)
        os.write(teller, NUMBER % os.waitstatus_to_exitcode(status))
        os._exit(0)
    os.close(teller)
    os.setsid()
    for number, file in enumerate(streams, 1):
        os.dup2(file, number)
        os.close(file)
    asked = json.loads(text)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv = ["creature-sim", *asked["words"]]
    return str(asked["script"])


if __name__ == "__main__":
    from creature_sim.cli.commands import main
    from creature_sim.maths.notice import notice
    from tests.kernels import compile_once

    compile_once()
    notice.is_told = True
    script = _serve(socket.socket(fileno=int(sys.argv[1])))
    if script:
        program = sys.modules["__main__"] = ModuleType("__main__")
        exec(script, program.__dict__)
    else:
        runpy.run_module("creature_sim.cli", run_name="__main__", alter_sys=True)
