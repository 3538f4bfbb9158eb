"""For pytest: the fixture `bourse_exchange`, and the newest requests of the exchange beside a test that failed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bourse.testing.exchange import TestExchange
from bourse.testing.start import start_bourse


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker."""
    line = "bourse(**options): how the exchange of bourse_exchange is made, as start_bourse takes it"
    config.addinivalue_line("markers", line)


@pytest.fixture
def bourse_exchange(request: pytest.FixtureRequest) -> Iterator[TestExchange]:
    """An exchange for this test alone. `@pytest.mark.bourse(seed="7", now="2026-01-01T00:00:00Z")` says how it is
    made. DEC-KIT-94."""
    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("bourse"))):
        options |= marker.kwargs
    with start_bourse(**options) as exchange:
        yield exchange


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Adds what the exchanges of a failed test were asked last, whatever fixtures they came from."""
    outcome: Any = yield
    report: pytest.TestReport = outcome.get_result()
    if report.when != "call" or not report.failed:
        return
    found = [value for value in getattr(item, "funcargs", {}).values() if isinstance(value, TestExchange)]
    for exchange in dict.fromkeys(found):
        report.sections.append((f"newest requests of {exchange.base_url}", exchange.newest_requests()))
