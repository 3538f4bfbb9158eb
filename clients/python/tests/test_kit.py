"""The test kit: exchanges for a test, how they begin and end, and what pytest gets of them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

import pytest

from bourse.testing import BourseFailed, BourseNotFound, TestExchange, bourse_command, start_bourse

START_OF_2026 = 1_767_225_600_000


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process_id}/stat")
    # What ended and was not waited for yet is not running.
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.bourse(seed="7", now="2026-01-01T00:00:00Z")
def test_the_fixture_gives_an_exchange_as_the_marker_says(bourse_exchange: TestExchange) -> None:
    """DEC-KIT-94: tests without an event loop use it, too; each call may have a loop of its own."""

    async def controls() -> tuple[int, int]:
        before = (await bourse_exchange.operator.get_clock())["now"]
        async with bourse_exchange.client("alice") as alice:
            await alice.place_order(symbol="BTCUSDT", side="BUY", type="LIMIT", quantity="0.01", price="50000")
        return before, (await bourse_exchange.operator.advance_clock(ms=86_400_000))["now"]

    assert asyncio.run(controls()) == (START_OF_2026, START_OF_2026 + 86_400_000)
    later = asyncio.run(bourse_exchange.operator.advance_clock(ms=1))
    assert later == {"now": START_OF_2026 + 86_400_001, "ended": "reached"}
    assert "POST /api/v3/order 200" in bourse_exchange.newest_requests()
    with pytest.raises(KeyError, match="alice"):
        bourse_exchange.client("nobody")


def test_nothing_is_left_of_an_exchange_that_ended() -> None:
    """DEC-KIT-94: it is the same exchange after a restart, and one that ends by itself fails its test."""
    started = start_bourse(seed="a", now=datetime(2026, 1, 1, 2, tzinfo=timezone.utc), settings={"rateLimits": False})

    async def restart(exchange: TestExchange) -> list[str]:
        async with exchange.client("alice") as alice, alice.book("BTCUSDT") as book:
            await alice.place_order(symbol="BTCUSDT", side="BUY", type="LIMIT", quantity="0.01", price="50000")
            await exchange.operator.advance_clock(ms=1000)
            await exchange.restart()
            await book.ready()
            assert [level.price for level in book.levels("bids")] == ["50000"]
            assert book.connections == 2
            assert await exchange.operator.get_clock() is not None
            return [order["price"] for order in await alice.open_orders()]

    exchange = started.__enter__()
    try:
        directory, process_id = exchange._server.directory, exchange._server.process_id
        assert asyncio.run(restart(exchange)) == ["50000"]
        assert exchange._server.process_id not in (None, process_id)
        os.kill(exchange._server.process_id or 0, signal.SIGKILL)
        while exchange._server._process is not None and exchange._server._process.poll() is None:
            time.sleep(0.01)
    finally:
        with pytest.raises(BourseFailed, match="ended with"):
            started.__exit__(None, None, None)
    assert not directory.exists()
    exchange.close()


def test_settings_that_cannot_be_used_are_refused_by_name() -> None:
    """DEC-KIT-94"""
    with pytest.raises(TypeError, match="port is no member of settings"):
        start_bourse(settings={"port": 1})
    with pytest.raises(TypeError, match="now must have a zone"):
        start_bourse(now=datetime(2026, 1, 1))
    with pytest.raises(BourseFailed, match="noSuchSetting"), start_bourse(settings={"noSuchSetting": 1}):
        pass


def test_the_command_is_the_one_that_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """DEC-KIT-94"""
    assert bourse_command("npx bourse") == ["npx", "bourse"]
    assert bourse_command(["a b", "c"]) == ["a b", "c"]
    monkeypatch.setenv("BOURSE_COMMAND", "'/a b/bourse' x")
    assert bourse_command() == ["/a b/bourse", "x"]
    monkeypatch.delenv("BOURSE_COMMAND")
    installed = tmp_path / "node_modules" / ".bin" / "bourse"
    installed.parent.mkdir(parents=True)
    installed.write_text("")
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path / "tests")
    assert bourse_command() == [str(installed)]
    installed.unlink()
    monkeypatch.setattr("bourse.testing.command.__file__", str(tmp_path / "command.py"))
    with pytest.raises(BourseNotFound):
        bourse_command()


KILLED = """
from bourse.testing import start_bourse
import sys
with start_bourse() as exchange:
    print(exchange._server.process_id, exchange._server.directory, flush=True)
    sys.stdin.read()
"""


def test_an_exchange_ends_when_its_test_is_killed() -> None:
    """DEC-KIT-94"""
    with subprocess.Popen(
        [sys.executable, "-c", KILLED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as test:
        assert test.stdout is not None
        process_id, directory = test.stdout.readline().split()
        assert is_running(int(process_id))
        test.send_signal(signal.SIGKILL)
    ends = time.monotonic() + 60
    while is_running(int(process_id)) or Path(directory).exists():
        assert time.monotonic() < ends
        time.sleep(0.02)


FAILING = """
import pytest
pytestmark = pytest.mark.anyio

@pytest.fixture
def anyio_backend():
    return "asyncio"

async def test_that_fails(bourse_exchange):
    async with bourse_exchange.client("alice") as alice:
        await alice.place_order(symbol="BTCUSDT", side="BUY", type="LIMIT", quantity="9999", price="50000")
"""


def test_a_test_that_fails_prints_what_the_exchange_was_asked_last(tmp_path: Path) -> None:
    """DEC-KIT-94: the fixture comes with the package, nothing has to be imported."""
    (tmp_path / "test_failing.py").write_text(FAILING)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent, check=False)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "newest requests of http://127.0.0.1:" in ran.stdout
    assert "POST /api/v3/order 400" in ran.stdout
    assert '"code":3000' in ran.stdout
