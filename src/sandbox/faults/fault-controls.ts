import type { Clock, SetTimer } from '#base/clock.ts';
import { ArmedRule, type CheckedRule } from '#sandbox/faults/armed-rule.ts';
import { checkRule, FaultRefused, type FaultTargets } from '#sandbox/faults/check-rule.ts';
import { faultLimits, type FaultRule, type FaultState } from '#sandbox/faults/fault-rule.ts';
import { Holding } from '#sandbox/faults/holding.ts';
import { RequestFaults } from '#sandbox/faults/request-faults.ts';
import { StreamFaults } from '#sandbox/faults/stream-faults.ts';

/** What operators do with faults. Rules end with the process. */
export interface FaultControls {
  /** In their order: the first that strikes is the only one that does. */
  list(): readonly FaultState[];
  /** Puts a rule behind all others. @throws FaultRefused */
  add(rule: FaultRule): Promise<FaultState>;
  /** Puts rules in place of all others, or changes nothing. @throws FaultRefused with a pointer into the list */
  replace(rules: readonly FaultRule[]): Promise<readonly FaultState[]>;
  /** Takes a rule away, and answers it; `null`: there is none. What it holds back goes on. */
  remove(id: string): FaultState | null;
  /** Takes all away, and answers how many there were. */
  clear(): number;
}

/** The rules of a sandbox in force. */
export interface Faults extends FaultControls {
  /** Touches requests. */
  readonly requests: RequestFaults;
  /** Touches what websockets send. */
  readonly streams: StreamFaults;
}

/** What faults stand on. */
export interface FaultParts {
  /** The exchange's clock: of how long rules hold. */
  readonly clock: Clock;
  /** Timers of the machine: of delays. */
  readonly setTimer: SetTimer;
  readonly targets: FaultTargets;
}

/** The next number that no rule has, from the last one that was given. */
class FaultIds {
  #last = 0;

  next(taken: ReadonlySet<string>): string {
    do this.#last += 1;
    while (taken.has(`f${this.#last}`));
    return `f${this.#last}`;
  }
}

/** Creates the faults of a sandbox: no rule is in force yet. DEC-KIT-20, DEC-KIT-26. */
export function createFaults({ clock, setTimer, targets }: FaultParts): Faults {
  const holding = new Holding(setTimer);
  const requests = new RequestFaults(clock, holding);
  const streams = new StreamFaults(clock);
  const ids = new FaultIds();
  let rules: readonly ArmedRule[] = [];
  const put = (changed: readonly ArmedRule[]): void => {
    const kept = new Set(changed);
    const gone = rules.filter((rule) => !kept.has(rule));
    rules = changed;
    requests.arm(rules);
    streams.arm(rules);
    for (const rule of gone) holding.release(rule);
  };
  const stateOf = (rule: ArmedRule): FaultState => rule.state(clock.now());
  /** Rules with the ids that they were given, and numbers for the others. */
  const arm = (
    given: readonly FaultRule[],
    accounts: readonly CheckedRule['accountId'][],
    beside: readonly ArmedRule[],
  ): readonly ArmedRule[] => {
    const taken = new Set([...beside.map(({ id }) => id), ...given.flatMap(({ id }) => id ?? [])]);
    return given.map((rule, at) => {
      const id = rule.id ?? ids.next(taken);
      return new ArmedRule({ ...rule, id, accountId: accounts[at] ?? null }, clock.now());
    });
  };
  return {
    ...{ requests, streams },
    list: () => rules.map(stateOf),
    add: async (rule) => {
      const account = await checkRule(rule, targets);
      if (rules.length >= faultLimits.rules)
        throw new FaultRefused('', `must not be one more than ${faultLimits.rules} rules`);
      if (rules.some(({ id }) => id === rule.id)) throw repeatedId();
      const [added] = arm([rule], [account], rules) as [ArmedRule];
      put([...rules, added]);
      return stateOf(added);
    },
    replace: async (given) => {
      const accounts: CheckedRule['accountId'][] = [];
      for (const [at, rule] of given.entries()) accounts.push(await within(at, () => checkRule(rule, targets)));
      const repeated = given.findIndex(
        ({ id }, at) => id !== undefined && given.findIndex((each) => each.id === id) < at,
      );
      if (repeated >= 0) await within(repeated, () => Promise.reject(repeatedId()));
      put(arm(given, accounts, []));
      return rules.map(stateOf);
    },
    remove: (id) => {
      const gone = rules.find((rule) => rule.id === id);
      if (gone === undefined) return null;
      put(rules.filter((rule) => rule !== gone));
      return stateOf(gone);
    },
    clear: () => {
      const { length } = rules;
      put([]);
      return length;
    },
  };
}

const repeatedId = (): FaultRefused => new FaultRefused('/id', 'is the id of another rule');

/** Names the place in a list of what is refused there. */
async function within<Result>(at: number, check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    throw error instanceof FaultRefused ? new FaultRefused(`/rules/${at}${error.pointer}`, error.reason) : error;
  }
}
