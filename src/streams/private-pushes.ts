import { eventTypeOf, parseChannel, type ChannelId } from '#api/channels.ts';
import { orderIdText, tradeIdText } from '#api/words.ts';
import type { PostingKind } from '#domain/account.ts';
import { deafSink } from '#domain/event-record.ts';
import type { EventSink, Fact, Trade } from '#domain/events.ts';
import { orderKinds, orderStatuses, type OrderStatus, type OrderView, type Side } from '#domain/order.ts';
import type { AccountId, AssetId, Lots, OrderNumber, Seq } from '#domain/units.ts';
import { AccountBalances } from '#streams/account-balances.ts';
import type { ListingWords } from '#streams/listing-words.ts';
import { Push, type PushBody } from '#streams/push.ts';

export type PrivateChannel = Extract<ChannelId, 'account' | 'deals' | 'orders'>;
const channelNames: Record<PrivateChannel, string> = {
  account: eventTypeOf(parseChannel('spot@private.account.v3.api.pb')!),
  deals: eventTypeOf(parseChannel('spot@private.deals.v3.api.pb')!),
  orders: eventTypeOf(parseChannel('spot@private.orders.v3.api.pb')!),
};

/** Change types that clients know; money that moves otherwise has plain names. decisions.md section 7. */
const changeTypes: Record<PostingKind, string> = {
  orderHold: 'ENTRUST_PLACE', fill: 'ENTRUST', fee: 'TRADE_FEE', surplusRelease: 'ENTRUST_UNFROZEN',
  cancelRelease: 'ENTRUST_CANCEL', deposit: 'DEPOSIT', withdrawal: 'WITHDRAW', withdrawalFee: 'WITHDRAW_FEE',
  transfer: 'TRANSFER', dust: 'DUST', rebate: 'REBATE', adjustment: 'ADJUSTMENT',
};

const tradeTypes: Record<Side, number> = { buy: 1, sell: 2 };

/** Who wants an account's pushes of one channel. */
export interface PrivateAudience {
  wants(channel: PrivateChannel, account: AccountId): boolean;
  send(channel: PrivateChannel, account: AccountId, push: Push): void;
}

/** A push of an order that a later event of the same entry may complete. */
interface PendingOrder {
  readonly account: AccountId;
  readonly symbol: string;
  readonly at: number;
  readonly content: OrderContent;
}
type OrderContent = Extract<PushBody, { case: 'privateOrders' }>['value'] & { status: number };

/**
 * Turns events into the pushes of accounts that somebody listens to. Orders, deals and balances each arrive in the
 * order in which they happened; a fill that ends an order is one push with the final status.
 */
export class PrivatePushes implements EventSink {
  private readonly words: ListingWords;
  private readonly audience: PrivateAudience;
  private readonly now: () => number;
  private readonly balances = new Map<AccountId, AccountBalances>();
  private readonly pending: PendingOrder[] = [];
  private seq = 0 as Seq;
  private at = 0;

  constructor(words: ListingWords, audience: PrivateAudience, now: () => number) {
    this.words = words;
    this.audience = audience;
    this.now = now;
  }

  readonly orderRepeated = deafSink.orderRepeated;
  readonly orderRefused = deafSink.orderRefused;
  readonly cancelRefused = deafSink.cancelRefused;
  readonly levelChanged = deafSink.levelChanged;

  entryBegan(seq: Seq, at: number): void {
    this.flush();
    this.seq = seq;
    this.at = at;
  }

  orderAccepted(order: OrderView): void {
    this.order(order, 'new', null, false);
  }

  orderFilled(order: OrderView, lots: Lots): void {
    const isDone = order.budget === null && order.executed === order.quantity;
    this.order(order, isDone ? 'filled' : 'partiallyFilled', lots, this.isMaker);
    this.isMaker = true;
  }

  orderClosed(order: OrderView): void {
    if (order.status !== 'filled') {
      this.order(order, order.status, null, false);
      return;
    }
    const id = orderIdText(order.order);
    const last = this.pending.findLast(({ content }) => content.id === id);
    if (last !== undefined) last.content.status = orderStatuses.indexOf('filled') + 1;
  }

  tradeExecuted(trade: Trade): void {
    this.isMaker = false;
    this.deal(trade, false);
    this.deal(trade, true);
  }

  posted(account: AccountId, asset: AssetId, free: number, held: number, why: PostingKind, _order: OrderNumber): void {
    this.change(account, asset, BigInt(free), BigInt(held), why);
  }

  fact(fact: Fact): void {
    this.words.fact(fact);
    if (fact.kind === 'fundsMoved') this.change(fact.account, fact.asset, fact.free, fact.held, fact.why);
  }

  /** Begins to follow an account's balances; `image` is asked once changes are already counted. */
  follow(account: AccountId, balances: AccountBalances): void {
    this.balances.set(account, balances);
  }

  forget(account: AccountId): void {
    this.balances.delete(account);
  }

