import { z } from 'zod';
import { catalogue } from '#operator-api/catalogue.ts';
import { askOperator } from '#testing/scenario/operator-actions.ts';
import { span, spanMs } from '#testing/scenario/span.ts';
import { type StepAnswer, StepFailed } from '#testing/scenario/step-answer.ts';
import { action, type World } from '#testing/scenario/world.ts';

const { pace, order, price, funding, candle } = catalogue.advanceClockUntil.body.shape;
const names = ['advance', 'leap', 'set', 'until'] as const;

const schema = z
  .strictObject({
    advance: span('By how much it advances; whatever is due on the way is done.').optional(),
    pace: pace.describe('How exactly time passes while it advances.').optional(),
    leap: span('By how much it is set forward: what was due on the way is done once.').optional(),
    set: catalogue.setClock.body.optional().describe('How it goes on, or what it is set forward to.'),
    until: z
      .strictObject({ limit: span('By how much it advances at most.'), order, price, funding, candle })
      .meta({ description: 'Advances it until this happens. Within the limit it has to.' })
      .optional(),
  })
  .refine((members) => names.filter((name) => members[name] !== undefined).length === 1, {
    message: `must have exactly one of ${names.join(', ')}`,
  });

/** Leads the clock of the exchange. DEC-KIT-73. */
export const clockAction = action(schema, async (world, { advance, pace: how, leap, set, until }) => {
  await takeBackMode(world);
  if (leap !== undefined) {
    const { now } = await world.operator.getClock();
    return askOperator(world, 'setClock', { now: now + spanMs(leap) });
  }
  if (set !== undefined) return askOperator(world, 'setClock', set);
  const paced = how === undefined ? {} : { pace: how };
  if (advance !== undefined) {
    const answer = await askOperator(world, 'advanceClock', { ms: spanMs(advance), ...paced });
    return ended(answer, 'reached');
  }
  const { limit, ...condition } = until as { readonly limit: string };
  return ended(
    await askOperator(world, 'advanceClockUntil', { limitMs: spanMs(limit), ...paced, ...condition }),
    'met',
  );
});

/** Time that ended otherwise is no answer of the exchange that a scenario could go on with. @throws StepFailed */
function ended(answer: StepAnswer, expected: 'reached' | 'met'): StepAnswer {
  const { ended: how } = answer.body as { readonly ended?: string };
  if (answer.status === 200 && how !== expected) throw new StepFailed(`the clock to end as ${expected}`, String(how));
  return answer;
}

/** The clock goes on as before, as far as time that has passed lets it. */
async function takeBackMode(world: World): Promise<void> {
  const { mode, factor } = await world.operator.getClock();
  world.undo('clock', async () => {
    const back = mode === 'running' ? { mode, factor: factor ?? '1' } : { mode };
    const { status } = await askOperator(world, 'setClock', back);
    // It is ahead of the machine's now: it runs on from there.
    if (status === 409) await askOperator(world, 'setClock', { mode: 'running' });
  });
}
