"""A local book beside the exchange's own, through gaps, losses and resets."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from bourse import BourseClient, FollowedBook, Level, LocalBook, StreamRefused
from bourse.testing import TestExchange

pytestmark = pytest.mark.anyio
DEPTH = "spot@public.aggre.depth.v3.api.pb@*"


def update(begins: int, ends: int, bids: list[tuple[str, str]] = [], asks: list[tuple[str, str]] = []) -> Any:  # noqa: B006
    rows = {
        side: [{"price": price, "quantity": quantity} for price, quantity in levels]
        for side, levels in (("bids", bids), ("asks", asks))
    }
    return {"fromVersion": str(begins), "toVersion": str(ends), **rows}


def snapshot(version: int, bids: list[list[str]]) -> Any:
    return {"lastUpdateId": version, "bids": bids, "asks": []}


def test_pushes_before_a_snapshot_wait_for_it() -> None:
    """DEC-KIT-93"""
    book = LocalBook()
    assert not book.take(update(1, 2, [("10", "1")]))
    assert not book.take(update(3, 4, [("9.5", "2")], [("11", "3")]))
    assert book.start(snapshot(2, [["10", "1"]]))
    assert (book.version, book.levels("bids")) == (4, [Level("10", "1"), Level("9.5", "2")])
    assert (book.best_bid, book.best_ask) == (Level("10", "1"), Level("11", "3"))
    assert book.take(update(5, 5, [("10", "0")]))
    assert book.levels("bids", 1) == [Level("9.5", "2")]


def test_a_snapshot_that_is_too_old_does_not_join() -> None:
    """DEC-KIT-93"""
    book = LocalBook()
    book.take(update(7, 8))
    assert not book.start(snapshot(5, []))
    assert book.start(snapshot(6, []))
    assert book.version == 8


def test_a_gap_ends_the_book_until_a_newer_snapshot() -> None:
    """DEC-KIT-93"""
    book = LocalBook()
    book.start(snapshot(1, []))
    assert book.take(update(1, 1, [("1", "1")]))
    assert not book.take(update(3, 3, [("3", "1")]))
    assert not book.is_ready
    assert book.start(snapshot(2, [["2", "1"]]))
    assert (book.version, [level.price for level in book.levels("bids")]) == (3, ["3", "2"])


def test_sides_are_as_if_sorted_each_time() -> None:
    chance = random.Random(7)
    book, kept = LocalBook(), dict[str, str]()
    book.start(snapshot(0, []))
    for version in range(1, 500):
        price, quantity = str(chance.randrange(1, 40) / 4).removesuffix(".0"), str(chance.randrange(0, 3))
        kept[price] = quantity
        book.take(update(version, version, [(price, quantity)], [(price, quantity)]))
    expected = sorted((Level(*each) for each in kept.items() if each[1] != "0"), key=lambda level: float(level.price))
    assert book.levels("asks") == expected
    assert book.levels("bids") == expected[::-1]
    with pytest.raises(ValueError, match="^count: "):
        book.levels("asks", -1)


async def trade(client: BourseClient, count: int, chance: random.Random) -> None:
    for _ in range(count):
        side, price = chance.choice([("BUY", 50000), ("SELL", 50010)])
        await client.place_order(
            symbol="BTCUSDT",
            side="BUY" if side == "BUY" else "SELL",
            type="LIMIT",
            quantity="0.001",
            price=price + chance.randrange(-8, 8),
        )


async def until_equal(book: FollowedBook, client: BourseClient) -> None:
    depth = await client.depth(symbol="BTCUSDT", limit=5000)
    while not (book.is_ready and book.version == depth["lastUpdateId"]):
        assert await book.changed(60)
    assert [list(level) for level in book.levels("bids")] == depth["bids"]
    assert [list(level) for level in book.levels("asks")] == depth["asks"]


@pytest.mark.parametrize("encoding", ["protobuf", "json"])
async def test_a_followed_book_is_exact_through_gaps_and_losses(
    exchange: TestExchange, alice: BourseClient, bob: BourseClient, encoding: Any
) -> None:
    """DEC-KIT-93"""
    chance = random.Random(3)
    await trade(bob, 5, chance)
    async with alice.book("BTCUSDT", encoding=encoding) as book:
        await trade(bob, 5, chance)
        await until_equal(book, alice)
        await exchange.operator.add_fault(match={"channel": DEPTH}, count=1, fault={"kind": "gap"})
        while book.gaps == 0:
            await trade(bob, 2, chance)
            await asyncio.sleep(0.03)
        await until_equal(book, alice)
        await exchange.operator.add_fault(match={"channel": DEPTH}, count=1, fault={"kind": "duplicate"})
        await exchange.operator.add_fault(match={"channel": DEPTH}, count=1, fault={"kind": "close", "code": 1001})
        while book.connections == 1:
            await trade(bob, 1, chance)
            await asyncio.sleep(0.05)
        await trade(bob, 5, chance)
        await until_equal(book, alice)
        assert book.snapshots >= 3
    assert not book.is_ready


async def test_a_book_of_no_pair_is_refused_at_once(alice: BourseClient) -> None:
    """DEC-KIT-93"""
    with pytest.raises(StreamRefused):
        async with alice.book("NOPE"):
            pass
