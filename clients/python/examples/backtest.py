"""A backtest: a month of hourly candles into a data frame, and what two averages would have earned with them.

Use: python clients/python/examples/backtest.py [data/demo.json] --fast 12 --slow 48
"""

from __future__ import annotations

import asyncio
from typing import Any

from bourse import BourseClient
from bourse.candles import candle_frame, candles_between

from demo import arguments, client_of

MONTH_MS = 30 * 86_400_000
FEE = 0.0005


async def month_of_candles(client: BourseClient, symbol: str) -> Any:
    """The last 30 days of the exchange's clock as a data frame of pandas."""
    now = await client.exchange_time()
    candles = [candle async for candle in candles_between(client, symbol, "60m", now - MONTH_MS, now)]
    return candle_frame(candles)


def backtest(frame: Any, fast: int, slow: int) -> dict[str, float]:
    """Holds while the fast average of closes is above the slow one; each change costs the fee."""
    close = frame["close"]
    holds = (close.rolling(fast).mean() > close.rolling(slow).mean()).astype(float)
    # Decided at the close of a candle, held from the next one on.
    earned = holds.shift(1).fillna(0.0) * close.pct_change().fillna(0.0) - holds.diff().abs().fillna(0.0) * FEE
    worth = (1 + earned).cumprod()
    return {
        "candles": float(len(frame)),
        "return": float(worth.iloc[-1] - 1),
        "hold": float(close.iloc[-1] / close.iloc[0] - 1),
        "drawdown": float((worth / worth.cummax() - 1).min()),
        "trades": float(holds.diff().abs().sum()),
    }


async def main() -> None:
    options = arguments("A backtest.", symbol="BTCUSDT", fast=12, slow=48)
    async with client_of(options.demo, "alice") as client:
        frame = await month_of_candles(client, options.symbol)
    print(frame.tail())
    for name, value in backtest(frame, options.fast, options.slow).items():
        print(f"{name:>10} {value:.4f}")


if __name__ == "__main__":
    asyncio.run(main())
