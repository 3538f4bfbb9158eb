import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { entryKinds, logLimits } from '#sandbox/request-log/log-entry.ts';
import { exportFormats } from '#sandbox/request-log/log-controls.ts';

const idMax = Number.MAX_SAFE_INTEGER;
const id = field.whole('Number of the entry.', { min: 1, max: idMax });
const text = (description: string) => z.string().meta({ description });
const kind = () =>
  field.word(entryKinds, 'What it is; `control`, what operators changed, is listed where it is asked for alone.');

const filter = {
  kind: kind().optional(),
  method: field.word(['GET', 'POST', 'PUT', 'DELETE'], 'Method.').optional(),
  path: z
    .string()
    .max(256)
    .regex(/^\/[\x21-\x7e]*$/, 'must be a path such as /api/v3/order')
    .optional()
    .meta({ description: 'Path; a part `*` is any part, a last one all that follow.', examples: ['/api/v3/order'] }),
  status: field.whole('HTTP status of the answer, or close code of a websocket.', { min: 100, max: 4999 }).optional(),
  connection: field.whole('Number of a websocket.', { min: 1, max: idMax }).optional(),
  channel: z
    .string()
    .max(128)
    .regex(/^[\x21-\x7e]+$/, 'must be the name of a channel')
    .optional()
    .meta({ description: 'Name of a channel; a part `*` between `@` is any part, a last one all that follow.' }),
  account: field.uid('Whose key it names.').optional(),
  key: field.accessKey().optional(),
  fault: field.text('Id of the fault that touched it.', 32).optional(),
  refusal: field.text('Name of the error that refused it.', 64).optional(),
  from: field.moment('Only from this moment on.').optional(),
  after: field.whole('Only entries with a greater number.', { min: 0, max: idMax }).optional(),
};

const summary = {
  id,
  at: field.moment('When its headers were complete.'),
  kind: kind(),
  method: text('Method.').nullable(),
  path: text('Path.').nullable(),
  connection: z.int().nullable().meta({ description: 'Number of the websocket; null: it is a request.' }),
  channel: text('Channel of a push; else null.').nullable(),
  account: field.uid('Whose key it names; null: no key that there is.').nullable(),
  key: text('Access key; null likewise.').nullable(),
  status: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status, or close code; null: the connection was cut without an answer, or is open.' }),
  refusal: text('Name of the error that refused it; null: none did.').nullable(),
  fault: text('Id of the fault that touched it; null: none did.').nullable(),
  durationMs: z.int().nullable().meta({ description: 'Milliseconds of the machine until the answer.' }),
  text: text('Beginning of what a websocket carried as text; null: it is a request or a push.').nullable(),
};

const headers = (description: string) => z.record(z.string(), z.string()).meta({ description });
const entry = z.strictObject({
  ...summary,
  endpoint: text('Id of the endpoint; null: the path has none.').nullable(),
  address: text('Address of the client.').nullable(),
  query: text('Query as it came, without secrets.').nullable(),
  headers: headers('Headers, without those that could carry secrets.'),
  body: text('Body as it came, without secrets; null: none was read.').nullable(),
  answerHeaders: headers('Headers of the answer that not every answer has.'),
  answer: text('Body of the answer, without secrets; null: there was none.').nullable(),
  cutAfter: z.int().nullable().meta({ description: 'Bytes of it that were sent before a cut; null: all.' }),
  carriedOut: z
    .int()
    .nullable()
    .meta({ description: 'Of a touched one: the status that it had else; null: nothing was carried out.' }),
  encoding: field.word(['protobuf', 'json'], 'How a push was written; null: it is none.').nullable(),
  frameBytes: z.int().nullable().meta({ description: 'Bytes of its frame.' }),
  frame: text('What its frame carried, in hexadecimal digits, at most 4096 bytes of it.').nullable(),
  signedText: text('Where the signature was wrong: the text to sign; else null.').nullable(),
  expectedSignature: text('Likewise: the signature of that text.').nullable(),
});

