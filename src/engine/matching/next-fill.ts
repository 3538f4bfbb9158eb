/**
 * Lots that an order still takes at a price, given what is left of its quantity and of its quote amount; `Infinity`
 * where one of them does not bound it. `unit`: quote units of one lot at that price. 0: it is done.
 */
export const wantedLots = (lots: number, budget: number, unit: number): number =>
  Math.min(lots, Math.floor(budget / unit));

/** Whether an order may trade so much more: what it has executed stays a safe integer of quote units. */
export const fitsExecutedQuote = (executedQuote: number, lots: number, unit: number): boolean =>
  executedQuote + lots * unit <= Number.MAX_SAFE_INTEGER;
