import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { marketName } from '#operator-api/sandbox/market-name.ts';

const control = { scope: 'market:control', sandboxOnly: 'simulation' } as const;
const daySeconds = 86_400;
const halted = z.strictObject({
  market: marketName('The pair or contract.'),
  isHalted: field.flag('Whether it takes no orders now.'),
  resumesAt: field.moment('When it takes orders again; null: on demand alone.').nullable(),
});

/** Endpoints of halts. DEC-KIT-66. */
export const haltEndpoints = {
  haltMarkets: endpoint.post('/v1/market/halts', {
    ...control,
    name: 'Halt markets',
    command: 'market halt',
    summary: 'Pauses pairs and contracts for everybody, for a while on the clock of the exchange or until they resume.',
    notes:
      'Orders stay, and can be cancelled. A contract whose pair is halted for over a minute has no index and is ' +
      'paused too: name it as well. A contract is resumed two seconds after its time, and by this process alone.',
    body: z
      .strictObject({
        markets: z.array(marketName('A pair or a contract.')).min(1).max(100).meta({ description: 'Which ones.' }),
        seconds: field
          .whole('How long; null: until they are resumed.', { min: 1, max: daySeconds })
          .nullable()
          .default(null),
      })
      .meta({ examples: [{ markets: ['BTCUSDT', 'BTC_USDT'], seconds: 90 }] }),
    answer: z.strictObject({ markets: z.array(halted).meta({ description: 'Those that are halted.' }) }),
    problems: ['tradersElsewhere', 'invalidConfiguration', 'wrongState'],
  }),
  resumeMarket: endpoint.delete('/v1/market/halts/{market}', {
    ...control,
    name: 'Resume a market',
    command: 'market resume',
    summary: 'Lets a pair or a contract that is paused take orders again.',
    parameters: z.strictObject({ market: marketName('A pair or a contract.') }),
    answer: halted,
    problems: ['unknownPair', 'invalidConfiguration', 'wrongState'],
  }),
};
