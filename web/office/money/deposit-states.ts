const waiting: readonly string[] = ['largeDelay', 'auditing', 'invalid', 'restricted', 'refund'];

/** Whether a deposit in this state waits for an operator. */
export const waitsForOperator = (status: string): boolean => waiting.includes(status);
