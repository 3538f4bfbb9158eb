import { formatDecimal, parseDecimal } from '#base/decimal.ts';

/** Decimals of the assets that the story moves. */
const scales: Readonly<Record<string, number>> = { USDT: 9, BTC: 8, ETH: 9, DOGE: 6, SVC: 8 };

const scaleOf = (asset: string): number => {
  const scale = scales[asset];
  if (scale === undefined) throw new RangeError(`the story moves no ${asset}`);
  return scale;
};

/** Smallest units of an amount in whole coins; a negative one takes away. */
export function unitsOf(asset: string, coins: string): bigint {
  const isNegative = coins.startsWith('-');
  const amount = parseDecimal(isNegative ? coins.slice(1) : coins, scaleOf(asset));
  if (typeof amount !== 'bigint') throw new RangeError(`${coins} ${asset} is no amount`);
  return isNegative ? -amount : amount;
}

/** Amount in whole coins. */
export const coinsOf = (asset: string, units: bigint): string => formatDecimal(units, scaleOf(asset));

/** What somebody owns of an asset. */
interface Owned {
  readonly free: bigint;
  readonly locked: bigint;
}

/** A balance as the API lists it. */
export interface ListedBalance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** Balances as the rules make them, beside the exchange: every change is written down by the story itself. */
export class ExpectedBalances {
  readonly #owned = new Map<string, Owned>();

  /** Changes what an owner has of an asset; amounts in whole coins. */
  change(owner: string, asset: string, free: string, locked = '0'): void {
    const before = this.#of(owner, asset);
    const after = { free: before.free + unitsOf(asset, free), locked: before.locked + unitsOf(asset, locked) };
    this.#owned.set(`${owner} ${asset}`, after);
  }

  /** What an owner has of an asset, in whole coins. */
  free(owner: string, asset: string): string {
    return coinsOf(asset, this.#of(owner, asset).free);
  }

  /** Every balance of an owner that is not zero, as the API lists them, by asset. */
  listed(owner: string): ListedBalance[] {
    return [...this.#owned]
      .filter(([key, { free, locked }]) => key.startsWith(`${owner} `) && (free !== 0n || locked !== 0n))
      .map(([key, { free, locked }]) => {
        const asset = key.slice(owner.length + 1);
        return { asset, free: coinsOf(asset, free), locked: coinsOf(asset, locked) };
      })
      .sort((first, second) => (first.asset < second.asset ? -1 : 1));
  }

  #of(owner: string, asset: string): Owned {
    return this.#owned.get(`${owner} ${asset}`) ?? { free: 0n, locked: 0n };
  }
}
