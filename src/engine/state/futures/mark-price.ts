import { markDecimals } from '#model/contract.ts';
import { clamped } from '#base/whole-numbers.ts';

/** Greatest mark price, in steps of 10^-markDecimals. What lies beyond counts as this. DEC-FUT-26. */
export const greatestMark = Number.MAX_SAFE_INTEGER;

/** Whether a number may be an index price. */
export const isMarkPrice = (price: number): boolean => Number.isSafeInteger(price) && price > 0;

/** A value in steps of 10^-markDecimals as a mark price, from one step up. DEC-FUT-26. */
export const toMarkPrice = (value: bigint): number => Number(clamped(value, 1n, BigInt(greatestMark)));

/** By decimals of a price: a power of big integers costs more than all else that equity is made of. */
const stepsPerTick = Array.from({ length: markDecimals + 1 }, (_, decimals) => 10n ** BigInt(markDecimals - decimals));

/** Steps of a mark price in one tick; the ticks of a contract have at most `markDecimals` decimals. */
export const marksPerTick = (priceDecimals: number): bigint => stepsPerTick[priceDecimals]!;

/** A price in ticks as a mark price. */
export const markOfTicks = (ticks: number, priceDecimals: number): number =>
  toMarkPrice(BigInt(ticks) * marksPerTick(priceDecimals));
