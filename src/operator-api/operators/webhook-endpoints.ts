import { z } from 'zod';
import { engineLimits } from '#model/limits.ts';
import { webhookKinds } from '#model/webhook.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const id = () =>
  z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'must be 16 lower-case hex characters')
    .meta({ description: 'Names the webhook.', examples: ['00ab00ab00ab00ab'] });
const url = () =>
  field
    .text('Where events are posted to: https, without user name or password.', engineLimits.webhookUrlLength)
    .meta({ examples: ['https://desk.example.com/bourse'] });
const kinds = () =>
  z
    .array(field.word(webhookKinds, 'What it is told of.'))
    .min(1)
    .max(webhookKinds.length)
    .refine((list) => new Set(list).size === list.length, 'must not name a kind twice')
    .meta({ description: 'What it is told of.' });

const moment = (description: string) => field.moment(description).nullable();
const members = {
  id: id(),
  url: url(),
  kinds: kinds(),
  active: field.flag('Whether events are sent.'),
  createdAt: field.moment('When it was created.'),
  changedAt: field.moment('When it was changed.'),
  position: z
    .strictObject({
      seq: field.whole('Entry of the last event that was delivered, or is not for it.', {
        min: 0,
        max: Number.MAX_SAFE_INTEGER,
      }),
      at: field.moment('When that happened.'),
    })
    .meta({ description: 'How far it was told: all before was delivered. It goes on from here after a restart.' }),
  lastSuccessAt: moment('When an event was taken last; null: never.'),
  lastFailureAt: moment('When an attempt failed last since the start of the process; null: none did.'),
  lastFailure: z
    .string()
    .nullable()
    .meta({ description: 'Why.', examples: ['it answered 500'] }),
  failingSince: moment('Since when every attempt failed; null: the last one did not.'),
  givenUpAt: moment('When it was switched off because it failed for too long; null: it was not.'),
};
const webhook = z.strictObject(members);
const ofWebhook = z.strictObject({ id: id() });
const moving = ['position', 'lastSuccessAt', 'lastFailureAt', 'lastFailure', 'failingSince'] as const;

/** Endpoints of webhooks. */
export const webhookEndpoints = {
  listWebhooks: endpoint.get('/v1/webhooks', {
    scope: 'webhooks:read',
    name: 'List webhooks',
    command: 'webhooks list',
    summary: 'Where events are sent, and how that goes.',
    query: z.strictObject(field.paging),
    answer: field.page(webhook),
  }),
  getWebhook: endpoint.get('/v1/webhooks/{id}', {
    scope: 'webhooks:read',
    name: 'Look at a webhook',
    command: 'webhooks show',
    summary: 'One webhook: how far it was told, and since when it fails.',
    parameters: ofWebhook,
    untagged: moving,
    answer: webhook,
    problems: ['unknownWebhook'],
  }),
  createWebhook: endpoint.post('/v1/webhooks', {
    scope: 'webhooks:write',
    name: 'Create a webhook',
    command: 'webhooks create',
    summary: 'Sends events from now on to a url. The answer shows once the secret that signs them.',
    notes: 'A repeated Idempotency-Key is refused with 422.',
    body: z
      .strictObject({ url: url(), kinds: kinds() })
      .meta({ examples: [{ url: 'https://desk.example.com/bourse', kinds: ['deposit.credited', 'alarm.raised'] }] }),
    answer: z.strictObject({
      ...members,
      secret: z.string().meta({
        description: 'Signs what is sent: 64 hex characters. It is never shown again.',
        examples: ['0'.repeat(64)],
      }),
    }),
    status: 201,
    problems: ['tooManyWebhooks', 'invalidConfiguration'],
  }),
  changeWebhook: endpoint.put('/v1/webhooks/{id}', {
    scope: 'webhooks:write',
    edits: 'getWebhook',
    name: 'Change a webhook',
    command: 'webhooks change',
    summary: 'Other url or kinds, or switches it off or on; it goes on where it stopped.',
    parameters: ofWebhook,
    body: z
      .strictObject({ url: url(), kinds: kinds(), active: field.flag('Whether events are sent.') })
      .meta({ examples: [{ url: 'https://desk.example.com/bourse', kinds: ['alarm.raised'], active: true }] }),
    answer: webhook,
    problems: ['unknownWebhook', 'invalidConfiguration'],
  }),
  deleteWebhook: endpoint.delete('/v1/webhooks/{id}', {
    scope: 'webhooks:write',
    name: 'Remove a webhook',
    command: 'webhooks remove',
    asksFirst: true,
    summary: 'Sends nothing more, and forgets the secret.',
    parameters: ofWebhook,
    answer: z.strictObject({ id: id() }),
    problems: ['unknownWebhook'],
  }),
  testWebhook: endpoint.post('/v1/webhooks/{id}/test', {
    scope: 'webhooks:write',
    name: 'Test a webhook',
    command: 'webhooks test',
    summary: 'Sends an event of the kind test at once, and tells what came of it.',
    parameters: ofWebhook,
    answer: z.strictObject({
      delivered: field.flag('Whether it was taken.'),
      failure: z
        .string()
        .nullable()
        .meta({ description: 'Why not.', examples: ['it answered 500'] }),
    }),
    problems: ['unknownWebhook'],
  }),
} as const;