const settings = z.strictObject({
  isOn: field.flag('Whether requests are logged.'),
  kept: field.whole('How many requests are kept, and how many happenings on websockets.', {
    min: 1,
    max: logLimits.keptMax,
  }),
});

const control = { scope: 'market:control', sandboxOnly: 'requestLog' } as const;

/** Endpoints of the log of requests. DEC-KIT-27. */
export const requestEndpoints = {
  listRequests: endpoint.get('/v1/requests', {
    ...control,
    name: 'List logged requests',
    command: 'requests list',
    summary: 'The last requests of clients with their answers, and what happened on websockets, newest first.',
    notes:
      `The last ${logLimits.keptDefault} of either are kept unless it is set otherwise, in ` +
      `${logLimits.bytes} bytes at most.`,
    query: z.strictObject({ ...filter, ...field.paging }),
    answer: field.page(z.strictObject(summary)),
    problems: ['unknownAccount'],
  }),
  getRequest: endpoint.get('/v1/requests/{id}', {
    ...control,
    name: 'Look at a logged request',
    command: 'requests show',
    summary: 'A request as a whole, with its answer; where the signature was wrong, with the text to sign.',
    parameters: z.strictObject({ id }),
    answer: entry,
    problems: ['unknownRequest'],
  }),
  awaitRequest: endpoint.post('/v1/requests/await', {
    ...control,
    name: 'Wait for a request',
    command: 'requests await',
    summary: 'Answers the first request that matches: one behind `after` that is there, or the next one that comes.',
    notes: 'Without `after` only what comes from now on counts.',
    body: z
      .strictObject({
        ...filter,
        seconds: field
          .whole('How long it waits, on the clock of the machine.', { min: 0, max: logLimits.waitSeconds })
          .default(10),
      })
      .meta({ examples: [{ path: '/api/v3/order', method: 'POST', seconds: 0 }] }),
    answer: z.strictObject({ entry: entry.nullable().meta({ description: 'null: none came in time.' }) }),
    problems: ['unknownAccount', 'tooManyWait'],
  }),
  exportRequests: endpoint.get('/v1/requests/export', {
    ...control,
    name: 'Export logged requests',
    command: 'requests export',
    summary: 'The newest requests as text, oldest first: HAR, lines for a shell, scripts of Python, or calls of ccxt.',
    notes:
      `At most ${logLimits.exported}. What was signed is signed anew, with the secret in the variable BOURSE_SECRET: ` +
      'secret keys are not in the log. Those of demo accounts are asked of the sandbox, which gives them to programs ' +
      'of its machine.',
    query: z.strictObject({
      format: field.word(exportFormats, 'What they are written as.'),
      id: field.whole('This one alone, with all that it needs to be run.', { min: 1, max: idMax }).optional(),
      ...filter,
    }),
    answer: z.strictObject({
      entries: field.whole('How many there are.', { min: 0, max: logLimits.exported }),
      text: text('What was asked for.'),
    }),
    problems: ['unknownAccount', 'unknownRequest'],
  }),
  getRequestSettings: endpoint.get('/v1/requests/settings', {
    ...control,
    name: 'Look at log settings',
    command: 'requests settings',
    summary: 'Whether requests are logged, and how many are kept.',
    answer: settings,
  }),
  setRequestSettings: endpoint.put('/v1/requests/settings', {
    ...control,
    name: 'Change log settings',
    command: 'requests set',
    summary: 'Switches the log of requests on or off, and sets how many are kept: the oldest go.',
    body: settings.meta({ examples: [{ isOn: true, kept: 5000 }] }),
    answer: settings,
  }),
  clearRequests: endpoint.delete('/v1/requests', {
    ...control,
    name: 'Forget logged requests',
    command: 'requests clear',
    summary: 'Forgets all requests.',
    answer: z.strictObject({ removed: field.whole('How many there were.', { min: 0, max: 2 * logLimits.keptMax }) }),
  }),
};
