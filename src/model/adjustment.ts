import { amount, integer, nullable, oneOf, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import { house, innerHouse } from '#model/account.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import { walletKinds } from '#model/wallet.ts';

/**
 * What an adjustment is. `credit`, `debit`: the house gives or takes. `correction`: a mistake is undone, in either
 * direction. `capitalIn`: the operator put money of his own into custody. `revenueOut`: he took fees out of custody.
 */
export const adjustmentKinds = ['credit', 'debit', 'correction', 'capitalIn', 'revenueOut'] as const;
export type AdjustmentKind = (typeof adjustmentKinds)[number];

/** House accounts that adjustments may name: none whose money is owed to somebody. DEC-OPR-181. */
export const adjustableHouse = {
  fees: house.fees,
  rounding: house.rounding,
  dust: innerHouse.dust,
  gas: innerHouse.gas,
  capital: innerHouse.capital,
  revenue: innerHouse.revenue,
} as const;
export type AdjustableHouse = keyof typeof adjustableHouse;

/** A change of a balance on the word of operators. DEC-OPR-180. */
export const adjustment = record({
  /** Running number, from 1. */
  adjustment: integer(),
  /** A user's account, or one of the house. */
  account: integer<AccountId>(),
  /** Which of the user's wallets; `null`: a house account. */
  wallet: nullable(oneOf(walletKinds)),
  asset: integer<AssetId>(),
  /** Above zero; of a correction below zero where it takes. */
  amount: amount(),
  type: oneOf(adjustmentKinds),
  reason: text(),
  /** What it refers to outside: a ticket, a transaction. */
  reference: nullable(text()),
  /** Worth by the rules when it was made, without its sign; `null`: no price. */
  worth: nullable(amount()),
  madeBy: text(),
  /** The second operator; `null`: it needed none, or one operator runs the exchange alone. */
  approvedBy: nullable(text()),
  /** The proposal that it was; `null`: it was made at once. */
  proposal: nullable(integer()),
  /** Of the request that made it. */
  idempotencyKey: nullable(text()),
  at: time(),
});
export type Adjustment = ValueOf<typeof adjustment>;
