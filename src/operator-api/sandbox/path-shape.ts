import { z } from 'zod';
import { million } from '#base/whole-numbers.ts';
import { pathLimits } from '#sandbox/path-shapes.ts';
import * as field from '#operator-api/declaration/fields.ts';

const span = (description: string, min = 0) => field.whole(description, { min, max: pathLimits.seconds });
const seconds = () => span('How long, on the clock of the exchange.', 1);
const change = () => field.whole('Change of the value, in parts per million.', { min: -990_000, max: 99 * million });

const fall = {
  fallPpm: field.whole('How far it falls, in parts per million.', { min: 1, max: 990_000 }),
  fallSeconds: span('How long it falls; 0: at once.'),
  bottomSeconds: span('How long it stays there.'),
  recoverySeconds: span('How long it recovers; 0: at once.'),
  recoveredPpm: field
    .whole('Part of the fall that comes back, in parts per million.', { min: 0, max: million })
    .default(million),
};

const shapes = [
  z.strictObject({
    kind: z.literal('trend').meta({ description: 'Evenly to another value.' }),
    changePpm: change(),
    seconds: seconds(),
  }),
  z.strictObject({
    kind: z.literal('drift').meta({ description: 'By so much in each hour.' }),
    changePpmPerHour: field.whole('Change in an hour, in parts per million.', { min: -900_000, max: 9 * million }),
    seconds: seconds(),
  }),
  z.strictObject({
    kind: z.literal('volatility').meta({ description: 'Nowhere by itself: chance alone, by volatilityPpm.' }),
    seconds: seconds(),
  }),
  z.strictObject({
    kind: z.literal('jump').meta({ description: 'At once to another value, where it stays.' }),
    changePpm: change(),
    seconds: seconds(),
  }),
  z.strictObject({
    kind: z.literal('range').meta({ description: 'Never further from the value of now than a width.' }),
    widthPpm: field.whole('Greatest distance, in parts per million.', { min: 1, max: 500_000 }),
    seconds: seconds(),
  }),
  z.strictObject({ kind: z.literal('flashCrash').meta({ description: 'Down, and up again.' }), ...fall }),
  z.strictObject({
    kind: z.literal('depeg').meta({ description: 'The same, of a coin that is to be a dollar.' }),
    ...fall,
  }),
  z.strictObject({
    kind: z.literal('segments').meta({ description: 'One change after the other.' }),
    segments: z
      .array(z.strictObject({ changePpm: change(), seconds: span('How long it takes; 0: at once.') }))
      .min(1)
      .max(pathLimits.segments)
      .meta({ description: 'Changes, each of the value before it.' }),
  }),
] as const;
const kinds = shapes.map(({ shape }) => shape.kind.value);

/** Where a value goes. */
export const pathShape = z
  .discriminatedUnion('kind', [...shapes], { error: `must have a kind: ${kinds.join(', ')}` })
  .meta({ description: 'Where the value goes.' });
