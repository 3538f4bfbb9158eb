import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import { as, type AccountId, type TimestampMs } from '#model/units.ts';
import { buySide, sellSide } from '#engine/book/side-code.ts';
import { ContractMark } from '#engine/state/futures/contract-mark.ts';
import { fundingPayments } from '#engine/futures/funding-payments.ts';
import { fundingCycleMs, fundingRate } from '#engine/state/futures/funding-rate.ts';
import { impactPrice } from '#engine/futures/impact-price.ts';
import { premiumSample } from '#engine/futures/update-mark.ts';
import { updateMark, type MarkUpdate } from '#engine/futures/update-mark.ts';
import { bitcoinRules, ContractMarket } from './contract-market.ts';

/** USDT as a mark price, and a rate, in their steps of 10^-8. */
const steps = (value: string): number => {
  const [whole = '0', fraction = ''] = value.replace('-', '').split('.');
  const size = Number(whole) * 100_000_000 + Number(fraction.padEnd(8, '0'));
  return value.startsWith('-') ? -size : size;
};
const hour = 3_600_000;
const tenThousand = 10_000_000_000n;

/** A contract at a time of day that moves on by update. */
class Clocked {
  readonly market = new ContractMarket();
  mark: ContractMark;
  now: number;

  constructor(now: number) {
    this.now = now;
    this.mark = new ContractMark(bitcoinRules.id, as(now), fundingCycleMs(bitcoinRules));
  }

  update(index: string | null, laterMs = 1000): MarkUpdate {
    this.now += laterMs;
    return updateMark(this.mark, this.market, index === null ? null : steps(index), as(this.now));
  }
}

describe('fair price', () => {
  // Four of eight hours are left, so by funding it is 60,000 × (1 + 0.0001 × 4 / 8) = 60,003. The mids are 60,010 and
  // 60,020, so by the moving average it is 60,000 + (10 + 20) / 2 = 60,015.
  const twoSeconds = (last: number): Clocked => {
    const clocked = new Clocked(4 * hour - 2000);
    clocked.mark.lastRate = steps('0.0001');
    clocked.market.quote([[600_099, 1]], [[600_101, 1]], last);
    clocked.update('60000');
    clocked.market.quote([[600_199, 1]], [[600_201, 1]]);
    clocked.update('60000');
    return clocked;
  };

  test('is the median: the moving average between funding and last price, by DEC-FUT-12', () => {
    expect(twoSeconds(600_400).mark.fair).toBe(steps('60015'));
  });

  test('is the median: the price by funding between last price and moving average, by DEC-FUT-12', () => {
    expect(twoSeconds(599_900).mark.fair).toBe(steps('60003'));
  });

  test('is the median: the last price between the two others, by DEC-FUT-12', () => {
    expect(twoSeconds(600_070).mark.fair).toBe(steps('60007'));
  });

  test('is the index before any trade and without a book, by DEC-FUT-27', () => {
    const clocked = new Clocked(0);
    clocked.update('61234.56789012');
    expect(clocked.mark.fair).toBe(steps('61234.56789012'));
  });

  test('leaves samples out that are five minutes old, by DEC-FUT-12', () => {
    const clocked = new Clocked(0);
    // one sample of +100 in second 1, the book is empty after it
    clocked.market.quote([[600_900, 1]], [[601_100, 1]], 700_000);
    clocked.update('60000');
    clocked.market.quote([], []);
    clocked.update('60000', 299_000);
    // second 300: funding says 60,000, the average 60,100, the last price 70,000
    expect(clocked.mark.fair).toBe(steps('60100'));
    clocked.update('60000');
    // second 301: without a sample the average is the index too
    expect(clocked.mark.fair).toBe(steps('60000'));
  });

  test('takes one sample in a second, the first, by DEC-FUT-27', () => {
    const clocked = new Clocked(0);
    clocked.market.quote([[600_900, 1]], [[601_100, 1]], 700_000);
    clocked.update('60000');
    clocked.market.quote([[609_900, 1]], [[610_100, 1]]);
    clocked.update('60000', 999);
    expect([clocked.mark.fair, clocked.mark.premiumCount]).toEqual([steps('60100'), 1]);
  });
});

describe('index', () => {
  test('stays when no source is live, and the pause is due after 60 s, by DEC-FUT-03', () => {
    const clocked = new Clocked(0);
    clocked.market.quote([], [], 600_000);
    expect(clocked.update('60000').isPauseDue).toBe(false);
    expect(clocked.update(null, 59_999).isPauseDue).toBe(false);
    expect(clocked.update(null, 1).isPauseDue).toBe(true);
    expect([clocked.mark.index, clocked.mark.fair]).toEqual([steps('60000'), steps('60000')]);
    expect(clocked.update('59000').isPauseDue).toBe(false);
  });

  test('that never came pauses a contract 60 s after it was listed, by DEC-FUT-03', () => {
    const clocked = new Clocked(500_000);
    expect([clocked.update(null, 59_999).isPauseDue, clocked.update(null, 1).isPauseDue]).toEqual([false, true]);
    expect(clocked.mark.fair).toBe(0);
  });
});

