/** The 24 hours that a restarted exchange needs for its rolling statistics, and one to spare. */
export const keptTradesMsMin = 25 * 3_600_000;
