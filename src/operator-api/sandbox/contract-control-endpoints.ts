import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

/** A tenth: as far as a rate may be forced. */
const ratePpmMost = 100_000;

/** Endpoints that bring about what contracts do seldom. DEC-KIT-67, DEC-KIT-68. */
export const contractControlEndpoints = {
  settleFunding: endpoint.post('/v1/market/fundings', {
    scope: 'market:control',
    sandboxOnly: 'time',
    name: 'Settle a funding',
    command: 'market fund',
    summary: 'Lets a funding of a contract be settled at the next full hour, to which the clock is advanced.',
    notes:
      'The contract gets a cycle of an hour, and where a rate is sent bounds that leave no other, until then; ' +
      'afterwards its terms are as before. Everything else that is due in that time happens too.',
    body: z
      .strictObject({
        contract: field.contractName(),
        ratePpm: field
          .whole('The rate, in parts per million: above zero longs pay; null: what follows from the premium.', {
            min: -ratePpmMost,
            max: ratePpmMost,
          })
          .nullable()
          .default(null),
      })
      .meta({ examples: [{ contract: 'BTC_USDT', ratePpm: 7500 }] }),
    answer: z.strictObject({
      contract: field.contractName(),
      rate: field.signedAmount('The rate: longs pay it to shorts, below zero shorts pay.'),
      fair: field.amount('The fair price by which it was settled.'),
      paid: field.amount('What payers paid, in the settle asset.'),
      received: field.amount('What receivers got.'),
      at: field.moment('The full hour.'),
      now: field.moment('What the clock shows.'),
    }),
    problems: ['invalidConfiguration', 'clockAdvancing'],
  }),
  liquidatePosition: endpoint.post('/v1/market/liquidations', {
    scope: 'market:control',
    sandboxOnly: 'faucet',
    name: 'Bring about a liquidation',
    command: 'market liquidate',
    summary: 'Gives a contract an index price at which a position of an account is liquidated, for some seconds.',
    notes:
      'The exchange liquidates by itself, within a second of its clock: with it everybody whose price lies ' +
      'on the way. The price is that of an index source LIQUIDATION, which outweighs the spot market; then the index ' +
      'goes back.',
    body: z
      .strictObject({
        uid: field.uid(),
        contract: field.contractName(),
        seconds: field.whole('How long the price holds.', { min: 1, max: 60 }).default(5),
      })
      .meta({ examples: [{ uid: 10_000_001, contract: 'BTC_USDT' }] }),
    answer: z.strictObject({
      uid: field.uid(),
      contract: field.contractName(),
      liquidationPrice: field.amount('Fair price at which the position is liquidated.'),
      indexPrice: field.amount('The index price that was given.'),
      until: field.moment('Last moment at which it counts.'),
    }),
    problems: ['unknownAccount', 'invalidConfiguration', 'tooManyIndexSources'],
  }),
};
