"""A market maker: one bid and one ask around the middle of the book, moved when the middle moves.

Use: python clients/python/examples/market_maker.py [data/demo.json] --spread 2 --seconds 60
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal

from bourse import BourseClient, FollowedBook, PrivateStream, Push, Refused, decimal_of, text_of

from demo import arguments, client_of

TICK = Decimal("0.01")


@dataclass
class Quotes:
    """What this maker has in the book, and what became of it."""

    client: BourseClient
    symbol: str
    quantity: Decimal
    by_side: dict[str, tuple[str, Decimal]] = field(default_factory=dict)
    """Side to order id and price."""
    counted: Counter[str] = field(default_factory=Counter)
    position: Decimal = Decimal(0)

    async def place(self, side: str, price: Decimal) -> None:
        """Moves the quote of a side to a price."""
        await self.cancel(side)
        try:
            placed = await self.client.place_order(
                symbol=self.symbol,
                side="BUY" if side == "BUY" else "SELL",
                type="LIMIT_MAKER",
                quantity=self.quantity,
                price=price,
            )
        except Refused:
            # It would have traded at once: the market moved meanwhile. The next change of the book tries again.
            self.counted["refused"] += 1
            return
        self.by_side[side] = (placed["orderId"], price)
        self.counted["placed"] += 1

    async def cancel(self, side: str) -> None:
        """Takes the quote of a side back; it may be filled already."""
        order_id, _ = self.by_side.pop(side, ("", Decimal(0)))
        if order_id:
            with contextlib.suppress(Refused):
                await self.client.cancel_order(symbol=self.symbol, order_id=order_id)

    async def follow_fills(self, stream: PrivateStream) -> None:
        """Counts what was traded. After a gap the account tells what was missed; here a count of gaps is enough."""
        async for event in stream:
            if not isinstance(event, Push):
                self.counted["gaps"] += 1
                continue
            amount = decimal_of(event.body["quantity"])
            self.position += amount if event.body["tradeType"] == 1 else -amount
            self.counted["fills"] += 1
            side = "BUY" if event.body["tradeType"] == 1 else "SELL"
            # What is left of it is moved with the next quote.
            self.by_side.pop(side, None)


def middle_of(book: FollowedBook, own: Quotes) -> Decimal | None:
    """The middle of the best prices that others pay; None where a side is empty."""
    mine = {price for _, price in own.by_side.values()}
    bids = [decimal_of(level.price) for level in book.levels("bids", 3)]
    asks = [decimal_of(level.price) for level in book.levels("asks", 3)]
    bid = next((price for price in bids if price not in mine), None)
    ask = next((price for price in asks if price not in mine), None)
    return None if bid is None or ask is None else (bid + ask) / 2


async def quote(book: FollowedBook, own: Quotes, spread: Decimal) -> None:
    """Quotes for as long as it is let."""
    while True:
        middle = middle_of(book, own) if book.is_ready else None
        if middle is not None:
            for side, offset in (("BUY", -spread / 2), ("SELL", spread / 2)):
                price = (middle + offset).quantize(TICK)
                _, quoted = own.by_side.get(side, ("", Decimal(0)))
                # A quote that is off by less than a quarter of the spread stays: it keeps its place in the queue.
                if abs(quoted - price) > spread / 4:
                    await own.place(side, price)
        await book.changed(1)


async def make_market(client: BourseClient, symbol: str, spread: Decimal, quantity: Decimal, seconds: float) -> Quotes:
    """Quotes for so long, then takes everything back."""
    own = Quotes(client, symbol, quantity)
    async with client.book(symbol) as book, client.private_stream("deals") as stream:
        tasks = [asyncio.create_task(own.follow_fills(stream)), asyncio.create_task(quote(book, own, spread))]
        try:
            done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            # Also where somebody stops this program: no quote is left behind that nobody moves.
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await client.cancel_open_orders(symbol=symbol)
    for task in done:
        task.result()
    return own


async def main() -> None:
    options = arguments("A market maker.", symbol="BTCUSDT", spread="2", quantity="0.001", seconds=60.0)
    async with client_of(options.demo, "alice") as client:
        spread, quantity = Decimal(options.spread), Decimal(options.quantity)
        own = await make_market(client, options.symbol, spread, quantity, options.seconds)
    counted = ", ".join(f"{count} {name}" for name, count in sorted(own.counted.items()))
    print(f"{counted}; position {text_of(own.position)}")


if __name__ == "__main__":
    asyncio.run(main())
