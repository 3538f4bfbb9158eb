import { parseDecimal } from '#base/decimal.ts';
import type { Order, OwnAccount } from '../guides/example-bot.ts';

/** What the channels push, of what is looked at here. */
interface OrderPush {
  readonly clientId: string;
  readonly status: number;
  readonly cumulativeQuantity: string;
}
interface BalancePush {
  readonly vcoinName: string;
  readonly balanceAmount: string;
  readonly balanceAmountChange: string;
  readonly frozenAmount: string;
  readonly frozenAmountChange: string;
}
export interface DealPush {
  readonly tradeId: string;
  readonly orderId: string;
}
type Balance = { readonly asset: string; readonly free: string; readonly locked: string };

const units = (text: string): bigint => parseDecimal(text, 12) as bigint;
/** Statuses after which nothing comes. */
const isOver = (status: number): boolean => status === 2 || status > 3;

/**
 * The account of the guide's bot, and everything that it heard: what is pushed twice, is out of order or leaves a hole
 * within a connection is noted.
 */
export class RecordedAccount {
  readonly faults: string[] = [];
  /** Client order ids whose first push came, by connection, in order. */
  readonly connections: string[][] = [];
  /** Trades that were pushed, with the order: both orders of one trade may be the account's. */
  readonly deals = new Set<string>();
  /** How often orders and balances were read. */
  reads = 0;
  private readonly inner: OwnAccount;
  private readonly last = new Map<string, OrderPush>();
  private balances = new Map<string, BalancePush>();

  constructor(inner: OwnAccount) {
    this.inner = inner;
  }

  get isReady(): boolean {
    return this.inner.isReady;
  }

  get orders(): OwnAccount['orders'] {
    return this.inner.orders;
  }

  /** Asset, free and locked of each balance, as text. */
  balancesNow(): readonly string[] {
    return [...this.inner.balances].map(([asset, { free, locked }]) => `${asset} ${free} ${locked}`).sort();
  }

  restart(): void {
    // It is called when a connection is lost, and when the next one is subscribed.
    if (this.connections.at(-1)?.length !== 0) this.connections.push([]);
    this.balances = new Map();
    this.inner.restart();
  }

  start(orders: readonly Order[], balances: readonly Balance[]): void {
    this.reads += 1;
    this.inner.start(orders, balances);
  }

  takeOrder(push: OrderPush): void {
    const { clientId, status, cumulativeQuantity } = push;
    const before = this.last.get(clientId);
    if (before === undefined && status === 1) this.connections.at(-1)!.push(clientId);
    const name = `order ${clientId}, status ${status} after ${before?.status}`;
    if (before !== undefined) {
      if (status === 1) this.faults.push(`${name}: it is new twice`);
      if (isOver(before.status)) this.faults.push(`${name}: it was over`);
      if (units(cumulativeQuantity) < units(before.cumulativeQuantity)) this.faults.push(`${name}: less is filled`);
    }
    this.last.set(clientId, push);
    this.inner.takeOrder(push);
  }

  /** The last status that was pushed of an order. */
  statusOf(clientId: string): number | undefined {
    return this.last.get(clientId)?.status;
  }

  takeBalance(push: BalancePush): void {
    const { vcoinName, balanceAmount, balanceAmountChange, frozenAmount, frozenAmountChange } = push;
    const before = this.balances.get(vcoinName);
    if (before !== undefined) {
      const free = units(before.balanceAmount) + signed(balanceAmountChange);
      const frozen = units(before.frozenAmount) + signed(frozenAmountChange);
      if (free !== units(balanceAmount) || frozen !== units(frozenAmount))
        this.faults.push(`${vcoinName}: ${JSON.stringify(push)} after ${JSON.stringify(before)}`);
    }
    this.balances.set(vcoinName, push);
    this.inner.takeBalance(push);
  }

  takeDeal({ tradeId, orderId }: DealPush): void {
    const side = `${tradeId} ${orderId}`;
    if (this.deals.has(side)) this.faults.push(`trade ${side} is pushed twice`);
    this.deals.add(side);
  }
}

const signed = (text: string): bigint => (text.startsWith('-') ? -units(text.slice(1)) : units(text));
