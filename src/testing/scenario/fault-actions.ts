import { z } from 'zod';
import { catalogue } from '#operator-api/catalogue.ts';
import { accountName, askOperator, control, type Members, oneOf } from '#testing/scenario/operator-actions.ts';
import { done, type StepAnswer } from '#testing/scenario/step-answer.ts';
import { accountOf, action, type World } from '#testing/scenario/world.ts';

const { match, ...rule } = catalogue.addFault.body.shape;
const matched = match.unwrap().extend({ account: accountName().optional() });

/** The rule with the uid of its account. */
const withUid = (world: World, { match: { account, ...others }, ...more }: z.output<typeof ruleShape>): Members => ({
  ...more,
  match: account === undefined ? others : { ...others, account: accountOf(world, account).uid },
});
const ruleShape = z.strictObject({ ...rule, match: matched.default({}) });

/** Rules of faults that a run added, of which some may be gone. */
const added = new WeakMap<World, Set<string>>();

async function add(world: World, asked: Members): Promise<StepAnswer> {
  const answer = await askOperator(world, 'addFault', asked);
  const { id } = answer.body as { readonly id?: string };
  if (answer.status !== 200 || id === undefined) return answer;
  added.set(world, (added.get(world) ?? new Set()).add(id));
  world.undo('faults', () => clear(world));
  return answer;
}

async function clear(world: World): Promise<StepAnswer> {
  for (const id of added.get(world) ?? []) await askOperator(world, 'removeFault', { id });
  added.delete(world);
  return done;
}

/** What goes wrong. `clear` takes away what the run added, and nothing else. DEC-KIT-73. */
export const faultsAction = oneOf({
  add: action(ruleShape, (world, asked) => add(world, withUid(world, asked))),
  remove: control('removeFault'),
  clear: action(z.literal(true), clear),
});
