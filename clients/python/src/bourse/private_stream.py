"""Private channels: with a listen key that is made, kept alive, and made anew when it is gone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from types import TracebackType
from typing import Protocol

from typing_extensions import Self

from bourse.connection import Encoding
from bourse.errors import BourseError, Refused
from bourse.generated.public_api import CreateListenKeyAnswer, DeleteListenKeyAnswer, RenewListenKeyAnswer
from bourse.stream import Stream

SHORT_NAMES = ("orders", "deals", "account")


class KeyMaker(Protocol):
    """Of a client what listen keys need."""

    @property
    def ws_url(self) -> str:
        """Where the websocket is."""

    async def create_listen_key(self) -> CreateListenKeyAnswer:
        """Makes one."""

    async def renew_listen_key(self, *, listen_key: str) -> RenewListenKeyAnswer:
        """Keeps one alive."""

    async def delete_listen_key(self, *, listen_key: str) -> DeleteListenKeyAnswer:
        """Ends one."""


def channel_name(name: str) -> str:
    """The whole name of a private channel that may be given by its short one."""
    return f"spot@private.{name}.v3.api.pb" if name in SHORT_NAMES else name


class PrivateStream(Stream):
    """A stream of private channels. Its listen key ends with it. DEC-KIT-92."""

    def __init__(
        self,
        client: KeyMaker,
        channels: Sequence[str],
        *,
        encoding: Encoding,
        buffered: int,
        renew_every: float,
    ) -> None:
        names = [channel_name(name) for name in (channels or SHORT_NAMES)]
        super().__init__(client.ws_url, names, encoding=encoding, buffered=buffered)
        self._client = client
        self._renew_every = renew_every
        self._key: str | None = None
        self._renewal: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._renewal = asyncio.create_task(self._renew())
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends it, and its listen key: an account has only so many."""
        if self._renewal is not None:
            self._renewal.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._renewal
        await super().aclose()
        key, self._key = self._key, None
        if key is not None:
            with contextlib.suppress(BourseError):
                await self._client.delete_listen_key(listen_key=key)

    async def subscribe(self, *channels: str) -> None:
        """Adds channels, by their short names or their whole ones."""
        await super().subscribe(*map(channel_name, channels))

    async def unsubscribe(self, *channels: str) -> None:
        """Takes channels away."""
        await super().unsubscribe(*map(channel_name, channels))

    async def _address(self) -> str:
        if self._key is None:
            self._key = (await self._client.create_listen_key())["listenKey"]
        json_part = "&encoding=json" if self._encoding == "json" else ""
        return f"{self._url}?listenKey={self._key}{json_part}"

    def on_lost(self, reason: str, status: int | None) -> None:
        """Of the connection. Status 401 says that the listen key is gone: the next connection makes another."""
        if status == 401:
            self._key = None
        super().on_lost(reason, status)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._renew_every)
            key = self._key
            if key is None:
                continue
            try:
                await self._client.renew_listen_key(listen_key=key)
            except Refused as refusal:
                # It is gone, and its connection with it.
                if refusal.status == 400 and key == self._key:
                    self._key = None
            except BourseError:
                # The next time is early enough: a key lasts for two of them.
                continue
