import { z } from 'zod';
import { million } from '#base/whole-numbers.ts';
import { marketName } from '#operator-api/sandbox/market-name.ts';
import { pathShape } from '#operator-api/sandbox/path-shape.ts';
import { agentStates, bookSides } from '#sandbox/agents/market-conditions.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

/** A value falls by at most nine tenths, and rises to ten times at most. */
const bounds = { min: -900_000, max: 9 * million } as const;
/** Longest time of a move or a condition. */
const longestSeconds = 86_400;

const control = { scope: 'market:control', sandboxOnly: 'simulation' } as const;
const names = z
  .array(marketName('A pair or a contract.'))
  .min(1)
  .max(100)
  .meta({ description: 'Pairs and contracts.' });
const movingAssets = z.array(field.assetCode()).min(1).max(100).meta({ description: 'Assets that move.' });
const crash = {
  assets: ['BTC'],
  path: { kind: 'flashCrash', fallPpm: 250_000, fallSeconds: 5, bottomSeconds: 10, recoverySeconds: 60 },
};
const factor = (description: string, min: number, max: number) =>
  field.whole(`${description} In parts per million of the usual.`, { min, max: max * million });

const condition = {
  agents: field.word(
    agentStates,
    'on: they trade; still: they leave their orders and do nothing; off: they have no orders.',
  ),
  sides: field.word(bookSides, 'Whose orders they let rest: with buy nobody of them sells to those who buy.'),
  spreadPpm: factor('Distance of their best quotes.', million / 10, 1000),
  depthPpm: factor('Worth of each level of their ladders.', million / 1000, 20),
  tradesPpm: factor('How often those trade who trade at random; 0: never.', 0, 100),
};
const usual = {
  agents: condition.agents.default('on'),
  sides: condition.sides.default('both'),
  spreadPpm: condition.spreadPpm.default(million),
  depthPpm: condition.depthPpm.default(million),
  tradesPpm: condition.tradesPpm.default(million),
};
const endsAt = field.moment('When it ends; null: never, but with the process.').nullable();
const market = z.strictObject({ market: marketName('Name of it.'), ...condition, endsAt });
const seenMarket = market.extend({
  base: field.assetCode('The coin that is traded; null: it is not listed.').nullable(),
  price: field.amount('Last price; null: there is none.').nullable(),
  isHalted: field.flag('Whether it is paused and takes no orders.'),
});

const value = z.strictObject({
  asset: field.assetCode(),
  usd: field.amount('Its worth in US dollars.'),
  path: z.string().nullable().meta({ description: 'Kind of the path that it follows; null: none.' }),
  endsAt: field.moment('When the path ends; null: there is none.').nullable(),
});

/** Endpoints of the simulated market. */
export const marketEndpoints = {
  getMarket: endpoint.get('/v1/market', {
    ...control,
    name: 'Look at the simulated market',
    command: 'market show',
    summary: 'What the simulated traders are told to do in each market, its last price, and whether they act here.',
    answer: z.strictObject({
      isActing: field.flag('Whether the traders act in this process; those of a cluster act at the leader.'),
      now: field.moment('What the clock of the exchange shows.'),
      markets: z.array(seenMarket).meta({ description: 'Every pair and contract that they may trade.' }),
      values: z.array(value).meta({ description: 'What they take assets to be worth; none where they do not act.' }),
    }),
  }),
  setMarketCondition: endpoint.put('/v1/market/conditions', {
    ...control,
    name: 'Change a market',
    command: 'market set',
    summary: 'Makes a market quiet, thin, wide, one-sided or busy, for a while or until it is changed again.',
    notes:
      'It takes the place of the condition that the markets had; what is left out is as usual. The traders cancel ' +
      'their orders there and lay out new ones in the same step. Orders of others stay. It ends with the process.',
    body: z
      .strictObject({
        markets: names,
        ...usual,
        seconds: field
          .whole('How long, on the clock of the exchange; null: until it is changed.', { min: 1, max: longestSeconds })
          .nullable()
          .default(null),
      })
      .meta({ examples: [{ markets: ['BTCUSDT'], sides: 'sell', depthPpm: 100_000, seconds: 60 }] }),
    answer: z.strictObject({ markets: z.array(market).meta({ description: 'Those that changed.' }) }),
    problems: ['tradersElsewhere'],
  }),
  clearMarketConditions: endpoint.delete('/v1/market/conditions', {
    ...control,
    name: 'Leave markets to themselves',
    command: 'market reset',
    summary: 'Ends all conditions of markets: the traders do as usual.',
    answer: z.strictObject({
      ended: field.whole('How many markets had one.', { min: 0, max: Number.MAX_SAFE_INTEGER }),
    }),
    problems: ['tradersElsewhere'],
  }),
  followPath: endpoint.post('/v1/market/paths', {
    ...control,
    name: 'Lead prices along a path',
    command: 'market path',
    summary: 'Leads what the simulated traders take assets to be worth: a crash, a jump, a trend, a range.',
    notes:
      'Prices follow by trades. It takes the place of a path or a move of these assets, and ends with the process. ' +
      'Beside it chance goes on by volatilityPpm of the usual; with 0 neither chance nor trades move the value. ' +
      'Calm are jump, flashCrash, depeg and segments.',
    body: z
      .strictObject({
        assets: movingAssets,
        path: pathShape,
        volatilityPpm: factor(
          'Chance beside the path; unless sent 1000000, and 0 where a kind is calm.',
          0,
          20,
        ).optional(),
      })
      .meta({ examples: [crash] }),
    answer: z.strictObject({
      assets: movingAssets,
      endsAt: field.moment('When it is over.'),
    }),
    problems: ['tradersElsewhere', 'invalidConfiguration'],
  }),
  clearPaths: endpoint.delete('/v1/market/paths', {
    ...control,
    name: 'End all paths',
    command: 'market end-paths',
    summary: 'Ends the paths of all assets where they are.',
    answer: z.strictObject({
      ended: field.whole('How many assets followed one.', { min: 0, max: Number.MAX_SAFE_INTEGER }),
    }),
    problems: ['tradersElsewhere'],
  }),
  moveMarket: endpoint.post('/v1/market/moves', {
    ...control,
    name: 'Move the market',
    command: 'market move',
    summary: 'Changes what the simulated traders take assets to be worth, evenly over a time.',
    notes:
      'Prices follow by trades, in pairs and contracts alike; chance goes on beside it. A move takes the place of ' +
      'one of the same asset that is not over, and ends with the process.',
    body: z
      .strictObject({
        assets: movingAssets,
        changePpm: field.whole('Change of their value, in parts per million.', bounds),
        seconds: field.whole('Exchange time that it takes.', { min: 1, max: longestSeconds }),
      })
      .meta({ examples: [{ assets: ['BTC', 'ETH', 'SOL', 'DOGE'], changePpm: -300_000, seconds: 120 }] }),
    answer: z.strictObject({
      assets: movingAssets,
      endsAt: field.moment('When it is over.'),
    }),
    problems: ['tradersElsewhere'],
  }),
};
