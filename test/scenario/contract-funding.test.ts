import { describe, expect, test } from 'vitest';
import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import { noopSink } from '#model/event-record.ts';
import type { Fact } from '#model/events.ts';
import { as, type AccountId, type AssetId, type TimestampMs } from '#model/units.ts';
import { settleFunding } from '#engine/futures/settle-funding.ts';
import { holdOwnerNumbers } from '#model/hold.ts';
import { EngineState } from '#engine/state/state.ts';
import { bitcoinRules, ContractMarket } from './contract-market.ts';

const usdt = as<AssetId>(1);
const fair = 60_000 * 100_000_000;
const at = as<TimestampMs>(28_800_000);

/** Accounts with positions at 60,000 USDT, of which a lot is 6 USDT; free money and margin in millionths of USDT. */
interface Holder {
  readonly lots: number;
  readonly free: number;
  readonly margin: number;
}

/** Settles a funding, and tells what each holder has free and as margin after it, and what the house gained. */
function funded(holders: readonly Holder[], rate: number) {
  const state = new EngineState();
  const facts: Fact[] = [];
  state.books.push(new ContractMarket().book);
  state.contracts.put({ rules: bitcoinRules, insurer: as(99) });
  state.emit.sink = { ...noopSink, fact: (fact) => void facts.push(fact) };
  const { ledger, holds } = state;
  const positions = holders.map(({ lots, free, margin }, index) => {
    const account = as<AccountId>(100 + index);
    ledger.move(innerHouse.grants, futuresWalletOf(account), usdt, free + margin, 'contractProfit');
    const row = ledger.balances.row(futuresWalletOf(account), usdt);
    const hold = ledger.openHold(row, margin, { kind: holdOwnerNumbers.position, id: index }, 'orderHold');
    const terms = { cost: 0n, mode: 'isolated', leverage: 1, realised: 0n, openedAt: at, updatedAt: at } as const;
    const position = { account, contract: bitcoinRules.id, lots, hold, ...terms };
    state.positions.put(position);
    return { ...position, row };
  });
  settleFunding(state, bitcoinRules, positions, { at, rate, fair });
  ledger.assertBalanced();
  const left = positions.map(({ row, hold }) => [Number(ledger.balances.free.get(row)), Number(holds.amount(hold))]);
  const rounding = Number(ledger.balances.free.get(ledger.balances.row(house.rounding, usdt)));
  return { left, rounding, told: facts.find(({ kind }) => kind === 'fundingSettled') };
}

describe('funding', () => {
  test('goes from longs to shorts by lots, by DEC-FUT-14', () => {
    // 0.01 % of 6 USDT a lot is 600 units: 600 × 10 from the long, 600 × 4 and 600 × 6 to the shorts
    const { left, rounding, told } = funded(
      [
        { lots: 10, free: 10_000, margin: 500 },
        { lots: -4, free: 0, margin: 500 },
        { lots: -6, free: 1, margin: 0 },
      ],
      10_000,
    );
    expect([left, rounding]).toEqual([
      [
        [4000, 500],
        [2400, 500],
        [3601, 0],
      ],
      0,
    ]);
    const funding = { contract: 0, at, rate: 10_000, fair, paid: 6000n, received: 6000n };
    expect(told).toEqual({ kind: 'fundingSettled', funding });
  });

  test('is taken from the margin where the free balance does not suffice, by DEC-FUT-29', () => {
    const { left } = funded(
      [
        { lots: 10, free: 5000, margin: 3000 },
        { lots: -10, free: 0, margin: 0 },
      ],
      10_000,
    );
    expect(left).toEqual([
      [0, 2000],
      [6000, 0],
    ]);
  });

  test('that is not paid wholly is shared by its receivers, and the rest goes to rounding, by DEC-FUT-29', () => {
    // 4,000 + 1,001 of 6,000 owed: 5,001 × 2,400 / 6,000 = 2,000.4 and 5,001 × 3,600 / 6,000 = 3,000.6
    const { left, rounding, told } = funded(
      [
        { lots: 10, free: 4000, margin: 1001 },
        { lots: -4, free: 0, margin: 0 },
        { lots: -6, free: 0, margin: 0 },
      ],
      10_000,
    );
    expect([left, rounding]).toEqual([
      [
        [0, 0],
        [2000, 0],
        [3000, 0],
      ],
      1,
    ]);
    expect(told).toMatchObject({ funding: { paid: 5001n, received: 5000n } });
  });

  test('below zero goes from shorts to longs, and what rounding leaves to the house, by DEC-FUT-14', () => {
    // 333 parts per 10^8 of 6 USDT are 19.98 units a lot: 20 of each short, 39 to the long of two
    const { left, rounding } = funded(
      [
        { lots: 2, free: 0, margin: 0 },
        { lots: -1, free: 100, margin: 0 },
        { lots: -1, free: 100, margin: 0 },
      ],
      -333,
    );
    expect([left, rounding]).toEqual([
      [
        [39, 0],
        [80, 0],
        [80, 0],
      ],
      1,
    ]);
  });
});
