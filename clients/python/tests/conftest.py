"""One exchange for most tests; each leaves it without faults and orders."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from bourse import BourseClient
from bourse.testing import TestExchange, start_bourse


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def shared_exchange() -> Iterator[TestExchange]:
    with start_bourse(seed="python") as exchange:
        yield exchange


@pytest.fixture
async def exchange(shared_exchange: TestExchange) -> AsyncIterator[TestExchange]:
    yield shared_exchange
    await shared_exchange.operator.clear_faults()
    for name in ("alice", "bob"):
        async with shared_exchange.client(name) as client:
            await client.cancel_open_orders(symbol=["BTCUSDT", "ETHUSDT"])


@pytest.fixture
async def alice(exchange: TestExchange) -> AsyncIterator[BourseClient]:
    async with exchange.client("alice") as client:
        yield client


@pytest.fixture
async def bob(exchange: TestExchange) -> AsyncIterator[BourseClient]:
    async with exchange.client("bob") as client:
        yield client
