import { expect, test } from 'vitest';
import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import type { CommandOf } from '#model/command.ts';
import { as, type AccountId, type Balance } from '#model/units.ts';
import { Chance } from '../fuzz/chance.ts';
import { NaiveAdjustments, type NaiveKind, type Purse } from '../oracle/naive-adjustments.ts';
import { AdjustmentDesk } from '../scenario/adjustment-desk.ts';
import { assets, people } from '../scenario/wallet-harness.ts';

const seeds = Array.from({ length: 12 }, (_, seed) => seed);
const commandsEach = 300;
const accounts: Readonly<Record<string, AccountId>> = {
  ...{ alice: people.alice, bob: people.bob, aliceFutures: futuresWalletOf(people.alice) },
  ...{ fees: house.fees, rounding: house.rounding, outside: house.outside },
  ...{ gas: innerHouse.gas, dust: innerHouse.dust, capital: innerHouse.capital },
  ...{ revenue: innerHouse.revenue, adjustments: innerHouse.adjustments, grants: innerHouse.grants },
};
const purses: readonly Purse[] = [
  ...(['alice', 'alice', 'bob', 'bob', 'aliceFutures', 'fees', 'fees', 'rounding'] as const),
  ...(['gas', 'dust', 'capital', 'revenue'] as const),
];
const kinds: readonly NaiveKind[] = ['credit', 'debit', 'correction', 'correction', 'capitalIn', 'revenueOut'];
const operators = ['olga', 'pete'] as const;

/** The engine and the model side by side: money is scarce, and two operators push it to and fro. */
class Pair {
  readonly desk = new AdjustmentDesk({ adjustFourEyesAbove: as<Balance>(100n) });
  readonly model = new NaiveAdjustments();
  readonly chance: Chance;

  constructor(seed: number) {
    this.chance = new Chance(seed);
    this.model.move('outside', 'alice', 1000n);
  }

  /** One random command on both: what each of them said. */
  next(): readonly [engine: string, model: string] {
    const { chance, desk, model } = this;
    desk.at += chance.pick([0, 1, 3_600_000]);
    if (chance.in(0.05)) this.#bound();
    if (chance.in(0.05)) desk.run({ kind: 'endProposals' });
    if (chance.in(0.1)) return this.#transfer();
    const by = chance.pick(operators);
    if (model.proposals > 0 && chance.in(0.25)) {
      const proposal = 1 + chance.below(model.proposals);
      return [desk.approve(by, proposal), model.approve(by, proposal, desk.at)];
    }
    const [kind, purse] = [chance.pick(kinds), chance.pick(purses)];
    const has = model.of(purse);
    const most = has < 0n ? -has : has;
    const size = chance.pick([1n, 7n, 60n, 101n, most, most, most + 1n]);
    const amount = (size === 0n ? 1n : size) * (kind === 'correction' && chance.in(0.5) ? -1n : 1n);
    return [desk.by(by, this.#command(kind, purse, amount)), model.adjust(by, kind, purse, amount, desk.at)];
  }

  #command(type: NaiveKind, purse: Purse, amount: bigint): CommandOf<'adjustBalance'> {
    const isFutures = purse === 'aliceFutures';
    const isUser = isFutures || purse === 'alice' || purse === 'bob';
    return {
      ...({ kind: 'adjustBalance', type, asset: assets.USDT, amount: as<Balance>(amount) } as const),
      account: isFutures ? people.alice : accounts[purse]!,
      wallet: isFutures ? 'futures' : isUser ? 'spot' : null,
      ...{ reason: 'why', reference: null },
    };
  }

  /** Of alice between her wallets: what was free is not, when a proposal is approved. */
  #transfer(): readonly [string, string] {
    const { desk, model, chance } = this;
    const toFutures = chance.in(0.5);
    const [from, to] = toFutures ? (['alice', 'aliceFutures'] as const) : (['aliceFutures', 'alice'] as const);
    const amount = model.of(from);
    if (amount === 0n) return ['nothing', 'nothing'];
    const wallets = toFutures ? ({ from: 'spot', to: 'futures' } as const) : ({ from: 'futures', to: 'spot' } as const);
    model.move(from, to, amount);
    const terms = { account: people.alice, asset: assets.USDT, amount: as<Balance>(amount), clientTranId: null };
    return [desk.say({ kind: 'transferFunds', ...terms, ...wallets }), 'fundsTransferred'];
  }

  #bound(): void {
    const bound = this.chance.pick([null, 0n, 50n, 100n, 1000n]);
    this.model.bound = bound;
    const rules = { ...this.desk.engine.state.walletRules.value!, adjustFourEyesAbove: bound as Balance | null };
    expect(this.desk.say({ kind: 'configureWallet', rules })).toBe('walletConfigured');
  }

  balances(): readonly (readonly [string, bigint])[] {
    return Object.entries(accounts).map(([purse, account]) => [purse, this.desk.free(account, assets.USDT)]);
  }
}

test('DEC-OPR-181 to 183: adjustments do what a model of their rules does, and no money is made or lost', () => {
  const told = new Map<string, number>();
  for (const seed of seeds) {
    const pair = new Pair(seed);
    for (let index = 0; index < commandsEach; index += 1) {
      const [engine, model] = pair.next();
      expect([seed, index, engine]).toEqual([seed, index, model]);
      told.set(engine, (told.get(engine) ?? 0) + 1);
      const balances = pair.balances();
      expect(balances).toEqual(Object.keys(accounts).map((purse) => [purse, pair.model.of(purse)]));
      expect(balances.reduce((sum, [, balance]) => sum + balance, 0n)).toBe(0n);
      expect(pair.desk.equity()).toBe(pair.model.equity());
      for (const [purse, balance] of balances)
        expect(balance >= 0n || ['outside', 'capital', 'adjustments', 'grants'].includes(purse)).toBe(true);
    }
  }
  for (const wanted of ['balanceAdjusted', 'proposalChanged', 'notEnoughFunds', 'houseHasTooLittle', 'sameOperator'])
    expect([wanted, (told.get(wanted) ?? 0) > 20]).toEqual([wanted, true]);
});
