"""Tests of a bot, for pytest: a fault hits it, and time passes in one call.

Use: pytest clients/python/examples/test_bot.py
"""

import pytest

from bourse import BourseClient, Gap, Push
from bourse.testing import OperatorProblem, TestExchange

# Each test gets an exchange for itself, whose clock stands at that moment.
pytestmark = [pytest.mark.anyio, pytest.mark.bourse(seed="7", now="2026-01-01T00:00:00Z")]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def buy(client: BourseClient) -> str:
    """Your bot goes here."""
    placed = await client.place_order(symbol="BTCUSDT", side="BUY", type="LIMIT", quantity="0.01", price="50000")
    return placed["orderId"]


async def test_an_order_whose_answer_is_lost_is_placed_once(bourse_exchange: TestExchange) -> None:
    await bourse_exchange.operator.add_fault(
        match={"path": "/api/v3/order", "method": "POST", "nth": 1}, fault={"kind": "failAfter", "status": 504}
    )
    async with bourse_exchange.client("alice") as alice:
        placed = await buy(alice)
        assert [order["orderId"] for order in await alice.open_orders(symbol="BTCUSDT")] == [placed]
    # What is refused is raised.
    with pytest.raises(OperatorProblem) as problem:
        await bourse_exchange.operator.restore_state(name="never-saved")
    assert (problem.value.status, problem.value.code) == (404, "unknownState")


async def test_a_listen_key_that_runs_out_is_made_anew(bourse_exchange: TestExchange) -> None:
    async with bourse_exchange.client("alice") as alice, alice.private_stream("orders") as own:
        # An hour and a bit pass at once.
        await bourse_exchange.operator.advance_clock(ms=3_700_000)
        assert isinstance(await own.next(30), Gap)
        await buy(alice)
        event = await own.next(30)
        assert isinstance(event, Push)
        assert event.body["price"] == "50000"
