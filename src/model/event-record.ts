import type { EventSink, Fact, Trade } from '#model/events.ts';
import type { PostingKind } from '#model/account.ts';
import type { PositionView } from '#model/contract.ts';
import type { OrderView, Side } from '#model/order.ts';
import type { RebateAccrual } from '#model/rebate.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, Amount, AssetId, BookVersion, Lots, OrderNumber, PriceTicks, SymbolId } from '#model/units.ts';

/** Events as plain records, for answers, tests, tools and golden files. */
export type Event =
  | { readonly kind: 'orderAccepted'; readonly order: OrderView }
  | { readonly kind: 'orderRepeated'; readonly order: OrderView }
  | {
      readonly kind: 'orderRefused';
      readonly account: AccountId;
      readonly symbol: SymbolId;
      readonly reason: RejectReason;
      readonly clientOrderId: string | null;
    }
  | {
      readonly kind: 'cancelRefused';
      readonly account: AccountId;
      readonly symbol: SymbolId;
      readonly reason: RejectReason;
    }
  | { readonly kind: 'tradeExecuted'; readonly trade: Trade }
  | { readonly kind: 'rebateAccrued'; readonly accrual: RebateAccrual }
  | { readonly kind: 'positionChanged'; readonly position: PositionView }
  | { readonly kind: 'orderFilled'; readonly order: OrderView; readonly lots: Lots; readonly price: PriceTicks }
  | { readonly kind: 'orderClosed'; readonly order: OrderView }
  | {
      readonly kind: 'levelChanged';
      readonly symbol: SymbolId;
      readonly version: BookVersion;
      readonly side: Side;
      readonly price: PriceTicks;
      readonly lots: Lots;
    }
  | {
      readonly kind: 'posted';
      readonly account: AccountId;
      readonly asset: AssetId;
      readonly free: Amount;
      readonly held: Amount;
      readonly why: PostingKind;
      readonly order: OrderNumber | null;
    }
  | Fact;

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

/** A sink that collects events in a list; the caller takes `events` and resets it. */
export function createEventRecorder(): EventSink & { events: Event[] } {
  const recorder: EventSink & { events: Event[] } = {
    events: [],
    entryBegan: () => {},
    orderAccepted: (order) => {
      recorder.events.push({ kind: 'orderAccepted', order: copyOrder(order) });
    },
    orderRepeated: (order) => {
      recorder.events.push({ kind: 'orderRepeated', order: copyOrder(order) });
    },
    orderRefused: (account, symbol, reason, clientOrderId) => {
      recorder.events.push({ kind: 'orderRefused', account, symbol, reason, clientOrderId });
    },
    cancelRefused: (account, symbol, reason) => {
      recorder.events.push({ kind: 'cancelRefused', account, symbol, reason });
    },
    tradeExecuted: (trade) => {
      recorder.events.push({ kind: 'tradeExecuted', trade: copyTrade(trade) });
    },
    rebateAccrued: (accrual) => {
      recorder.events.push({ kind: 'rebateAccrued', accrual: copyAccrual(accrual) });
    },
    positionChanged: (position) => {
      recorder.events.push({ kind: 'positionChanged', position });
    },
    orderFilled: (order, lots, price) => {
      recorder.events.push({ kind: 'orderFilled', order: copyOrder(order), lots, price });
    },
    orderClosed: (order) => {
      recorder.events.push({ kind: 'orderClosed', order: copyOrder(order) });
    },
    levelChanged: (symbol, version, side, price, lots) => {
      recorder.events.push({ kind: 'levelChanged', symbol, version, side, price, lots });
    },
    posted: (account, asset, free, held, why, order) => {
      recorder.events.push({ kind: 'posted', account, asset, free, held, why, order });
    },
    fact: (fact) => {
      recorder.events.push(fact);
    },
  };
  return recorder;
}

/** A sink that ignores every event: spread it and override the events of interest. */
export const noopSink: EventSink = {
  entryBegan: () => {},
  orderAccepted: () => {},
  orderRepeated: () => {},
  orderRefused: () => {},
  cancelRefused: () => {},
  tradeExecuted: () => {},
  rebateAccrued: () => {},
  positionChanged: () => {},
  orderFilled: () => {},
  orderClosed: () => {},
  levelChanged: () => {},
  posted: () => {},
  fact: () => {},
};
