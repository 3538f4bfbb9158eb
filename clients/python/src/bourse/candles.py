"""Candles of a span of any length, and as a data frame."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    import pandas

Interval = Literal["1m", "5m", "15m", "30m", "60m", "4h", "1d", "1W", "1M"]
PAGE = 1000


class Candle(NamedTuple):
    """What was traded in one interval. Times are milliseconds since 1970 UTC, amounts as the exchange sends them."""

    open_time: int
    open: str
    high: str
    low: str
    close: str
    volume: str
    close_time: int
    quote_volume: str


class CandleSource(Protocol):
    """Of a client what candles need."""

    async def candles(
        self,
        *,
        symbol: str,
        interval: Interval,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
    ) -> list[list[int | str]]:
        """One page."""


async def candles_between(
    client: CandleSource, symbol: str, interval: Interval, start: int | datetime, end: int | datetime
) -> AsyncIterator[Candle]:
    """The candles that open from `start` to `end`, both inclusive, oldest first, a page at a time. DEC-KIT-90."""
    opens, last = _milliseconds(start), _milliseconds(end)
    while opens <= last:
        rows = await client.candles(symbol=symbol, interval=interval, start_time=opens, end_time=last, limit=PAGE)
        page = [Candle(*row) for row in rows]  # type: ignore[arg-type]
        for candle in page:
            if opens <= candle.open_time <= last:
                yield candle
        if len(page) < PAGE:
            return
        opens = page[-1].open_time + 1


def candle_frame(candles: Iterable[Candle]) -> pandas.DataFrame:
    """Candles as a data frame of pandas, by the time at which they open; amounts are floats, for statistics. Needs
    `pip install bourse[pandas]`."""
    import pandas

    frame = pandas.DataFrame(list(candles), columns=list(Candle._fields))
    for name in ("open_time", "close_time"):
        frame[name] = pandas.to_datetime(frame[name], unit="ms", utc=True)
    amounts = [name for name in Candle._fields if not name.endswith("_time")]
    frame[amounts] = frame[amounts].astype(float)
    return frame.set_index("open_time")


def _milliseconds(moment: int | datetime) -> int:
    if isinstance(moment, int):
        return moment
    if moment.tzinfo is None:
        raise TypeError("start and end must have a zone")
    return round(moment.timestamp() * 1000)
