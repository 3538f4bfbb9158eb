import { z } from 'zod';
import { million } from '#base/whole-numbers.ts';
import { recordFormats, replayLimits } from '#sandbox/replays/recording.ts';
import { replayPrices, replayStates } from '#sandbox/replays/replay.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { factor } from '#operator-api/sandbox/clock-endpoints.ts';
import { marketName } from '#operator-api/sandbox/market-name.ts';

const control = { scope: 'market:control', sandboxOnly: 'simulation' } as const;
const kibibyte = 1024;
const id = () =>
  z
    .string()
    .regex(/^replay-\d{1,9}$/, 'must be the id of a replay')
    .meta({ description: 'Id of the replay.', examples: ['replay-1'] });
const count = (description: string) => field.whole(description, { min: 0, max: Number.MAX_SAFE_INTEGER });

const terms = {
  format: field.word(recordFormats, 'What the record is of.'),
  factor: factor('How many times as fast as it was, on the clock of the exchange.'),
  volumePpm: field.whole('How much is traded, in parts per million of what was recorded; 0: prices alone.', {
    min: 0,
    max: replayLimits.volumeFactor * million,
  }),
  price: field.word(replayPrices, 'recorded: prices as they were; present: their changes, from the price of now on.'),
};

const replay = z.strictObject({
  id: id(),
  market: marketName('The pair or contract.'),
  ...terms,
  state: field.word(
    replayStates,
    'waiting: it begins later; playing; over: all of it was played; ended: another path or move took its place.',
  ),
  startAt: field.moment('When it begins or began.'),
  endsAt: field.moment('When it is or was over.'),
  recordedFrom: field.moment('When the first trade or candle was recorded.'),
  entries: count('Trades or candles of the record.'),
  played: count('How many of them have begun.'),
});

const candles = [
  'open_time,open,high,low,close,volume',
  '1700000000000,36500.1,36520,36480,36510,12.5',
  '1700000060000,36510,36600,36505,36590,20.1',
].join('\n');

/** Endpoints of recordings that are replayed. DEC-KIT-64, DEC-KIT-65. */
export const replayEndpoints = {
  startReplay: endpoint.post('/v1/market/replays', {
    ...control,
    name: 'Replay recorded trades or candles',
    command: 'market replay',
    summary: 'Lets the simulated traders trade what was recorded elsewhere, with real orders.',
    notes:
      'The record is CSV in the columns of the public dumps, with or without header, or NDJSON of the same ' +
      'names; times in milliseconds or microseconds. Nobody trades at random in the market meanwhile. It takes the ' +
      'place of a path of the base asset, and ends with the process.',
    bodyBytes: replayLimits.textLength + kibibyte * kibibyte,
    body: z
      .strictObject({
        market: marketName('A pair or a contract.'),
        format: terms.format,
        record: field.fileText('Trades or candles, one a line.', replayLimits.textLength),
        startAt: field.moment('When it begins; unless sent, now.').optional(),
        factor: terms.factor.default('1'),
        volumePpm: terms.volumePpm.default(million),
        price: terms.price.default('present'),
        seed: field.text('Decides what a record leaves open: the sizes of trades within candles.', 64).default('1'),
      })
      .meta({ examples: [{ market: 'BTCUSDT', format: 'candles', record: candles, factor: '10' }] }),
    answer: replay,
    status: 201,
    problems: ['tradersElsewhere', 'invalidConfiguration', 'tooManyReplays'],
  }),
  listReplays: endpoint.get('/v1/market/replays', {
    ...control,
    name: 'List replays',
    command: 'market replays',
    summary: 'Replays that wait or play, with how far they are, and the last ones that are over.',
    answer: z.strictObject({
      items: z.array(replay).meta({ description: 'In the order in which they were asked for.' }),
    }),
  }),
  endReplay: endpoint.delete('/v1/market/replays/{id}', {
    ...control,
    name: 'End a replay',
    command: 'market end-replay',
    summary: 'Ends a replay where it is, and forgets it.',
    parameters: z.strictObject({ id: id() }),
    answer: replay,
    problems: ['tradersElsewhere', 'unknownReplay'],
  }),
};
