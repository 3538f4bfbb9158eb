"""The examples, against a sandbox whose market this test makes."""

from __future__ import annotations

import asyncio
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from bourse import BourseClient, Refused
from bourse.candles import candle_frame, candles_between
from bourse.testing import TestExchange

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

import backtest
import demo
import market_maker
import momentum

pytestmark = pytest.mark.anyio
DAY_MS = 86_400_000


async def place(client: BourseClient, side: str, price: int, quantity: str) -> None:
    await client.place_order(
        symbol="BTCUSDT", side="BUY" if side == "BUY" else "SELL", type="LIMIT", quantity=quantity, price=price
    )


@pytest.fixture
async def market(bob: BourseClient) -> BourseClient:
    """Bob's levels around 50000."""
    for level in range(1, 6):
        await place(bob, "BUY", 50_000 - 10 * level, "1")
        await place(bob, "SELL", 50_000 + 10 * level, "1")
    return bob


async def test_the_market_maker_quotes_and_is_filled(
    exchange: TestExchange, market: BourseClient, alice: BourseClient
) -> None:
    async def take() -> None:
        for _ in range(8):
            await asyncio.sleep(0.1)
            with_depth = await market.depth(symbol="BTCUSDT", limit=1)
            price = int(Decimal(with_depth["asks"][0][0]))
            await market.place_order(symbol="BTCUSDT", side="BUY", type="LIMIT", quantity="0.001", price=price)
            await place(market, "BUY", 49_991, "0.001")

    for _ in range(10):
        making = market_maker.make_market(alice, "BTCUSDT", Decimal(4), Decimal("0.001"), 1.5)
        own, _ = await asyncio.gather(making, take())
        # On a busy machine all was taken before the first quote.
        if own.counted["fills"] > 0:
            break
    assert own.counted["placed"] >= 2
    assert own.counted["fills"] >= 1
    assert own.position < 0
    assert await alice.open_orders(symbol="BTCUSDT") == []


async def test_momentum_follows_the_price(exchange: TestExchange, market: BourseClient, alice: BourseClient) -> None:
    async def move() -> None:
        # One is above the average of the candle of now, the other below it.
        for price, side in ((50_010, "SELL"), (50_010, "SELL"), (49_990, "BUY"), (49_990, "BUY")):
            await asyncio.sleep(0.3)
            await place(market, side, price, "0.002")
            async with exchange.client("alice") as other:
                await place(other, "BUY" if side == "SELL" else "SELL", price, "0.003")

    for _ in range(10):
        trading = momentum.trade_momentum(alice, "BTCUSDT", Decimal("0.001"), 20, 2.0)
        (trades, held), _ = await asyncio.gather(trading, move())
        # On a busy machine all was traded before it listened.
        if trades > 0:
            break
    assert trades >= 1
    assert held in (Decimal(0), Decimal("0.001"))


@pytest.mark.bourse(seed="7", now="2026-02-01T00:00:00Z", settings={"rateLimits": False})
async def test_the_backtest_reads_a_month_of_candles(
    bourse_exchange: TestExchange, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DEC-KIT-90: a month is two pages of minutes, or one of hours; the command prints what it earned."""
    alice, bob = demo.client_of(str(bourse_exchange.demo_file), "alice"), bourse_exchange.client("bob")
    async with alice, bob:
        for day in range(4):
            price = 50_000 + 400 * day - 50 * day * day
            await place(alice, "BUY", price, "0.1")
            await place(bob, "SELL", price, "0.1")
            await bourse_exchange.operator.advance_clock(ms=DAY_MS)
        now = await alice.exchange_time()
        days = [each async for each in candles_between(alice, "BTCUSDT", "1d", now - 30 * DAY_MS, now)]
        minutes = [each async for each in candles_between(alice, "BTCUSDT", "1m", now - 2 * DAY_MS, now)]
        with pytest.raises(Refused):
            await alice.candles(symbol="BTCUSDT", interval="1d", limit=1001)
    closes = [float(each.close) for each in days]
    assert closes[:3] == [50_000.0, 50_350.0, 50_600.0]
    frame = candle_frame(days)
    assert list(frame["close"]) == closes
    assert str(frame.index[0]) == "2026-02-01 00:00:00+00:00"
    assert len({each.open_time for each in minutes}) == len(minutes) > 1000
    monkeypatch.setattr(sys, "argv", ["backtest.py", str(bourse_exchange.demo_file), "--fast", "2", "--slow", "4"])
    await backtest.main()
    printed = capsys.readouterr().out
    assert "return" in printed
    assert "trades" in printed
