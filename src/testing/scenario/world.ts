import type { z } from 'zod';
import type { OperatorCalls } from '#testing/operator-calls.ts';
import type { PublicApi } from '#testing/scenario/public-api.ts';
import type { StepAnswer } from '#testing/scenario/step-answer.ts';
import type { Streams } from '#testing/scenario/streams.ts';
import type { TestAccount } from '#testing/test-exchange.ts';

/** What steps act on: an exchange, the accounts of the scenario, and what has to be undone. */
export interface World {
  readonly operator: OperatorCalls;
  readonly api: PublicApi;
  /** Accounts of the scenario by name. */
  readonly accounts: ReadonlyMap<string, TestAccount>;
  /** Names of those that were there before: they may have orders of their own. */
  readonly existing: ReadonlySet<string>;
  readonly streams: Streams;
  /** Entries of the request log behind this one are of the run. */
  readonly logAfter: number;
  /** Notes what takes back a step, once for each `what`; the last one is taken back first. DEC-KIT-74. */
  undo(what: string, work: () => Promise<unknown>): void;
  /** Stops the exchange, waits, and starts it again; `null`: it is not the runner's. */
  readonly restart: ((downMs: number) => Promise<void>) | null;
  /** Waits by the machine's clock. */
  readonly pause: (ms: number) => Promise<void>;
  /** Whether somebody may trade beside the steps: for nobody they need not wait. */
  readonly isShared: boolean;
}

/** Something that a step can do: what it takes, and what does it. */
export interface Action {
  readonly schema: z.ZodType;
  /** The call of the operator API that it is; absent: it is more, or none. */
  readonly call?: string;
  /** Of an action that is one of several: these, by name. */
  readonly choices?: Readonly<Record<string, Action>>;
  run(world: World, members: unknown): Promise<StepAnswer>;
}

/** An action whose members are typed by its schema. */
export const action = <Schema extends z.ZodType>(
  schema: Schema,
  run: (world: World, members: z.output<Schema>) => Promise<StepAnswer>,
): Action => ({ schema, run: run as Action['run'] });

/** An account of the scenario. @throws TypeError where it has none of that name, which reading refuses */
export function accountOf({ accounts }: World, name: string): TestAccount {
  const account = accounts.get(name);
  if (account === undefined) throw new TypeError(`the scenario has no account ${name}`);
  return account;
}
