declare const unit: unique symbol;
type Unit<Base, Name extends string> = Base & { readonly [unit]: Name };

/** Position of an entry in the journal; the first is 1. */
export type Seq = Unit<number, 'Seq'>;
/** How often the tail of the journal had been taken out when an entry was written, from 0. */
export type Epoch = Unit<number, 'Epoch'>;
/** Milliseconds since 1970 UTC on the exchange's clock. */
export type TimestampMs = Unit<number, 'TimestampMs'>;

/** Dense index of an account inside this exchange, from 0; house accounts come first. Not shown outside: see `Uid`. */
export type AccountId = Unit<number, 'AccountId'>;
/** The account's public number, 8 or 9 digits. */
export type Uid = Unit<number, 'Uid'>;
/** Dense index of an asset, in the order of configuration. */
export type AssetId = Unit<number, 'AssetId'>;
/** Dense index of a symbol, in the order of configuration. */
export type SymbolId = Unit<number, 'SymbolId'>;
/** Running number of an order over the whole shard; the first is 1. */
export type OrderNumber = Unit<number, 'OrderNumber'>;
/** Running number of a trade within its symbol; the first is 1. */
export type TradeNumber = Unit<number, 'TradeNumber'>;
/** Running number of a book change within its symbol; the first is 1. */
export type BookVersion = Unit<number, 'BookVersion'>;

/** A price in steps of 10^-priceDecimals of its symbol. Safe integer. */
export type PriceTicks = Unit<number, 'PriceTicks'>;
/** A quantity in steps of 10^-quantityDecimals of its symbol. Safe integer. */
export type Lots = Unit<number, 'Lots'>;
/**
 * An amount of one order, hold, fill or fee, in the asset's smallest unit. Always a safe integer: the configuration
 * of a symbol guarantees it (docs/decisions/0002). Sums of amounts live in `Balance`.
 */
export type Quanta = Unit<number, 'Quanta'>;
/** A balance or a sum of amounts, in the asset's smallest unit; below 2^62. */
export type Balance = Unit<bigint, 'Balance'>;
/**
 * An exact amount of up to 64 bits with its sign, in the asset's smallest unit: a number where it is a safe integer, a
 * bigint beyond, so that each amount has one form.
 */
export type Amount = number | bigint;
/** An amount in its one form. */
export const toAmount = (value: Amount): Amount =>
  typeof value === 'number' || !Number.isSafeInteger(Number(value)) ? value : Number(value);
/** The exact sum of two amounts, a number while it is a safe integer. */
export function sumOf(first: Amount, second: Amount): Amount {
  if (typeof first === 'number' && typeof second === 'number') {
    const sum = first + second;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toAmount(BigInt(first) + BigInt(second));
}
/** Hash of state or events as 32 lower-case hex characters. */
export type Digest = Unit<string, 'Digest'>;

/** Names a plain value as a unit. The only cast there is; use it at the edge where the value was checked. */
export const as = <U>(value: U extends bigint ? bigint : U extends number ? number : string): U =>
  value as unknown as U;
