import { z } from 'zod';
import { faultLimits } from '#sandbox/faults/fault-rule.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const million = 1_000_000;
const { delayMs, count: countMax } = faultLimits;

const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 small letters, digits and hyphens')
  .meta({ description: 'Names the rule, in the header of what it touches too.', examples: ['f1'] });
const span = (description: string, max: number = delayMs) => field.whole(description, { min: 0, max });
const status = () => field.whole('HTTP status.', { min: 400, max: 599 });
const code = () =>
  field.whole('Code in the body; null: the status.', { min: -million, max: million }).nullable().default(null);
const retryAfterSeconds = () =>
  field
    .whole('Value of Retry-After; null: none.', { min: 0, max: faultLimits.retryAfterSeconds })
    .nullable()
    .default(null);
const message = (text: string) => field.text('Text in the body.', faultLimits.messageLength).default(text);
const moment = (description: string) => field.word(['request', 'answer'], description);

const requestFaults = [
  z.strictObject({
    kind: z.literal('delay'),
    at: moment('Before the command is carried out, or before its answer is sent.').default('answer'),
    ms: span('Milliseconds of the machine.'),
    spreadMs: span('Up to so many more, by chance.').default(0),
    perByteUs: span('Microseconds more for each byte of the body that waits.', faultLimits.perByteUs).default(0),
  }),
  z.strictObject({
    kind: z.literal('refuse').meta({ description: 'Instead of the command: nothing happens.' }),
    ...{ status: status(), code: code(), message: message('Service not available, retry.') },
    retryAfterSeconds: retryAfterSeconds(),
  }),
  z.strictObject({
    kind: z.literal('failAfter').meta({ description: 'The command is carried out, and its answer is thrown away.' }),
    ...{ status: status(), code: code(), message: message('Internal error. The outcome is unknown.') },
    retryAfterSeconds: retryAfterSeconds(),
  }),
  z.strictObject({
    kind: z.literal('drop'),
    at: moment('The connection is cut before the command is carried out, or after it.').default('request'),
  }),
  z.strictObject({
    kind: z.literal('truncate'),
    bytes: field
      .whole('Bytes of the body that arrive before the connection is cut; null: half of them.', {
        min: 0,
        max: million,
      })
      .nullable()
      .default(null),
  }),
  z.strictObject({ kind: z.literal('malform').meta({ description: 'The body is no JSON any more.' }) }),
  z.strictObject({
    kind: z.literal('stale'),
    ms: field.whole("A GET answers what was true so long ago, on the exchange's clock.", {
      min: 1,
      max: faultLimits.staleMs,
    }),
  }),
] as const;

/** Close codes that a server may send. RFC 6455, section 7.4. */
const isCloseCode = (value: number): boolean =>
  (value >= 1000 && value <= 1014 && ![1004, 1005, 1006].includes(value)) || (value >= 3000 && value <= 4999);

const streamFaults = [
  z.strictObject({
    kind: z.literal('close').meta({ description: 'The connection ends instead of the push.' }),
    code: z
      .int()
      .refine(isCloseCode, 'must be a close code that a server may send: 1000 to 1014 or 3000 to 4999')
      .nullable()
      .default(1001)
      .meta({ description: 'Close code; null: the socket is cut without a close frame.' }),
    reason: field.text('Reason in the close frame.', 100).default('server is going away'),
  }),
  z.strictObject({
    kind: z.literal('stall').meta({ description: 'From this push on nothing is sent for a while, then all of it.' }),
    ms: span('Milliseconds of the machine.'),
  }),
  z.strictObject({
    kind: z.literal('slow').meta({ description: 'The push comes later, and what follows comes behind it.' }),
    ms: span('Milliseconds of the machine.'),
  }),
  z.strictObject({
    kind: z.literal('duplicate'),
    copies: field.whole('How many more are sent.', { min: 1, max: faultLimits.copies }).default(1),
  }),
  z.strictObject({
    kind: z.literal('reorder').meta({ description: 'The push comes behind the next one of its channel.' }),
    ms: span('Or after so many milliseconds of the machine.').default(1000),
  }),
  z.strictObject({ kind: z.literal('gap').meta({ description: 'The push does not come.' }) }),
  z.strictObject({
    kind: z
      .literal('refuseUpgrade')
      .meta({ description: 'The websocket is not opened, once its listen key is known.' }),
    ...{ status: status(), message: message('No more connections are taken now.') },
    retryAfterSeconds: retryAfterSeconds(),
  }),
  z.strictObject({
    kind: z.literal('unansweredPing').meta({ description: 'A ping of the client, of either form, gets no answer.' }),
  }),
] as const;

const faults = [...requestFaults, ...streamFaults] as const;
const kinds = faults.map(({ shape }) => shape.kind.value);
/** `delay` (at, ms, spreadMs, perByteUs). */
const kindsWithMembers = faults.map(({ shape }) => {
  const members = Object.keys(shape).filter((name) => name !== 'kind');
  return `\`${shape.kind.value}\`${members.length === 0 ? '' : ` (${members.join(', ')})`}`;
});
const fault = z
  .discriminatedUnion('kind', [...faults], { error: `must have a kind: ${kinds.join(', ')}` })
  .meta({ description: `What happens, by its kind: ${kindsWithMembers.join(', ')}.` });

