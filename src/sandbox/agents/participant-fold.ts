import { futuresWalletOf, ledgerSections } from '#model/account.ts';
import type { PositionView } from '#model/contract.ts';
import type { EventSink, Fact, Trade } from '#model/events.ts';
import { noopSink } from '#model/event-record.ts';
import type { AccountId, AssetId, OrderNumber, SymbolId } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { RestingOrders } from '#sandbox/agents/resting-orders.ts';

/** Open orders and balances of the participants, folded from the exchange's events. */
export interface ParticipantFold {
  readonly sink: EventSink;
  /** Folds a further account too, from now on; `load` reads what it has. */
  follow(account: AccountId): void;
  /** Whom it folds. */
  accounts(): readonly AccountId[];
  restingOf(account: AccountId, symbol: SymbolId): RestingOrders;
  /** Free balance in smallest units, rounded to a float. */
  free(account: AccountId, asset: AssetId): number;
  /** Free plus held balance. */
  total(account: AccountId, asset: AssetId): number;
  /** Free balance of the futures wallet. */
  futuresFree(account: AccountId, asset: AssetId): number;
  /** Contracts that it holds: above zero long, below zero short. */
  lots(account: AccountId, contract: SymbolId): number;
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
  readonly futuresFree: Float64Array;
  /** By contract; absent: none. */
  readonly lots: Map<SymbolId, number>;
}

type Column = Float64Array;

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
  const futuresOwners = new Map<AccountId, Own>();
  const followed: AccountId[] = [];
  const follow = (account: AccountId): void => {
    if (owners[account] !== undefined) return;
    followed.push(account);
    const [free, total, futuresFree] = [0, 1, 2].map(() => new Float64Array(assetCount)) as [Column, Column, Column];
    const own: Own = { books: [], free, total, futuresFree, lots: new Map() };
    owners[account] = own;
    futuresOwners.set(futuresWalletOf(account), own);
  };
  for (const account of accounts) follow(account);
  const ownOf = (account: AccountId): Own => {
    const own = owners[account];
    if (own === undefined) throw new RangeError(`account ${account} is no participant`);
    return own;
  };
  const bookOf = (own: Own, symbol: SymbolId): RestingOrders => (own.books[symbol] ??= new RestingOrders());
  const move = (account: AccountId, asset: AssetId, free: number, held: number): void => {
    if (asset >= assetCount) return;
    if (account >= ledgerSections.futuresFrom) {
      const owner = futuresOwners.get(account);
      if (owner !== undefined) owner.futuresFree[asset] = (owner.futuresFree[asset] as number) + free;
      return;
    }
    const own = owners[account];
    if (own === undefined) return;
    own.free[asset] = (own.free[asset] as number) + free;
    own.total[asset] = (own.total[asset] as number) + free + held;
  };
  const hold = ({ account, contract, lots }: PositionView): void => {
    owners[account]?.lots.set(contract, lots);
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
    positionChanged: hold,
    fact: (fact) => news.onFact(fact),
  };
  const readOrders = async (queries: ExchangeQueries, account: AccountId, own: Own): Promise<void> => {
    for (const book of own.books) book?.clear();
    const contracts = (await queries.contracts.all()).map(({ id }) => id);
    for (const order of await queries.openOrders(account, null))
      if (!contracts.includes(order.symbol)) bookOf(own, order.symbol).add(order);
    for (const contract of contracts)
      for (const order of await queries.openOrders(account, contract)) bookOf(own, contract).add(order);
  };
  const read = async (queries: ExchangeQueries): Promise<void> => {
    for (const account of followed) {
      const own = ownOf(account);
      await readOrders(queries, account, own);
      for (const column of [own.free, own.total, own.futuresFree]) column.fill(0);
      for (const wallet of [account, futuresWalletOf(account)])
        for (const { asset, free, held } of await queries.balances(wallet))
          move(wallet, asset, Number(free), Number(held));
      own.lots.clear();
      for (const position of await queries.contracts.positionsOf(account)) hold(position);
    }
  };
  return {
    sink,
    follow,
    accounts: () => followed,
    restingOf: (account, symbol) => bookOf(ownOf(account), symbol),
    free: (account, asset) => ownOf(account).free[asset] ?? 0,
    total: (account, asset) => ownOf(account).total[asset] ?? 0,
    futuresFree: (account, asset) => ownOf(account).futuresFree[asset] ?? 0,
    lots: (account, contract) => ownOf(account).lots.get(contract) ?? 0,
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
