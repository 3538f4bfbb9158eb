import { noopSink } from '#model/event-record.ts';
import type { EventSink, Trade } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import type { BestPrices } from '#market-data/depth-book.ts';
import { DepthBook } from '#market-data/depth-book.ts';
import { MinuteBars, minuteMs } from './minute-bars.ts';
import { RoundNumbers, tenthTick, twoDigits } from './round-numbers.ts';

/** A pair or contract whose trades and book are measured. */
export interface Market {
  readonly id: number;
  readonly name: string;
  readonly isContract: boolean;
  readonly base: string;
  readonly quote: string;
  /** Ticks in one whole quote unit. */
  readonly ticksPerUnit: number;
  readonly takerFeePpm: number;
  /** Smallest units in one whole quote unit. */
  readonly quantaPerUnit: number;
}

/** Depth is what rests this near the middle of the best prices. */
const depthWithin = 0.005;
const levelsMax = 1_000;
const depthEveryMinutes = 5;
/** Funding rates are told in parts per 10^8. */
const ratePerBps = 1e4;

/** What an onlooker notes of one market; `NaN` where a side of its book was empty. */
export class MarketRecord {
  readonly market: Market;
  readonly minuteBars: MinuteBars;
  readonly book = new DepthBook();
  /** Best prices in ticks at the ends of minutes. */
  readonly bids: Float64Array;
  readonly asks: Float64Array;
  /** Value in ticks times lots near the best prices, at the ends of windows of five minutes. */
  readonly depths: Float64Array;
  /** Values of the orders that took liquidity. */
  readonly takerValues: number[] = [];
  /** Orders that took liquidity, by seconds of live trading. */
  readonly seconds: Uint16Array;
  readonly takerSizes = new RoundNumbers(twoDigits);
  readonly limitPrices = new RoundNumbers(tenthTick);
  /** Funding rates of a contract in basis points, one of each cycle. */
  readonly fundingRates: number[] = [];

  constructor(market: Market, { from, until, liveFrom }: TapeSpan) {
    const minutes = (until - from) / minuteMs;
    this.market = market;
    this.minuteBars = new MinuteBars(from, minutes);
    this.bids = new Float64Array(minutes).fill(Number.NaN);
    this.asks = new Float64Array(minutes).fill(Number.NaN);
    this.depths = new Float64Array(minutes / depthEveryMinutes).fill(Number.NaN);
    this.seconds = new Uint16Array((until - liveFrom) / 1_000);
  }

  /** Notes the book as it stood at the ends of the minutes from `first` up to `end`. */
  sample(first: number, end: number): void {
    const { bid, ask } = this.book.best();
    if (bid === null || ask === null) return;
    this.bids.fill(bid.price, first, end);
    this.asks.fill(ask.price, first, end);
    const [firstWindow, endWindow] = [first, end].map((minute) => Math.floor(minute / depthEveryMinutes));
    if (endWindow! > firstWindow!) this.depths.fill(depthOf(this.book, bid.price, ask.price), firstWindow, endWindow);
  }
}

function depthOf(book: DepthBook, bid: number, ask: number): number {
  const middle = (bid + ask) / 2;
  const { bids, asks } = book.image(levelsMax);
  let depth = 0;
  for (const side of [bids, asks]) {
    for (const [price, lots] of side) {
      if (Math.abs(price / middle - 1) > depthWithin) break;
      depth += price * lots;
    }
  }
  return depth;
}

/**
 * When the tape begins and ends, in whole windows of five minutes, and where live trading begins; without any, that is
 * `until`.
 */
export interface TapeSpan {
  readonly from: number;
  readonly until: number;
  readonly liveFrom: number;
}

/** The order whose fills are coming in. */
interface Taker {
  readonly record: MarketRecord;
  readonly order: number;
  /** Quantity or budget that it asked for; `null`: it is not known. */
  readonly asked: number | null;
  value: number;
}

/** Notes what the events of an exchange show of its markets. Subscribe its sink before the first order. */
export class MarketTape {
  readonly span: TapeSpan;
  readonly records: readonly MarketRecord[];
  readonly sink: EventSink;
  readonly #recordOf: (MarketRecord | undefined)[] = [];
  #at = 0;
  /** Minute of the last entry, and when it ends. */
  #minute = 0;
  #minuteEnd = Number.NEGATIVE_INFINITY;
  #accepted = { order: -1, asked: null as number | null };
  #taker: Taker | null = null;

  constructor(markets: readonly Market[], span: TapeSpan) {
    this.span = span;
    this.records = markets.map((market) => new MarketRecord(market, span));
    for (const record of this.records) this.#recordOf[record.market.id] = record;
    this.sink = {
      ...noopSink,
      entryBegan: (_seq, at) => this.#entryBegan(at),
      orderAccepted: (order) => this.#orderAccepted(order),
      tradeExecuted: (trade) => this.#tradeExecuted(trade),
      levelChanged: (symbol, version, side, price, lots) =>
        this.#recordOf[symbol]?.book.change(version, side, price, lots),
      fact: (fact) => {
        if (fact.kind !== 'fundingSettled') return;
        this.#recordOf[fact.funding.contract]?.fundingRates.push(fact.funding.rate / ratePerBps);
      },
    };
  }

  /** Best prices as they are now. */
  best(market: number): BestPrices {
    return this.#recordOf[market]?.book.best() ?? { bid: null, ask: null };
  }

  /** Completes what is noted when an order or a minute is over. */
  end(): void {
    this.#closeTaker();
    this.#closeMinutes((this.span.until - this.span.from) / minuteMs);
  }

  #entryBegan(at: number): void {
    this.#at = at;
    if (at < this.#minuteEnd) return;
    const minute = Math.floor((at - this.span.from) / minuteMs);
    this.#closeMinutes(minute);
    this.#minute = minute;
    this.#minuteEnd = this.span.from + (minute + 1) * minuteMs;
  }

  /** Nothing happened since the last entry: at the end of each minute before `end` the books stood as they do now. */
  #closeMinutes(end: number): void {
    if (end <= 0) return;
    for (const record of this.records) record.sample(Math.max(0, this.#minute), end);
  }

  #orderAccepted(order: OrderView): void {
    this.#accepted = { order: order.order, asked: order.quantity ?? order.budget };
    if (order.price !== null) this.#recordOf[order.symbol]?.limitPrices.add(order.price);
  }

  #tradeExecuted(trade: Trade): void {
    const record = this.#recordOf[trade.symbol];
    if (record === undefined) return;
    const isFirst = this.#taker?.record !== record || this.#taker.order !== trade.taker;
    if (isFirst) {
      this.#closeTaker();
      const asked = this.#accepted.order === trade.taker ? this.#accepted.asked : null;
      this.#taker = { record, order: trade.taker, asked, value: 0 };
      const second = Math.floor((this.#at - this.span.liveFrom) / 1_000);
      if (second >= 0 && second < record.seconds.length) record.seconds[second]! += 1;
    }
    this.#taker!.value += trade.quoteAmount;
    record.minuteBars.add(this.#at, trade.price, trade.quoteAmount, isFirst);
  }

  #closeTaker(): void {
    if (this.#taker === null) return;
    const { record, asked, value } = this.#taker;
    record.takerValues.push(value);
    if (asked !== null) record.takerSizes.add(asked);
    this.#taker = null;
  }
}
