import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coins, mark, terms } from '../oracle/contract-samples.ts';
import type { NaiveFutures } from '../oracle/naive-contracts.ts';
import {
  brokenInvariants,
  canPay,
  closeOrder,
  newFutures,
  openOrder,
  positionOf,
  settleFill,
  transfer,
} from '../oracle/naive-contracts.ts';
import { updatePositions } from '../oracle/naive-liquidation.ts';

const contracts = [terms, { ...terms, id: 2, fund: 98 }];
const traders = [1, 2, 3, 4];

/** Something that happens to the market; numbers are read as the case needs them. */
interface Step {
  readonly kind: 'trade' | 'rest' | 'move' | 'jump' | 'fund' | 'transfer' | 'setting' | 'pause';
  readonly a: number;
  readonly b: number;
  readonly c: number;
}
const natural = fc.integer({ min: 0, max: 999 });
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    'trade',
    'trade',
    'trade',
    'rest',
    'move',
    'move',
    'jump',
    'fund',
    'transfer',
    'setting',
    'pause',
  ),
  a: natural,
  b: natural,
  c: natural,
});

/** The market, and the clock and order numbers of its script. */
class Script {
  readonly state: NaiveFutures = newFutures(contracts);
  readonly seen = { taken: 0, tiers: 0, deleveraged: 0, unpaid: 0, refused: 0 };
  #at = 0;
  #orders = 0;

  constructor() {
    for (const account of traders) transfer(this.state, account, coins(60 * account));
    for (const { id } of contracts) this.state.marks.set(id, mark(50_000));
  }

  run({ kind, a, b, c }: Step): void {
    const contract = 1 + (a % 2);
    const account = traders[b % 4] as number;
    if (kind === 'trade') this.#trade(contract, account, traders[(b + 1 + (c % 3)) % 4] as number, { a, b, c });
    else if (kind === 'rest') this.#rest(contract, account, { a, b, c });
    else if (kind === 'move') this.#update(contract, 970 + (c % 61), new Map());
    else if (kind === 'jump') this.#update(contract, 700 + (c % 601), new Map());
    else if (kind === 'fund') this.#update(contract, 1_000, new Map([[contract, BigInt(c - 500) * 360n]]));
    else if (kind === 'transfer') transfer(this.state, account, coins(c - 500));
    else if (kind === 'setting') this.#set(contract, account, c);
    else if (!this.state.paused.delete(contract)) this.state.paused.add(contract);
  }

  #ticks(contract: number, share: number): bigint {
    return ((this.state.marks.get(contract) as bigint) * BigInt(share)) / 1_000n / 10n ** 7n + 1n;
  }

  #open(contract: number, account: number, side: 'buy' | 'sell', bound: bigint, lots: bigint): number | null {
    const id = ++this.#orders;
    return openOrder(this.state, { id, account, contract, side, bound, lots }) === null ? id : null;
  }

  #trade(contract: number, taker: number, maker: number, { a, b, c }: Omit<Step, 'kind'>): void {
    const side = a % 4 < 2 ? 'buy' : 'sell';
    const ticks = this.#ticks(contract, 950 + (c % 101));
    const lots = BigInt(1 + ((a * b + c) % 150));
    const signed = side === 'buy' ? lots : -lots;
    const orders = [
      this.#open(contract, taker, side, ticks, lots),
      this.#open(contract, maker, side === 'buy' ? 'sell' : 'buy', ticks, lots),
    ] as const;
    const [first, second] = orders;
    const payable =
      canPay(this.state, taker, contract, signed, ticks) && canPay(this.state, maker, contract, -signed, ticks);
    if (first !== null && second !== null && payable) {
      const sides = { taker: { account: taker, order: first }, maker: { account: maker, order: second } };
      settleFill(this.state, { contract, ticks, lots, takerSide: side, ...sides });
      return;
    }
    if (!payable) this.seen.refused++;
    for (const id of orders) if (id !== null) closeOrder(this.state, id);
  }

  #rest(contract: number, account: number, { a, b, c }: Omit<Step, 'kind'>): void {
    this.#open(contract, account, b % 2 === 0 ? 'buy' : 'sell', this.#ticks(contract, 900 + (c % 200)), BigInt(1 + a));
  }

  #set(contract: number, account: number, c: number): void {
    const busy = this.state.orders.some((one) => one.account === account && one.contract === contract);
    if (busy || positionOf(this.state, account, contract) !== undefined) return;
    const leverage = [1n, 3n, 10n, 50n, 100n][c % 5] as bigint;
    this.state.settings.set(`${account}/${contract}`, { mode: c % 2 === 0 ? 'cross' : 'isolated', leverage });
  }

  #update(contract: number, share: number, fundings: ReadonlyMap<number, bigint>): void {
    this.#at += 15_000;
    const before = this.state.marks.get(contract) as bigint;
    this.state.marks.set(contract, (before * BigInt(share)) / 1_000n + 10n ** 9n);
    const done = updatePositions(this.state, this.#at, fundings);
    this.seen.taken += done.takeovers.length;
    this.seen.tiers += done.takeovers.filter(({ account }) => positionOf(this.state, account, contract)).length;
    this.seen.deleveraged += done.deleveragings.length;
    this.seen.unpaid += done.fundings.reduce((total, { unable }) => total + unable.length, 0);
  }
}

describe('the naive model of contracts', () => {
  test('positions sum to zero, money is neither made nor lost, and nobody owes, whatever happens', () => {
    const total = { taken: 0, tiers: 0, deleveraged: 0, unpaid: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 120 }), (steps) => {
        const script = new Script();
        for (const one of steps) {
          script.run(one);
          expect(brokenInvariants(script.state)).toEqual([]);
        }
        for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += script.seen[key];
      }),
      { numRuns: 120, seed: 16 },
    );
    // What the script is for does happen.
    for (const times of Object.values(total)) expect(times).toBeGreaterThan(0);
  });
});
