import { useEffect, useState } from 'preact/hooks';
import { channels } from '#client/client.ts';
import type { Pair } from '#web/data/markets.ts';
import { publicClient } from '#web/data/clients.ts';
import { takeTrades } from '#web/data/last-price.ts';
import { hear } from '#web/data/streams/streams.ts';
import { grouped } from '#web/design/number-text.ts';
import { Empty, Loading } from '#web/design/states.tsx';
import { Steady } from '#web/design/steady.ts';
import { TimeText } from '#web/design/values.tsx';

interface Trade {
  readonly id: string;
  readonly price: string;
  readonly quantity: string;
  readonly isBuy: boolean;
  readonly at: number;
}

const shownMax = 40;

const merged = (newer: readonly Trade[], older: readonly Trade[]): readonly Trade[] => {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))]
    .toSorted((one, other) => Number(other.id) - Number(one.id))
    .slice(0, shownMax);
};

async function readTrades(symbol: string): Promise<readonly Trade[]> {
  const rows = await publicClient.trades({ symbol, limit: shownMax });
  return rows.map(({ id, price, qty, time, isBuyerMaker }) => ({
    id: String(id),
    price,
    quantity: qty,
    isBuy: !isBuyerMaker,
    at: time,
  }));
}

/** The newest trades of a pair, live. */
function useTrades(symbol: string): readonly Trade[] | null {
  const [trades, setTrades] = useState<readonly Trade[] | null>(null);
  useEffect(() => {
    let isOver = false;
    setTrades(null);
    const add = (found: readonly Trade[]): void => {
      if (!isOver) setTrades((known) => merged(found, known ?? []));
    };
    const stop = hear(
      channels.aggreDeals({ speed: '100ms', symbol }),
      ({ deals }) =>
        add(
          deals.map(({ tradeId, price, quantity, tradeType, time }) => ({
            id: tradeId,
            price,
            quantity,
            isBuy: tradeType === 1,
            at: time,
          })),
        ),
      () =>
        void readTrades(symbol).then(add, () => {
          // What is heard from now on is shown.
        }),
    );
    readTrades(symbol).then(add, () => add([]));
    return () => {
      isOver = true;
      stop();
    };
  }, [symbol]);
  useEffect(() => takeTrades(symbol, trades ?? []), [symbol, trades]);
  return trades;
}

interface LineProps {
  readonly trade: Trade;
  readonly pair: Pair;
}

/** A trade never changes: its line is made once. DEC-WEB-81. */
class Line extends Steady<LineProps> {
  override shouldComponentUpdate({ trade, pair }: LineProps): boolean {
    return trade.id !== this.props.trade.id || pair !== this.props.pair;
  }

  render({ trade: { price, quantity, isBuy, at }, pair }: LineProps) {
    return (
      <tr>
        <td class={isBuy ? 'up' : 'down'}>{grouped(price, pair.quotePrecision)}</td>
        <td>{grouped(quantity, pair.baseAssetPrecision)}</td>
        <td>
          <TimeText at={at} isShort />
        </td>
      </tr>
    );
  }
}

/** The newest trades of a pair. */
export function TradesPanel({ pair }: { readonly pair: Pair }) {
  const trades = useTrades(pair.symbol);
  return (
    <section class="pane trades-panel" aria-label="Trades">
      <div class="pane-head">
        <h2>Trades</h2>
      </div>
      {trades === null ? (
        <Loading text="Reading the trades" />
      ) : trades.length === 0 ? (
        <Empty text="Nothing was traded yet." />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is longer than its panel
        <div class="pane-scroll" tabIndex={0}>
          <table class="book-table">
            <thead>
              <tr>
                <th scope="col">Price</th>
                <th scope="col">Quantity</th>
                <th scope="col">Time</th>
              </tr>
            </thead>
            <tbody>
              {trades.map((trade) => (
                <Line key={trade.id} trade={trade} pair={pair} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
