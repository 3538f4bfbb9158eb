import type { PostingKind } from '#model/account.ts';
import type { EventSink, Trade } from '#model/events.ts';
import type { OrderStatus, OrderView } from '#model/order.ts';
import type { AccountId, Amount, AssetId, Lots, OrderNumber, Seq, SymbolId } from '#model/units.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';
import type { AccountBalances } from '#websocket/topics/account-balances.ts';
import {
  accountContent,
  type ContentOfChannel,
  dealContent,
  orderContent,
  type OrderContent,
  type PrivateChannel,
  privateChannels,
} from '#websocket/pushes/private-channels.ts';
import { createPush, type Push, type PushBody } from '#websocket/pushes/push.ts';

/** The receivers of private pushes. */
export interface PrivateAudience {
  wants(channel: PrivateChannel, account: AccountId): boolean;
  send(channel: PrivateChannel, account: AccountId, push: Push): void;
  /** Current balances of an account, if the account channel has a subscriber. */
  balancesOf(account: AccountId): AccountBalances | undefined;
}

/** A push of an order that a later event of the same entry may complete. */
interface PendingOrder {
  readonly account: AccountId;
  readonly order: OrderNumber;
  readonly symbol: string;
  readonly at: number;
  readonly lastLots: Lots | null;
  content: OrderContent;
}

/**
 * Turns events into the pushes of accounts that somebody listens to. Orders, deals and balances each come in the order
 * in which they happened (DEC-STR-19); a fill that ends an order is one push with the final status. Between the three,
 * an accepted order comes first, then the deals and balances of what it did, then the states it leaves orders in.
 * DEC-STR-10.
 */
export class PrivatePushes implements Partial<EventSink> {
  private readonly directory: SymbolDirectory;
  private readonly audience: PrivateAudience;
  private readonly now: () => number;
  private readonly onWaiting: () => void;
  private pending: PendingOrder[] = [];
  private seq = 0 as Seq;
  private at = 0;
  /** Whether the next `orderFilled` is the maker's: the taker's comes first after each trade. */
  private isMakerNext = false;

  /** `now` is the exchange's clock; `onWaiting` must have `flush` called after the entry. */
  constructor({
    directory,
    audience,
    now,
    onWaiting,
  }: {
    readonly directory: SymbolDirectory;
    readonly audience: PrivateAudience;
    readonly now: () => number;
    readonly onWaiting: () => void;
  }) {
    this.directory = directory;
    this.audience = audience;
    this.now = now;
    this.onWaiting = onWaiting;
  }

  /** Last entry whose events arrived. */
  get position(): Seq {
    return this.seq;
  }

  /** Sets the position before the first event arrives. */
  startAt(seq: Seq): void {
    if (seq > this.seq) this.seq = seq;
  }

  entryBegan(seq: Seq, at: number): void {
    this.flush();
    this.seq = seq;
    this.at = at;
  }

  orderAccepted(order: OrderView): void {
    // The events of the order before it in the same command are complete.
    this.flush();
    const { account, symbol } = order;
    if (!this.wants('orders', account, symbol)) return;
    const value = orderContent(this.directory, order, { status: 'new', lastLots: null, isMaker: false });
    const { name } = this.directory.at(symbol).rules;
    this.send('orders', account, { symbol: name, at: this.at }, value);
  }

  orderFilled(order: OrderView, lots: Lots): void {
    const isMaker = this.isMakerNext;
    this.isMakerNext = true;
    const isDone = order.budget === null && order.executed === order.quantity;
    this.order(order, isDone ? 'filled' : 'partiallyFilled', lots, isMaker);
  }

  orderClosed(order: OrderView): void {
    if (order.status !== 'filled') {
      this.order(order, order.status, null, false);
      return;
    }
    if (order.budget === null) return;
    // Whether a budget is spent is known only at the close: its last fill was the final one.
    const last = this.pending.findLast((pending) => pending.order === order.order);
    if (last === undefined) return;
    last.content = orderContent(this.directory, order, { status: 'filled', lastLots: last.lastLots, isMaker: false });
  }

  tradeExecuted(trade: Trade): void {
    this.isMakerNext = false;
    this.deal(trade, false);
    this.deal(trade, true);
  }

  posted(account: AccountId, asset: AssetId, toFree: Amount, toHeld: Amount, why: PostingKind): void {
    const balances = this.audience.balancesOf(account);
    if (balances === undefined) return;
    const change = { free: BigInt(toFree), held: BigInt(toHeld) };
    const after = balances.change(this.seq, asset, change.free, change.held);
    if (after === null || !this.audience.wants('account', account)) return;
    const value = accountContent(this.directory, asset, { change, after, why, at: this.at });
    this.send('account', account, { symbol: null, at: this.at }, value);
  }

  /** Sends the order states that were held back until the order's other pushes were sent, or the entry ended. */
  flush(): void {
    if (this.pending.length === 0) return;
    const { pending } = this;
    this.pending = [];
    for (const { account, symbol, at, content } of pending) {
      this.send('orders', account, { symbol, at }, content);
    }
  }

  /** Whether anybody listens to it. Streams are of pairs: they do not tell of contracts. DEC-FUT-61. */
  private wants(channel: PrivateChannel, account: AccountId, symbol: SymbolId): boolean {
    return this.audience.wants(channel, account) && this.directory.contract(symbol) === undefined;
  }

  private order(order: OrderView, status: OrderStatus, lastLots: Lots | null, isMaker: boolean): void {
    const { account, symbol } = order;
    if (!this.wants('orders', account, symbol)) return;
    const content = orderContent(this.directory, order, { status, lastLots, isMaker });
    const { name } = this.directory.at(symbol).rules;
    if (this.pending.length === 0) this.onWaiting();
    this.pending.push({ account, order: order.order, symbol: name, at: this.at, lastLots, content });
  }

  private deal(trade: Trade, isMaker: boolean): void {
    const account = isMaker ? trade.makerAccount : trade.takerAccount;
    if (!this.wants('deals', account, trade.symbol)) return;
    const { name } = this.directory.at(trade.symbol).rules;
    const value = dealContent(this.directory, trade, { isMaker, at: this.at });
    this.send('deals', account, { symbol: name, at: this.at }, value);
  }

  private send<Of extends PrivateChannel>(
    channel: Of,
    account: AccountId,
    about: { readonly symbol: string | null; readonly at: number },
    content: ContentOfChannel<Of>,
  ): void {
    const { stem, body }: { readonly stem: string; readonly body: PushBody } = privateChannels[channel];
    const head = { channel: `spot@${stem}`, symbol: about.symbol, createTime: about.at, sendTime: this.now() };
    this.audience.send(channel, account, createPush(head, body, content));
  }
}
