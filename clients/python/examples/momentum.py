"""Momentum: buys when the last price is above its average of some candles, sells when it is below.

Use: python clients/python/examples/momentum.py [data/demo.json] --candles 20 --seconds 300
"""

from __future__ import annotations

import asyncio
import time
from decimal import Decimal

from bourse import BourseClient, Push, Refused, decimal_of, text_of

from demo import arguments, client_of


async def average_of(client: BourseClient, symbol: str, count: int) -> Decimal | None:
    """The average close of the last candles; None: nothing was traded in any."""
    rows = await client.candles(symbol=symbol, interval="1m", limit=count)
    closes = [decimal_of(row[4]) for row in rows]
    return sum(closes, Decimal(0)) / len(closes) if closes else None


async def trade_momentum(
    client: BourseClient, symbol: str, quantity: Decimal, candles: int, seconds: float
) -> tuple[int, Decimal]:
    """Holds one quantity or none, by the trend. Answers how often it traded, and what it holds."""
    held, trades = Decimal(0), 0
    average = await average_of(client, symbol, candles)
    ends, asked_at = time.monotonic() + seconds, time.monotonic()
    async with client.stream(f"spot@public.aggre.deals.v3.api.pb@100ms@{symbol}") as stream:
        while (left := ends - time.monotonic()) > 0:
            event = await stream.next(left)
            if not isinstance(event, Push):
                # Nothing came, or some trades are missing: the average of the exchange knows them.
                average = await average_of(client, symbol, candles)
                continue
            if time.monotonic() - asked_at > 10:
                average, asked_at = await average_of(client, symbol, candles), time.monotonic()
            price = decimal_of(event.body["deals"][-1]["price"])
            if average is None or (price > average) == (held > 0):
                continue
            try:
                await client.place_order(
                    symbol=symbol, side="SELL" if held > 0 else "BUY", type="MARKET", quantity=quantity
                )
            except Refused:
                continue  # Nobody trades against it, or the money is short: the next trade tries again.
            held, trades = quantity - held, trades + 1
    return trades, held


async def main() -> None:
    options = arguments("Momentum.", symbol="BTCUSDT", quantity="0.001", candles=20, seconds=300.0)
    async with client_of(options.demo, "bob") as client:
        quantity = Decimal(options.quantity)
        trades, held = await trade_momentum(client, options.symbol, quantity, options.candles, options.seconds)
    print(f"{trades} trades, holds {text_of(held)}")


if __name__ == "__main__":
    asyncio.run(main())