describe('premium', () => {
  test('above the index is that of the impact bid, by DEC-FUT-13', () => {
    // 500 lots at 60,000 are 0.05 BTC and 3,000 USDT; 1,000 lots at 59,990 are 0.1 BTC and 5,999 USDT; the other 1,001
    // USDT go at 59,900. Average: 10,000 / (0.15 + 1,001 / 59,900) = 599,000,000 / 9,986 = 59,983.977568596…
    // Premium over 59,900: 83.97756860 / 59,900 = 0.00140196275
    const { book, levels } = new ContractMarket().quote(
      [
        [600_000, 500],
        [599_900, 1000],
        [599_000, 10_000],
      ],
      [],
    );
    const bid = impactPrice(book, levels, buySide, tenThousand);
    expect(bid).toBe(steps('59983.97756860'));
    expect(premiumSample(steps('59900'), bid, 0)).toBe(140_196);
  });

  test('below the index is that of the impact ask, by DEC-FUT-13', () => {
    // 500 lots at 60,000 are 3,000 USDT, the other 7,000 go at 60,050. Average: 10,000 / (0.05 + 7,000 / 60,050) =
    // 600,500,000 / 10,002.5 = 60,034.991252186… Premium under 60,100: -65.00874781 / 60,100 = -0.00108167633
    const { book, levels } = new ContractMarket().quote(
      [],
      [
        [600_000, 500],
        [600_500, 100_000],
      ],
    );
    const ask = impactPrice(book, levels, sellSide, tenThousand);
    expect(ask).toBe(steps('60034.99125219'));
    expect(premiumSample(steps('60100'), 0, ask)).toBe(-108_168);
  });

  test('is 0 while the index lies between the impact prices, by DEC-FUT-13', () => {
    expect(premiumSample(steps('60000'), steps('59999'), steps('60001'))).toBe(0);
  });

  test('of a side one lot short of 10,000 USDT counts as 0, by DEC-FUT-13', () => {
    // 10,000 USDT at 50,000 are 0.2 BTC or 2,000 lots
    const market = new ContractMarket();
    const bidOf = (lots: number): number => {
      const { book, levels } = market.quote([[500_000, lots]], []);
      return impactPrice(book, levels, buySide, tenThousand);
    };
    expect([bidOf(2000), bidOf(1999)]).toEqual([steps('50000'), 0]);
  });

  test('is at most 100 % of the index, by DEC-FUT-26', () => {
    expect(premiumSample(steps('100'), steps('300'), 0)).toBe(100_000_000);
  });
});

describe('funding rate', () => {
  // I = 0.0001 in a cycle of eight hours
  test.each([
    // I - P = -0.0002 is within ±0.0005, so F = I
    ['0.0003', '0.0001'],
    ['-0.0002', '0.0001'],
    // I - P = -0.0009 is cut to -0.0005
    ['0.001', '0.0005'],
    // I - P = 0.0011 is cut to 0.0005
    ['-0.001', '-0.0005'],
    // 0.005 - 0.0005 = 0.0045 is beyond the bound
    ['0.005', '0.0018'],
    ['-0.01', '-0.0018'],
  ])('of a premium of %s is %s, by DEC-FUT-13', (premium, rate) => {
    expect(fundingRate(BigInt(3 * steps(premium)), 3, bitcoinRules)).toBe(steps(rate));
  });

  test('has an interest of 0.01 % × cycle / 8 h, by DEC-FUT-13', () => {
    expect(fundingRate(0n, 10, { ...bitcoinRules, fundingHours: 1 })).toBe(steps('0.0000125'));
    expect(fundingRate(0n, 10, { ...bitcoinRules, fundingHours: 24 })).toBe(steps('0.0003'));
  });

  test('rounds the mean premium to the nearest and halves away from zero, by DEC-FUT-26', () => {
    // means 100,000.5 and -100,000.5
    expect(fundingRate(200_001n, 2, bitcoinRules)).toBe(50_001);
    expect(fundingRate(-200_001n, 2, bitcoinRules)).toBe(-50_001);
  });
});

