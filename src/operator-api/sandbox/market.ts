import type { marketEndpoints } from '#operator-api/sandbox/market-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';

const million = 1_000_000;

/** Handlers of the simulated market; served only where there is one. DEC-FUT-65. */
export function marketHandlers(context: OperatorContext): HandlersOf<typeof marketEndpoints> {
  const once = createRequestMemory(context);
  return {
    moveMarket: (request) =>
      once('move', request, async () => {
        const { simulation, clock } = context;
        if (simulation === null) throw new Problem('unknownPath');
        const { assets, changePpm, seconds } = request.body;
        const unknown = assets.findIndex((asset) => !simulation.assets.includes(asset));
        if (unknown >= 0)
          throw invalidBody(
            `/assets/${unknown}`,
            `must be one of ${simulation.assets.join(', ')}, which traders value`,
          );
        simulation.move({ assets, factor: 1 + changePpm / million, durationMs: seconds * 1000 });
        return { assets, endsAt: clock.now() + seconds * 1000 };
      }),
  };
}
