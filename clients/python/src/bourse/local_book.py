"""An order book kept from a snapshot and pushes of changed levels. Reads no network: feed it with `take`, `start`."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, NamedTuple

WAITING = 10_000
"""So many pushes wait for a snapshot; with more the oldest are given up, and a newer snapshot is needed."""

SideName = Literal["bids", "asks"]


class Level(NamedTuple):
    """What rests at a price: both as the exchange sends them."""

    price: str
    quantity: str


class _Levels:
    """Levels of one side by price; prices ascend."""

    def __init__(self, rows: Iterable[Sequence[str]] = ()) -> None:
        self.by_price = {Decimal(price): Level(price, quantity) for price, quantity in rows}
        self.prices = sorted(self.by_price)

    def change(self, price_text: str, quantity: str) -> None:
        price = Decimal(price_text)
        if Decimal(quantity) == 0:
            if self.by_price.pop(price, None) is not None:
                del self.prices[bisect_left(self.prices, price)]
            return
        if price not in self.by_price:
            insort(self.prices, price)
        self.by_price[price] = Level(price_text, quantity)


class LocalBook:
    """The book of a pair. What it shows is exact while `is_ready`. DEC-KIT-93."""

    def __init__(self) -> None:
        self.version = 0
        """Version of the book: it counts the changed levels of the pair."""
        self.is_ready = False
        self._sides: dict[SideName, _Levels] = {"bids": _Levels(), "asks": _Levels()}
        self._waiting: list[Mapping[str, Any]] = []
        # The first push behind a snapshot may begin before it.
        self._is_first = False

    def reset(self) -> None:
        """Forgets everything: a new subscription begins."""
        self.is_ready = False
        self._waiting = []

    def take(self, update: Mapping[str, Any]) -> bool:
        """Takes what a push of the channel aggre.depth says. False: there is a gap, or no snapshot yet; it is kept
        until `start`."""
        if self.is_ready and not self._apply(update):
            self.reset()
        if not self.is_ready:
            self._waiting.append(update)
            del self._waiting[:-WAITING]
        return self.is_ready

    def start(self, snapshot: Mapping[str, Any]) -> bool:
        """Takes an answer of `depth`, then the pushes that waited. False: it is too old to join them."""
        version = int(snapshot["lastUpdateId"])
        later = [update for update in self._waiting if int(update["toVersion"]) > version]
        if later and int(later[0]["fromVersion"]) > version + 1:
            return False
        self.version = version
        self._sides = {"bids": _Levels(snapshot["bids"]), "asks": _Levels(snapshot["asks"])}
        self._is_first = self.is_ready = True
        self._waiting = []
        # A gap among those that waited ends it again, and keeps what came behind the gap.
        for update in later:
            self.take(update)
        return self.is_ready

    def levels(self, side: SideName, count: int | None = None) -> list[Level]:
        """The best levels of a side, best first; all of them without a count."""
        held = self._sides[side]
        if count is not None and count < 0:
            raise ValueError("count: must not be below 0")
        prices = held.prices[:count] if side == "asks" else held.prices[::-1][:count]
        return [held.by_price[price] for price in prices]

    @property
    def best_bid(self) -> Level | None:
        """The highest bid; None: there is none."""
        held = self._sides["bids"]
        return held.by_price[held.prices[-1]] if held.prices else None

    @property
    def best_ask(self) -> Level | None:
        """The lowest ask; None: there is none."""
        held = self._sides["asks"]
        return held.by_price[held.prices[0]] if held.prices else None

    def _apply(self, update: Mapping[str, Any]) -> bool:
        """False: something is missing between the book and this update."""
        begins, ends = int(update["fromVersion"]), int(update["toVersion"])
        # Before the snapshot: it is in there already.
        if self._is_first and ends <= self.version:
            return True
        joins = begins <= self.version + 1 if self._is_first else begins == self.version + 1
        if not joins:
            return False
        self._is_first = False
        self.version = ends
        sides: tuple[SideName, SideName] = ("bids", "asks")
        for side in sides:
            for level in update.get(side, ()):
                self._sides[side].change(level["price"], level["quantity"])
        return True
