import { isoTime } from '#base/clock.ts';
import { orderStatusWord } from '#http/words.ts';
import type { OperatorCalls } from '#testing/operator-calls.ts';
import { operatorCalls } from '#testing/operator-client.ts';
import { differenceOf } from '#testing/scenario/match-value.ts';
import { followLog, type RecordedAccount, type RecordedLog } from '#testing/scenario/record-log.ts';
import { RecordedSteps } from '#testing/scenario/record-steps.ts';
import { namePattern } from '#testing/scenario/references.ts';
import { readScenario } from '#testing/scenario/read-scenario.ts';
import type { ScenarioStep } from '#testing/scenario/scenario-schema.ts';
import type { SandboxAddress } from '#testing/scenario-run.ts';

/** How a recording is written. */
export interface RecordingOptions {
  readonly name: string;
  /** Seed of the exchange that the file starts, which that of the recorded one has to be for the same market. */
  readonly seed?: string | undefined;
}

/**
 * Records what people do on a sandbox: orders, cancels and other requests that change something, controls, and the time
 * between them. What is answered stops it, and answers the text of a scenario that does the same and expects the same
 * balances and orders at its end. DEC-KIT-77.
 */
export async function recordScenario(
  { operatorUrl, operatorToken }: Pick<SandboxAddress, 'operatorUrl' | 'operatorToken'>,
  options: RecordingOptions,
): Promise<() => Promise<string>> {
  const operator = operatorCalls({ url: operatorUrl, token: operatorToken });
  const stop = await followLog(operator);
  return async () => {
    const text = await textOf(await scenarioOf(operator, await stop(), options));
    await readScenario(text, 'the recording');
    return text;
  };
}

/** Accounts that did something or were acted on, with those that were opened meanwhile. */
function accountsOf({ entries, accounts }: RecordedLog): readonly RecordedAccount[] {
  const opened = entries
    .filter(({ endpoint }) => endpoint === 'openFaucet')
    .map(({ body, answer }) => {
      const { name = 'test', grants = [] } = JSON.parse(body ?? '{}') as Partial<RecordedAccount>;
      const { uid } = JSON.parse(answer ?? '{}') as { readonly uid: number };
      return { uid, name, grants };
    });
  const mentioned = (uid: number): boolean =>
    entries.some(({ account, path, body }) => account === uid || `${path} ${body ?? ''}`.includes(String(uid)));
  return [...[...accounts.values()].filter(({ uid }) => mentioned(uid)), ...opened];
}

/** Names of accounts as steps use them: their own where that is a name of its own, else a number. */
function namesOf(accounts: readonly RecordedAccount[]): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { uid, name } of accounts) {
    const isFree = namePattern.test(name) && ![...names.values()].includes(name);
    names.set(uid, isFree ? name : `account-${uid}`);
  }
  return names;
}

async function addressesOf(
  operator: OperatorCalls,
  names: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<string, string>> {
  const addresses = new Map<string, string>();
  for (const [uid, name] of names) {
    const { items } = await operator.listDepositAddresses({ uid });
    for (const { address } of items) addresses.set(address, name);
  }
  return addresses;
}

async function scenarioOf(operator: OperatorCalls, log: RecordedLog, { name, seed }: RecordingOptions) {
  const accounts = accountsOf(log);
  const names = namesOf(accounts);
  const recorded = new RecordedSteps(log, names, await addressesOf(operator, names));
  const steps = [...recorded.steps, ...(await ordersAtEnd(operator, recorded, names))];
  return {
    name,
    why: 'Recorded; what is expected at the end is what was so.',
    exchange: {
      ...(seed === undefined ? {} : { seed }),
      now: isoTime(log.beganAt),
      ...(log.isTraded ? { simulate: true } : {}),
    },
    accounts: Object.fromEntries(accounts.map(({ uid, grants }) => [names.get(uid), { grants }])),
    steps: [...steps, ...(await balancesAtEnd(operator, accounts, names))],
  };
}

/** What became of the orders that were placed. */
async function ordersAtEnd(
  operator: OperatorCalls,
  { orders }: RecordedSteps,
  names: ReadonlyMap<number, string>,
): Promise<readonly ScenarioStep[]> {
  const steps: ScenarioStep[] = [];
  for (const [uid] of names)
    for (const state of ['open', 'closed'] as const) {
      const { items } = await operator.listOrders({ uid, state, limit: 100 });
      for (const { order, status, executed, executedAmount } of items.toReversed()) {
        const placed = orders.get(order);
        if (placed === undefined) continue;
        const { reference, account, symbol } = placed;
        const has = { status: orderStatusWord[status], executedQty: executed, cummulativeQuoteQty: executedAmount };
        steps.push({ expect: { order: { account, symbol, orderId: reference, has } } });
      }
    }
  return steps;
}

/** What the accounts have, where it is not what they began with. */
async function balancesAtEnd(
  operator: OperatorCalls,
  accounts: readonly RecordedAccount[],
  names: ReadonlyMap<number, string>,
): Promise<readonly ScenarioStep[]> {
  const steps: ScenarioStep[] = [];
  for (const { uid, grants } of accounts) {
    const balances = await operator.getBalances({ uid });
    for (const wallet of ['spot', 'futures'] as const)
      for (const { asset, free, held } of balances[wallet]) {
        const before = grants.find((grant) => grant.asset === asset && (grant.wallet ?? 'spot') === wallet);
        if (differenceOf(before?.amount ?? '0', free) === null && differenceOf('0', held) === null) continue;
        const kept = { account: names.get(uid), asset, ...(wallet === 'spot' ? {} : { wallet }), free, locked: held };
        steps.push({ expect: { balance: kept } });
      }
  }
  return steps;
}

const schemaLine = '# yaml-language-server: $schema=../docs/reference/scenario.schema.json';

/** A scenario as a file: a step is a line. */
async function textOf({ steps, ...head }: Awaited<ReturnType<typeof scenarioOf>>): Promise<string> {
  const { stringify } = await import('yaml');
  const flat = (value: unknown): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
  const lines = (steps.length === 0 ? [{ clock: { advance: '1ms' } }] : steps).map((step) => `  - ${flat(step)}\n`);
  return `${schemaLine}\n${stringify(head, { lineWidth: 0 })}steps:\n${lines.join('')}`;
}
