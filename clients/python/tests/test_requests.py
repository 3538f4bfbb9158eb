"""What a client makes of answers, refusals and none at all."""

from __future__ import annotations

import time
from decimal import Decimal
from typing import Any

import httpx
import pytest

from bourse import BourseClient, NeverArrived, Refused, UnknownOutcome, decimal_of
from bourse.generated.operator_api import AddFaultMatch
from bourse.testing import OperatorProblem, TestExchange

pytestmark = pytest.mark.anyio
ORDERS: AddFaultMatch = {"path": "/api/v3/order", "method": "POST"}


async def place(client: BourseClient, price: str = "50000") -> str:
    order = await client.place_order(symbol="BTCUSDT", side="BUY", type="LIMIT", quantity="0.01", price=price)
    return order["orderId"]


async def open_ids(client: BourseClient) -> list[str]:
    return [order["orderId"] for order in await client.open_orders(symbol="BTCUSDT")]


async def test_endpoints_are_methods_of_their_names(exchange: TestExchange, alice: BourseClient) -> None:
    """DEC-KIT-90"""
    placed = await place(alice)
    (order,) = await alice.open_orders(symbol="BTCUSDT")
    assert (order["orderId"], order["price"], decimal_of(order["origQty"])) == (placed, "50000", Decimal("0.01"))
    drafts = [{"symbol": "BTCUSDT", "side": "BUY", "type": "LIMIT", "quantity": 1, "price": Decimal("9000.50")}] * 2
    assert len(await alice.place_orders(batch_orders=drafts)) == 2
    assert sorted(each["price"] for each in await alice.open_orders()) == ["50000", "9000.5", "9000.5"]
    assert abs(await alice.futures_ping() - await alice.exchange_time()) < 60_000


async def test_long_batches_go_into_the_body(exchange: TestExchange, alice: BourseClient) -> None:
    drafts = [
        {"symbol": "BTCUSDT", "side": "BUY", "type": "LIMIT", "quantity": "0.01", "price": 40000 + index}
        for index in range(20)
    ]
    assert all("orderId" in each for each in await alice.place_orders(batch_orders=drafts))
    assert len(await open_ids(alice)) == 20


async def test_refusals_have_status_and_code(alice: BourseClient) -> None:
    """DEC-KIT-91"""
    with pytest.raises(Refused) as refused:
        await alice.place_order(symbol="NOPE", side="BUY", type="LIMIT", quantity="1", price="1")
    assert (refused.value.status, refused.value.code, refused.value.endpoint) == (400, 30014, "placeOrder")
    with pytest.raises(Refused) as futures:
        await alice.futures_ticker(symbol="NO_PE")
    assert (futures.value.status, futures.value.code) == (200, 1001)


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "failAfter", "status": 504},
        {"kind": "failAfter", "status": 500},
        {"kind": "drop", "at": "answer"},
        {"kind": "truncate"},
        {"kind": "malform"},
    ],
    ids=lambda fault: "-".join(map(str, fault.values())),
)
async def test_an_order_whose_answer_is_lost_is_found_and_placed_once(
    exchange: TestExchange, alice: BourseClient, fault: Any
) -> None:
    """DEC-KIT-91"""
    await exchange.operator.add_fault(match={**ORDERS, "nth": 1}, fault=fault)
    placed = await place(alice)
    assert await open_ids(alice) == [placed]
    sent = await exchange.operator.list_requests(kind="request", path="/api/v3/order", method="POST", limit=1)
    rules = await exchange.operator.list_faults()
    assert rules["items"][0]["seen"] == 1
    assert sent["items"][0]["fault"] is not None


async def test_an_order_that_never_arrives_is_told_as_such_once_it_is_too_old(
    exchange: TestExchange,
) -> None:
    """DEC-KIT-91"""
    await exchange.operator.add_fault(match=ORDERS, fault={"kind": "drop", "at": "request"})
    async with exchange.client("alice", recv_window=1500) as alice:
        with pytest.raises(NeverArrived) as lost:
            await place(alice)
        assert lost.value.client_id is not None
        assert await open_ids(alice) == []
    rules = await exchange.operator.list_faults()
    assert rules["items"][0]["seen"] == 1


