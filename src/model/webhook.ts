import { flag, integer, list, nullable, oneOf, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import type { Seq } from '#model/units.ts';

/** What webhooks can be told of. History stores the place in this list: it grows at its end only. DEC-OPR-241. */
export const webhookKinds = [
  'deposit.credited',
  'withdrawal.changed',
  'account.frozen',
  'account.released',
  'pair.halted',
  'pair.resumed',
  'alarm.raised',
] as const;
export type WebhookKind = (typeof webhookKinds)[number];

/** Where events of an operator's choice are sent. DEC-OPR-238. */
export const webhook = record({
  /** Names it: 16 hex characters. */
  webhook: text(),
  url: text(),
  kinds: list(oneOf(webhookKinds)),
  active: flag,
  /** The secret that signs, sealed. */
  sealedSecret: text(),
  createdAt: time(),
  changedAt: time(),
  /** The last event that was delivered or is not for it: its time, its entry, and its place in that from 1. */
  at: time(),
  seq: integer<Seq>(),
  line: integer(),
  /** When that was recorded; `null`: nothing was delivered yet. */
  deliveredAt: nullable(time()),
  /** When it was switched off because it failed for too long; `null`: it was not. */
  givenUpAt: nullable(time()),
});
export type Webhook = ValueOf<typeof webhook>;

/** What happened to webhooks. */
export type WebhookFact =
  | { readonly kind: 'webhookChanged'; readonly webhook: Webhook }
  | { readonly kind: 'webhookDeleted'; readonly webhook: string };