  isFollowing(account: AccountId): boolean {
    return this.balances.has(account);
  }

  /** Sends what waits for the end of its entry. Called when the entry is over. */
  flush(): void {
    for (const { account, symbol, at, content } of this.pending.splice(0)) {
      this.send('orders', account, symbol, at, { case: 'privateOrders', value: content });
    }
  }

  /** Whether the next `orderFilled` is the maker's: the taker's comes first after each trade. */
  private isMaker = false;

  private order(order: OrderView, status: OrderStatus, lastLots: Lots | null, isMaker: boolean): void {
    const { account, symbol } = order;
    if (!this.audience.wants('orders', account)) return;
    const { words } = this;
    const amount = orderAmount(order, words);
    const isOver = status === 'filled' || status === 'canceled' || status === 'partiallyCanceled';
    const content: OrderContent = {
      id: orderIdText(order.order), clientId: order.clientOrderId ?? orderIdText(order.order),
      price: words.price(symbol, order.price), quantity: words.quantity(symbol, order.quantity),
      amount: words.quote(symbol, amount), avgPrice: words.price(symbol, averagePrice(order, words)),
      orderType: orderKinds.indexOf(order.kind) + 1, tradeType: tradeTypes[order.side], isMaker,
      remainAmount: words.quote(symbol, isOver || amount === 0n ? 0n : amount - BigInt(order.executedQuote)),
      remainQuantity: words.quantity(symbol, order.budget === null ? order.quantity - order.executed : 0),
      cumulativeQuantity: words.quantity(symbol, order.executed), cumulativeAmount: words.quote(symbol, order.executedQuote),
      status: orderStatuses.indexOf(status) + 1, createTime: BigInt(order.acceptedAt),
      ...(lastLots === null ? {} : { lastDealQuantity: words.quantity(symbol, lastLots) }),
    };
    this.pending.push({ account, symbol: words.symbol(symbol).name, at: this.at, content });
  }

  private deal(trade: Trade, isMaker: boolean): void {
    const account = isMaker ? trade.makerAccount : trade.takerAccount;
    if (!this.audience.wants('deals', account)) return;
    const { words } = this;
    const takerBuys = trade.takerSide === 'buy';
    const feeAsset = isMaker ? trade.makerFeeAsset : trade.takerFeeAsset;
    this.send('deals', account, words.symbol(trade.symbol).name, this.at, {
      case: 'privateDeals',
      value: {
        price: words.price(trade.symbol, trade.price), quantity: words.quantity(trade.symbol, trade.lots),
        amount: words.quote(trade.symbol, trade.quoteAmount), tradeType: takerBuys === isMaker ? 2 : 1, isMaker,
        isSelfTrade: trade.takerAccount === trade.makerAccount, tradeId: tradeIdText(trade.taker, trade.fillOfTaker),
        clientOrderId: (isMaker ? trade.makerClientOrderId : trade.takerClientOrderId) ?? '',
        orderId: orderIdText(isMaker ? trade.maker : trade.taker),
        feeAmount: words.amount(feeAsset, isMaker ? trade.makerFee : trade.takerFee),
        feeCurrency: words.asset(feeAsset).code, time: BigInt(this.at),
      },
    });
  }

  private change(account: AccountId, asset: AssetId, free: bigint, held: bigint, why: PostingKind): void {
    const balances = this.balances.get(account);
    if (balances === undefined) return;
    const at = this.at;
    balances.change(this.seq, asset, free, held, (freeAfter, heldAfter) => {
      const { words } = this;
      this.send('account', account, null, at, {
        case: 'privateAccount',
        value: {
          vcoinName: words.asset(asset).code, coinId: words.asset(asset).coinId,
          balanceAmount: words.amount(asset, freeAfter), balanceAmountChange: words.amount(asset, free),
          frozenAmount: words.amount(asset, heldAfter), frozenAmountChange: words.amount(asset, held),
          type: changeTypes[why], time: BigInt(at),
        },
      });
    });
  }

  private send(channel: PrivateChannel, account: AccountId, symbol: string | null, at: number, body: PushBody): void {
    if (!this.audience.wants(channel, account)) return;
    this.audience.send(channel, account, new Push(channelNames[channel], symbol, at, this.now(), body));
  }
}

/** Price times quantity of a priced order, the quote amount of an order by amount, 0 of a market order by quantity. */
function orderAmount(order: OrderView, words: ListingWords): bigint {
  if (order.budget !== null) return BigInt(order.budget);
  if (order.kind === 'market') return 0n;
  return BigInt(order.price) * BigInt(order.quantity) * words.quotePerTickLot(order.symbol);
}

/** Ticks, cut; 0 before the first fill. */
function averagePrice(order: OrderView, words: ListingWords): number {
  if (order.executed === 0) return 0;
  return Number(BigInt(order.executedQuote) / (BigInt(order.executed) * words.quotePerTickLot(order.symbol)));
}