async def test_what_cannot_be_asked_for_stays_unknown(exchange: TestExchange, alice: BourseClient) -> None:
    """DEC-KIT-91: the order is refused to be shown, so nobody can say."""
    await exchange.operator.add_fault(match=ORDERS, fault={"kind": "failAfter", "status": 504})
    match: AddFaultMatch = {"path": "/api/v3/order", "method": "GET"}
    await exchange.operator.add_fault(match=match, fault={"kind": "refuse", "status": 400, "code": 30000})
    with pytest.raises(UnknownOutcome) as lost:
        await place(alice)
    assert (lost.value.status, lost.value.client_id is not None) == (504, True)
    assert len(await open_ids(alice)) == 1


async def test_a_cancel_whose_answer_is_lost_is_done(exchange: TestExchange, alice: BourseClient) -> None:
    """DEC-KIT-91"""
    placed = await place(alice)
    match: AddFaultMatch = {"path": "/api/v3/order", "method": "DELETE", "nth": 1}
    await exchange.operator.add_fault(match=match, fault={"kind": "failAfter", "status": 504})
    cancelled = await alice.cancel_order(symbol="BTCUSDT", order_id=placed)
    assert (cancelled["orderId"], cancelled["status"]) == (placed, "CANCELED")
    with pytest.raises(Refused) as refused:
        await alice.cancel_order(symbol="BTCUSDT", order_id=placed)
    assert refused.value.code == -2011


async def test_a_withdrawal_whose_answer_is_lost_is_found(exchange: TestExchange, alice: BourseClient) -> None:
    """DEC-KIT-91"""
    match: AddFaultMatch = {"path": "/api/v3/capital/withdraw", "method": "POST"}
    await exchange.operator.add_fault(match=match, fault={"kind": "failAfter", "status": 504})
    address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    asked = await alice.withdraw(coin="USDT", net_work="ETH", address=address, amount="50")
    rows = await alice.withdrawals(coin="USDT")
    assert [row["id"] for row in rows] == [asked["id"]]


async def test_reads_are_sent_again_and_writes_are_not(exchange: TestExchange, alice: BourseClient) -> None:
    """DEC-KIT-91"""
    await exchange.operator.add_fault(
        match={"path": "/api/v3/depth", "nth": 1}, fault={"kind": "refuse", "status": 503}
    )
    assert (await alice.depth(symbol="BTCUSDT"))["bids"] == []
    match: AddFaultMatch = {"path": "/api/v3/capital/transfer", "method": "POST"}
    await exchange.operator.add_fault(match=match, fault={"kind": "failAfter", "status": 504})
    with pytest.raises(UnknownOutcome) as lost:
        await alice.transfer(asset="USDT", amount=1, from_account_type="SPOT", to_account_type="FUTURES")
    assert lost.value.client_id is None
    rules = await exchange.operator.list_faults()
    assert [rule["seen"] for rule in rules["items"]][-1] == 1


async def test_a_batch_whose_answer_is_lost_is_found(exchange: TestExchange, alice: BourseClient) -> None:
    """DEC-KIT-91: of its orders one was refused."""
    match: AddFaultMatch = {"path": "/api/v3/batchOrders", "nth": 1}
    await exchange.operator.add_fault(match=match, fault={"kind": "failAfter", "status": 504})
    draft = {"symbol": "BTCUSDT", "side": "BUY", "type": "LIMIT", "price": "9000"}
    placed = await alice.place_orders(batch_orders=[{**draft, "quantity": "0.01"}, {**draft, "quantity": "1000"}])
    (order,) = await alice.open_orders(symbol="BTCUSDT")
    assert [each.get("orderId") for each in placed] == [order["orderId"], None]
    assert [each.get("code") for each in placed] == [None, -2011]