describe('cycle of funding', () => {
  test('ends at the first update from its end on, and its samples end with it, by DEC-FUT-14', () => {
    const clocked = new Clocked(8 * hour - 3000);
    // 10,000 USDT and more at 60,600 on both sides: a premium of 600 / 60,000 = 0.01
    clocked.market.quote([[606_000, 100_000]], [[606_001, 100_000]], 600_000);
    expect(clocked.update('60000').funding).toBeNull();
    clocked.market.quote([[600_000, 100_000]], [[600_001, 100_000]]);
    expect(clocked.update('60000').funding).toBeNull();
    // Samples 0.01 and 0: P = 0.005, so F is the bound. The average of the basis is (600.05 + 0.05 + 0.05) / 3 > 0, so
    // the fair price is the price by funding with no time left, or the last price: 60,000 both.
    expect(clocked.update('60000').funding).toEqual({ at: 8 * hour, rate: steps('0.0018'), fair: steps('60000') });
    const { lastRate, nextFundingAt, premiumCount } = clocked.mark;
    expect([lastRate, nextFundingAt, premiumCount]).toEqual([steps('0.0018'), 16 * hour, 1]);
  });

  test('ends once however late the update comes, by DEC-FUT-28', () => {
    const clocked = new Clocked(hour);
    clocked.update('60000');
    expect(clocked.update('60000', 20 * hour).funding).toMatchObject({ at: 8 * hour });
    expect(clocked.update('60000').funding).toBeNull();
    expect(clocked.mark.nextFundingAt).toBe(24 * hour);
  });

  test('ends without a payment if no price was ever known, by DEC-FUT-28', () => {
    const clocked = new Clocked(hour);
    expect(clocked.update(null, 7 * hour).funding).toBeNull();
    expect([clocked.mark.lastRate, clocked.mark.nextFundingAt]).toEqual([0, 16 * hour]);
  });

  test('ends at the nearer end when it is changed, by DEC-FUT-28', () => {
    const clocked = new Clocked(hour);
    clocked.market.rules = { ...bitcoinRules, fundingHours: 4 };
    clocked.update('60000');
    expect(clocked.mark.nextFundingAt).toBe(4 * hour);
    clocked.market.rules = bitcoinRules;
    clocked.update('60000');
    expect(clocked.mark.nextFundingAt).toBe(4 * hour);
    expect(clocked.update('60000', 3 * hour).funding).toMatchObject({ at: 4 * hour });
    expect(clocked.mark.nextFundingAt).toBe(8 * hour);
  });
});

describe('payments of a funding', () => {
  const terms = { quotePerTickLot: 10, priceDecimals: 1 };
  const positions = [
    { account: as<AccountId>(11), lots: 7 },
    { account: as<AccountId>(12), lots: -3 },
    { account: as<AccountId>(13), lots: -4 },
    { account: as<AccountId>(14), lots: 0 },
  ];

  test('are lots × size × fair price × rate from longs to shorts, by DEC-FUT-14', () => {
    // 15,000 lots are 1.5 BTC or 90,000 USDT; 0.01 % of it is 9 USDT
    const both = [
      { account: as<AccountId>(11), lots: 15_000 },
      { account: as<AccountId>(12), lots: -15_000 },
    ];
    expect(fundingPayments(both, { ...terms, fair: steps('60000'), rate: steps('0.0001') })).toEqual({
      payments: [
        { account: 11, amount: 9_000_000n },
        { account: 12, amount: -9_000_000n },
      ],
      paid: 9_000_000n,
      received: 9_000_000n,
    });
  });

  test('round payers up and receivers down, by DEC-FUT-14', () => {
    // 0.0007 BTC × 60,000.12345678 × 0.0001 = 0.0042000086… USDT = 4,200.0086 units; 3 / 7 of it is 1,800.0037 and
    // 4 / 7 is 2,400.0049
    expect(fundingPayments(positions, { ...terms, fair: steps('60000.12345678'), rate: steps('0.0001') })).toEqual({
      payments: [
        { account: 11, amount: 4201n },
        { account: 12, amount: -1800n },
        { account: 13, amount: -2400n },
      ],
      paid: 4201n,
      received: 4200n,
    });
  });

  test('go from shorts to longs below zero, by DEC-FUT-14', () => {
    const rate = steps('-0.0001');
    const { payments, paid, received } = fundingPayments(positions, { ...terms, fair: steps('60000.12345678'), rate });
    expect(payments.map(({ amount }) => amount)).toEqual([-4200n, 1801n, 2401n]);
    expect([paid, received]).toEqual([4202n, 4200n]);
  });
});

test('prices of a contract come back from their bytes and go on alike', () => {
  const clocked = new Clocked(8 * hour - 5000);
  clocked.market.quote([[600_900, 100_000]], [[601_100, 100_000]], 700_000);
  for (let second = 0; second < 7; second += 1) clocked.update(second === 3 ? null : `6000${second}.5`);
  const bytesOf = (mark: ContractMark): Uint8Array => {
    const writer = new ByteWriter();
    mark.write(writer);
    return writer.take();
  };
  const copy = new ContractMark(bitcoinRules.id, as(0), 1);
  copy.read(new ByteReader(bytesOf(clocked.mark)));
  const faults: string[] = [];
  copy.audit(faults);
  expect(faults).toEqual([]);
  const later = as<TimestampMs>(clocked.now + 295_000);
  for (const mark of [clocked.mark, copy]) updateMark(mark, clocked.market, steps('60010'), later);
  expect(bytesOf(copy)).toEqual(bytesOf(clocked.mark));
  expect(copy.basis.count).toBe(5);
});
