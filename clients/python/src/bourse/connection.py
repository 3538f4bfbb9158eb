"""A websocket that connects again whenever it is lost, and subscribes again to its channels."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from bourse.addresses import is_loopback
from bourse.errors import Refused, StreamRefused
from bourse.protobuf import MalformedPush, decode_push
from bourse.sending import may_pass

Encoding = Literal["protobuf", "json"]

PING_SECONDS = 15.0
SILENT_SECONDS = 45.0
"""Three pings without an answer: the connection is dead, even if nobody says so."""
ANSWER_SECONDS = 10.0
ASKED_TOGETHER = 30
"""So many channels may stand in one request."""
CLOSE_SECONDS = 1.0
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 10.0


class Listener(Protocol):
    """Who hears a connection."""

    def on_subscribed(self) -> None:
        """From now on nothing is left out until `on_lost`; what happened before has to be asked for."""

    def on_push(self, message: dict[str, Any]) -> None:
        """A push, as JSON has it."""

    def on_lost(self, reason: str, status: int | None) -> None:
        """Nothing is heard any more; `status` is that of a refused connection."""


class Connection:
    """Runs until it is closed, or until a subscription is refused, which time does not mend. DEC-KIT-92."""

    def __init__(
        self,
        address: Callable[[], Awaitable[str]],
        channels: Sequence[str],
        listener: Listener,
    ) -> None:
        self.channels = list(dict.fromkeys(channels))
        self.refusal: StreamRefused | None = None
        """Why it ended by itself."""
        self._address = address
        self._listener = listener
        self._socket: ClientConnection | None = None
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._heard_at = 0.0
        self._failures = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to connect."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Ends it; nothing is heard behind this."""
        if self._task is None:
            return
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def subscribe(self, channels: Sequence[str]) -> None:
        """Adds channels. Raises StreamRefused where one is refused; then none of them is kept."""
        added = [channel for channel in dict.fromkeys(channels) if channel not in self.channels]
        if self._socket is not None:
            try:
                await self._ask("SUBSCRIPTION", added)
            except StreamRefused:
                # Where one is refused the exchange takes the others.
                await self._ask("UNSUBSCRIPTION", added)
                raise
        self.channels += added

    async def unsubscribe(self, channels: Sequence[str]) -> None:
        """Takes channels away."""
        gone = [channel for channel in dict.fromkeys(channels) if channel in self.channels]
        self.channels = [channel for channel in self.channels if channel not in gone]
        if self._socket is not None:
            await self._ask("UNSUBSCRIPTION", gone)

    async def _run(self) -> None:
        while self.refusal is None:
            retry_after, reason, status = 0.0, "the connection was lost", None
            try:
                # What it costs to be silent is told by the pings of this client, which the exchange answers.
                async with self._connect(await self._address()) as socket:
                    reason = await self._listen(socket)
            except StreamRefused as refusal:
                self.refusal = refusal
                reason = str(refusal)
            except Refused as refusal:
                reason = str(refusal)
                # Such as a key that may not make listen keys: asking again would be refused again.
                if not may_pass(refusal):
                    self.refusal = StreamRefused(refusal.endpoint, refusal.message, refusal.status, refusal.code)
            except InvalidStatus as refused:
                status = refused.response.status_code
                retry_after = _seconds(refused.response.headers.get("retry-after"))
                reason = f"the connection was refused with status {status}"
            except (OSError, TimeoutError, asyncio.TimeoutError, InvalidHandshake, ConnectionClosed) as error:
                reason = str(error) or reason
            except Exception as error:  # Of whoever gives the address, such as a listen key that could not be made.
                reason = f"{type(error).__name__}: {error}"
            self._end(reason, status)
            if self.refusal is None:
                await asyncio.sleep(max(retry_after, self._pause()))

    @staticmethod
    def _connect(address: str) -> connect:
        proxy: Literal[True] | None = None if is_loopback(address) else True
        return connect(
            address, ping_interval=None, open_timeout=ANSWER_SECONDS, close_timeout=CLOSE_SECONDS, proxy=proxy
        )

    def _end(self, reason: str, status: int | None) -> None:
        self._socket = None
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionError(reason))
                # Nobody may wait for it any more.
                answer.exception()
        self._answers.clear()
        self._listener.on_lost(reason, status)

    def _pause(self) -> float:
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self._failures, 10))
        self._failures += 1
        # By chance between half of it and all of it: not all clients of a restarted exchange should come at once.
        return float(pause * (0.5 + random.random() / 2))

    async def _listen(self, socket: ClientConnection) -> str:
        self._heard_at = time.monotonic()
        reading = asyncio.create_task(self._read(socket))
        pinging = asyncio.create_task(self._ping(socket))
        try:
            self._socket = socket
            if self.channels:
                asking = asyncio.create_task(self._ask("SUBSCRIPTION", self.channels))
                done, _ = await asyncio.wait((asking, reading), return_when=asyncio.FIRST_COMPLETED)
                if asking in done:
                    asking.result()
                else:
                    asking.cancel()
                    return await reading
            self._failures = 0
            self._listener.on_subscribed()
            ended, _ = await asyncio.wait((reading, pinging), return_when=asyncio.FIRST_COMPLETED)
            return next(iter(ended)).result()
        finally:
            reading.cancel()
            pinging.cancel()
            await asyncio.gather(reading, pinging, return_exceptions=True)

    async def _read(self, socket: ClientConnection) -> str:
        try:
            async for data in socket:
                self._heard_at = time.monotonic()
                message = decode_push(data) if isinstance(data, bytes) else json.loads(data)
                if "channel" in message:
                    self._listener.on_push(message)
                elif message.get("id") in self._answers:
                    answer = self._answers.pop(message["id"])
                    if not answer.done():
                        answer.set_result(message)
        except ConnectionClosed as closed:
            return str(closed)
        except (MalformedPush, ValueError) as fault:
            return f"what was pushed cannot be read: {fault}"
        return f"the exchange closed the connection: {socket.close_code} {socket.close_reason}".rstrip()

    async def _ping(self, socket: ClientConnection) -> str:
        with contextlib.suppress(ConnectionClosed):
            while time.monotonic() - self._heard_at < SILENT_SECONDS:
                await asyncio.sleep(PING_SECONDS)
                await socket.send('{"method":"PING"}')
        return "nothing was heard for too long"

    async def _ask(self, method: str, channels: Sequence[str]) -> None:
        for start in range(0, len(channels), ASKED_TOGETHER):
            await self._ask_some(method, channels[start : start + ASKED_TOGETHER])

    async def _ask_some(self, method: str, channels: Sequence[str]) -> None:
        socket = self._socket
        if socket is None:
            raise ConnectionError("there is no connection")
        asked = next(self._ids)
        self._answers[asked] = asyncio.get_running_loop().create_future()
        try:
            await socket.send(json.dumps({"id": asked, "method": method, "params": list(channels)}))
            answer = await asyncio.wait_for(self._answers[asked], ANSWER_SECONDS)
        except (ConnectionClosed, asyncio.TimeoutError) as error:
            raise ConnectionError(str(error) or "no reply came") from error
        finally:
            self._answers.pop(asked, None)
        told = str(answer.get("msg", ""))
        # What was taken stands there, channel by channel; of a refused one a reason.
        if answer.get("code") != 0 or (method == "SUBSCRIPTION" and told != ",".join(channels)):
            raise StreamRefused("subscribe", told or "the subscription was refused", None, answer.get("code"))


def _seconds(text: str | None) -> float:
    try:
        return max(0.0, float(text or 0))
    except ValueError:
        return 0.0
