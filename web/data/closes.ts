import { exchangeNow, publicClient } from '#web/data/clients.ts';

/*
 * Closes of the last 24 hours, for small lines beside names: a few at a time, and each kept while it is fresh.
 */

const interval = { spot: '60m', futures: 'Min60' } as const;
const candles = 24;
const keptMs = 10 * 60_000;
const atOnce = 3;

const kept = new Map<string, { readonly at: number; readonly closes: Promise<readonly number[]> }>();
const waiting: (() => void)[] = [];
let running = 0;

async function inTurn<Value>(make: () => Promise<Value>): Promise<Value> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await make();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function readSpot(symbol: string): Promise<readonly number[]> {
  const rows = await publicClient.candles({ symbol, interval: interval.spot, limit: candles });
  return rows.map((row) => Number(row[4]));
}

async function readFutures(symbol: string): Promise<readonly number[]> {
  const { close } = await publicClient.futuresCandles({
    symbol,
    interval: interval.futures,
    start: Math.floor((await exchangeNow()) / 1000) - 86_400,
  });
  return close.slice(-candles);
}

/** Closes of a pair or a contract over its last day, oldest first. Empty where there are none, or no answer. */
export function closesOf(market: 'spot' | 'futures', symbol: string): Promise<readonly number[]> {
  const name = `${market} ${symbol}`;
  const known = kept.get(name);
  if (known !== undefined && Date.now() - known.at < keptMs) return known.closes;
  const closes = inTurn(() => (market === 'spot' ? readSpot(symbol) : readFutures(symbol))).catch(() => {
    kept.delete(name);
    return [];
  });
  kept.set(name, { at: Date.now(), closes });
  return closes;
}
