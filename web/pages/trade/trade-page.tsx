import { useEffect, useMemo, useState } from 'preact/hooks';
import { CandleChart } from '#web/chart/candle-chart.tsx';
import { followAccount, openOrders, showPastOf } from '#web/data/account.ts';
import { pairCandles } from '#web/data/candles.ts';
import { lastPriceOf } from '#web/data/last-price.ts';
import { followMarkets, type Pair, pairs, pairsByName, pairsFault, readMarkets } from '#web/data/markets.ts';
import type { Order } from '#web/data/orders.ts';
import { openBook } from '#web/data/streams/streams.ts';
import { grouped } from '#web/design/number-text.ts';
import { Empty, Failure, Loading } from '#web/design/states.tsx';
import { Tabs } from '#web/design/tabs.tsx';
import { AccountPanel } from '#web/pages/trade/account-panel.tsx';
import { BookPanel } from '#web/pages/trade/book-panel.tsx';
import { DepthPanel } from '#web/pages/trade/depth-panel.tsx';
import { MoveDialog } from '#web/pages/trade/move-dialog.tsx';
import { PairHeader } from '#web/pages/trade/pair-header.tsx';
import { PairList } from '#web/pages/trade/pair-list.tsx';
import { TicketPanel } from '#web/pages/trade/ticket-panel.tsx';
import { changeTicket } from '#web/pages/trade/ticket-state.ts';
import { TradesPanel } from '#web/pages/trade/trades-panel.tsx';
import '#web/pages/panes.css';
import '#web/pages/trade/trade.css';
import { exchange } from '#web/shell/exchange-facts.ts';
import { goTo, type PathParts } from '#web/shell/router.ts';

type Picture = 'candles' | 'depth';
/** What a narrow screen shows of the market, one at a time. */
type Part = 'chart' | 'book' | 'trades';

/** Candles with the open orders of the pair as lines that can be dragged, or the depth. */
function PicturePanel({ pair }: { readonly pair: Pair }) {
  const [picture, setPicture] = useState<Picture>('candles');
  const [moved, setMoved] = useState<{ readonly order: Order; readonly price: string } | null>(null);
  const source = useMemo(() => pairCandles(pair.symbol), [pair.symbol]);
  const all = openOrders.value;
  const own = useMemo(
    () => [...(all?.values() ?? [])].filter(({ symbol }) => symbol === pair.symbol),
    [all, pair.symbol],
  );
  const lines = useMemo(
    () =>
      own.map(({ id, side, price, quantity }) => ({
        id,
        price: Number(price),
        text: `${side === 'BUY' ? 'Buy' : 'Sell'} ${quantity}`,
        isBuy: side === 'BUY',
      })),
    [own],
  );
  const move = useMemo(
    () => (id: string, price: number) => {
      const order = own.find((each) => each.id === id);
      if (order !== undefined) setMoved({ order, price: price.toFixed(pair.quotePrecision) });
    },
    [own, pair.quotePrecision],
  );
  return (
    <section class="pane picture-panel" aria-label="Chart">
      <div class="pane-head">
        <Tabs
          label="Picture"
          chosen={picture}
          onChoose={setPicture}
          tabs={[
            { id: 'candles', title: 'Candles' },
            { id: 'depth', title: 'Depth' },
          ]}
        />
      </div>
      {picture === 'candles' ? (
        <CandleChart source={source} decimals={pair.quotePrecision} lines={lines} onMove={move} />
      ) : (
        <DepthPanel pair={pair} />
      )}
      {moved === null ? null : (
        <MoveDialog key={moved.price} order={moved.order} price={moved.price} onClose={() => setMoved(null)} />
      )}
    </section>
  );
}

function useTitle(pair: Pair): void {
  const last = lastPriceOf(pair.symbol);
  useEffect(() => {
    const price = last === null ? '' : `${grouped(last, pair.quotePrecision)} `;
    document.title = `${price}${pair.baseAsset}/${pair.quoteAsset} · ${exchange.name}`;
  }, [last, pair]);
}

/** Closes the list of pairs by Esc, and by a press outside it. */
function useListClosed(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close();
    };
    const point = ({ target }: PointerEvent): void => {
      if (target instanceof Element && target.closest('.pair-list, .pair-button') === null) close();
    };
    addEventListener('keydown', press);
    addEventListener('pointerdown', point);
    return () => {
      removeEventListener('keydown', press);
      removeEventListener('pointerdown', point);
    };
  }, [isOpen]);
}

/** The terminal of one pair. */
function Terminal({ pair }: { readonly pair: Pair }) {
  const [isListOpen, setListOpen] = useState(false);
  const [part, setPart] = useState<Part>('chart');
  const { symbol } = pair;
  useTitle(pair);
  useListClosed(isListOpen, () => setListOpen(false));
  useEffect(() => {
    showPastOf(symbol);
    setListOpen(false);
    changeTicket({ price: '', quantity: '', amount: '' });
    return openBook(symbol, { price: pair.quotePrecision, quantity: pair.baseAssetPrecision });
  }, [symbol, pair.quotePrecision, pair.baseAssetPrecision]);
  return (
    <div class={`terminal shows-${part} ${isListOpen ? 'with-list' : ''}`}>
      <PairHeader pair={pair} isListOpen={isListOpen} onList={() => setListOpen(!isListOpen)} />
      <PairList symbol={symbol} />
      <div class="part-tabs">
        <Tabs
          label="Market"
          chosen={part}
          onChoose={setPart}
          tabs={[
            { id: 'chart', title: 'Chart' },
            { id: 'book', title: 'Order book' },
            { id: 'trades', title: 'Trades' },
          ]}
        />
      </div>
      <PicturePanel pair={pair} />
      <BookPanel pair={pair} />
      <TradesPanel pair={pair} />
      <TicketPanel pair={pair} />
      <AccountPanel pair={pair} />
    </div>
  );
}

/** The terminal: `/trade/PAIR`, and `/trade` for the first pair. DEC-WEB-09. */
export function Page({ parts }: { readonly parts: PathParts }) {
  useEffect(() => followMarkets(), []);
  useEffect(followAccount, []);
  const first = pairs.value?.[0]?.symbol;
  const symbol = parts['pair'];
  useEffect(() => {
    if (symbol === undefined && first !== undefined) goTo(`/trade/${encodeURIComponent(first)}`, true);
  }, [symbol, first]);
  if (pairs.value === null)
    return pairsFault.value === null ? (
      <Loading text="Reading the market" />
    ) : (
      <Failure text={pairsFault.value} onRetry={() => void readMarkets()} />
    );
  const pair = pairsByName.value.get(symbol ?? '');
  if (pair !== undefined) return <Terminal pair={pair} />;
  if (symbol === undefined && first !== undefined) return <Loading />;
  return (
    <Empty text={symbol === undefined ? 'No pair is listed.' : `There is no pair ${symbol}.`}>
      <a href="/">All markets</a>
    </Empty>
  );
}
