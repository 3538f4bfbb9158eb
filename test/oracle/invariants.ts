import type { Event } from '#model/event-record.ts';
import type { OrderView } from '#model/order.ts';
import type { RebateAccrual } from '#model/rebate.ts';
import type { PriceTicks } from '#model/units.ts';

interface KnownOrder {
  last: OrderView;
}

/** Statuses that may follow each; what is closed never changes. */
const nextStatuses: Record<string, readonly string[]> = {
  new: ['partiallyFilled', 'filled', 'canceled'],
  partiallyFilled: ['partiallyFilled', 'filled', 'partiallyCanceled'],
};

/** The house's account of rebates. */
const rebates = 3;
/** The outside, and the accounts of the house that give without having: grants, chain losses, gas. */
const debtors: ReadonlySet<number> = new Set([0, 2 ** 27, 2 ** 27 + 2, 2 ** 27 + 3]);

/**
 * Invariants (docs/rules/invariants.md) that an outsider can hold an engine to with nothing but its events, command by
 * command: I1, I2, I5, I6, I7, I9, I10, I14 (versions and folded levels), I24, I26, I29, I30. Faults are collected, not
 * thrown.
 */
export class EventInvariants {
  readonly faults: string[] = [];
  readonly #orders = new Map<number, KnownOrder>();
  readonly #lastTrade = new Map<number, number>();
  readonly #versions = new Map<number, number>();
  readonly #levels = new Map<number, { buy: Map<number, number>; sell: Map<number, number> }>();
  readonly #free = new Map<string, bigint>();
  readonly #held = new Map<string, bigint>();
  /** What accrued and is neither paid nor rejected, by asset. */
  readonly #pending = new Map<number, bigint>();
  #lastOrder = 0;
  #lastAccrual = 0;

  /** Takes the events of one command. */
  observe(events: readonly Event[]): void {
    const sums = new Map<number, bigint>();
    for (const event of events) {
      if (event.kind === 'orderAccepted') this.#accepted(event.order);
      else if (event.kind === 'orderFilled') this.#filled(event.order, event.lots, event.price);
      else if (event.kind === 'orderClosed') this.#closed(event.order);
      else if (event.kind === 'tradeExecuted') this.#traded(event.trade.symbol, event.trade.trade);
      else if (event.kind === 'levelChanged') this.#levelChanged(event);
      else if (event.kind === 'rebateAccrued') this.#accrued(event.accrual);
      else if (event.kind === 'rebatesSettled')
        for (const { asset, amount } of event.payouts) this.#pend(asset, -amount);
      else if (event.kind === 'rebatesRejected')
        for (const { asset, amount } of event.amounts) this.#pend(asset, -BigInt(amount));
      else if (event.kind === 'posted') {
        sums.set(event.asset, (sums.get(event.asset) ?? 0n) + BigInt(event.free) + BigInt(event.held));
        this.#moved(event.account, event.asset, BigInt(event.free), BigInt(event.held));
      }
    }
    for (const [asset, sum] of sums) this.#claim(sum === 0n, `I1: postings of asset ${asset} sum to ${sum}`);
    for (const [asset, pending] of this.#pending)
      this.#claim(this.#freeOf(rebates, asset) === pending, `I29: ${pending} of asset ${asset} is pending`);
    this.#checkUncrossed(events);
    const refused = events.some((event) => event.kind === 'orderRefused' || event.kind === 'commandRefused');
    if (refused && events.length === 1) this.#claim(sums.size === 0, 'I26: a refusal moved money');
  }

  #claim(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(fault);
  }

