/**
 * What an index answers for an order: the slot of a live one, a number below zero for a closed one whose record is
 * kept, or one of the two below.
 */

/** There is no such order. */
export const noOrder = 0x7fffffff;
/** What was asked for cannot be the id of an order. */
export const notAnId = 0x7ffffffe;

/** Whether the answer is an order. */
export const isOrder = (reference: number): boolean => reference < notAnId;
/** Slot of the live order that was answered, -1 if it was none. */
export const slotOf = (reference: number): number => (reference < 0 || !isOrder(reference) ? -1 : reference);

/** The reference to a closed order by its turn, which it keeps 31 bits of. */
export const closedReference = (turn: number): number => ~(turn & 0x7fffffff);
/** Those bits of the turn that a reference to a closed order was made of. */
export const turnOf = (reference: number): number => ~reference;
