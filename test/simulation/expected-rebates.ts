import { coinsOf, unitsOf } from './expected-balances.ts';

/** A trade as its account lists it. */
export interface ListedTrade {
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly time: number;
  readonly isMaker: boolean;
}

/** A rebate as a report has to list it. */
export interface ExpectedRebate {
  readonly asset: string;
  readonly rate: string;
  readonly amount: string;
  /** Whose commission it is of. */
  readonly uid: string;
  readonly tradeTime: number;
  /** Worth in USDT, in its smallest units. */
  readonly value: bigint;
  readonly trade: ListedTrade;
}

/** A share of a commission as the rules give it: its rate, and what is given back out of it. */
export interface Share {
  readonly percent: bigint;
  readonly givenBack?: bigint;
}

const part = (commission: bigint, percent: bigint): bigint => (commission * percent) / 100n;

/** Worth of an amount at the price of its trade, which has whole USDT for a BTC. */
const worthOf = (asset: string, units: bigint, price: string): bigint =>
  asset === 'USDT' ? units : (units * BigInt(price) * unitsOf('USDT', '1')) / unitsOf('BTC', '1');

/** A share of the commission of each of these trades, rounded down by itself; none where it is nothing. */
export function expectedRebates(
  trades: readonly ListedTrade[],
  uid: string,
  { percent, givenBack = 0n }: Share,
): readonly ExpectedRebate[] {
  return trades.flatMap((trade) => {
    const { commission, commissionAsset: asset, price } = trade;
    const units = unitsOf(asset, commission);
    const amount = part(units, percent) - part(units, givenBack);
    if (amount === 0n) return [];
    const rate = coinsOf('USDT', ((percent - givenBack) * unitsOf('USDT', '1')) / 100n);
    const value = worthOf(asset, amount, price);
    return [{ asset, rate, amount: coinsOf(asset, amount), uid, tradeTime: trade.time, value, trade }];
  });
}

/** Sums of rebates by asset, in whole coins. */
export function sumsByAsset(rebates: readonly ExpectedRebate[]): Readonly<Record<string, string>> {
  const sums = new Map<string, bigint>();
  for (const { asset, amount } of rebates) sums.set(asset, (sums.get(asset) ?? 0n) + unitsOf(asset, amount));
  return Object.fromEntries([...sums].map(([asset, units]) => [asset, coinsOf(asset, units)]));
}

/** Their worth together, in whole USDT. */
export const worth = (rebates: readonly ExpectedRebate[]): string =>
  coinsOf(
    'USDT',
    rebates.reduce((sum, { value }) => sum + value, 0n),
  );

/** What was traded, in whole USDT. */
export const turnover = (trades: readonly ListedTrade[]): string =>
  coinsOf(
    'USDT',
    trades.reduce((sum, { quoteQty }) => sum + unitsOf('USDT', quoteQty), 0n),
  );
