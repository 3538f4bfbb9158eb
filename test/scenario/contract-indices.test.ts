import { describe, expect, test } from 'vitest';
import { futuresWalletOf, innerHouse } from '#model/account.ts';
import type { ContractFact, ContractRules } from '#model/contract.ts';
import { noopSink } from '#model/event-record.ts';
import type { Fact } from '#model/events.ts';
import { as, type AccountId, type AssetId, type Lots, type SymbolId, type TimestampMs } from '#model/units.ts';
import { updateIndices } from '#engine/futures/index-commands.ts';
import { createMatching } from '#engine/spot/matching.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { EngineState } from '#engine/state/state.ts';
import { bitcoinRules, ContractMarket } from './contract-market.ts';

const usdt = as<AssetId>(1);
const hour = 3_600_000;
const price = 60_000 * 100_000_000;
const insurer = as<AccountId>(50);
const tiers = [{ maxLots: as<Lots>(1_000_000), maintenancePpm: 4000, initialPpm: 5000, maxLeverage: 200 }];
/** What a lot costs at that price, in units of the settle coin. */
const lotCost = 6_000_000;

/** Two contracts, numbers 0 and 1, whose prices are told by command. */
class Exchange {
  readonly state = new EngineState();
  private readonly update = updateIndices(createMatching(this.state));
  private facts: Fact[] = [];

  constructor() {
    const { state } = this;
    for (const [id, code] of ['BTC', 'USDT'].entries())
      state.assets.put({
        id: as(id),
        code,
        fullName: code,
        scale: 6,
        cap: as(1n << 60n),
        coinId: '',
        isDelisted: false,
      });
    for (const id of [0, 1]) {
      const rules = { ...bitcoinRules, id: as<SymbolId>(id), tiers };
      const market = new ContractMarket(rules).quote([], [], 600_000);
      state.books.push(market.book);
      state.contracts.put({ rules, insurer });
    }
    state.ledger.move(innerHouse.grants, futuresWalletOf(insurer), usdt, 7000, 'contractProfit');
    state.emit.sink = { ...noopSink, fact: (fact) => void this.facts.push(fact) };
  }

  paused(): readonly SymbolId[] {
    const all = this.state.contracts.all();
    return all.filter(({ rules }) => rules.state === 'paused').map(({ rules }) => rules.id);
  }

  setState(contract: number, state: ContractRules['state']): void {
    const { rules } = this.state.contracts.at(as(contract));
    this.state.contracts.put({ rules: { ...rules, state }, insurer });
  }

  /** Opens positions of so many lots in the first contract. */
  hold(...lotsOf: readonly (readonly [account: number, lots: number])[]): void {
    const { id } = bitcoinRules;
    for (const [account, lots] of lotsOf) {
      const settings = { account: as<AccountId>(account), contract: id, mode: 'cross', leverage: 20 } as const;
      const opened = { openedAt: as<TimestampMs>(0), updatedAt: as<TimestampMs>(0), hold: noHold };
      const cost = BigInt(lots * lotCost);
      this.state.positions.put({ ...settings, ...opened, lots, cost, realised: 0n });
      this.state.ledger.move(
        innerHouse.grants,
        futuresWalletOf(settings.account),
        usdt,
        as(1_000_000_000n),
        'contractProfit',
      );
    }
  }

  /** Tells prices at a time; returns the facts of it. */
  tell(at: number, told: readonly (readonly [contract: number, price: number | null])[]): readonly Fact[] {
    this.facts = [];
    this.state.progress.at = as(at);
    const prices = told.map(([contract, value]) => ({ contract: as<SymbolId>(contract), price: value }));
    this.update(this.state, { kind: 'updateIndices', prices });
    this.state.ledger.assertBalanced();
    return this.facts;
  }
}

const kindsOf = (facts: readonly Fact[]): readonly string[] => facts.map(({ kind }) => kind);
const marksOf = (facts: readonly Fact[]): readonly object[] =>
  facts.filter((fact): fact is ContractFact & { kind: 'markUpdated' } => fact.kind === 'markUpdated');

describe('indices of a second', () => {
  test('give each contract its prices, open interest and fund, by DEC-FUT-03', () => {
    const exchange = new Exchange();
    exchange.hold([11, 7], [12, -9], [13, 2]);
    const facts = exchange.tell(1000, [[0, price]]);
    const told = { index: price, fair: price, openInterest: 9, fundingRate: 0, nextFundingAt: 8 * hour };
    const untold = { index: 0, fair: 0, openInterest: 0, fundingRate: 0, nextFundingAt: 8 * hour };
    expect(marksOf(facts)).toMatchObject([
      // without depth the premium is 0, and the rate the interest
      { mark: { contract: 0, ...told, predictedRate: 10_000, fund: 7000n, at: 1000 } },
      { mark: { contract: 1, ...untold, predictedRate: 10_000, fund: 7000n, at: 1000 } },
    ]);
  });

  test('settle a funding before its new rate is told, by DEC-FUT-14', () => {
    const exchange = new Exchange();
    const { ledger } = exchange.state;
    ledger.move(innerHouse.grants, futuresWalletOf(as(11)), usdt, 1000, 'contractProfit');
    exchange.hold([11, 1], [12, -1]);
    exchange.tell(8 * hour - 1000, [[0, price]]);
    const facts = exchange.tell(8 * hour, [[0, price]]);
    expect(kindsOf(facts).filter((kind) => kind !== 'fundSnapshot')).toEqual([
      'fundingSettled',
      'markUpdated',
      'markUpdated',
    ]);
    // 0.01 % of 6 USDT
    expect(facts[0]).toMatchObject({
      funding: { contract: 0, at: 8 * hour, rate: 10_000, paid: 600n, received: 600n },
    });
    expect(marksOf(facts)[0]).toMatchObject({ mark: { fundingRate: 10_000, nextFundingAt: 16 * hour } });
  });

  test('that leave a contract out for 60 s pause it, by DEC-FUT-03', () => {
    const exchange = new Exchange();
    exchange.tell(1000, [
      [0, price],
      [1, price],
    ]);
    exchange.tell(60_999, [[0, price]]);
    expect(exchange.paused()).toEqual([]);
    exchange.tell(61_000, [[0, price]]);
    expect(exchange.paused()).toEqual([1]);
  });

  test('pause no contract that is not enabled, and give no prices to one that has ended, by DEC-FUT-09', () => {
    const exchange = new Exchange();
    exchange.setState(0, 'paused');
    exchange.setState(1, 'offline');
    const facts = exchange.tell(90_000, [[1, price]]);
    expect(kindsOf(facts)).toEqual(['markUpdated']);
    expect(marksOf(facts)).toMatchObject([{ mark: { contract: 0 } }]);
  });

  test.each([
    ['an unknown contract', [2, price], 'unknownContract'],
    ['a price of 0', [1, 0], 'invalidConfiguration'],
    ['a price below 0', [1, -1], 'invalidConfiguration'],
  ] as const)('with %s change nothing', (_what, wrong, reason) => {
    const exchange = new Exchange();
    expect(exchange.tell(1000, [[0, price], wrong])).toEqual([{ kind: 'commandRefused', reason }]);
    expect(exchange.tell(2000, [])[0]).toMatchObject({ mark: { contract: 0, index: 0 } });
  });
});
