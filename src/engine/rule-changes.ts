import type { EngineState } from '#engine/state.ts';

// What changed with which version of the rules, one claim each, asked in one place each. A journal that has not
// activated the version is replayed as it was; `matching/rules-1` keeps what is larger than a condition.

type Rules = Pick<EngineState, 'rules'>;

/** Token fees are rounded once and judged after the postings of their fill; the funds check simulates matching. */
export const matchesByRules2 = ({ rules }: Rules): boolean => rules >= 2;
/** A market order's bound is a safe integer, however high the last price is. */
export const boundsCollar = ({ rules }: Rules): boolean => rules >= 2;
/** An order rests only if all it may ever have traded is a safe integer. */
export const boundsExecutedQuote = ({ rules }: Rules): boolean => rules >= 2;
/** An account's own cap of open orders has a bound. */
export const boundsOpenOrdersMax = ({ rules }: Rules): boolean => rules >= 2;
