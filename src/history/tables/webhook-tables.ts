import type { Seq } from '#model/units.ts';
import { webhookKinds } from '#model/webhook.ts';
import { declareTable, integer, type RowOf, text, time, word } from '#history/tables/history-table.ts';

/** What webhooks can be told of, each event with its content as JSON, in the engine's units. DEC-OPR-240. */
export const webhookEvents = declareTable('webhookEvents', {
  since: 1,
  columns: {
    at: time(),
    seq: integer<Seq>(),
    /** Place within the entry, from 1. */
    line: integer<number>(),
    event: word(webhookKinds),
    content: text(),
  },
  key: ['at', 'seq', 'line'],
  indexes: [],
  // Longer than a webhook is tried again and again: an operator may switch it on once more.
  retention: { keptMsMin: 14 * 86_400_000 },
  position: 'seq',
});

/** An event that webhooks can be told of. */
export type WebhookEventRow = RowOf<typeof webhookEvents>;
