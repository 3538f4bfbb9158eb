"""Pushes of channels as something to iterate over, with a word wherever some may be missing."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, cast

from typing_extensions import Self

from bourse.connection import Connection, Encoding
from bourse.errors import StreamRefused
from bourse.generated.pushes import PushMessage

BUFFERED = 10_000
"""So many events are kept for whoever reads slowly; of more the oldest are given up, and a Gap says so."""
START_SECONDS = 30.0
HEAD = ("channel", "symbol", "symbolId", "createTime", "sendTime")


@dataclass(frozen=True)
class Push:
    """Something happened."""

    channel: str
    """The name that was subscribed to."""
    symbol: str | None
    """The pair; None: it is about none."""
    body: dict[str, Any]
    """What happened: the member of the message that the channel has."""
    message: PushMessage
    """All of it, as the exchange's JSON has it."""


@dataclass(frozen=True)
class Gap:
    """Pushes may be missing between the last one and the next: ask for what you keep. DEC-KIT-92."""

    reason: str


StreamEvent = Push | Gap


class Stream:
    """Channels of the websocket. It connects when it is entered, which waits for the first subscription:

        async with client.stream("spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT") as stream:
            async for event in stream:
                ...

    After a loss it connects and subscribes again, and a Gap comes before what follows.
    """

    def __init__(
        self, url: str, channels: Sequence[str], *, encoding: Encoding = "protobuf", buffered: int = BUFFERED
    ) -> None:
        if buffered < 1:
            raise ValueError("buffered: must be at least 1")
        self._url = url
        self._encoding = encoding
        self._buffered = buffered
        self._events: deque[StreamEvent] = deque()
        self._arrived = asyncio.Event()
        self._subscribed = asyncio.Event()
        self._missing: str | None = None
        self._was_subscribed = False
        self._connection = Connection(self._address, channels, self)
        self._is_closed = False

    @property
    def is_connected(self) -> bool:
        """Whether pushes are heard now."""
        return self._subscribed.is_set()

    @property
    def channels(self) -> tuple[str, ...]:
        """What is subscribed to."""
        return tuple(self._connection.channels)

    async def _address(self) -> str:
        return f"{self._url}?encoding=json" if self._encoding == "json" else self._url

    async def __aenter__(self) -> Self:
        self._connection.start()
        try:
            await asyncio.wait_for(self._first_subscription(), START_SECONDS)
        except BaseException as error:
            await self.aclose()
            if isinstance(error, asyncio.TimeoutError):
                raise StreamRefused("stream", self._missing or "no connection was made in time") from error
            raise
        return self

    async def _first_subscription(self) -> None:
        while not self._subscribed.is_set():
            if self._connection.refusal is not None:
                raise self._connection.refusal
            await self._arrived.wait()
            self._arrived.clear()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends it, and whoever iterates over it."""
        self._is_closed = True
        await self._connection.close()
        self._arrived.set()

    async def subscribe(self, *channels: str) -> None:
        """Adds channels. Raises StreamRefused where one is refused, ConnectionError where the connection is lost
        meanwhile; then none of them is added."""
        await self._connection.subscribe(channels)

    async def unsubscribe(self, *channels: str) -> None:
        """Takes channels away."""
        await self._connection.unsubscribe(channels)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> StreamEvent:
        event = await self._next()
        if event is None:
            raise StopAsyncIteration
        return event

    async def next(self, timeout: float | None = None) -> StreamEvent | None:
        """The next event; None: none came in so many seconds, or the stream is closed."""
        with contextlib.suppress(asyncio.TimeoutError):
            return await asyncio.wait_for(self._next(), timeout)
        return None

    async def _next(self) -> StreamEvent | None:
        while not self._events:
            if self._connection.refusal is not None:
                raise self._connection.refusal
            if self._is_closed:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        return self._events.popleft()

    def on_subscribed(self) -> None:
        """Of the connection."""
        self._tell_gap()
        self._was_subscribed = True
        self._subscribed.set()
        self._arrived.set()

    def on_push(self, message: dict[str, Any]) -> None:
        """Of the connection. A push may be read before the reply to the subscription is taken in."""
        self._tell_gap()
        body: dict[str, Any] = next((value for name, value in message.items() if name not in HEAD), {})
        self._add(Push(message["channel"], message.get("symbol"), body, cast(PushMessage, message)))

    def on_lost(self, reason: str, status: int | None) -> None:
        """Of the connection."""
        self._subscribed.clear()
        self._missing = reason
        self._arrived.set()

    def _tell_gap(self) -> None:
        # Before the first subscription nothing can be missing.
        if self._missing is not None and self._was_subscribed:
            self._add(Gap(self._missing))
        self._missing = None

    def _add(self, event: StreamEvent) -> None:
        if len(self._events) >= self._buffered:
            # The gap stands where the oldest stood.
            self._events.popleft()
            if self._events:
                self._events.popleft()
            self._events.appendleft(Gap("events came faster than they were read"))
        self._events.append(event)
        self._arrived.set()
