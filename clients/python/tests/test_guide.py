"""The calls of the guide's table: both languages send the same, and the exchange takes it."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bourse.endpoint import OperatorEndpoint, given
from bourse.generated.operator_api import OperatorApi
from bourse.testing import TestExchange

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "test-kit.md"
# Reads calls as JSON, and answers of each its name and its members.
READ_CALLS = """
const { calls, names } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const operator = new Proxy({}, { get: (_, name) => (members = {}) => [name, members] });
const given = Object.keys(names);
const values = given.map((name) => names[name]);
const read = (call) => new Function('operator', ...given, `return ${call}`)(operator, ...values);
console.log(JSON.stringify(calls.map(read)));
"""


class Row(NamedTuple):
    typescript: str
    python: str


def rows() -> list[Row]:
    _, _, table = GUIDE.read_text(encoding="utf8").partition("## Each control in both languages")
    found = re.findall(r"^\| [^|]+ \| `(operator\.[^`]+)` \| `(operator\.[^`]+)` \|$", table, re.MULTILINE)
    assert len(found) > 40
    return [Row(*each) for each in found]


class Recorder(OperatorApi):
    """Answers what would be sent."""

    async def _call(
        self, endpoint: OperatorEndpoint, parameters: Mapping[str, Any], body: Mapping[str, Any] | None
    ) -> Any:
        return [endpoint.id, {**given(parameters), **given(body or {}, endpoint.nullable)}]


async def carry_out(call: str, operator: OperatorApi, names: Mapping[str, Any]) -> Any:
    return await eval(call, {"operator": operator, **names})


def test_both_languages_send_the_same() -> None:
    """DEC-KIT-94"""
    names = {"uid": 7, "address": "0xabc", "id": 1, "record": "1,2,3"}
    asked = json.dumps({"calls": [row.typescript for row in rows()], "names": names})
    ran = subprocess.run(["node", "-e", READ_CALLS], input=asked, capture_output=True, text=True, check=True)
    sent = [asyncio.run(carry_out(row.python, Recorder(), names)) for row in rows()]
    assert sent == json.loads(ran.stdout)


@pytest.mark.anyio
@pytest.mark.bourse(seed="7", now="2026-01-01T00:00:00Z")
async def test_the_exchange_takes_all_of_them(bourse_exchange: TestExchange) -> None:
    """DEC-KIT-94: those of a market need simulated traders, whose history takes long to make, contracts an index."""
    operator = bourse_exchange.operator
    async with bourse_exchange.client("alice") as alice:
        await alice.ping()
        made = await alice.create_deposit_address(coin="USDT", network="ETH")
        address = made[0]["address"] if isinstance(made, list) else made["address"]
    names: dict[str, Any] = {"uid": bourse_exchange.accounts["bob"].uid, "address": address}
    taken = 0
    for row in rows():
        if "operator.get_request(" in row.python:
            names["id"] = (await operator.list_requests(limit=1))["items"][0]["id"]
        if re.search(r"market|path|replay|open_pair|open_contract|settle_funding|liquidate_position", row.python):
            continue
        answer = await carry_out(row.python, operator, names)
        assert isinstance(answer, (dict, list)), row.python
        taken += 1
    assert taken > 30