  #accepted(order: OrderView): void {
    this.#claim(order.order > this.#lastOrder, `I9: order ${order.order} after ${this.#lastOrder}`);
    this.#lastOrder = order.order;
    this.#claim(order.status === 'new' && order.executed === 0, `I7: order ${order.order} starts ${order.status}`);
    this.#orders.set(order.order, { last: order });
  }

  #move(order: OrderView): void {
    const known = this.#orders.get(order.order);
    if (known === undefined) {
      this.faults.push(`I7: order ${order.order} was never accepted or is closed`);
      return;
    }
    const allowed = nextStatuses[known.last.status] ?? [];
    this.#claim(
      allowed.includes(order.status),
      `I7: order ${order.order} from ${known.last.status} to ${order.status}`,
    );
    this.#claim(order.budget !== null || order.executed <= order.quantity, `I6: order ${order.order} is overfilled`);
    this.#claim(order.budget === null || order.executedQuote <= order.budget, `I6: order ${order.order} overspends`);
    known.last = order;
  }

  #filled(order: OrderView, lots: number, price: PriceTicks): void {
    const before = this.#orders.get(order.order)?.last;
    this.#move(order);
    this.#claim(
      before === undefined || order.executed === before.executed + lots,
      `I6: order ${order.order} lost count`,
    );
    const isWithin = order.side === 'buy' ? price <= order.price : price >= order.price;
    this.#claim(isWithin, `I6: order ${order.order} traded at ${price}, worse than ${order.price}`);
  }

  #closed(order: OrderView): void {
    this.#move(order);
    this.#claim(order.closeReason !== null, `I7: order ${order.order} closed for no reason`);
    this.#orders.delete(order.order);
  }

  #traded(symbol: number, trade: number): void {
    const last = this.#lastTrade.get(symbol) ?? 0;
    this.#claim(trade === last + 1, `I9: trade ${trade} of symbol ${symbol} after ${last}`);
    this.#lastTrade.set(symbol, trade);
  }

  #accrued({ accrual, asset, commission, amounts }: RebateAccrual): void {
    this.#claim(accrual === this.#lastAccrual + 1, `I9: accrual ${accrual} after ${this.#lastAccrual}`);
    this.#lastAccrual = accrual;
    const sum = amounts.reduce((total, amount) => total + BigInt(amount), 0n);
    this.#claim(sum * 2n <= BigInt(commission), `I30: accrual ${accrual} gives ${sum} of ${commission}`);
    this.#claim(!amounts.some((amount) => amount < 0), `I30: accrual ${accrual} takes from somebody`);
    this.#pend(asset, sum);
  }

  #pend(asset: number, change: bigint): void {
    this.#pending.set(asset, (this.#pending.get(asset) ?? 0n) + change);
  }

  #freeOf(account: number, asset: number): bigint {
    return this.#free.get(`${account}/${asset}`) ?? 0n;
  }

  #levelChanged(event: Extract<Event, { kind: 'levelChanged' }>): void {
    const before = this.#versions.get(event.symbol) ?? 0;
    this.#claim(
      event.version === before + 1,
      `I14: version ${event.version} of symbol ${event.symbol} after ${before}`,
    );
    this.#versions.set(event.symbol, event.version);
    const book = this.#levels.get(event.symbol) ?? { buy: new Map(), sell: new Map() };
    this.#levels.set(event.symbol, book);
    if (event.lots === 0) book[event.side].delete(event.price);
    else book[event.side].set(event.price, event.lots);
  }

  #moved(account: number, asset: number, free: bigint, held: bigint): void {
    const key = `${account}/${asset}`;
    const nextFree = (this.#free.get(key) ?? 0n) + free;
    const nextHeld = (this.#held.get(key) ?? 0n) + held;
    this.#free.set(key, nextFree);
    this.#held.set(key, nextHeld);
    if (!debtors.has(account))
      this.#claim(nextFree >= 0n && nextHeld >= 0n, `I2: account ${account} is below zero in ${asset}`);
  }

  #checkUncrossed(events: readonly Event[]): void {
    const symbols = new Set(events.flatMap((event) => (event.kind === 'levelChanged' ? [event.symbol] : [])));
    for (const symbol of symbols) {
      const book = this.#levels.get(symbol);
      if (book === undefined || book.buy.size === 0 || book.sell.size === 0) continue;
      const bid = Math.max(...book.buy.keys());
      const ask = Math.min(...book.sell.keys());
      this.#claim(bid < ask, `I5: symbol ${symbol} is crossed: ${bid} against ${ask}`);
    }
  }

  /** I14: the book as folded from `levelChanged`, to compare with the engine's own. Best first. */
  levels(symbol: number, side: 'buy' | 'sell'): [number, number][] {
    const levels = [...(this.#levels.get(symbol)?.[side] ?? [])];
    return levels.sort(([first], [second]) => (side === 'buy' ? second - first : first - second));
  }

  /** I3: what an account holds, as folded from its postings. */
  heldBy(account: number, asset: number): bigint {
    return this.#held.get(`${account}/${asset}`) ?? 0n;
  }

  /** I4: what an account must hold of an asset for the orders that are still open. */
  openOrders(): readonly OrderView[] {
    return [...this.#orders.values()].map(({ last }) => last);
  }
}
