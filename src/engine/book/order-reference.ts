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