async def test_what_was_not_taken_up_is_told_at_once(exchange: TestExchange, alice: BourseClient) -> None:
    """DEC-KIT-91: 503 says that nothing happened; where it is not true the order is found all the same."""
    await exchange.operator.replace_faults(
        rules=[
            {"match": {**ORDERS, "nth": 1}, "fault": {"kind": "refuse", "status": 503, "code": 503}},
            {"match": ORDERS, "fault": {"kind": "failAfter", "status": 503, "code": 503}},
        ]
    )
    with pytest.raises(Refused) as refused:
        await place(alice)
    assert refused.value.is_not_taken_up
    assert await open_ids(alice) == []
    assert await place(alice) in await open_ids(alice)


async def test_whoever_is_told_to_wait_sends_nothing_until_then(exchange: TestExchange) -> None:
    """DEC-KIT-91"""
    waits: list[float] = []
    began = time.monotonic()

    async def wait(seconds: float) -> None:
        waits.append(seconds)
        # As if it had passed: the gate goes by the machine's clock.
        client._sender._blocked_until = 0.0

    fault: Any = {"kind": "refuse", "status": 429, "retryAfterSeconds": 7}
    await exchange.operator.add_fault(match={**ORDERS, "nth": 1}, fault=fault)
    async with exchange.client("alice", wait=wait) as client:
        await place(client)
        assert [round(seconds) for seconds in waits] == [7]
        assert len(await open_ids(client)) == 1
    await exchange.operator.clear_faults()
    await exchange.operator.add_fault(match=ORDERS, fault=fault)
    async with exchange.client("alice", longest_wait=0) as impatient:
        for _ in range(2):
            with pytest.raises(Refused) as refused:
                await place(impatient)
            assert refused.value.status == 429
            assert 0 < (refused.value.retry_after or 0) <= 7
    rules = await exchange.operator.list_faults()
    assert rules["items"][0]["seen"] == 1
    assert time.monotonic() >= began


async def test_a_clock_that_is_off_is_measured_and_measured_again(exchange: TestExchange) -> None:
    """DEC-KIT-91"""
    off = [3_600_000.0]
    now = lambda: time.time() * 1000 + off[0]  # noqa: E731
    async with exchange.client("alice", clock="offset", now_ms=now) as alice:
        assert await open_ids(alice) == []
        off[0] = -3_600_000.0
        assert await open_ids(alice) == []
        assert abs(await alice.exchange_time() - time.time() * 1000) < 1000


async def test_an_exchange_that_is_not_there_is_told_as_such(exchange: TestExchange) -> None:
    async with BourseClient("http://127.0.0.1:9", tries=2) as nobody:
        with pytest.raises(NeverArrived):
            await nobody.ping()


async def test_keys_and_their_header_are_what_the_client_was_given() -> None:
    """DEC-KIT-91: it speaks to other exchanges of this API family."""
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"serverTime": 1_700_000_000_000})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        other = BourseClient("https://api.example", key="k", secret="s", key_header="X-OTHER-KEY", http=http)
        await other.account()
    assert other.ws_url == "wss://api.example/ws"
    assert "X-OTHER-KEY" not in seen[0].headers
    assert seen[1].headers["X-OTHER-KEY"] == "k"
    assert seen[1].url.query.decode().startswith("recvWindow=5000&timestamp=17000000000")


async def test_controls_are_methods_and_refusals_are_problems(exchange: TestExchange) -> None:
    """DEC-KIT-94"""
    assert (await exchange.operator.get_clock())["mode"] == "following"
    with pytest.raises(OperatorProblem) as unknown:
        await exchange.operator.restore_state(name="never-saved")
    assert (unknown.value.status, unknown.value.code, unknown.value.pointer) == (404, "unknownState", None)
    with pytest.raises(OperatorProblem) as faulty:
        await exchange.operator.add_fault(match={"path": "/nowhere"}, fault={"kind": "gap"})
    assert (faulty.value.status, faulty.value.pointer is not None) == (422, True)
