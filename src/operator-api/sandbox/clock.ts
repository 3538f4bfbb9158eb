import type { clockEndpoints } from '#operator-api/sandbox/clock-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';

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
