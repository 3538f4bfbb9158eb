"""Starts an exchange for a test."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from types import TracebackType
from typing import Any, Literal

from bourse.testing.command import bourse_command
from bourse.testing.exchange import TestExchange
from bourse.testing.server import Server

START_SECONDS = 120.0
OWN_SETTINGS = (
    *("profile", "cluster", "data", "host", "port", "operatorPort"),
    *("seed", "now", "clock", "simulate"),
)
"""Settings that the kit decides, and those that are options of their own."""


class StartedBourse:
    """What `start_bourse` answers: an exchange for as long as it is entered, with `async with` or `with`."""

    def __init__(self, command: list[str], values: Mapping[str, Any], seconds: float) -> None:
        self._command, self._values, self._seconds = command, values, seconds
        self._exchange: TestExchange | None = None

    def __enter__(self) -> TestExchange:
        server = Server(self._command, self._values, self._seconds)
        self._exchange = TestExchange(server, server.start())
        return self._exchange

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._exchange is not None:
            self._exchange.close()

    async def __aenter__(self) -> TestExchange:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.__exit__, kind, error, trace)


def start_bourse(
    *,
    seed: str | None = None,
    now: str | datetime | None = None,
    clock: Literal["manual", "running"] | None = None,
    simulate: bool = False,
    settings: Mapping[str, Any] | None = None,
    command: str | Sequence[str] | None = None,
    start_seconds: float | None = None,
) -> StartedBourse:
    """An exchange for a test, in a process of its own: on free ports of this machine, with a directory for itself that
    goes with it, also where the test is killed. Variables that begin with BOURSE_ do not reach it. DEC-KIT-94.

    - seed: keys, addresses and the market are made of it; without it of chance, with `now` of `1`.
    - now: the moment at which its clock begins, as text such as 2026-01-01T00:00:00Z or with a zone; without it the
      clock is the machine's.
    - clock: whether a clock that begins at `now` stands until it is advanced (manual, by itself) or runs on.
    - simulate: whether simulated traders make a market and its history, which takes a while.
    - settings: further ones by their names in a configuration file, such as {"rateLimits": False}.
    - command: what starts an exchange; else it is looked for, see `bourse_command`.
    - start_seconds: so long it may take to start; by itself two minutes, twenty with `simulate`.

    Raises TypeError for a setting that the kit decides, BourseNotFound, and BourseFailed where it does not start.
    """
    own = next((name for name in settings or {} if name in OWN_SETTINGS), None)
    if own is not None:
        raise TypeError(f"start_bourse: {own} is no member of settings")
    values: dict[str, Any] = {"journalSegmentMib": 1, **(settings or {}), "simulate": simulate, "profile": "sandbox"}
    if now is not None:
        values |= {"seed": "1", "now": _moment(now), "clock": "manual"}
    values |= {name: value for name, value in (("seed", seed), ("clock", clock)) if value is not None}
    values |= {"host": "127.0.0.1", "port": 0, "operatorPort": 0}
    return StartedBourse(bourse_command(command), values, start_seconds or START_SECONDS * (10 if simulate else 1))


def _moment(now: str | datetime) -> str:
    if isinstance(now, str):
        return now
    if now.tzinfo is None:
        raise TypeError("start_bourse: now must have a zone")
    return now.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
