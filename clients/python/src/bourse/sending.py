"""Sends requests: signed, at the exchange's time, no sooner than it allows, and again where that does no harm."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import httpx

from bourse.endpoint import Endpoint, filled_path
from bourse.errors import BourseError, NeverArrived, Refused, UnknownOutcome
from bourse.signing import LONG_QUERY, query_of, signed_query

SERVER_TIME = Endpoint("serverTime", "GET", "/api/v3/time", "spot", False, False)
CLOCK_CODES = (700003, -1021)
"""Codes of a request that is dated too early or too late for the exchange."""
NOT_TAKEN_UP = ((503, 503), (200, 501))
"""Status and code by which the exchange says that it takes nothing up; a server in front of it says something else."""
NO_JSON = object()
SLOW_MS = 1000
"""A measurement of the clock that took longer is made again."""
UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
"""Faults before anything was sent."""


@dataclass(frozen=True)
class Settings:
    """How requests are sent."""

    base_url: str
    futures_url: str
    key: str
    secret: str
    key_header: str
    recv_window: int
    clock: Literal["offset", "exchange"]
    now_ms: Callable[[], float]
    tries: int
    longest_wait: float
    wait: Callable[[float], Awaitable[object]]


class Sender:
    """Sends requests for one key, or for none. DEC-KIT-91."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self.settings = settings
        self.clock_offset_ms: float | None = None
        self._http = http
        self._blocked_until = 0.0

    async def request(self, endpoint: Endpoint, texts: Mapping[str, str], is_repeatable: bool | None = None) -> Any:
        """Answers what came of a request. Tries again what was refused for a limit or its time and what never arrived,
        and what is unknown only where it may be sent twice: of what reads, and where the caller says so."""
        may_repeat = not endpoint.changes if is_repeatable is None else is_repeatable
        latest = time.monotonic() + self.settings.longest_wait
        is_unknown = False
        for attempt in range(1, self.settings.tries + 1):
            try:
                await self._wait_until_allowed(endpoint, latest)
                return await self.send(endpoint, texts)
            except BourseError as error:
                is_unknown = is_unknown or isinstance(error, UnknownOutcome)
                if isinstance(error, Refused):
                    error.is_after_unknown = is_unknown
                is_last = attempt == self.settings.tries or time.monotonic() > latest
                if is_last or not self._may_be_sent_again(error, may_repeat):
                    raise
                if isinstance(error, Refused) and error.code in CLOCK_CODES:
                    await self.sync_clock()
                elif not isinstance(error, Refused) or error.is_not_taken_up:
                    await self.settings.wait(0.1 * 2**attempt)
        raise AssertionError("the last try answers or raises")

    def _may_be_sent_again(self, error: BourseError, is_repeatable: bool) -> bool:
        if isinstance(error, Refused):
            return may_pass(error) and (is_repeatable or not error.is_not_taken_up)
        return isinstance(error, NeverArrived) or is_repeatable

    async def send(self, endpoint: Endpoint, texts: Mapping[str, str]) -> Any:
        """One try."""
        path, parameters = filled_path(endpoint.path, texts)
        timestamp = None
        if endpoint.is_signed:
            timestamp = await self.exchange_time()
            parameters |= {"recvWindow": str(self.settings.recv_window), "timestamp": str(timestamp)}
            query = signed_query(parameters, self.settings.secret)
        else:
            query = query_of(parameters)
        try:
            response = await self._http.send(self._request(endpoint, path, query))
        except httpx.RequestError as error:
            kind = NeverArrived if isinstance(error, UNSENT) else UnknownOutcome
            raise _dated(kind(endpoint.id, str(error) or type(error).__name__), timestamp) from error
        try:
            return self._answer(endpoint, response)
        except UnknownOutcome as error:
            raise _dated(error, timestamp) from error.__cause__

    def _request(self, endpoint: Endpoint, path: str, query: str) -> httpx.Request:
        base = self.settings.futures_url if endpoint.surface == "futures" else self.settings.base_url
        headers = {self.settings.key_header: self.settings.key} if self.settings.key and endpoint.is_signed else {}
        if endpoint.method != "GET" and len(query) > LONG_QUERY:
            headers["content-type"] = "application/x-www-form-urlencoded"
            return self._http.build_request(endpoint.method, base + path, headers=headers, content=query)
        target = f"{base}{path}?{query}" if query else base + path
        return self._http.build_request(endpoint.method, target, headers=headers)

    def _answer(self, endpoint: Endpoint, response: httpx.Response) -> Any:
        status = response.status_code
        body = _json(response.content)
        told = body if isinstance(body, dict) else {}
        is_told_off = endpoint.is_wrapped and (told.get("success") is False or (told and "data" not in told))
        if 200 <= status < 300 and not is_told_off:
            if body is NO_JSON:
                raise UnknownOutcome(endpoint.id, "the answer is no JSON", status)
            return told["data"] if endpoint.is_wrapped else body
        message = str(told.get("msg") or told.get("message") or "no reason was told")
        code = told["code"] if isinstance(told.get("code"), int) else status
        is_not_taken_up = (status, told.get("code")) in NOT_TAKEN_UP
        if (status >= 500 and not is_not_taken_up) or (endpoint.surface == "futures" and (status, code) == (200, 500)):
            raise UnknownOutcome(endpoint.id, message, status, code)
        refusal = Refused(endpoint.id, message, status, code)
        refusal.is_not_taken_up = is_not_taken_up
        if status in (418, 429):
            refusal.retry_after = _seconds(response.headers.get("retry-after"))
            until = time.monotonic() + (1.0 if refusal.retry_after is None else refusal.retry_after)
            self._blocked_until = max(self._blocked_until, until)
        raise refusal

    async def exchange_time(self) -> int:
        """What the exchange's clock shows, in milliseconds: asked for, or from ours and how far that is off."""
        if self.settings.clock == "exchange":
            return await self.server_time()
        if self.clock_offset_ms is None:
            await self.sync_clock()
        return round(self.settings.now_ms() + (self.clock_offset_ms or 0.0))

    async def sync_clock(self) -> None:
        """Measures how far the exchange's clock is ahead of ours, taking both ways to last equally long."""
        for _ in range(self.settings.tries):
            began = self.settings.now_ms()
            server_time = await self.server_time()
            ended = self.settings.now_ms()
            self.clock_offset_ms = server_time - (began + ended) / 2
            # It may have waited for a limit, or tried again: then the middle is no measure.
            if ended - began < SLOW_MS:
                return

    async def server_time(self) -> int:
        """What the exchange's clock shows, in milliseconds."""
        return int((await self.request(SERVER_TIME, {}))["serverTime"])

    async def _wait_until_allowed(self, endpoint: Endpoint, latest: float) -> None:
        # Whoever is told to wait sends nothing at all until then: requests sent meanwhile lead to a ban.
        while (now := time.monotonic()) < self._blocked_until:
            if self._blocked_until > latest:
                refusal = Refused(endpoint.id, "the exchange said to wait for longer than this client does", 429, 429)
                refusal.retry_after = self._blocked_until - now
                raise refusal
            await self.settings.wait(self._blocked_until - now)


def may_pass(refusal: Refused) -> bool:
    """Whether the same request may be taken a little later: it was refused for a limit, its time, or for now."""
    return refusal.status in (418, 429) or refusal.code in CLOCK_CODES or refusal.is_not_taken_up


def _dated(error: BourseError, timestamp: int | None) -> BourseError:
    if isinstance(error, UnknownOutcome):
        error.timestamp = timestamp
    return error


def _json(content: bytes) -> Any:
    try:
        return json.loads(content, parse_float=Decimal)
    except ValueError:
        return NO_JSON


def _seconds(text: str | None) -> float | None:
    try:
        return None if text is None else max(0.0, float(text))
    except ValueError:
        return None


async def sleep(seconds: float) -> None:
    """Waits; another one may be given to a client for tests."""
    await asyncio.sleep(seconds)
