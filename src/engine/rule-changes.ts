import type { EngineState } from '#engine/state.ts';

// Every rule that changed between versions of the rules, as one predicate, and the one place that calls it. A journal
// that has not activated a version is replayed by the older rules. Old code that is larger than a condition is in
// `matching/rules-1`.

type Rules = Pick<EngineState, 'rules'>;

/**
 * Version 2 settles fills anew: token fees are rounded once and checked after the postings of their fill. Simulated
 * matches, by which funds are checked and FOK orders decided, follow it fill by fill.
 */
export const settlesByRules2 = ({ rules }: Rules): boolean => rules >= 2;
/** Version 2 keeps the market collar a safe integer, however high the last price is. */
export const boundsCollar = ({ rules }: Rules): boolean => rules >= 2;
/** Version 2 rests an order only if the quote amount of all its possible fills is a safe integer. */
export const boundsExecutedQuote = ({ rules }: Rules): boolean => rules >= 2;
/** Version 2 bounds the open-order cap that an account may be given. */
export const boundsOpenOrdersMax = ({ rules }: Rules): boolean => rules >= 2;
/** Version 3 credits funds from the house's grants, so that the outside owes what came over chains. DEC-WAL-50. */
export const creditsFromGrants = ({ rules }: Rules): boolean => rules >= 3;
/** Version 4 gives inviters their shares of commissions. DEC-SUB-05. */
export const accruesRebates = ({ rules }: Rules): boolean => rules >= 4;