const matched = z.strictObject({
  path: z
    .string()
    .max(256)
    .regex(/^\/[\x21-\x7e]*$/, 'must be a path such as /api/v3/order')
    .optional()
    .meta({ description: 'Path; a part `*` is any part, a last one all that follow.', examples: ['/api/v3/order'] }),
  method: field.word(['GET', 'POST', 'PUT', 'DELETE'], 'Method.').optional(),
  key: field.accessKey().optional(),
  account: field.uid('Whose key signs it.').optional(),
  pair: z
    .string()
    .regex(/^[A-Z0-9_]{2,25}$/, 'must be the name of a pair or contract')
    .optional()
    .meta({ description: 'A pair or contract that it names.', examples: ['BTCUSDT'] }),
  channel: z
    .string()
    .max(128)
    .regex(/^[\x21-\x7e]+$/, 'must be the name of a channel')
    .optional()
    .meta({
      description: 'Name of a channel; a part `*` between `@` is any part, a last one all that follow.',
      examples: ['spot@public.aggre.depth.v3.api.pb@100ms@BTCUSDT'],
    }),
  nth: field.whole('Only the nth of them.', { min: 1, max: countMax }).optional(),
  every: field.whole('Every nth of them.', { min: 1, max: countMax }).optional(),
  probabilityPpm: field.whole('By chance, in parts per million.', { min: 1, max: million }).optional(),
  seed: field.whole('Of all chance in the rule; without it 1.', { min: 0, max: 0xffff_ffff }).optional(),
});
const match = matched.meta({
  description: `Which ones, by ${Object.keys(matched.shape).join(', ')}; what is left out matches all.`,
});

const rule = {
  id: id.optional(),
  match: match.default({}),
  count: field.whole('How often at most; null: without end.', { min: 1, max: countMax }).nullable().default(null),
  forMs: field
    .whole("How long it holds, on the exchange's clock; null: until it is deleted.", { min: 1, max: faultLimits.forMs })
    .nullable()
    .default(null),
  fault,
};

const state = z.strictObject({
  ...rule,
  id,
  madeAt: field.moment('When it was made.'),
  endsAt: field.moment('When its time is over; null: never.').nullable(),
  seen: field.whole('How many it matched, those that chance or number spared included.', { min: 0, max: countMax * 2 }),
  hits: field.whole('How often it struck.', { min: 0, max: countMax * 2 }),
  isOver: field.flag('Whether it strikes no more.'),
});
const states = z.strictObject({ items: z.array(state) });

const control = { scope: 'market:control', sandboxOnly: 'faults' } as const;
const own = ['invalidConfiguration'] as const;
const sample = {
  match: { path: '/api/v3/order', method: 'POST', nth: 3 },
  fault: { kind: 'failAfter', status: 504 },
} as const;

/** Endpoints of faults on demand. DEC-KIT-20. */
export const faultEndpoints = {
  listFaults: endpoint.get('/v1/faults', {
    ...control,
    name: 'List faults',
    command: 'faults list',
    summary: 'Rules of faults in their order: the first one that strikes is the only one that does.',
    answer: states,
  }),
  addFault: endpoint.post('/v1/faults', {
    ...control,
    name: 'Add a fault',
    command: 'faults add',
    summary: 'Puts a rule behind all others.',
    notes:
      'It touches requests to endpoints whose path and key are known, before their signature is checked. An answer ' +
      'that it touched has its id in the header `X-Bourse-Fault`. It ends with the process.',
    body: z.strictObject(rule).meta({ examples: [sample] }),
    answer: state,
    status: 201,
    problems: own,
  }),
  replaceFaults: endpoint.put('/v1/faults', {
    ...control,
    name: 'Replace all faults',
    command: 'faults replace',
    summary: 'Puts a list of rules in place of all others, or changes nothing.',
    body: z
      .strictObject({ rules: z.array(z.strictObject(rule)).max(faultLimits.rules).meta({ description: 'In order.' }) })
      .meta({ examples: [{ rules: [sample] }] }),
    longBody: true,
    answer: states,
    problems: own,
  }),
  removeFault: endpoint.delete('/v1/faults/{id}', {
    ...control,
    name: 'Remove a fault',
    command: 'faults remove',
    summary: 'Takes a rule away. What it holds back goes on at once.',
    parameters: z.strictObject({ id }),
    answer: state,
    problems: ['unknownFault'],
  }),
  clearFaults: endpoint.delete('/v1/faults', {
    ...control,
    name: 'Remove all faults',
    command: 'faults clear',
    summary: 'Takes all rules away.',
    answer: z.strictObject({ removed: field.whole('How many there were.', { min: 0, max: faultLimits.rules }) }),
  }),
};
