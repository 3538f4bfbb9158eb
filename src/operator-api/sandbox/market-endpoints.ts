import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const million = 1_000_000;
/** A value falls by at most nine tenths, and rises to ten times at most. */
const bounds = { min: -900_000, max: 9 * million } as const;
const longestSeconds = 86_400;

/** Endpoints of the simulated market. */
export const marketEndpoints = {
  moveMarket: endpoint.post('/v1/market/moves', {
    scope: 'market:control',
    name: 'Move the market',
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
  }),
};
