import type { Event } from '#domain/event-record.ts';
import { closeReasons, orderKinds, sides, stpModes } from '#domain/order.ts';
import type { RejectReason } from '#domain/rejection.ts';
import type { SymbolListing } from '#domain/symbol.ts';

const refusals: readonly RejectReason[] = [
  'unknownSymbol',
  'tradingSuspended',
  'apiTradingOff',
  'sideNotAllowed',
  'kindNotAllowed',
  'marketNotAllowed',
  'malformedOrder',
  'belowMinimumQuantity',
  'belowMinimumAmount',
  'aboveMaximumAmount',
  'priceOutsideBand',
  'tooManyOpenOrders',
  'clientOrderIdInUse',
  'wouldTakeLiquidity',
  'noOpposingOrder',
  'notEnoughQuote',
  'notEnoughBase',
  'unknownAccount',
  'accountNotUsable',
];

/** Ways in which each kind of order can end; `limit` and `postOnly` never lose an unfilled rest. */
const ends: readonly string[] = orderKinds.flatMap((kind) => {
  const rests = kind === 'limit' || kind === 'postOnly';
  const reasons = closeReasons.filter((reason) => {
    if (reason === 'byExchange') return false;
    if (reason === 'byUser') return rests;
    if (reason === 'collar') return kind === 'market';
    return reason !== 'unfilledRest' || !rests;
  });
  return reasons.map((reason) => `closed ${kind} ${reason}`);
});

/** Everything a random run must have met to count as one. reliability.md section 3. */
export const wantedCells: readonly string[] = [
  ...orderKinds.flatMap((kind) => sides.flatMap((side) => stpModes.map((mode) => `accepted ${kind} ${side} ${mode}`))),
  ...refusals.map((reason) => `refused ${reason}`),
  ...ends,
  ...['market buy', 'market sell'].flatMap((order) => [`${order} by quantity`, `${order} by budget`]),
  ...['maker', 'taker'].flatMap((role) => ['received', 'token', 'none'].map((mode) => `fee of ${role} in ${mode}`)),
  ...['1', '2', '3', 'more'].map((count) => `fills ${count}`),
  'self trade',
  'repeated open',
  'repeated closed',
  'cancel refused',
];

/** Counts what a stream of events has met. */
export class Coverage {
  readonly counts = new Map<string, number>();
  readonly #listings: readonly SymbolListing[];

  constructor(listings: readonly SymbolListing[]) {
    this.#listings = listings;
  }

  observe(events: readonly Event[]): void {
    for (const event of events) this.#observeOne(event);
  }

  /** Cells that were never met. */
  missing(): string[] {
    return wantedCells.filter((cell) => !this.counts.has(cell));
  }

  #hit(cell: string): void {
    this.counts.set(cell, (this.counts.get(cell) ?? 0) + 1);
  }

  #observeOne(event: Event): void {
    if (event.kind === 'orderAccepted') {
      const { kind, side, stpMode, budget } = event.order;
      this.#hit(`accepted ${kind} ${side} ${stpMode}`);
      if (kind === 'market') this.#hit(`market ${side} by ${budget === null ? 'quantity' : 'budget'}`);
    } else if (event.kind === 'orderRefused') this.#hit(`refused ${event.reason}`);
    else if (event.kind === 'cancelRefused') this.#hit('cancel refused');
    else if (event.kind === 'orderRepeated')
      this.#hit(`repeated ${event.order.closeReason === null ? 'open' : 'closed'}`);
    else if (event.kind === 'orderClosed') this.#hit(`closed ${event.order.kind} ${event.order.closeReason}`);
    else if (event.kind === 'tradeExecuted') this.#observeTrade(event);
  }

  #observeTrade({ trade }: Extract<Event, { kind: 'tradeExecuted' }>): void {
    const listing = this.#listings[trade.symbol] as SymbolListing;
    const takerGets = trade.takerSide === 'buy' ? listing.base : listing.quote;
    const makerGets = trade.takerSide === 'buy' ? listing.quote : listing.base;
    const mode = (fee: number, asset: number, received: number): string => {
      if (fee === 0) return 'none';
      return asset === received ? 'received' : 'token';
    };
    this.#hit(`fee of taker in ${mode(trade.takerFee, trade.takerFeeAsset, takerGets)}`);
    this.#hit(`fee of maker in ${mode(trade.makerFee, trade.makerFeeAsset, makerGets)}`);
    this.#hit(`fills ${trade.fillOfTaker > 3 ? 'more' : trade.fillOfTaker}`);
    if (trade.takerAccount === trade.makerAccount) this.#hit('self trade');
  }
}
