import { InvariantBroken } from '#base/assert.ts';
import { deepStrictEqual } from 'node:assert';
import { followedBy, noActs } from '#model/act.ts';
import type { OrderView } from '#model/order.ts';
import type { SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import type { EngineState } from '#engine/state/state.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { levelsOf } from '#engine/queries/engine-queries.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { TradeRow } from '#history/tables/history-tables.ts';
import type { ContractDataProjection } from '#market-data/contracts/contract-data.ts';
import type { HistoryWriter } from '#history/collectors/history-writer.ts';
import type { MarketDataProjection } from '#market-data/market-data.ts';
import { averageOf, candlesOf, tickerFrom } from '../property/market-oracle.ts';
import { brokenContracts } from '../oracle/contract-invariants.ts';
import type { ContractFold } from './contract-fold.ts';
import type { MoneyFold } from './money-fold.ts';

/** What listens to an engine, and every trade so far. */
export interface Beside {
  /** Why history could not be written. */
  failure: unknown;
  readonly history: HistoryStore;
  readonly writer: HistoryWriter;
  readonly market: MarketDataProjection;
  readonly contracts: ContractDataProjection;
  readonly money: MoneyFold;
  readonly positions: ContractFold;
  readonly trades: TradeRow[];
  /** Orders that are closed, in the order in which they were. */
  readonly closed: OrderView[];
}

const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };
const newest = { from: null, to: null, limit: 20 };

/** Compares everything that can be told in two ways. @throws InvariantBroken at the first difference. */
export async function compareAll(engine: StateMachine, beside: Beside, during: (what: string) => void): Promise<void> {
  during('audit');
  const faults = audit(engine.state);
  if (faults.length > 0) throw new InvariantBroken(faults.join('; '));
  during('money');
  beside.money.compare(engine.state);
  during('contracts');
  compareContracts(engine.state);
  if (beside.trades.length > 0) beside.positions.compare(engine.state, beside.contracts);
  during('history');
  await beside.writer.flush(engine.seq).catch((error: unknown) => {
    throw beside.failure ?? error;
  });
  during('acts');
  const acts = await beside.history.rows('operatorActs', {}, always);
  same(acts.reduce(followedBy, noActs), engine.state.acts.head, 'the chain of acts');
  for (const { rules } of engine.state.books) {
    const trades = beside.trades.filter(({ symbol }) => symbol === rules.id);
    during('depth');
    compareDepth(engine, beside.market, rules.id);
    during('market data');
    await compareMarket(engine, beside, rules.id, trades);
  }
}

function same(actual: unknown, wanted: unknown, what: string): void {
  try {
    deepStrictEqual(actual, wanted);
  } catch (error) {
    throw new InvariantBroken(`${what} differs: ${(error as Error).message}`);
  }
}

function compareContracts(state: EngineState): void {
  const faults = brokenContracts(state);
  if (faults.length > 0) throw new InvariantBroken(faults.join('; '));
}

function compareDepth({ state }: StateMachine, market: MarketDataProjection, symbol: SymbolId): void {
  const bids = levelsOf(state, symbol, 'buy');
  const asks = levelsOf(state, symbol, 'sell');
  const { version } = state.books[symbol]!;
  same(market.depth(symbol, Number.MAX_SAFE_INTEGER), { version, bids, asks }, 'depth');
  const text = JSON.parse(market.depthText(symbol, 20)) as { bids: unknown[]; asks: unknown[] };
  same([text.bids.length, text.asks.length], [Math.min(20, bids.length), Math.min(20, asks.length)], 'printed depth');
}

async function compareMarket(
  engine: StateMachine,
  { market, history }: Beside,
  symbol: SymbolId,
  trades: readonly TradeRow[],
): Promise<void> {
  const now = engine.at;
  const book = engine.state.books[symbol]!;
  same(market.lastPrice(symbol) ?? 0, book.lastPrice, 'last price');
  const { changeBps: _told, ...ticker } = market.ticker(symbol, now);
  const { changeBps: _wanted, ...wanted } = tickerFrom(trades, now);
  same(ticker, wanted, 'ticker');
  // Of contracts nobody asks for it.
  if (!book.isContract)
    same(market.averagePrice(symbol, now), averageOf(trades, now, BigInt(book.quotePerTickLot)), 'average price');
  same(market.currentCandle(symbol, '1m', now)?.close ?? 0, book.lastPrice, 'candle');
  const first = trades[0]?.at ?? now;
  if (now - first < 86_400_000) {
    const candles = await market.candles(symbol, '1m', newest, now);
    same(candles, candlesOf(trades, '1m', newest, now), 'candles');
  }
  same((await history.rows('trades', { symbol }, always, 1_000_000, true)).length, trades.length, 'trades of history');
}

/** Compares every closed order that history keeps with what was told of it. For the end of a run: it takes a while. */
export async function compareOrders({ state }: StateMachine, { history, closed }: Beside): Promise<void> {
  for (const { account, simulated } of state.accounts.all()) {
    for (const { rules } of state.books) {
      const own = closed.filter((order) => order.account === account && order.symbol === rules.id && !simulated);
      own.sort((left, right) => left.acceptedAt - right.acceptedAt || left.order - right.order);
      same(
        await history.rows('orders', { account, symbol: rules.id }, always, own.length + 1, true),
        own,
        'orders of history',
      );
    }
  }
}
