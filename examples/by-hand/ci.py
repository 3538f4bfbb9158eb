"""A test of a bot as a pipeline runs it. Build once before: npm ci && npm run build

Use: python3 examples/by-hand/ci.py
"""

import contextlib
import json
import pathlib
import subprocess
import tempfile
import time

from basics import Rest

BOURSE = pathlib.Path(__file__).resolve().parents[2] / "dist" / "main" / "bourse.js"


@contextlib.contextmanager
def sandbox(seed="ci"):
    """An empty exchange on free ports and a directory of its own; answers what `demo.json` says."""
    with tempfile.TemporaryDirectory(prefix="bourse-ci-") as data:
        options = ["--data", data, "--port", "0", "--operator-port", "0", "--no-simulate", "--seed", seed]
        server = subprocess.Popen(["node", BOURSE, "start", *options], stdout=subprocess.DEVNULL)
        try:
            # The file is written, whole, once the exchange takes orders.
            path = pathlib.Path(data, "demo.json")
            end = time.monotonic() + 60
            while not path.exists():
                if server.poll() is not None or time.monotonic() > end:
                    raise RuntimeError("the exchange did not start")
                time.sleep(0.05)
            yield json.loads(path.read_text(encoding="utf8"))
        finally:
            server.terminate()
            server.wait()


def main():
    with sandbox() as demo:
        keys = {account["name"]: (account["apiKey"], account["secretKey"]) for account in demo["accounts"]}
        bob, alice = Rest(demo["base_url"], *keys["bob"]), Rest(demo["base_url"], *keys["alice"])
        for level in range(1, 11):
            for side, price in (("BUY", 60000 - level), ("SELL", 60000 + level)):
                order = dict(symbol="BTCUSDT", side=side, type="LIMIT", quantity="0.5", price=str(price))
                bob.place_order(**order, newClientOrderId=f"fund-{side}-{level}")

        # Your bot goes here. This one takes the best ask.
        alice.place_order(symbol="BTCUSDT", side="BUY", type="MARKET", quantity="0.2", newClientOrderId="take-1")

        assert alice.signed("GET", "/api/v3/myTrades", symbol="BTCUSDT")[0]["price"] == "60001"
        assert alice.get("/api/v3/depth", symbol="BTCUSDT", limit=1)["asks"] == [["60001", "0.3"]]
        print("passed")


if __name__ == "__main__":
    main()
