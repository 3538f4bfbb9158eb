import { z } from 'zod';
import { candleIntervals } from '#model/candle.ts';
import { clockBounds } from '#sandbox/clock-controls.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const control = { scope: 'market:control', sandboxOnly: 'time' } as const;

/** How many times as fast as something else. */
export const factor = (description: string) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,3})(?:\.\d{1,2})?$/, 'must be decimal text with at most two decimals such as "2.5"')
    .refine(
      (text) => Number(text) >= clockBounds.factorLeast && Number(text) <= clockBounds.factorMost,
      `must be from ${clockBounds.factorLeast} to ${clockBounds.factorMost}`,
    )
    .meta({ description, examples: ['60'] });

const span = (description: string) => field.whole(description, { min: 1, max: clockBounds.advanceMsMost });

const how = {
  pace: field
    .word(
      ['auto', 'fine', 'coarse'],
      'How exactly time passes: `fine`, each thing at its own time; `coarse`, at steps of a minute or more; `auto`, ' +
        'fine up to a minute, else coarse.',
    )
    .default('auto'),
  wait: field.flag('Whether the answer waits for the end; else the clock moves on behind it.').default(true),
};

const state = z.strictObject({
  mode: field.word(
    ['following', 'standing', 'running'],
    "`following`: it shows the machine's clock; `running`: apart from it, at a factor.",
  ),
  factor: z
    .string()
    .nullable()
    .meta({ description: "How many times as fast as the machine's clock it runs; null: it is not running." }),
  now: field.moment('What it shows.'),
  offsetMs: z.int().meta({ description: "What it shows less what the machine's clock shows, in milliseconds." }),
  advance: z
    .strictObject({
      from: field.moment('Where it began.'),
      to: field.moment('Where it ends at the latest.'),
      now: field.moment('How far it is.'),
      startedAt: field.moment("When it began, by the machine's clock."),
    })
    .nullable()
    .meta({ description: 'The advance that is on its way; null: there is none.' }),
});

const end = z.strictObject({
  now: field.moment('What the clock shows.'),
  ended: field.word(
    ['reached', 'met', 'impossible', 'cancelled', 'onItsWay'],
    'Why: `reached`, the span is over; `met`, what was waited for happened; `impossible`, it cannot happen any more; ' +
      '`cancelled`; `onItsWay`, it goes on, as it was asked to without waiting.',
  ),
});

/** Endpoints of the clock of a sandbox. DEC-KIT-01 to DEC-KIT-04. */
export const clockEndpoints = {
  getClock: endpoint.get('/v1/clock', {
    ...control,
    name: 'Look at the clock',
    command: 'clock show',
    summary: 'What the clock of the sandbox shows, how it goes on, and how far an advance is.',
    answer: state,
  }),
  setClock: endpoint.put('/v1/clock', {
    ...control,
    name: 'Set the clock',
    command: 'clock set',
    summary: 'Lets the clock stand, run at a factor or follow the machine again, or sets it forward.',
    notes:
      'Time never runs backwards: it follows the machine again only where it is not ahead of it. Set forward, it ' +
      'leaps: what was due on the way is done once, at the moment that it is set to; an advance does it at its ' +
      'times. A factor above 20 lets time pass coarsely.',
    body: z
      .strictObject({
        mode: field.word(['following', 'standing', 'running'], 'How it goes on; without it as before.').optional(),
        factor: factor("How many times as fast as the machine's clock it runs, 0.01 to 1000; without it 1.").optional(),
        now: field.moment('What it is set forward to, at most the beginning of 2200.').optional(),
      })
      .meta({ examples: [{ mode: 'running', factor: '60' }] }),
    answer: state,
    problems: ['clockAdvancing', 'clockAhead'],
  }),
  advanceClock: endpoint.post('/v1/clock/advance', {
    ...control,
    name: 'Advance the clock',
    command: 'clock advance',
    summary: 'Advances the clock of a sandbox by a span, and does whatever is due on the way.',
    notes:
      'Finely, each thing is done at its time and one after the other: simulated traders act every 100 ms of it, ' +
      'index prices follow every second, chains make blocks, rebates are paid at midnight. Coarsely, all of it is ' +
      'done at whole minutes of the last 25 hours, every 5 minutes before, every hour beyond 35 days. A clock that ' +
      'followed the machine runs on apart from it. Advances wait for each other.',
    body: z.strictObject({ ms: span('How far, in milliseconds.'), ...how }).meta({ examples: [{ ms: 60_000 }] }),
    answer: end,
    problems: ['clockAdvancing'],
  }),
  cancelAdvance: endpoint.delete('/v1/clock/advance', {
    ...control,
    name: 'Cancel an advance',
    command: 'clock cancel',
    summary: 'Stops every advance after the step that it is at; whoever waits is told where the clock stopped.',
    answer: state,
  }),
  advanceClockUntil: endpoint.post('/v1/clock/until', {
    ...control,
    name: 'Advance until something happens',
    command: 'clock until',
    summary: 'Advances the clock until what is named happens, at most by a span.',
    notes:
      'Exactly one of order, price, funding and candle is named. The clock stops after the step in which it ' +
      'happened; what holds already is met at once.',
    body: z
      .strictObject({
        limitMs: span('By how much at most, in milliseconds.'),
        ...how,
        order: z
          .strictObject({
            order: field.orderId(),
            is: field.word(['closed', 'filled'], 'What it waits for: closed in any way, or filled as a whole.'),
          })
          .optional(),
        price: z
          .strictObject({
            market: z
              .string()
              .regex(/^[A-Z0-9_]{2,25}$/, 'must be the name of a pair or contract')
              .meta({ description: 'Name of the pair or contract.', examples: ['BTCUSDT'] }),
            above: field.amount('It trades at this price or above.').optional(),
            below: field.amount('It trades at this price or below.').optional(),
          })
          .optional(),
        funding: z.strictObject({ contract: field.contractName() }).optional(),
        candle: z.strictObject({ interval: field.word(candleIntervals, 'The candle of now is over.') }).optional(),
      })
      .meta({ examples: [{ limitMs: 3_600_000, price: { market: 'BTCUSDT', above: '100000' } }] }),
    answer: end,
    problems: ['clockAdvancing', 'unknownOrder'],
  }),
};
