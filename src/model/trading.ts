import { nullable, oneOf, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';

/**
 * Of the whole exchange. While it is not open, nothing fills, new orders are refused and cancels work; the two other
 * states differ for people alone. DEC-OPR-166.
 */
export const tradingStates = ['open', 'cancelOnly', 'halted'] as const;
export type TradingState = (typeof tradingStates)[number];

/** What an operator set, and why. */
export const tradingStatus = record({
  state: oneOf(tradingStates),
  reason: text(),
  /** `null`: the exchange itself. */
  actor: nullable(text()),
  since: time(),
});
export type TradingStatus = ValueOf<typeof tradingStatus>;
