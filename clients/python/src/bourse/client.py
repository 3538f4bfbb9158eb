"""The public API of an exchange: requests, streams, books."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Literal

import httpx
from typing_extensions import Self

from bourse.addresses import is_loopback
from bourse.connection import Encoding
from bourse.decimals import parameter_text
from bourse.endpoint import Endpoint, given
from bourse.followed_book import FollowedBook
from bourse.generated.public_api import PublicApi
from bourse.outcomes import FLOWS, REPEATABLE
from bourse.private_stream import PrivateStream
from bourse.sending import Sender, Settings, sleep
from bourse.stream import BUFFERED, Stream

KEY_HEADER = "X-SVC-APIKEY"
"""The header of the access key."""
ANSWER_SECONDS = 12.0
"""The exchange answers within 10 seconds, with 504 if need be."""


class BourseClient(PublicApi):
    """The public API for one key, or for none: a method for each endpoint, named as in the reference.

    Use it as an async context manager within one event loop. Arguments are named as the parameters of the reference
    in snake_case; answers are what the exchange sends, decimals as text. DEC-KIT-90, DEC-KIT-91.

    - base_url, futures_url, ws_url: where the exchange is; without the others they are derived of the first.
    - key, secret: the access key and the secret key; requests to public endpoints need none.
    - key_header: the header of the access key.
    - recv_window: so many milliseconds a request may be under way; after that it is not carried out.
    - clock: how requests are dated. `offset` measures once, and again when the exchange disagrees, how far its clock
      is off; `exchange` asks for the time before each request, for clocks that stand or run at a pace of their own.
    - now_ms: the clock of this machine, in milliseconds.
    - tries: how often a request is sent that may be sent again.
    - longest_wait: so many seconds it waits at most when the exchange says to wait (429, 418); 0: not at all.
    - wait: waits for so many seconds; for tests.
    - http: the connection pool to use; whoever gives one closes it.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: str = "",
        secret: str = "",
        futures_url: str | None = None,
        ws_url: str | None = None,
        key_header: str = KEY_HEADER,
        recv_window: int = 5000,
        clock: Literal["offset", "exchange"] = "offset",
        now_ms: Callable[[], float] | None = None,
        tries: int = 3,
        longest_wait: float = 60.0,
        wait: Callable[[float], Awaitable[object]] = sleep,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        if tries < 1:
            raise ValueError("tries: must be at least 1")
        base = base_url.rstrip("/")
        self.ws_url = ws_url if ws_url is not None else f"ws{base.removeprefix('http')}/ws"
        settings = Settings(
            base_url=base,
            futures_url=(futures_url or base).rstrip("/"),
            key=key,
            secret=secret,
            key_header=key_header,
            recv_window=recv_window,
            clock=clock,
            now_ms=now_ms or _machine_ms,
            tries=tries,
            longest_wait=longest_wait,
            wait=wait,
        )
        self._http = _pool(settings) if http is None else http
        self._owns_http = http is None
        self._sender = Sender(settings, self._http)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends its connections; streams and books end by themselves."""
        if self._owns_http:
            await self._http.aclose()

    async def sync_clock(self) -> None:
        """Measures anew how far the exchange's clock is off."""
        await self._sender.sync_clock()

    async def exchange_time(self) -> int:
        """What the exchange's clock shows, in milliseconds, as requests are dated."""
        return await self._sender.exchange_time()

    async def _call(self, endpoint: Endpoint, parameters: Mapping[str, Any]) -> Any:
        texts = {name: parameter_text(name, value) for name, value in given(parameters).items()}
        flow = FLOWS.get(endpoint.id)
        if flow is not None:
            return await flow(self._sender, endpoint, texts)
        is_repeatable = True if endpoint.id in REPEATABLE else None
        return await self._sender.request(endpoint, texts, is_repeatable)

    def stream(self, *channels: str, encoding: Encoding = "protobuf", buffered: int = BUFFERED) -> Stream:
        """Public channels by their names, such as `spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT`."""
        return Stream(self.ws_url, channels, encoding=encoding, buffered=buffered)

    def private_stream(
        self,
        *channels: str,
        encoding: Encoding = "protobuf",
        buffered: int = BUFFERED,
        renew_every: float = 1800.0,
    ) -> PrivateStream:
        """Private channels of this key: `orders`, `deals`, `account`, or their whole names; without any, all three."""
        return PrivateStream(self, channels, encoding=encoding, buffered=buffered, renew_every=renew_every)

    def book(
        self, symbol: str, *, speed: Literal["10ms", "100ms"] = "10ms", encoding: Encoding = "protobuf"
    ) -> FollowedBook:
        """The order book of a pair, kept up to date."""
        return FollowedBook(self, symbol, speed=speed, encoding=encoding)


def _pool(settings: Settings) -> httpx.AsyncClient:
    urls = (settings.base_url, settings.futures_url)
    # Reading certificates takes longer than a request, and proxies are of no use on this machine.
    verifies, is_remote = any(url.startswith("https") for url in urls), not all(map(is_loopback, urls))
    return httpx.AsyncClient(timeout=ANSWER_SECONDS, verify=verifies, trust_env=is_remote)


def _machine_ms() -> float:
    return time.time() * 1000
