import { stopwatch } from '#base/clock.ts';
import { faultsOf } from '#operator-api/requests/schema-faults.ts';
import { differenceOf } from '#testing/scenario/match-value.ts';
import { ReferenceUnknown, resolved } from '#testing/scenario/references.ts';
import {
  actions,
  type answerSchema,
  scenarioLimits,
  type ScenarioStep,
  verbOf,
} from '#testing/scenario/scenario-schema.ts';
import { shown, type StepAnswer, StepFailed } from '#testing/scenario/step-answer.ts';
import { memberText } from '#testing/scenario/yaml-tree.ts';
import type { ScenarioStepMade } from '#testing/scenario-run.ts';
import type { World } from '#testing/scenario/world.ts';
import type { z } from 'zod';

/** A step that failed, with where it stands. */
export class StepAborted extends Error {
  override readonly name = 'StepAborted';
  readonly number: string;
  readonly text: string;
  readonly failure: StepFailed;

  constructor(number: string, text: string, failure: StepFailed) {
    super(`step ${number}, ${text}: ${failure.message}`);
    this.number = number;
    this.text = text;
    this.failure = failure;
  }
}

/** What making steps needs. */
export interface Making {
  readonly world: World;
  /** Answers and accounts, by what references call them. */
  readonly names: Map<string, unknown>;
  readonly onStep: (step: ScenarioStepMade) => void;
  /** Ends the run before the next step. */
  readonly signal: AbortSignal | undefined;
  /** Steps that were made so far. */
  made: number;
}

const textLength = 140;

/** `order account=carol side=BUY`: what a step does, in one line. */
export function stepText(step: ScenarioStep): string {
  const { verb, members } = verbOf(step);
  const parts = Object.entries(members as Readonly<Record<string, unknown>>).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = [verb, ...parts].join(' ');
  return text.length > textLength ? `${text.slice(0, textLength)}…` : text;
}

/** Makes steps one after the other. @throws StepAborted at the first that fails. DEC-KIT-72 */
export async function makeSteps(making: Making, steps: readonly ScenarioStep[], within = ''): Promise<void> {
  for (const [at, step] of steps.entries()) {
    const number = `${within}${at + 1}`;
    const began = stopwatch();
    const text = stepText(step);
    try {
      making.signal?.throwIfAborted();
      making.made += 1;
      if (making.made > scenarioLimits.made) throw new StepFailed(`at most ${scenarioLimits.made} steps`, 'one more');
      await makeStep(making, step, number);
    } catch (error) {
      throw error instanceof StepFailed ? new StepAborted(number, text, error) : error;
    }
    // Rounds are told by the step that repeats them.
    if (within === '') making.onStep({ number, text, note: step.note ?? null, ms: stopwatch() - began });
  }
}

async function makeStep(making: Making, step: ScenarioStep, number: string): Promise<void> {
  const { verb, members } = verbOf(step);
  if (verb === 'repeat') return makeRounds(making, members as Rounds, number);
  const { world, names } = making;
  const asked = readAgain(actions[verb].schema, withReferences(members, names));
  const answer = await actions[verb].run(world, asked);
  compareAnswer(answer, withReferences(step.answer, names) as ExpectedAnswer | undefined);
  if (step.as !== undefined) names.set(step.as, answer.body ?? {});
}

/** Steps that are repeated. */
interface Rounds {
  readonly times: number;
  readonly count?: string;
  readonly steps: readonly ScenarioStep[];
}

async function makeRounds(making: Making, { times, count, steps }: Rounds, number: string): Promise<void> {
  for (let round = 1; round <= times; round += 1) {
    if (count !== undefined) making.names.set(count, round);
    await makeSteps(making, steps, `${number}.`);
  }
}

function withReferences(value: unknown, names: ReadonlyMap<string, unknown>): unknown {
  try {
    return resolved(value, names);
  } catch (error) {
    throw error instanceof ReferenceUnknown ? new StepFailed('references to what is there', error.message) : error;
  }
}

/** Members once their references are replaced, read by the schema of their action. @throws StepFailed */
function readAgain(schema: z.ZodType, members: unknown): unknown {
  const { data, error } = schema.safeParse(members);
  if (error === undefined) return data;
  const [fault] = faultsOf(error, members);
  throw new StepFailed(`${memberText(fault?.path ?? [])} ${fault?.detail}`, shown(members));
}

type ExpectedAnswer = z.infer<typeof answerSchema>;

/** @throws StepFailed where an answer is not what is expected of it; without that it has to be a success. */
function compareAnswer(answer: StepAnswer, expected: ExpectedAnswer | undefined): void {
  const { status, code, body } = answer;
  const { isLost, has, ...fixed } = expected ?? {};
  if (isLost === true || status === null) {
    if (isLost === true && status === null) return;
    throw new StepFailed(
      isLost === true ? 'a lost answer' : 'an answer',
      status === null ? 'none that can be read' : told(answer),
    );
  }
  if (fixed.status === undefined && fixed.code === undefined && status >= 400)
    throw new StepFailed('success', told(answer));
  const difference = differenceOf(fixed, { status, code }, '') ?? (has === undefined ? null : differenceOf(has, body));
  if (difference !== null) throw new StepFailed(difference.expected, `${difference.seen}, in ${told(answer)}`);
}

const told = ({ status, body }: StepAnswer): string => `status ${status}: ${shown(body)}`;
