"""Signed requests with nothing but Python's own library: clock, order entry that may be repeated, limits.

Use: python3 examples/by-hand/basics.py [data/demo.json]
"""

import hashlib
import hmac
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

UNKNOWN_ORDER = -2011
REPEAT_SECONDS = 40  # The exchange remembers an order's name for 60 s at least; no repeat may come later.


class Refusal(Exception):
    """The exchange refused the request: nothing happened, except where an earlier try got no answer."""

    is_after_unknown = False

    def __init__(self, status, code, text):
        super().__init__(f"HTTP {status}, code {code}: {text}")
        self.status, self.code = status, code


class UnknownOutcome(Exception):
    """A 5XX, or no answer: the request may have been carried out, now or a moment later."""


class Rest:
    def __init__(self, base, key="", secret="", recv_window=5000):
        self.base, self.key, self.secret, self.recv_window = base, key, secret, recv_window
        self.clock_offset_ms = 0
        self.blocked_until = 0.0

    def sync_clock(self):
        sent_at = time.time() * 1000
        server_time = self.get("/api/v3/time")["serverTime"]
        self.clock_offset_ms = server_time - (sent_at + time.time() * 1000) / 2

    def get(self, path, **parameters):
        query = urllib.parse.urlencode(parameters)
        return self._repeat(True, lambda: self._send("GET", f"{path}?{query}"))

    def signed(self, method, path, is_repeatable=None, **parameters):
        """`is_repeatable`: sending it twice does what sending it once does."""

        def send():
            now = round(time.time() * 1000 + self.clock_offset_ms)
            query = urllib.parse.urlencode({**parameters, "recvWindow": self.recv_window, "timestamp": now})
            signature = hmac.new(self.secret.encode(), query.encode(), hashlib.sha256).hexdigest()
            return self._send(method, f"{path}?{query}&signature={signature}")

        return self._repeat(method == "GET" if is_repeatable is None else is_repeatable, send)

    def place_order(self, **order):
        """Places an order once, whatever becomes of requests and answers; needs newClientOrderId."""
        try:
            return self.signed("POST", "/api/v3/order", is_repeatable=True, **order)
        except (UnknownOutcome, Refusal) as error:
            # A repeat may be refused although the first try, which nobody answered, is carried out a moment later.
            if isinstance(error, Refusal) and not error.is_after_unknown:
                raise
            # What is still under way is refused then: a request may be dated 1 s ahead, and is taken for recvWindow.
            time.sleep(self.recv_window / 1000 + 1)
            found = self.find_order(order["symbol"], order["newClientOrderId"])
            if found is None:
                raise
            return found

    def find_order(self, symbol, client_id):
        try:
            return self.signed("GET", "/api/v3/order", symbol=symbol, origClientOrderId=client_id)
        except Refusal as refusal:
            if refusal.code != UNKNOWN_ORDER:
                raise
            return None

    def _repeat(self, is_repeatable, send):
        first_at, is_unknown = time.monotonic(), False
        for tries in (1, 2, 3):
            try:
                return send()
            except (Refusal, UnknownOutcome) as error:
                is_limit = isinstance(error, Refusal) and error.status in (429, 418)
                is_clock = isinstance(error, Refusal) and error.code == 700003
                if isinstance(error, UnknownOutcome):
                    is_unknown = True
                else:
                    error.is_after_unknown = is_unknown
                next_at = max(time.monotonic(), self.blocked_until)
                may_repeat = is_limit or is_clock or (is_repeatable and isinstance(error, UnknownOutcome))
                if not may_repeat or tries == 3 or next_at > first_at + REPEAT_SECONDS:
                    raise
                if is_clock:
                    self.sync_clock()
                elif not is_limit:
                    time.sleep(0.25 * 2**tries)

    def _send(self, method, target):
        # Whoever is told to wait sends nothing until then: requests sent meanwhile lead to a ban.
        time.sleep(max(0.0, self.blocked_until - time.monotonic()))
        request = urllib.request.Request(self.base + target, method=method, headers={"X-SVC-APIKEY": self.key})
        try:
            with urllib.request.urlopen(request, timeout=12) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code >= 500:
                raise UnknownOutcome(f"HTTP {error.code}") from error
            self.blocked_until = time.monotonic() + int(error.headers.get("Retry-After", 0))
            body = json.load(error)
            raise Refusal(error.code, body["code"], body["msg"]) from error
        except OSError as error:
            raise UnknownOutcome("no answer") from error


def main(path):
    with open(path, encoding="utf8") as file:
        demo = json.load(file)
    alice = next(account for account in demo["accounts"] if account["name"] == "alice")
    rest = Rest(demo["base_url"], alice["apiKey"], alice["secretKey"])
    rest.sync_clock()
    name = f"py-{time.time_ns() // 1_000_000}"
    order = dict(symbol="BTCUSDT", side="BUY", type="LIMIT", quantity="0.001", price="20000", newClientOrderId=name)
    first, second = rest.place_order(**order), rest.place_order(**order)
    assert first["orderId"] == second["orderId"], "the same name is the same order"
    rest.signed("DELETE", "/api/v3/order", is_repeatable=True, symbol="BTCUSDT", origClientOrderId=name)
    print(json.dumps(rest.find_order("BTCUSDT", name)))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "data/demo.json")
