import { eventNames, eventParts, type EventSink, type Fact, type Trade } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import type { RebateAccrual } from '#model/rebate.ts';

type Recorded = Exclude<keyof EventSink, 'entryBegan' | 'fact'>;
type Parts<Name extends Recorded> = (typeof eventParts)[Name];
/** Records of the events of these names. */
export type RecordOf<Name extends Recorded> = Name extends Recorded ? { readonly kind: Name } & PartsOf<Name> : never;
type PartsOf<Name extends Recorded> = {
  readonly [Index in keyof Parts<Name> & keyof Parameters<EventSink[Name]> & `${number}` as Parts<Name>[Index] &
    string]: Parameters<EventSink[Name]>[Index];
};

/** Events as plain records, for answers, tests, tools and golden files: their kind, and each part under its name. */
export type Event = RecordOf<Recorded> | Fact;

/** A copy of an order, whose object the engine may reuse. */
export function copyOrder(order: OrderView): OrderView {
  return {
    order: order.order,
    account: order.account,
    symbol: order.symbol,
    side: order.side,
    kind: order.kind,
    status: order.status,
    price: order.price,
    quantity: order.quantity,
    budget: order.budget,
    executed: order.executed,
    executedQuote: order.executedQuote,
    stpMode: order.stpMode,
    clientOrderId: order.clientOrderId,
    closeReason: order.closeReason,
    acceptedAt: order.acceptedAt,
    updatedAt: order.updatedAt,
  };
}

/** A copy of a trade, whose object the engine reuses. Its members may be getters, which spreading would lose. */
export function copyTrade(trade: Trade): Trade {
  return {
    symbol: trade.symbol,
    trade: trade.trade,
    price: trade.price,
    lots: trade.lots,
    quoteAmount: trade.quoteAmount,
    takerSide: trade.takerSide,
    taker: trade.taker,
    maker: trade.maker,
    takerAccount: trade.takerAccount,
    makerAccount: trade.makerAccount,
    takerClientOrderId: trade.takerClientOrderId,
    makerClientOrderId: trade.makerClientOrderId,
    fillOfTaker: trade.fillOfTaker,
    takerFee: trade.takerFee,
    takerFeeAsset: trade.takerFeeAsset,
    makerFee: trade.makerFee,
    makerFeeAsset: trade.makerFeeAsset,
  };
}

/** A copy of an accrual, whose object the engine reuses. */
export function copyAccrual(accrual: RebateAccrual): RebateAccrual {
  return {
    accrual: accrual.accrual,
    product: accrual.product,
    symbol: accrual.symbol,
    trade: accrual.trade,
    payer: accrual.payer,
    source: accrual.source,
    code: accrual.code,
    isMaker: accrual.isMaker,
    asset: accrual.asset,
    commission: accrual.commission,
    turnover: accrual.turnover,
    beneficiaries: [...accrual.beneficiaries],
    ratesPpm: [...accrual.ratesPpm],
    amounts: [...accrual.amounts],
    assetValue: [...accrual.assetValue],
    quoteValue: [...accrual.quoteValue],
  };
}

/** How parts are copied whose objects the engine reuses. */
const copies: Readonly<Record<string, (part: never) => object>> = {
  order: copyOrder,
  trade: copyTrade,
  accrual: copyAccrual,
};

function copyPart(name: string, part: unknown): unknown {
  const copy = copies[name];
  return copy === undefined || typeof part !== 'object' || part === null ? part : copy(part as never);
}

/** A sink that collects events in a list; the caller takes `events` and resets it. */
export function createEventRecorder(): EventSink & { events: Event[] } {
  const recorder = { ...noopSink, events: [] as Event[] };
  const listen = (kind: Recorded) => {
    const names = eventParts[kind];
    return (...parts: unknown[]): void => {
      const named = names.map((name, index) => [name, copyPart(name, parts[index])]);
      recorder.events.push({ kind, ...Object.fromEntries(named) } as Event);
    };
  };
  const recorded = eventNames.filter((name): name is Recorded => name !== 'entryBegan' && name !== 'fact');
  return Object.assign(recorder, Object.fromEntries(recorded.map((kind) => [kind, listen(kind)])), {
    fact: (fact: Fact) => void recorder.events.push(fact),
  });
}

/** A sink that ignores every event: spread it and override the events of interest. */
export const noopSink = Object.fromEntries(eventNames.map((name) => [name, () => {}])) as unknown as EventSink;
