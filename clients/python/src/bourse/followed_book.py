"""The book of a pair, followed on the websocket: exact while it is ready, and made anew after every gap."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from types import TracebackType
from typing import Any, Literal, Protocol

from typing_extensions import Self

from bourse.connection import Connection, Encoding
from bourse.errors import BourseError, StreamRefused
from bourse.generated.public_api import DepthAnswer
from bourse.local_book import Level, LocalBook, SideName

SNAPSHOT_LEVELS = 5000
START_SECONDS = 30.0
log = logging.getLogger(__name__)


class DepthSource(Protocol):
    """Of a client what a book needs."""

    @property
    def ws_url(self) -> str:
        """Where the websocket is."""

    async def depth(self, *, symbol: str, limit: int | None = None) -> DepthAnswer:
        """A snapshot."""


class FollowedBook:
    """A book that follows its pair while it is entered; entering waits until it is ready:

        async with client.book("BTCUSDT") as book:
            print(book.best_bid, book.best_ask)
            await book.changed()

    DEC-KIT-93.
    """

    def __init__(
        self, client: DepthSource, symbol: str, *, speed: Literal["10ms", "100ms"], encoding: Encoding
    ) -> None:
        self.symbol = symbol
        self.book = LocalBook()
        self.snapshots = 0
        """How many snapshots were asked for."""
        self.gaps = 0
        """How often a push did not join the one before."""
        self.connections = 0
        self._client = client
        self._url = f"{client.ws_url}?encoding=json" if encoding == "json" else client.ws_url
        channel = f"spot@public.aggre.depth.v3.api.pb@{speed}@{symbol}"
        self._connection = Connection(self._address, [channel], self)
        self._loading: asyncio.Task[None] | None = None
        self._reason: str | None = None
        self._change = asyncio.Event()

    async def _address(self) -> str:
        return self._url

    @property
    def is_ready(self) -> bool:
        """Whether what it shows is the exchange's book."""
        return self.book.is_ready

    @property
    def version(self) -> int:
        """Version of the book, as `lastUpdateId` of a snapshot."""
        return self.book.version

    @property
    def best_bid(self) -> Level | None:
        """The highest bid; None: there is none."""
        return self.book.best_bid

    @property
    def best_ask(self) -> Level | None:
        """The lowest ask; None: there is none."""
        return self.book.best_ask

    def levels(self, side: SideName, count: int | None = None) -> list[Level]:
        """The best levels of a side, best first; all of them without a count."""
        return self.book.levels(side, count)

    async def changed(self, timeout: float | None = None) -> bool:
        """Waits until something changed since the last call, whether it is ready among it. False: nothing did in so
        many seconds."""
        self._raise_refusal()
        try:
            await asyncio.wait_for(self._change.wait(), timeout)
        except asyncio.TimeoutError:
            return False
        self._change.clear()
        self._raise_refusal()
        return True

    async def ready(self, timeout: float = START_SECONDS) -> None:
        """Waits until it is exact. Raises StreamRefused where it is not within so many seconds."""
        try:
            await asyncio.wait_for(self._until_ready(), timeout)
        except asyncio.TimeoutError as error:
            reason = f"it was not ready in time: {self._reason or 'no snapshot joined'}"
            raise StreamRefused("book", reason) from error

    async def _until_ready(self) -> None:
        while not self.book.is_ready:
            await self.changed()

    def _raise_refusal(self) -> None:
        if self._connection.refusal is not None:
            raise self._connection.refusal

    async def __aenter__(self) -> Self:
        self._connection.start()
        try:
            await self.ready()
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends it."""
        await self._connection.close()
        loading = self._loading
        self._stop_loading()
        if loading is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await loading
        self.book.reset()
        self._change.set()

    def on_subscribed(self) -> None:
        """Of the connection. Pushes first, then the snapshot: so nothing is missing in between."""
        self.connections += 1
        self.book.reset()
        self._load()

    def on_push(self, message: dict[str, Any]) -> None:
        """Of the connection."""
        was_ready = self.book.is_ready
        is_ready = self.book.take(message["publicAggreDepths"])
        if was_ready and not is_ready:
            self.gaps += 1
            self._load()
        if was_ready:
            self._change.set()

    def on_lost(self, reason: str, status: int | None) -> None:
        """Of the connection."""
        self._reason = reason
        self._stop_loading()
        self.book.reset()
        self._change.set()

    def _load(self) -> None:
        self._stop_loading()
        self._loading = asyncio.create_task(self._until_joined())

    def _stop_loading(self) -> None:
        if self._loading is not None:
            self._loading.cancel()
            self._loading = None

    async def _until_joined(self) -> None:
        """Asks for snapshots until one joins what was pushed."""
        pause = 0.05
        while True:
            self.snapshots += 1
            try:
                snapshot = await self._client.depth(symbol=self.symbol, limit=SNAPSHOT_LEVELS)
                if self.book.start(snapshot):
                    self._change.set()
                    return
            except BourseError as error:
                self._reason = str(error)
                log.warning("no snapshot of %s: %s", self.symbol, error)
            await asyncio.sleep(pause)
            pause = min(pause * 2, 2.0)
