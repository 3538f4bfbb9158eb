"""An exchange in a process of its own, for as long as a test."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from bourse.client import BourseClient
from bourse.testing.operator_client import OperatorClient
from bourse.testing.server import Server

SHOWN_REQUESTS = 20
SHOWN_CHARACTERS = 400
LOG_SECONDS = 5.0


@dataclass(frozen=True)
class TestAccount:
    """An account with its key."""

    __test__ = False
    name: str
    uid: int
    key: str
    """The access key."""
    secret: str
    """The secret key."""


Owner = str | TestAccount | tuple[str, str] | Mapping[str, object]
"""Whose client it is to be."""


class TestExchange:
    """A running exchange: where it is, its accounts, its controls. `close` ends it. DEC-KIT-94."""

    __test__ = False

    def __init__(self, server: Server, demo: Mapping[str, Any]) -> None:
        self.base_url: str = demo["base_url"]
        self.futures_url: str = demo["futures_base_url"]
        self.ws_url: str = demo["ws_url"]
        self.operator_url: str = demo["operator_url"]
        self.operator_token: str = demo["operator_token"]
        self.accounts = {
            each["name"]: TestAccount(each["name"], int(each["uid"]), each["apiKey"], each["secretKey"])
            for each in demo["accounts"]
        }
        """Accounts of people, such as alice and bob, by name."""
        self.operator = OperatorClient(self.operator_url, self.operator_token)
        """Every control as a method."""
        self._server = server
        self._is_closed = False

    @property
    def demo_file(self) -> Path:
        """The file with its addresses and keys, for programs that read one."""
        return self._server.demo_file

    def client(self, who: Owner | None = None, **options: Any) -> BourseClient:
        """A client of an account by its name, of a key that the faucet or an impersonation made, of a pair of access
        key and secret key, or of nobody. It asks the exchange for the time before each signed request, because its
        clock may stand; further options are those of BourseClient."""
        key, secret = self._keys_of(who)
        given = {"clock": "exchange", "futures_url": self.futures_url, "ws_url": self.ws_url, **options}
        return BourseClient(self.base_url, key=key, secret=secret, **given)

    def _keys_of(self, who: Owner | None) -> tuple[str, str]:
        if who is None:
            return "", ""
        if isinstance(who, tuple):
            return who
        if isinstance(who, Mapping):
            return str(who["accessKey"]), str(who["secretKey"])
        account = self.accounts.get(who) if isinstance(who, str) else who
        if account is None:
            raise KeyError(f"there is no account {who}; there are {', '.join(self.accounts)}")
        return account.key, account.secret

    def newest_requests(self, limit: int = SHOWN_REQUESTS) -> str:
        """The newest requests of the request log, oldest first, one a line, with the answers of those that failed. It
        waits for the exchange."""
        try:
            items = self._told(f"/v1/requests?kind=request&limit={limit}")["items"]
            lines = [self._line_of(entry) for entry in reversed(items)]
        except (OSError, ValueError) as error:
            return f"the exchange does not tell: {error}"
        return "\n".join(lines) or "there were none"

    def _line_of(self, entry: Mapping[str, Any]) -> str:
        moment = datetime.fromtimestamp(entry["at"] / 1000, timezone.utc).strftime("%H:%M:%S.%f")[:-3]
        line = f"{moment} {entry['method']} {entry['path']} {entry['status'] or 'cut'}"
        if entry["fault"] is not None:
            line += f", touched by {entry['fault']}"
        if entry["status"] is not None and entry["status"] < 400:
            return line
        whole = self._told(f"/v1/requests/{entry['id']}")
        return f"{line}\n    {str(whole['query'])[:SHOWN_CHARACTERS]}\n    {str(whole['answer'])[:SHOWN_CHARACTERS]}"

    def _told(self, target: str) -> Any:
        headers = {"Authorization": f"Bearer {self.operator_token}"}
        request = urllib.request.Request(self.operator_url + target, headers=headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=LOG_SECONDS) as response:
            return json.load(response)

    async def restart(self, down_seconds: float = 0.0) -> None:
        """Stops it, waits for so many seconds of the machine, and starts it again on the same ports and from the same
        directory. Websockets are closed with 1001. What a process alone knows, such as rules of faults, is gone."""
        await asyncio.to_thread(self._server.restart, down_seconds)

    def close(self) -> None:
        """Ends it and removes its directory. Raises BourseFailed where it had ended by itself. A second call does
        nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._server.check()
        finally:
            self._server.remove()
