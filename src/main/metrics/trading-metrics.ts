import type { Clock } from '#base/clock.ts';
import { closeReasons } from '#model/order.ts';
import { type SymbolStatus, settableStatuses } from '#model/symbol.ts';
import type { SymbolId } from '#model/units.ts';
import { boundedLabel, labelValuesMax, otherValue } from '#main/metrics/bounded-label.ts';
import { counter, declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';
import type { TradingCounts } from '#main/metrics/trading-counts.ts';
import type { MarketData } from '#market-data/market-data.ts';
import type { ExchangeQueries, Listing } from '#sequencer/queries/exchange-queries.ts';

const wordsOf = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

/** Metrics of trading. Counters count since the process started, participants of a simulated market included. */
export const tradingMetrics = declareMetrics(
  'Trading',
  {
    pair: `name of a pair or contract; \`${otherValue}\` from the ${labelValuesMax.pairs + 1}st on`,
    reason: wordsOf(closeReasons),
    status: wordsOf(settableStatuses),
    code: 'name of the reason, as operators get it as the code of a problem',
  },
  {
    bourse_orders_accepted_total: counter('Orders accepted.', ['pair']),
    bourse_orders_refused_total: counter('Orders refused by the engine.', ['pair']),
    bourse_orders_closed_total: counter('Orders that came to their end: filled, cancelled or taken away.', [
      'pair',
      'reason',
    ]),
    bourse_trades_total: counter('Trades.', ['pair']),
    bourse_refusals_total: counter('Commands that the engine refused: orders, cancels and all others.', ['code']),
    bourse_orders_open: gauge('Orders that rest in a book.'),
    bourse_pair_status: gauge('1 for the status that a pair is in, 0 for the others.', ['pair', 'status']),
    bourse_pair_spread_ratio: gauge(
      'Best ask less best bid, divided by the middle of both; no value while one of them is missing.',
      ['pair'],
    ),
    bourse_pair_last_trade_age_seconds: gauge('Time since the last trade; no value before the first one.', ['pair']),
  },
);

/** What the metrics of trading are read from. */
export interface TradingParts {
  readonly counts: TradingCounts;
  readonly queries: Pick<ExchangeQueries, 'listing' | 'monitoring'>;
  readonly market: Pick<MarketData, 'bestPrices' | 'lastTradeAt'>;
  /** The exchange's clock. */
  readonly clock: Clock;
}

/** A pair or contract, and how its label is written. */
interface Traded {
  readonly id: SymbolId;
  readonly pair: string;
  /** `null`: a contract, which has states of its own. */
  readonly status: SymbolStatus | null;
}

function tradedOf({ symbols: everListed, contracts = [] }: Listing): readonly Traded[] {
  const symbols = everListed.filter(({ status }) => status !== 'delisted');
  const names = [...symbols, ...contracts].map(({ name }) => name);
  const label = boundedLabel(names, labelValuesMax.pairs);
  return [
    ...symbols.map(({ id, name, status }) => ({ id, pair: label(name), status })),
    ...contracts.map(({ id, name }) => ({ id, pair: label(name), status: null })),
  ];
}

function spreadRows(traded: readonly Traded[], market: TradingParts['market']) {
  return traded.flatMap(({ id, pair: name }) => {
    const { bid, ask } = market.bestPrices(id);
    if (bid === null || ask === null) return [];
    const [low, high] = [bid.price, ask.price];
    return [[{ pair: name }, (high - low) / ((high + low) / 2)] as const];
  });
}

const ageRows = (traded: readonly Traded[], { market, clock }: TradingParts) =>
  traded.flatMap(({ id, pair: name }) => {
    const at = market.lastTradeAt(id);
    return at === null ? [] : [[{ pair: name }, Math.max(0, clock.now() - at) / 1000] as const];
  });

/** The source of the metrics of trading. */
export const tradingSource = (parts: TradingParts): MetricSource =>
  sourceOf(tradingMetrics, async () => {
    const { counts, queries, market } = parts;
    const traded = tradedOf(await queries.listing());
    // What is only true of one pair cannot be told of all the others together.
    const own = traded.filter(({ pair: name }) => name !== otherValue);
    return {
      bourse_orders_accepted_total: traded.map(({ id, pair: name }) => [{ pair: name }, counts.accepted(id)]),
      bourse_orders_refused_total: traded.map(({ id, pair: name }) => [{ pair: name }, counts.refused(id)]),
      bourse_orders_closed_total: traded.flatMap(({ id, pair: name }) =>
        closeReasons.map((reason) => [{ pair: name, reason }, counts.closed(id, reason)] as const),
      ),
      bourse_trades_total: traded.map(({ id, pair: name }) => [{ pair: name }, counts.trades(id)]),
      bourse_refusals_total: counts.refusals().map(([code, count]) => [{ code }, count]),
      bourse_orders_open: await queries.monitoring.openOrders(),
      bourse_pair_status: own.flatMap(({ pair: name, status: current }) =>
        current === null
          ? []
          : settableStatuses.map((status) => [{ pair: name, status }, status === current ? 1 : 0] as const),
      ),
      bourse_pair_spread_ratio: spreadRows(own, market),
      bourse_pair_last_trade_age_seconds: ageRows(own, parts),
    };
  });
