"""The process of an exchange, with its directory and whoever guards it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any
from urllib.parse import urlsplit

LOOK_SECONDS = 0.01
STOP_SECONDS = 30.0
SHOWN_LINES = 20


class BourseFailed(RuntimeError):
    """The exchange did not start, or ended by itself; what it printed last stands in the message."""


class Server:
    """A process that is started, started again, and ended; nothing of it outlasts this program."""

    def __init__(self, command: Sequence[str], values: Mapping[str, Any], seconds: float) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="bourse-test-"))
        self.demo_file = self.directory / "data" / "demo.json"
        self._command, self._seconds = command, seconds
        self._values = {**values, "data": str(self.directory / "data")}
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None

    @property
    def process_id(self) -> int | None:
        """Of the process that runs."""
        return None if self._process is None else self._process.pid

    def start(self) -> Mapping[str, Any]:
        """Starts it, and answers what its demo.json says. Raises BourseFailed; then nothing is left."""
        configuration = self.directory / "bourse.json"
        configuration.write_text(json.dumps(self._values), encoding="utf8")
        self.demo_file.unlink(missing_ok=True)
        try:
            with (self.directory / "output.log").open("wb") as output:
                self._process = subprocess.Popen(
                    [*self._command, "start", "--config", str(configuration)],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    env={name: value for name, value in os.environ.items() if not name.startswith("BOURSE_")},
                    start_new_session=True,
                )
            guard = str(Path(__file__).with_name("guard.py"))
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", guard, str(self._process.pid), str(self.directory)],
                stdin=subprocess.PIPE,
                start_new_session=True,
            )
            return self._until_ready(self._process, time.monotonic() + self._seconds)
        except BaseException:
            self.remove()
            raise

    def _until_ready(self, process: subprocess.Popen[bytes], ends: float) -> Mapping[str, Any]:
        # The file is written, whole, once the exchange takes orders.
        while not self.demo_file.exists():
            if process.poll() is not None:
                raise BourseFailed(f"the exchange ended with {process.returncode}\n{self._last_lines()}")
            if time.monotonic() > ends:
                raise BourseFailed(f"the exchange did not start in time\n{self._last_lines()}")
            time.sleep(LOOK_SECONDS)
        demo: Mapping[str, Any] = json.loads(self.demo_file.read_text(encoding="utf8"))
        ports = {"port": urlsplit(demo["base_url"]).port, "operatorPort": urlsplit(demo["operator_url"]).port}
        self._values |= ports
        return demo

    def restart(self, down_seconds: float) -> None:
        """Stops it as a person does, and starts it again on the same ports and from the same directory."""
        self.check()
        assert self._process is not None
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        self._end()
        time.sleep(down_seconds)
        self.start()

    def check(self) -> None:
        """Raises BourseFailed where it ended by itself."""
        if self._process is not None and self._process.poll() is not None:
            raise BourseFailed(f"the exchange had ended with {self._process.returncode}\n{self._last_lines()}")

    def remove(self) -> None:
        """Ends it, and removes its directory: nothing of it is kept, so it need not stop."""
        self._end()
        rmtree(self.directory, ignore_errors=True)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(OSError):
                self._guard.stdin.write(b"0")
                self._guard.stdin.close()
            self._guard.wait()
        self._process = self._guard = None

    def _last_lines(self) -> str:
        with contextlib.suppress(OSError):
            lines = (self.directory / "output.log").read_text(encoding="utf8", errors="replace").splitlines()
            return "\n".join(lines[-SHOWN_LINES:])
        return ""
