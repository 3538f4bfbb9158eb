import type { OperatorCalls } from '#testing/operator-calls.ts';
import { addDecimals } from '#testing/scenario/match-value.ts';
import { StepFailed } from '#testing/scenario/step-answer.ts';

/** An entry of the request log as a whole. */
export type LoggedEntry = NonNullable<Awaited<ReturnType<OperatorCalls['awaitRequest']>>['entry']>;

/** An account with what it had, free and held together, when the recording began. */
export interface RecordedAccount {
  readonly uid: number;
  readonly name: string;
  readonly grants: readonly { readonly asset: string; readonly amount: string; readonly wallet: 'spot' | 'futures' }[];
}

/** What happened on a sandbox while it was recorded. */
export interface RecordedLog {
  /** Requests and calls of operators in the order in which they were answered. */
  readonly entries: readonly LoggedEntry[];
  /** Accounts of people, by uid, as they were at the beginning. */
  readonly accounts: ReadonlyMap<number, RecordedAccount>;
  /** On the exchange's clock. */
  readonly beganAt: number;
  readonly endedAt: number;
  readonly isTraded: boolean;
}

/** Most accounts and entries of a recording. */
const accountsMax = 200;
const entriesMax = 20_000;
const kinds = ['request', 'control'] as const;

/**
 * Follows the log of a sandbox until it is told to stop. What is answered stops it, and answers what happened.
 * @throws StepFailed where the log is off, or the sandbox has too many people
 */
export async function followLog(operator: OperatorCalls): Promise<() => Promise<RecordedLog>> {
  if (!(await operator.getRequestSettings()).isOn)
    throw new StepFailed('a log of requests', 'one that is switched off');
  const newest = await Promise.all(kinds.map((kind) => operator.listRequests({ kind, limit: 1 })));
  const since = Math.max(...newest.map(({ items }) => items[0]?.id ?? 0));
  const accounts = await peopleOf(operator);
  const { now: beganAt } = await operator.getClock();
  const isTraded = (await operator.getMarket().catch(() => null))?.isActing ?? false;
  const entries: LoggedEntry[] = [];
  let isOver = false;
  const follow = async (kind: (typeof kinds)[number]): Promise<void> => {
    for (let after = since; entries.length < entriesMax; ) {
      const isLast = isOver;
      const { entry } = await operator.awaitRequest({ kind, after, seconds: isLast ? 0 : 1 });
      if (entry === null && isLast) return;
      if (entry === null) continue;
      entries.push(entry);
      after = entry.id;
    }
  };
  const followed = Promise.all(kinds.map(follow));
  // Whoever stops hears of it.
  followed.catch(() => {});
  return async () => {
    isOver = true;
    await followed;
    const { now: endedAt } = await operator.getClock();
    entries.sort((one, other) => one.id - other.id);
    return { entries, accounts, beganAt, endedAt, isTraded };
  };
}

/** People of a sandbox with what they own. */
async function peopleOf(operator: OperatorCalls): Promise<ReadonlyMap<number, RecordedAccount>> {
  const people = new Map<number, RecordedAccount>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await operator.listAccounts({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    for (const { uid, name, simulated } of page.items) {
      if (simulated) continue;
      if (people.size >= accountsMax) throw new StepFailed(`at most ${accountsMax} accounts of people`, 'more of them');
      people.set(uid, { uid, name, grants: await grantsOf(operator, uid) });
    }
    cursor = page.nextCursor;
  }
  return people;
}

const isAboveZero = (amount: string): boolean => /[1-9]/.test(amount) && !amount.startsWith('-');

async function grantsOf(operator: OperatorCalls, uid: number): Promise<RecordedAccount['grants']> {
  const balances = await operator.getBalances({ uid });
  return (['spot', 'futures'] as const).flatMap((wallet) =>
    balances[wallet]
      .map(({ asset, free, held }) => ({ asset, amount: addDecimals(free, held), wallet }))
      .filter(({ amount }) => isAboveZero(amount)),
  );
}
