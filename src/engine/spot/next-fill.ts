/**
 * Lots that an order may still fill at a price: bounded by its remaining quantity and its remaining quote amount, of
 * which one may be `Infinity`. `unit`: quote units of one lot at that price. 0: the order is done.
 */
export const fillableLots = (lots: number, budget: number, unit: number): number =>
  Math.min(lots, Math.floor(budget / unit));

/** Whether the quote amount executed stays a safe integer after filling `lots` more. */
export const fitsExecutedQuote = (executedQuote: number, lots: number, unit: number): boolean =>
  executedQuote + lots * unit <= Number.MAX_SAFE_INTEGER;
