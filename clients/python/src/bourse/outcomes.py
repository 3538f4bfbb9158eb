"""Orders, cancels and withdrawals whose answer was lost: what became of them is asked for, nothing is done twice."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bourse.endpoint import Endpoint
from bourse.errors import NeverArrived, Refused, UnknownOutcome
from bourse.sending import Sender, may_pass

ORDER = Endpoint("order", "GET", "/api/v3/order", "spot", True, False)
WITHDRAWALS = Endpoint("withdrawals", "GET", "/api/v3/capital/withdraw/history", "spot", True, False)
UNKNOWN_ORDER = -2011
LATE_MS = 1000
"""A request that came in time may be carried out so much later."""
LOOK_SECONDS = 10.0
"""So long after a lost request may be taken no longer, what became of it is asked for."""


Look = Callable[[], Awaitable[Any]]
"""Looks for what was asked for; None: it is not there."""


def new_client_id() -> str:
    """An id of an order or a withdrawal that nobody had before."""
    return f"py-{uuid.uuid4().hex[:24]}"


async def once(sender: Sender, endpoint: Endpoint, texts: Mapping[str, str], client_id: str, look: Look) -> Any:
    """Sends a request once, and answers what came of it, or what `look` finds where that was lost."""
    try:
        return await sender.request(endpoint, texts, is_repeatable=False)
    except UnknownOutcome as lost:
        lost.client_id = client_id
        return await found_out(sender, lost, look)
    except Refused as refusal:
        # Whoever says that nothing was taken up is believed where nothing is there.
        found = await look() if refusal.is_not_taken_up else None
        if found is None:
            raise
        return found


async def found_out(sender: Sender, lost: UnknownOutcome, look: Look) -> Any:
    """What became of a request that got no answer: what `look` answers once that is not None.

    A request is taken for recvWindow after its date, by the exchange's clock. Whoever looks behind that and finds
    nothing knows that it never arrives: NeverArrived. Where it cannot be found out in time: UnknownOutcome.
    """
    recv_window = sender.settings.recv_window
    ends = time.monotonic() + recv_window / 1000 + LATE_MS / 1000 + LOOK_SECONDS
    pause = 0.1
    while True:
        try:
            # The time first: an order may come between the two questions, but not into the past.
            is_over = lost.timestamp is not None and await sender.server_time() > lost.timestamp + recv_window + LATE_MS
            found = await look()
        except (UnknownOutcome, NeverArrived):
            is_over, found = False, None
        except Refused as refusal:
            if not may_pass(refusal):
                raise lost from refusal
            is_over, found = False, None
        if found is not None:
            return found
        if is_over:
            raise NeverArrived(lost.endpoint, "no answer came, and it was not carried out", client_id=lost.client_id)
        if time.monotonic() > ends:
            raise lost
        await sender.settings.wait(pause)
        pause = min(pause * 2, 1.0)


async def place_order(sender: Sender, endpoint: Endpoint, texts: Mapping[str, str]) -> Any:
    """Places an order once, under an id of its own. DEC-KIT-91."""
    order = _named(texts, "newClientOrderId")

    async def look() -> Any:
        found = await _find_order(sender, _reference(order))
        return None if found is None else _placed(found)

    return await once(sender, endpoint, order, order["newClientOrderId"], look)


async def place_orders(sender: Sender, endpoint: Endpoint, texts: Mapping[str, str]) -> Any:
    """Places a batch once, each order under an id of its own. DEC-KIT-91."""
    orders = [_named(order, "newClientOrderId") for order in json.loads(texts["batchOrders"])]

    async def look() -> Any:
        found = [await _find_order(sender, _reference(order)) for order in orders]
        # A batch is carried out as a whole: what is not there beside others was refused.
        return [_placed_of_batch(*each) for each in zip(orders, found, strict=True)] if any(found) else None

    sent = {**texts, "batchOrders": json.dumps(orders, separators=(",", ":"))}
    return await once(sender, endpoint, sent, ",".join(order["newClientOrderId"] for order in orders), look)


def _named(texts: Mapping[str, str], name: str) -> dict[str, str]:
    return {**texts, name: texts.get(name) or new_client_id()}


def _reference(order: Mapping[str, str]) -> dict[str, str]:
    return {"symbol": order.get("symbol", ""), "origClientOrderId": order["newClientOrderId"]}


def _placed_of_batch(order: Mapping[str, str], found: Mapping[str, Any] | None) -> dict[str, Any]:
    own_id = {"newClientOrderId": order["newClientOrderId"]}
    if found is None:
        return {**own_id, "code": UNKNOWN_ORDER, "msg": "It was refused."}
    return {"symbol": found["symbol"], "orderId": found["orderId"], "orderListId": found["orderListId"], **own_id}


async def _find_order(sender: Sender, reference: Mapping[str, str]) -> Any:
    try:
        return await sender.request(ORDER, reference)
    except Refused as refusal:
        if refusal.code != UNKNOWN_ORDER:
            raise
        return None


def _placed(order: Mapping[str, Any]) -> dict[str, Any]:
    names = ("symbol", "orderId", "orderListId", "price", "origQty", "type", "side", "stpMode")
    return {**{name: order[name] for name in names if name in order}, "transactTime": order.get("time")}


async def cancel_order(sender: Sender, endpoint: Endpoint, texts: Mapping[str, str]) -> Any:
    """Cancels an order; sent again where no answer came, which does no harm. Where the first try had done it already,
    the order as it is now is the answer."""
    try:
        return await sender.request(endpoint, texts, is_repeatable=True)
    except Refused as refusal:
        if not refusal.is_after_unknown or refusal.code != UNKNOWN_ORDER:
            raise
        reference = {name: texts[name] for name in ("symbol", "orderId", "origClientOrderId") if name in texts}
        order = await _find_order(sender, reference)
        if order is None or order["status"] not in ("CANCELED", "PARTIALLY_CANCELED"):
            raise
        names = ("price", "origQty", "executedQty", "cummulativeQuoteQty", "status", "timeInForce", "type", "side")
        ids = ("symbol", "origClientOrderId", "orderId", "clientOrderId")
        return {name: order.get(name) for name in (*ids, *names)}


async def withdraw(sender: Sender, endpoint: Endpoint, texts: Mapping[str, str]) -> Any:
    """Asks for a withdrawal once, under an id of its own."""
    sent = _named(texts, "withdrawOrderId")
    own_id = sent["withdrawOrderId"]

    async def look() -> Any:
        rows = await sender.request(WITHDRAWALS, {"coin": sent["coin"]})
        found = next((row for row in rows if row.get("withdrawOrderId") == own_id), None)
        if found is None:
            return None
        return [{"id": found["id"]}] if endpoint.id == "withdrawApply" else {"id": found["id"]}

    return await once(sender, endpoint, sent, own_id, look)


REPEATABLE = frozenset(["renewListenKey", "deleteListenKey"])
"""Endpoints that change something and may be sent twice all the same."""

FLOWS: Mapping[str, Callable[[Sender, Endpoint, Mapping[str, str]], Awaitable[Any]]] = {
    "placeOrder": place_order,
    "placeOrders": place_orders,
    "cancelOrder": cancel_order,
    "withdraw": withdraw,
    "withdrawApply": withdraw,
}
"""Endpoints with a way of their own."""
