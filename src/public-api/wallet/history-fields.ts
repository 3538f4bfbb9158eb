import * as field from '#public-api/declaration/fields.ts';

/** The time window of a question about the wallet's past. DEC-ORD-26. */
export const historyTimes = {
  startTime: field.optional(
    field.timestampMs('First moment, inclusive; earlier than may be queried counts as the earliest.'),
  ),
  endTime: field.optional(field.timestampMs('Last moment, inclusive.')),
};
/** Its rule. */
export const timesAscend = [{ kind: 'ascending', parameters: ['startTime', 'endTime'] }] as const;
