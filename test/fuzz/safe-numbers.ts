import { InvariantBroken } from '#base/assert.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import { toAmount, type Amount } from '#model/units.ts';

function demand(value: number, name: string): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new InvariantBroken(`${name} is an amount, not ${value}`);
}

/** Of either sign: a number where it is a safe integer, a bigint of 64 bits beyond. */
function demandAmount(value: Amount, name: string): void {
  if (typeof value === 'number') demand(Math.abs(value), name);
  else if (value !== BigInt.asIntN(64, value) || toAmount(value) !== value)
    throw new InvariantBroken(`${name} has another form than ${value}`);
}

function demandOrder(order: OrderView): void {
  demand(order.price, 'price of an order');
  demand(order.quantity, 'quantity of an order');
  demand(order.budget ?? 0, 'budget of an order');
  demand(order.executed, 'executed quantity of an order');
  demand(order.executedQuote, 'executed amount of an order');
}

/** Stops at a number in an event that nobody can print, store or sum exactly. */
export const safeNumbers: EventSink = {
  ...noopSink,
  orderAccepted: demandOrder,
  orderFilled: demandOrder,
  orderClosed: demandOrder,
  tradeExecuted: (trade) => {
    demand(trade.price, 'price of a trade');
    demand(trade.lots, 'quantity of a trade');
    demand(trade.quoteAmount, 'amount of a trade');
    demand(trade.takerFee, 'fee of a taker');
    demand(trade.makerFee, 'fee of a maker');
  },
  levelChanged: (_symbol, _version, _side, price, lots) => {
    demand(price, 'price of a level');
    demand(lots, 'quantity of a level');
  },
  posted: (_account, _asset, free, held) => {
    demandAmount(free, 'posted free amount');
    demandAmount(held, 'posted held amount');
  },
};
