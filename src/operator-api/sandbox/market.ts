import { million } from '#base/whole-numbers.ts';
import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';

/** A value falls by at most nine tenths, and rises to ten times at most. */
const bounds = { min: -900_000, max: 9 * million } as const;
const longestSeconds = 86_400;

/** Endpoints of the simulated market. */
export const marketEndpoints = {
  moveMarket: endpoint.post('/v1/market/moves', {
    scope: 'market:control',
    name: 'Move the market',
    command: 'market move',
    summary: 'Changes what the simulated traders take assets to be worth, evenly over a time.',
    notes:
      'Prices follow by trades, in pairs and contracts alike; chance goes on beside it. A move takes the place of ' +
      'one of the same asset that is not over, and ends with the process.',
    body: z
      .strictObject({
        assets: z.array(field.assetCode()).min(1).max(100).meta({ description: 'Assets that move.' }),
        changePpm: field.whole('Change of their value, in parts per million.', bounds),
        seconds: field.whole('Exchange time that it takes.', { min: 1, max: longestSeconds }),
      })
      .meta({ examples: [{ assets: ['BTC', 'ETH', 'SOL', 'DOGE'], changePpm: -300_000, seconds: 120 }] }),
    answer: z.strictObject({
      assets: z.array(field.assetCode()).meta({ description: 'Assets that move.' }),
      endsAt: field.moment('When it is over.'),
    }),
    sandboxOnly: 'simulation',
    problems: ['tradersElsewhere'],
  }),
};

/** Handlers of the simulated market; served only where there is one. DEC-FUT-65, DEC-CLU-23. */
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
        if (!simulation.isActing) throw new Problem('tradersElsewhere');
        simulation.move({ assets, factor: 1 + changePpm / million, durationMs: seconds * 1000 });
        return { assets, endsAt: clock.now() + seconds * 1000 };
      }),
  };
}
