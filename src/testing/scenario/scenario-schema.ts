import { z } from 'zod';
import * as field from '#operator-api/declaration/fields.ts';
import { chainAction } from '#testing/scenario/chain-actions.ts';
import { clockAction } from '#testing/scenario/clock-action.ts';
import { expectAction } from '#testing/scenario/expect-action.ts';
import { faultsAction } from '#testing/scenario/fault-actions.ts';
import { contractAction, haltAction, marketAction, resumeAction } from '#testing/scenario/market-actions.ts';
import { expectedMembers, expectedValue } from '#testing/scenario/match-value.ts';
import { operatorAction } from '#testing/scenario/operator-actions.ts';
import { namePattern } from '#testing/scenario/references.ts';
import { span, spanMs } from '#testing/scenario/span.ts';
import { done, StepFailed } from '#testing/scenario/step-answer.ts';
import {
  cancelAction,
  faucetAction,
  listenAction,
  orderAction,
  requestAction,
  withdrawAction,
} from '#testing/scenario/trade-actions.ts';
import { type Action, action } from '#testing/scenario/world.ts';

/** Bounds of a scenario. Counts are inclusive. */
export const scenarioLimits = {
  /** Of a file. */
  bytes: 1024 * 1024,
  /** In one list. */
  steps: 1000,
  /** Repetitions of one list. */
  times: 10_000,
  /** Lists of steps within each other. */
  nested: 3,
  /** Steps that one run makes. */
  made: 100_000,
  accounts: 100,
} as const;

const restartAction = action(
  z.strictObject({ down: span('How long nobody answers.').default('0ms') }),
  async ({ restart }, { down }) => {
    if (restart === null)
      throw new StepFailed('an exchange that the runner can restart', 'one that somebody else runs');
    await restart(spanMs(down));
    return done;
  },
);

const pauseAction = action(
  z.strictObject({ for: span('How long, by the clock of the machine.') }),
  async ({ pause, isShared }, { for: time }) => {
    if (isShared) await pause(Math.min(spanMs(time), pauseMsMost));
    return done;
  },
);
const pauseMsMost = 600_000;

const described = (what: Action, description: string): Action => ({
  ...what,
  schema: what.schema.describe(description),
});

/** What a step can do, by its word. DEC-KIT-73. */
export const actions = {
  clock: described(clockAction, 'Leads the clock of the exchange.'),
  faults: described(faultsAction, 'Adds and removes rules of faults.'),
  market: described(marketAction, 'Says what the simulated traders do.'),
  chain: described(chainAction, 'Leads the simulated chains.'),
  contract: described(contractAction, 'Orders, leverage and index prices of contracts.'),
  halt: described(haltAction, 'Stops a pair, or all trading.'),
  resume: described(resumeAction, 'Opens it again.'),
  order: described(orderAction, 'Places an order of an account.'),
  cancel: described(cancelAction, 'Cancels an order, or all of a pair.'),
  faucet: described(faucetAction, 'Sets what an account has free.'),
  withdraw: described(withdrawAction, 'Asks for a withdrawal.'),
  request: described(requestAction, 'Any request of the public API.'),
  operator: described(operatorAction, 'Any call of the operator API.'),
  listen: described(listenAction, 'Opens a websocket that listens.'),
  restart: described(restartAction, 'Stops the exchange and starts it again; of an exchange of the runner alone.'),
  pause: described(
    pauseAction,
    'Gives a bot beside it time, by the clock of the machine; where there is none it is left out.',
  ),
  expect: described(expectAction, 'Looks whether something is so.'),
} as const satisfies Readonly<Record<string, Action>>;
export type ActionName = keyof typeof actions;
/** Words of actions, in the order of the documents. */
export const actionNames = Object.keys(actions) as ActionName[];

const name = (description: string) =>
  z.string().regex(namePattern, 'must be a letter, then at most 31 letters, digits, - and _').meta({ description });

/** What is expected of the answer of a step; without it the step has to succeed. */
export const answerSchema = z.strictObject({
  status: z.int().min(100).max(599).optional().meta({ description: 'HTTP status.' }),
  code: z.union([z.int(), z.string()]).optional().meta({ description: 'Code of the refusal; its name for operators.' }),
  isLost: z.boolean().optional().meta({ description: 'Whether no answer could be read.' }),
  has: expectedMembers.or(z.array(expectedValue)).optional().meta({ description: 'What its body has.' }),
});

