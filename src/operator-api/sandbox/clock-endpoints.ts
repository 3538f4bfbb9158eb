import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const hourMs = 3_600_000;

/** Endpoints of a clock that stands until it is advanced. */
export const clockEndpoints = {
  advanceClock: endpoint.post('/v1/clock/advance', {
    scope: 'market:control',
    name: 'Advance the clock',
    summary: 'Advances the clock of a sandbox that was started with --clock manual.',
    notes:
      'Answers once all is done that was due on the way, each at its time and one after the other: simulated traders ' +
      'act every 100 ms of it, index prices follow every second, chains make blocks, rebates are paid at midnight. ' +
      'Advances wait for each other. Each minute takes a second or more.',
    body: z
      .strictObject({ ms: field.whole('How far, in milliseconds.', { min: 1, max: hourMs }) })
      .meta({ examples: [{ ms: 60_000 }] }),
    answer: z.strictObject({ now: field.moment('What the clock shows then.') }),
    sandboxOnly: 'time',
  }),
};
