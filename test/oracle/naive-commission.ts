import type { NaiveAccount, NaiveState, NaiveSymbol } from './naive-state.ts';
import { quoteUnit } from './naive-state.ts';

const million = 1_000_000n;
const divideUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by;

/** Worth of one base unit in quote units as a fraction, from the last price of the pair; `null` without one. */
function rateBetween(state: NaiveState, base: number, quote: number): { over: bigint; under: bigint } | null {
  if (base === quote) return { over: 1n, under: 1n };
  const symbol = state.symbols.find(({ listing }) => listing.base === base && listing.quote === quote);
  if (symbol === undefined || symbol.lastPrice === null) return null;
  const lotsInUnits = 10n ** BigInt((state.scales[base] as number) - symbol.listing.quantityDecimals);
  return { over: BigInt(symbol.lastPrice) * quoteUnit(state, symbol), under: lotsInUnits };
}

/**
 * Commission of one side of a fill: in the asset received, rounded up; or with deduction in the platform token at a
 * discount, where prices and enough of the token are there. decisions.md section 3, Fees.
 */
export function naiveCommission(
  state: NaiveState,
  side: { account: number; received: number; amount: bigint; ratePpm: number },
): { asset: number; amount: bigint } {
  const plain = { asset: side.received, amount: divideUp(side.amount * BigInt(side.ratePpm), million) };
  const account = state.accounts[side.account] as NaiveAccount;
  const { feeToken } = state;
  if (plain.amount === 0n || !account.feeDeduction || feeToken === null) return plain;
  const worth = rateBetween(state, side.received, feeToken.valuedIn);
  const tokenWorth = rateBetween(state, feeToken.token, feeToken.valuedIn);
  if (worth === null || tokenWorth === null) return plain;
  const over = plain.amount * (million - BigInt(feeToken.discountPpm)) * worth.over * tokenWorth.under;
  const amount = divideUp(over, million * worth.under * tokenWorth.over);
  if (state.freeOf(side.account, feeToken.token) < amount) return plain;
  return { asset: feeToken.token, amount };
}

/** The account's rate or the symbol's. */
export function ratePpmOf(account: NaiveAccount, symbol: NaiveSymbol, role: 'maker' | 'taker'): number {
  return role === 'maker'
    ? (account.makerFeePpm ?? symbol.listing.makerFeePpm)
    : (account.takerFeePpm ?? symbol.listing.takerFeePpm);
}
