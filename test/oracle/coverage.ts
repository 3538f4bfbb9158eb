import type { Event } from '#model/event-record.ts';
import { closeReasons, orderKinds, sides, stpModes } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { SymbolListing } from '#model/symbol.ts';

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

const acceptedCells = orderKinds.flatMap((kind) =>
  sides.flatMap((side) => stpModes.map((mode) => `accepted ${kind} ${side} ${mode}`)),
);
const feeCells = ['maker', 'taker'].flatMap((role) =>
  ['received', 'token', 'none'].map((mode) => `fee of ${role} in ${mode}`),
);

/** What the model tells of rebates. */
const rebateCells = [
  ...['three levels', 'the third level cut', 'a sub-account', 'a broker', 'a maker', 'nothing'].map(
    (what) => `rebate of ${what}`,
  ),
  'rebate rounded to nothing',
  'rebate with a kickback',
  'rebate in the token',
  'settlement',
  'settlement of nothing',
  'settlement refused',
  'rejection of all',
  'rejection of one source',
  'rejection of nothing',
];

/** Everything a random run must have met to count as one. */
export const wantedCells: readonly string[] = [
  ...acceptedCells,
  ...refusals.map((reason) => `refused ${reason}`),
  ...ends,
  ...['market buy', 'market sell'].flatMap((order) => [`${order} by quantity`, `${order} by budget`]),
  ...feeCells,
  ...['1', '2', '3', 'more'].map((count) => `fills ${count}`),
  ...rebateCells,
  'self trade',
  ...['by reference', 'of 2', 'of 3'].map((what) => `guarded price ${what}`),
  ...['token without a guarded price', 'token below its last price'],
  'repeated open',
  'repeated closed',
  'cancel refused',
];

/** What a run with scarce money must have met: the edges, which the model tells, and every kind of order beside. */
export const scarceCells: readonly string[] = [
  ...acceptedCells,
  ...feeCells,
  ...orderKinds.flatMap((kind) =>
    sides.flatMap((side) =>
      (kind === 'market' ? ['quantity', 'budget'] : ['quantity']).flatMap((way) =>
        ['just enough', 'one unit short'].map((edge) => `funds of ${kind} ${side} by ${way} ${edge}`),
      ),
    ),
  ),
  'token fee just enough',
  'token fee one unit short',
  'token fee won by the fill',
  'token fee lost by the fill',
  'token fee lost to later fills',
  'token fee lost to that of the maker',
  'token fee lost to that of the taker',
  'sell by amount crossed a level that was emptied exactly',
  ...['a broker', 'a maker', 'nothing'].map((what) => `rebate of ${what}`),
  ...['rebate rounded to nothing', 'rebate with a kickback', 'rebate in the token', 'settlement', 'rejection of all'],
  'self trade',
  ...orderKinds.flatMap((kind) => sides.map((side) => `fill of ${kind} ${side}`)),
  ...stpModes.filter((mode) => mode !== 'none').map((mode) => `kept apart by ${mode}`),
];

/** What a run with amounts around 2^53 must have met. */
export const vastCells: readonly string[] = [
  ...['limit', 'immediateOrCancel', 'market'].map((kind) => `closed ${kind} byExchange`),
  'fill past the bound',
  'fill-or-kill past the bound',
  'level past the bound',
  'resting order past the bound',
  'token fee past the bound',
  'rebate of a maker',
  'settlement',
];

/** Counts what streams of events have met. */
export class Coverage {
  readonly counts = new Map<string, number>();
  readonly #wanted: readonly string[];

  constructor(wanted: readonly string[]) {
    this.#wanted = wanted;
  }

  /** `listings`: of the exchange that the events are of, by symbol id. */
  observe(events: readonly Event[], listings: readonly SymbolListing[]): void {
    for (const event of events) this.#observeOne(event, listings);
  }

  /** Adds what the model has counted. */
  add(met: ReadonlyMap<string, number>): void {
    for (const [cell, count] of met) this.counts.set(cell, (this.counts.get(cell) ?? 0) + count);
  }

  /** Wanted cells that were never met. */
  missing(): string[] {
    return this.#wanted.filter((cell) => !this.counts.has(cell));
  }

  #hit(cell: string): void {
    this.counts.set(cell, (this.counts.get(cell) ?? 0) + 1);
  }

  #observeOne(event: Event, listings: readonly SymbolListing[]): void {
    if (event.kind === 'orderAccepted') {
      const { kind, side, stpMode, budget } = event.order;
      this.#hit(`accepted ${kind} ${side} ${stpMode}`);
      if (kind === 'market') this.#hit(`market ${side} by ${budget === null ? 'quantity' : 'budget'}`);
    } else if (event.kind === 'orderFilled') this.#hit(`fill of ${event.order.kind} ${event.order.side}`);
    else if (event.kind === 'orderRefused') this.#hit(`refused ${event.reason}`);
    else if (event.kind === 'cancelRefused') this.#hit('cancel refused');
    else if (event.kind === 'orderRepeated')
      this.#hit(`repeated ${event.order.closeReason === null ? 'open' : 'closed'}`);
    else if (event.kind === 'orderClosed') this.#hit(`closed ${event.order.kind} ${event.order.closeReason}`);
    else if (event.kind === 'tradeExecuted') this.#observeTrade(event, listings);
  }

  #observeTrade({ trade }: Extract<Event, { kind: 'tradeExecuted' }>, listings: readonly SymbolListing[]): void {
    const listing = listings[trade.symbol] as SymbolListing;
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
