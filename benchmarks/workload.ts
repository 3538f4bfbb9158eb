import { houseAccountCount } from '#model/account.ts';
import type { W1, W1Totals } from './w1-workload.ts';
import { generateW1, w1Operation } from './w1-workload.ts';

/** Operations for a whole exchange: W1's columns with a symbol and an account beside each. */
export interface Workload {
  readonly symbols: number;
  readonly accounts: number;
  readonly prefill: number;
  readonly count: number;
  readonly operation: Uint8Array;
  readonly side: Uint8Array;
  /** Number that the engine gives, or gave, the order. */
  readonly order: Int32Array;
  readonly price: Int32Array;
  readonly quantity: Int32Array;
  readonly symbol: Uint16Array;
  readonly account: Int32Array;
  /** One per operation; cancels do not use theirs. */
  readonly clientIds: readonly string[];
  readonly totals: W1Totals;
  /** Orders of one account may trade with each other: self-trade prevention is off. */
  readonly selfTrades?: true;
}

const pool: string[] = [];
/** How many ids there are before they come round again: long after the order that had one first is forgotten. */
const poolSize = 1 << 22;

/** Client ids `w1-0`, `w1-1`, …; made once, so that no run pays for making them. */
function clientIds(count: number): readonly string[] {
  while (pool.length < Math.min(count, poolSize)) pool.push(`w1-${pool.length}`);
  return pool;
}

/**
 * The id of an operation: one made before, or a new one where the workload brings none. V8 keeps the decimals of the
 * last ten thousand numbers, which each collection would have to move; it keeps no others.
 */
export const clientIdOf = (workload: Workload, index: number): string =>
  workload.clientIds[index & (poolSize - 1)] ?? `w1-${index.toString(36)}`;

/** The same workload without ids made before: a heap of millions of strings makes every collection long. */
export const withFreshIds = (workload: Workload): Workload => {
  pool.length = 0;
  return { ...workload, clientIds: [] };
};

/** W1 with its users taken modulo 1,000, parity kept; or modulo another even number. */
export function workloadOfW1(w1: W1, accounts = 1000): Workload {
  return {
    ...w1,
    symbols: 1,
    accounts,
    symbol: new Uint16Array(w1.count),
    clientIds: clientIds(w1.count),
    account: w1.user.map((user) => houseAccountCount + (user % accounts)),
  };
}

export interface WideSize {
  readonly symbols: number;
  readonly accounts: number;
  readonly resting: number;
  /** Limit orders after the prefill. */
  readonly limits: number;
}
export const wideSize: WideSize = { symbols: 2000, accounts: 100_000, resting: 1_000_000, limits: 1_000_000 };

/** Base assets share their symbols among this many quote assets. */
export const quotesOfWide = 10;
const usersOfW1 = 10_000;

/** Many small W1 streams, one a symbol, dealt out in turn: what a whole exchange sees. */
export function wideWorkload(size: WideSize = wideSize): Workload {
  const { symbols, accounts } = size;
  const parts = Array.from({ length: symbols }, (_, symbol) =>
    generateW1({ limits: size.limits / symbols, depth: size.resting / symbols, seed: 1 + symbol }),
  );
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const columns = {
    operation: new Uint8Array(count),
    side: new Uint8Array(count),
    order: new Int32Array(count),
    price: new Int32Array(count),
    quantity: new Int32Array(count),
    symbol: new Uint16Array(count),
    account: new Int32Array(count),
  };
  const numbers = parts.map((part) => new Int32Array(part.count + 2));
  const perSymbol = parts[0]?.count ?? 0;
  let orders = 0;
  let at = 0;
  for (let round = 0; round < perSymbol; round += 1) {
    for (let turn = 0; turn < symbols; turn += 1) {
      const symbol = (turn * 7 + round * 13) % symbols;
      const part = parts[symbol]!;
      const local = part.order[round]!;
      if (part.operation[round] !== w1Operation.cancel) numbers[symbol]![local] = ++orders;
      const group = Math.floor(symbol / quotesOfWide) % Math.ceil(accounts / usersOfW1);
      columns.operation[at] = part.operation[round]!;
      columns.side[at] = part.side[round]!;
      columns.order[at] = numbers[symbol]![local]!;
      columns.price[at] = part.price[round]!;
      columns.quantity[at] = part.quantity[round]!;
      columns.symbol[at] = symbol;
      columns.account[at] = houseAccountCount + ((part.user[round]! + group * usersOfW1) % accounts);
      at += 1;
    }
  }
  giveCancelsTheirOwner(columns);
  const sum = (of: (totals: W1Totals) => number): number => parts.reduce((total, part) => total + of(part.totals), 0);
  return {
    symbols,
    accounts,
    prefill: size.resting,
    count,
    ...columns,
    clientIds: clientIds(count),
    totals: { trades: sum(({ trades }) => trades), lots: sum(({ lots }) => lots), live: sum(({ live }) => live) },
  };
}

/** A cancel comes from the account that placed the order. */
function giveCancelsTheirOwner(columns: Pick<Workload, 'operation' | 'order' | 'account'>): void {
  const owner = new Int32Array(columns.operation.length + 2);
  columns.operation.forEach((operation, at) => {
    if (operation === w1Operation.cancel) columns.account[at] = owner[columns.order[at]!]!;
    else owner[columns.order[at]!] = columns.account[at]!;
  });
}

/**
 * The same workload with its accounts dealt anew: each buys and sells, so that positions open and close. Where W1 never
 * makes an account meet itself, now one trade of as many as there are accounts does.
 */
export function withBothSides(workload: Workload): Workload {
  const { accounts } = workload;
  const account = workload.account.map((_, at) => houseAccountCount + ((Math.imul(at, 0x9e3779b1) >>> 7) % accounts));
  return withOwnedCancels({ ...workload, account, selfTrades: true });
}

/** As the workload, with the owner of each order on its cancels: W1 itself names no user there. */
export function withOwnedCancels(workload: Workload): Workload {
  giveCancelsTheirOwner(workload);
  return workload;
}
