import type { EventSink, Fact, Trade } from '#domain/events.ts';
import { noopSink } from '#domain/event-record.ts';
import type { AccountId, AssetId, OrderNumber, SymbolId } from '#domain/units.ts';
import type { ExchangeQueries } from '#ingress/exchange-queries.ts';
import { RestingOrders } from '#sandbox/agents/resting-orders.ts';

/** Open orders and balances of the participants, folded from the exchange's events. */
export interface ParticipantFold {
  readonly sink: EventSink;
  /** Folds a further account too, from now on; `load` reads what it has. */
  follow(account: AccountId): void;
  restingOf(account: AccountId, symbol: SymbolId): RestingOrders;
  /** Free balance in smallest units, rounded to a float. */
  free(account: AccountId, asset: AssetId): number;
  /** Free plus held balance. */
  total(account: AccountId, asset: AssetId): number;
  /** Removes an order that the exchange no longer has. */
  forget(account: AccountId, symbol: SymbolId, order: OrderNumber): void;
  /** Loads the current state, which later events update. */
  load(queries: ExchangeQueries): Promise<void>;
}

interface Own {
  /** By symbol. */
  readonly books: (RestingOrders | undefined)[];
  readonly free: Float64Array;
  readonly total: Float64Array;
}

/** Attempts to read the state without an entry in between; after the last one the state is used as read. */
const loadAttempts = 10;

/** Events of the whole market. */
export interface MarketNews {
  /** Each trade, and whether an account outside the simulation took part. Valid during the call only. */
  onTrade(trade: Trade, withOutsider: boolean): void;
  onFact(fact: Fact): void;
}

/** A fold over the accounts of `accounts`. */
export function createParticipantFold(
  accounts: readonly AccountId[],
  assetCount: number,
  news: MarketNews,
): ParticipantFold {
  const owners: (Own | undefined)[] = [];
  const followed: AccountId[] = [];
  const follow = (account: AccountId): void => {
    if (owners[account] !== undefined) return;
    followed.push(account);
    owners[account] = { books: [], free: new Float64Array(assetCount), total: new Float64Array(assetCount) };
  };
  for (const account of accounts) follow(account);
  const ownOf = (account: AccountId): Own => {
    const own = owners[account];
    if (own === undefined) throw new RangeError(`account ${account} is no participant`);
    return own;
  };
  const bookOf = (own: Own, symbol: SymbolId): RestingOrders => (own.books[symbol] ??= new RestingOrders());
  const move = (account: AccountId, asset: AssetId, free: number, held: number): void => {
    const own = owners[account];
    if (own === undefined || asset >= assetCount) return;
    own.free[asset] = (own.free[asset] as number) + free;
    own.total[asset] = (own.total[asset] as number) + free + held;
  };
  const sink: EventSink = {
    ...noopSink,
    orderAccepted: (order) => {
      const own = owners[order.account];
      if (own !== undefined && (order.kind === 'limit' || order.kind === 'postOnly'))
        bookOf(own, order.symbol).add(order);
    },
    orderFilled: (order) => {
      owners[order.account]?.books[order.symbol]?.fill(order.order, order.quantity - order.executed);
    },
    orderClosed: (order) => {
      owners[order.account]?.books[order.symbol]?.remove(order.order);
    },
    tradeExecuted: (trade) => {
      news.onTrade(trade, owners[trade.takerAccount] === undefined || owners[trade.makerAccount] === undefined);
    },
    posted: (account, asset, free, held) => move(account, asset, Number(free), Number(held)),
    fact: (fact) => news.onFact(fact),
  };
  const read = async (queries: ExchangeQueries): Promise<void> => {
    for (const account of followed) {
      const own = ownOf(account);
      for (const book of own.books) book?.clear();
      for (const order of await queries.openOrders(account, null)) bookOf(own, order.symbol).add(order);
      own.free.fill(0);
      own.total.fill(0);
      for (const balance of await queries.balances(account)) {
        move(account, balance.asset, Number(balance.free), Number(balance.held));
      }
    }
  };
  return {
    sink,
    follow,
    restingOf: (account, symbol) => bookOf(ownOf(account), symbol),
    free: (account, asset) => ownOf(account).free[asset] ?? 0,
    total: (account, asset) => ownOf(account).total[asset] ?? 0,
    forget: (account, symbol, order) => {
      ownOf(account).books[symbol]?.remove(order);
    },
    load: async (queries) => {
      for (let attempt = 0; attempt < loadAttempts; attempt += 1) {
        const before = (await queries.position()).seq;
        await read(queries);
        if ((await queries.position()).seq === before) return;
      }
    },
  };
}