const verbs = [...actionNames, 'repeat'] as const;
const stepMembers: Readonly<Record<string, z.ZodType>> = {
  note: z.string().max(500).optional().meta({ description: 'Why; it is printed.' }),
  as: name(`Names the answer, for later steps: \${name.member}.`).optional(),
  answer: answerSchema.optional().describe('What is expected of the answer; without it the step has to succeed.'),
};

/** One step: exactly one action, or steps that are repeated. */
const step: z.ZodType = z.lazy(() => stepObject);
const steps = z.array(step).max(scenarioLimits.steps);
const repeated = z.strictObject({
  times: z.int().min(1).max(scenarioLimits.times).meta({ description: 'How often.' }),
  count: name('Names the number of the round, from 1.').optional(),
  steps: steps.min(1).describe('Steps of each round.'),
});
const stepObject = z
  .strictObject({
    ...stepMembers,
    ...Object.fromEntries(actionNames.map((verb) => [verb, actions[verb].schema.optional()])),
    repeat: repeated.optional().describe('Makes steps again and again.'),
  })
  .refine((members) => verbs.filter((verb) => Object.hasOwn(members, verb)).length === 1, {
    message: `must have exactly one of ${verbs.join(', ')}`,
  });

const grant = z.strictObject({
  asset: field.assetCode(),
  amount: field.amount('How much of it.'),
  wallet: z.enum(['spot', 'futures']).default('spot').meta({ description: 'Which of its wallets.' }),
});
const account = z
  .strictObject({
    uid: field.uid('An account that exists, of which a key is made; without it a new one is opened.').optional(),
    grants: z.array(grant).max(50).default([]).meta({ description: 'What a new account has.' }),
  })
  .refine(({ uid, grants }) => uid === undefined || grants.length === 0, {
    path: ['grants'],
    message: 'must be left out of an account that exists',
  });

const exchange = z.strictObject({
  seed: z.string().min(1).max(64).optional().meta({ description: 'Keys and the market are made from it.' }),
  now: z
    .string()
    .max(32)
    .optional()
    .meta({
      description: 'Moment at which its clock begins, and stands.',
      examples: ['2026-01-01T00:00:00Z'],
    }),
  clock: z.enum(['manual', 'running']).optional().meta({ description: 'Whether the clock stands or runs on.' }),
  simulate: z.boolean().optional().meta({ description: 'Whether simulated traders make a market.' }),
  settings: z.record(z.string(), z.unknown()).optional().meta({ description: 'Further settings by name.' }),
});

/** A scenario as its file holds it. DEC-KIT-70. */
export const scenarioSchema = z.strictObject({
  name: z.string().min(1).max(100).meta({ description: 'What happens.' }),
  why: z.string().max(4000).optional().meta({ description: 'Why it bites.' }),
  exchange: exchange
    .default({})
    .meta({ description: 'The exchange that is started for it; one that runs is taken as it is.' }),
  withoutTraders: z
    .array(z.string().max(25))
    .max(100)
    .default([])
    .meta({ description: 'Markets that simulated traders leave while it runs, where there are any.' }),
  accounts: z
    .record(name('Name of the account.'), account)
    .default({})
    .meta({ description: 'Accounts by the names that steps use.' }),
  steps: steps.min(1).describe('What happens, one after the other.'),
});

/** A step as it stands in the file: members with references that are still to be replaced. */
export type ScenarioStep = Readonly<Record<string, unknown>> & {
  readonly note?: string;
  readonly as?: string;
  readonly answer?: unknown;
};
/** A scenario that was read and checked. */
export interface Scenario extends Omit<z.output<typeof scenarioSchema>, 'steps'> {
  readonly steps: readonly ScenarioStep[];
}

/** The word of a step, and what stands behind it. */
export function verbOf(each: ScenarioStep): { readonly verb: ActionName | 'repeat'; readonly members: unknown } {
  const verb = verbs.find((one) => Object.hasOwn(each, one)) as ActionName | 'repeat';
  return { verb, members: each[verb] };
}
