"""A trading day for pytest: prices rise, answers are lost, pushes are missing, the market falls and comes back, and the
night is long. A market maker lives through it, and what it has is what it traded.

Use: pytest clients/python/examples/test_trading_day.py
"""

from __future__ import annotations

import asyncio
import contextlib
from decimal import Decimal
from typing import Any

import pytest

from bourse import BourseClient, decimal_of
from bourse.testing import TestExchange

from market_maker import make_market

SYMBOL = "BTCUSDT"
HOUR_MS = 3_600_000
MORNING = range(50_000, 50_900, 100)
ORDERS = "/api/v3/order"

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.bourse(seed="7", now="2026-01-01T00:00:00Z", clock="running", settings={"rateLimits": False}),
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def faults_of(maker: int) -> list[dict[str, Any]]:
    """What goes wrong at noon, for the market maker alone."""
    return [
        {
            "match": {"account": maker, "path": ORDERS, "method": "POST", "every": 4},
            "fault": {"kind": "failAfter", "status": 504},
        },
        {"match": {"account": maker, "every": 9}, "fault": {"kind": "drop", "at": "answer"}},
        {"match": {"channel": "spot@public.aggre.depth.v3.api.pb@*", "every": 5}, "fault": {"kind": "gap"}},
        {"match": {"channel": "spot@*", "every": 25}, "count": 3, "fault": {"kind": "close", "code": 1001}},
    ]


async def lay_out(crowd: BourseClient, middle: int) -> None:
    """Two levels a side around a price."""
    await crowd.cancel_open_orders(symbol=SYMBOL)
    for distance in (20, 30):
        for side, price in (("BUY", middle - distance), ("SELL", middle + distance)):
            await place(crowd, side, price, "0.5")


async def place(client: BourseClient, side: str, price: int, quantity: str, *, at_once: bool = False) -> None:
    await client.place_order(
        symbol=SYMBOL,
        side="BUY" if side == "BUY" else "SELL",
        type="IMMEDIATE_OR_CANCEL" if at_once else "LIMIT",
        quantity=quantity,
        price=price,
    )


async def hour(exchange: TestExchange, trader: BourseClient, middle: int) -> None:
    """Somebody buys and sells a little, and an hour is over."""
    await asyncio.sleep(0.3)
    await place(trader, "BUY", middle + 30, "0.01", at_once=True)
    await place(trader, "SELL", middle - 30, "0.01", at_once=True)
    await exchange.operator.advance_clock(ms=HOUR_MS)


async def day(exchange: TestExchange, crowd: BourseClient, trader: BourseClient) -> None:
    for middle in MORNING:
        await lay_out(crowd, middle)
        await hour(exchange, trader, middle)
    high = MORNING[-1]
    for rule in faults_of(exchange.accounts["alice"].uid):
        await exchange.operator.add_fault(**rule)
    for _ in range(4):
        await hour(exchange, trader, high)
    await exchange.operator.clear_faults()
    # A seller who does not ask what it costs, and bids far below.
    for price in range(46_000, 50_000, 1_000):
        await place(crowd, "BUY", price, "0.2")
    await place(trader, "SELL", 47_500, "3", at_once=True)
    await asyncio.sleep(0.5)
    await lay_out(crowd, high)
    for _ in range(11):
        await hour(exchange, trader, high)


async def btc_of(client: BourseClient) -> Decimal:
    """All that an account has, free and held."""
    balances = (await client.account())["balances"]
    return sum(
        (decimal_of(each["free"]) + decimal_of(each["locked"]) for each in balances if each["asset"] == "BTC"),
        Decimal(0),
    )


async def test_a_day_with_faults_and_a_crash_beside_a_market_maker(bourse_exchange: TestExchange) -> None:
    opened = await bourse_exchange.operator.open_faucet(
        name="trader", grants=[{"asset": "USDT", "amount": "1000000"}, {"asset": "BTC", "amount": "20"}]
    )
    async with (
        bourse_exchange.client("alice") as maker,
        bourse_exchange.client("bob") as crowd,
        bourse_exchange.client(opened["key"]) as trader,
    ):
        began = await btc_of(maker)
        making = asyncio.create_task(make_market(maker, SYMBOL, Decimal(10), Decimal("0.001"), 600))
        running = asyncio.create_task(day(bourse_exchange, crowd, trader))
        await asyncio.wait([making, running], return_when=asyncio.FIRST_COMPLETED)
        making.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await making
        await running
        traded = Decimal(0)
        fills = await maker.my_trades(symbol=SYMBOL, limit=100)
        assert 0 < len(fills) < 100
        for each in fills:
            traded += decimal_of(each["qty"]) if each["isBuyer"] else -decimal_of(each["qty"])
            if each["commissionAsset"] == "BTC":
                traded -= decimal_of(each["commission"])
        assert await maker.open_orders(symbol=SYMBOL) == []
        assert await btc_of(maker) - began == traded
