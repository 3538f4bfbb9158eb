"""Streams: both encodings, losses, listen keys, readers that are slow."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from bourse import BourseClient, Gap, Push, Stream, StreamRefused
from bourse.protobuf import MalformedPush, decode_push
from bourse.stream import StreamEvent
from bourse.testing import TestExchange

pytestmark = pytest.mark.anyio
DEALS = "spot@public.aggre.deals.v3.api.pb@10ms@BTCUSDT"
PUBLIC = (
    DEALS,
    "spot@public.aggre.depth.v3.api.pb@10ms@BTCUSDT",
    "spot@public.aggre.bookTicker.v3.api.pb@10ms@BTCUSDT",
)


async def trade(alice: BourseClient, bob: BourseClient) -> None:
    await alice.place_order(symbol="BTCUSDT", side="BUY", type="LIMIT", quantity="0.01", price="50000")
    await bob.place_order(symbol="BTCUSDT", side="SELL", type="LIMIT", quantity="0.01", price="50000")


async def events_of(stream: Stream, seconds: float = 0.3) -> list[StreamEvent]:
    found: list[StreamEvent] = []
    while (event := await stream.next(seconds)) is not None:
        found.append(event)
    return found


def told(events: list[StreamEvent]) -> list[Any]:
    """What pushes say, without when they were sent."""
    messages = [dict(event.message) for event in events if isinstance(event, Push)]
    return sorted(str({name: each[name] for name in each if name != "sendTime"}) for each in messages)


async def test_both_encodings_say_the_same(alice: BourseClient, bob: BourseClient) -> None:
    """DEC-KIT-92"""
    async with (
        alice.stream(*PUBLIC) as binary,
        alice.stream(*PUBLIC, encoding="json") as text,
        alice.private_stream() as own_binary,
        alice.private_stream(encoding="json") as own_text,
    ):
        await trade(alice, bob)
        pushed, own = told(await events_of(binary)), told(await events_of(own_binary))
        assert pushed == told(await events_of(text))
        assert own == told(await events_of(own_text))
    for name in ("publicAggreDeals", "publicAggreDepths", "publicAggreBookTicker"):
        assert any(name in push for push in pushed), name
    for name in ("privateOrders", "privateDeals", "privateAccount"):
        assert any(name in push for push in own), name


async def test_after_a_loss_a_gap_stands_before_what_follows(
    exchange: TestExchange, alice: BourseClient, bob: BourseClient
) -> None:
    """DEC-KIT-92"""
    async with alice.stream(DEALS) as stream:
        await trade(alice, bob)
        first = await stream.next(30)
        assert isinstance(first, Push)
        assert (first.channel, first.symbol, first.body["deals"][0]["price"]) == (DEALS, "BTCUSDT", "50000")
        await exchange.operator.add_fault(match={"channel": DEALS}, count=1, fault={"kind": "close", "code": None})
        await trade(alice, bob)
        assert isinstance(await stream.next(30), Gap)
        assert stream.is_connected
        await trade(alice, bob)
        assert isinstance(await stream.next(30), Push)


async def test_channels_come_and_go(alice: BourseClient, bob: BourseClient) -> None:
    async with alice.stream() as stream:
        await stream.subscribe(DEALS)
        assert stream.channels == (DEALS,)
        await trade(alice, bob)
        assert isinstance(await stream.next(30), Push)
        other = "spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT"
        with pytest.raises(StreamRefused):
            await stream.subscribe(other, "spot@public.aggre.deals.v3.api.pb@10ms@NOPE")
        assert stream.channels == (DEALS,)
        await stream.unsubscribe(DEALS)
        await trade(alice, bob)
        assert await stream.next(0.3) is None


async def test_what_a_channel_begins_with_is_not_lost(alice: BourseClient, bob: BourseClient) -> None:
    """DEC-KIT-92"""
    await bob.place_order(symbol="BTCUSDT", side="SELL", type="LIMIT", quantity="0.01", price="50000")
    async with alice.stream("spot@public.limit.depth.v3.api.pb@BTCUSDT@5") as stream:
        first = await stream.next(30)
        assert isinstance(first, Push)
        assert first.body["asks"][0] == {"price": "50000", "quantity": "0.01"}


async def test_a_key_that_may_not_listen_is_told_so_at_once(exchange: TestExchange) -> None:
    """DEC-KIT-92"""
    uid = exchange.accounts["alice"].uid
    made = await exchange.operator.impersonate(uid=uid, permissions=["SPOT_DEAL_READ"])
    async with exchange.client(made["key"]) as client:
        with pytest.raises(StreamRefused) as refused:
            async with client.private_stream():
                pass
    assert (refused.value.endpoint, refused.value.code) == ("createListenKey", 700007)


async def test_a_channel_that_there_is_not_is_refused_at_once(alice: BourseClient) -> None:
    """DEC-KIT-92"""
    with pytest.raises(StreamRefused):
        async with alice.stream("spot@nothing"):
            pass


async def test_a_listen_key_that_is_gone_is_made_anew(
    exchange: TestExchange, alice: BourseClient, bob: BourseClient
) -> None:
    """DEC-KIT-92"""
    async with alice.private_stream("deals") as own:
        (key,) = (await alice.listen_keys())["listenKey"]
        await alice.delete_listen_key(listen_key=key)
        assert isinstance(await own.next(30), Gap)
        assert (await alice.listen_keys())["listenKey"] not in ([], [key])
        await trade(alice, bob)
        assert isinstance(await own.next(30), Push)
    assert (await alice.listen_keys())["listenKey"] == []


async def test_a_listen_key_is_kept_alive(exchange: TestExchange, alice: BourseClient) -> None:
    """DEC-KIT-92"""
    async with alice.private_stream("orders", renew_every=0.05) as own:
        entry = await exchange.operator.await_request(path="/api/v3/userDataStream", method="PUT", seconds=5)
        assert entry["entry"] is not None
        assert entry["entry"]["status"] == 200
        assert own.is_connected


async def test_a_slow_reader_is_told_that_events_are_missing() -> None:
    """DEC-KIT-92"""
    stream = Stream("ws://127.0.0.1:9/ws", ["a"], buffered=4)
    for number in range(10):
        stream.on_push({"channel": "a", "number": {"number": number}})
    events = [await stream.next(1) for _ in range(4)]
    assert isinstance(events[0], Gap)
    assert [event.body["number"] for event in events[1:] if isinstance(event, Push)] == [7, 8, 9]
    with pytest.raises(ValueError, match="^buffered: "):
        Stream("ws://127.0.0.1:9/ws", ["a"], buffered=0)


async def test_a_gap_stands_before_a_push_that_outruns_the_reply() -> None:
    """DEC-KIT-92"""
    stream = Stream("ws://127.0.0.1:9/ws", ["a"])
    stream.on_lost("not there yet", None)
    stream.on_subscribed()
    stream.on_lost("cut", None)
    stream.on_push({"channel": "a", "number": {"number": 1}})
    stream.on_subscribed()
    assert await stream.next(1) == Gap("cut")
    assert isinstance(await stream.next(1), Push)
    assert await stream.next(0.01) is None


async def test_a_closed_stream_ends_its_readers(alice: BourseClient) -> None:
    async with alice.stream(DEALS) as stream:
        reading = asyncio.create_task(stream.next())
        await asyncio.sleep(0.01)
    assert await reading is None


def test_broken_bytes_are_refused_and_never_more() -> None:
    """DEC-KIT-92"""
    chance = random.Random(11)
    read = 0
    for _ in range(3000):
        data = bytes(chance.randrange(256) for _ in range(chance.randrange(40)))
        try:
            decode_push(data)
            read += 1
        except MalformedPush:
            continue
    assert 0 < read < 3000
    # A number that does not end, a field that is cut off, a text that is no UTF-8, a wire type that there is not.
    for broken in (b"\x08" + b"\xff" * 11, b"\x0a\x05ab", b"\x0a\x01\xff", b"\x0b"):
        with pytest.raises(MalformedPush):
            decode_push(broken)
    # Fields that this version does not know are passed over.
    assert decode_push(b"\x0a\x01x\xfa\x3f\x02hi\x80\x3f\x05") == {"channel": "x"}
