import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';

const hourMs = 3_600_000;

/** Endpoints of a clock that stands until it is advanced. */
export const clockEndpoints = {
  advanceClock: endpoint.post('/v1/clock/advance', {
    scope: 'market:control',
    name: 'Advance the clock',
    command: 'clock advance',
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

/** Handlers of a clock that stands; served only where there is one. DEC-OPR-28. */
export function clockHandlers(context: OperatorContext): HandlersOf<typeof clockEndpoints> {
  const once = createRequestMemory(context);
  return {
    advanceClock: (request) =>
      once('advance', request, async () => {
        if (context.time === null) throw new Problem('unknownPath');
        return { now: await context.time.advance(request.body.ms) };
      }),
  };
}
