import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { marketName } from '#operator-api/sandbox/market-name.ts';

const control = { scope: 'market:control', sandboxOnly: 'simulation' } as const;
const opened = z.strictObject({
  market: marketName('Name of it.'),
  base: field.assetCode(),
  quote: field.assetCode('What prices are in.'),
  usd: field.amount('What a coin of the base is worth, in US dollars.'),
});
const problems = ['tradersElsewhere', 'invalidConfiguration', 'aboveAssetCap'] as const;

/** Endpoints of markets that are listed on demand. DEC-KIT-54, DEC-KIT-55. */
export const newMarketEndpoints = {
  openPair: endpoint.post('/v1/market/pairs', {
    ...control,
    name: 'Open a new pair',
    command: 'market open-pair',
    summary: 'Lists a coin and a pair of it that is open, and lets the simulated traders trade it, in one call.',
    notes:
      'Decimals and bounds of orders follow from the price. The traders get coins, and go on with it after a start. ' +
      'A coin that was opened so may have further pairs. It has no networks: nobody can deposit it.',
    body: z
      .strictObject({
        base: field.assetCode('Ticker of the coin; one that the sandbox does not begin with.'),
        quote: field.assetCode('What prices are in: an asset that the traders value.').default('USDT'),
        price: field
          .amount('What a coin of the base costs, in the quote asset; left out where the traders value it already.')
          .optional(),
        fullName: field.text('Name of the coin for people; unless sent its ticker.', 64).optional(),
        grant: field.amount('Coins of the base that alice and bob get each.').default('0'),
      })
      .meta({ examples: [{ base: 'NOVA', price: '12.5', fullName: 'Nova', grant: '1000' }] }),
    answer: opened,
    status: 201,
    problems,
  }),
  openContract: endpoint.post('/v1/market/contracts', {
    ...control,
    name: 'Open a new contract',
    command: 'market open-contract',
    summary: 'Lists a perpetual contract that is enabled, and lets the simulated traders trade it, in one call.',
    notes:
      'It is settled in USDT and follows the pair of its coin with USDT, which has to be online. Its insurance fund ' +
      'gets money, and the traders go on with it after a restart.',
    body: z
      .strictObject({ base: field.assetCode('The coin, one that the traders value.') })
      .meta({ examples: [{ base: 'LTC' }] }),
    answer: opened,
    status: 201,
    problems,
  }),
};
