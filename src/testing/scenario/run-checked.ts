import { setTimeout as pause } from 'node:timers/promises';
import { stopwatch } from '#base/clock.ts';
import { newestRequests } from '#testing/newest-requests.ts';
import { operatorCalls } from '#testing/operator-client.ts';
import { type Making, makeSteps, StepAborted } from '#testing/scenario/make-steps.ts';
import { restoreCondition } from '#testing/scenario/market-actions.ts';
import { PublicApi } from '#testing/scenario/public-api.ts';
import type { Scenario } from '#testing/scenario/scenario-schema.ts';
import { Streams } from '#testing/scenario/streams.ts';
import { UndoStack } from '#testing/scenario/undo-stack.ts';
import type { World } from '#testing/scenario/world.ts';
import {
  type SandboxAddress,
  ScenarioFailed,
  type ScenarioOptions,
  type ScenarioResult,
} from '#testing/scenario-run.ts';
import { startBourse } from '#testing/start-bourse.ts';
import type { TestAccount } from '#testing/test-exchange.ts';

/** Runs a scenario that was read. @throws ScenarioFailed, or what the start of an exchange throws. DEC-KIT-72. */
export async function runChecked(scenario: Scenario, options: ScenarioOptions = {}): Promise<ScenarioResult> {
  if (options.against !== undefined) return runOn(scenario, options.against, options, null);
  const { seed } = options;
  const asked = Object.entries({ ...scenario.exchange, ...(seed === undefined ? {} : { seed }) });
  const exchange = await startBourse(Object.fromEntries(asked.filter(([, value]) => value !== undefined)));
  try {
    return await runOn(scenario, exchange, options, (downMs) => exchange.restart(downMs));
  } finally {
    await exchange.close();
  }
}

async function runOn(
  scenario: Scenario,
  exchange: SandboxAddress,
  options: ScenarioOptions,
  restart: World['restart'],
): Promise<ScenarioResult> {
  const undo = new UndoStack();
  const operator = operatorCalls({ url: exchange.operatorUrl, token: exchange.operatorToken });
  const accounts = new Map<string, TestAccount>();
  const { items: newest } = await operator.listRequests({ limit: 1 });
  const world: World = {
    ...{ operator, accounts, restart },
    existing: new Set(Object.keys(scenario.accounts).filter((name) => scenario.accounts[name]?.uid !== undefined)),
    logAfter: newest[0]?.id ?? 0,
    api: new PublicApi(exchange.baseUrl, async () => (await operator.getClock()).now),
    streams: new Streams(exchange.wsUrl),
    undo: (what, work) => undo.push(what, work),
    pause: (ms) => pause(ms),
    isShared: options.beside !== undefined || options.against !== undefined,
  };
  const began = stopwatch();
  const making: Making = {
    ...{ world, names: new Map<string, unknown>(), made: 0 },
    onStep: options.onStep ?? (() => {}),
    signal: options.signal,
  };
  let stopBot: (() => unknown) | undefined | void;
  let isPassed = false;
  try {
    for (const account of await openAccounts(scenario, world)) {
      const { name, uid, apiKey } = account;
      accounts.set(name, account);
      making.names.set(name, { name, uid, apiKey });
    }
    await leaveMarkets(scenario, world);
    const { baseUrl, wsUrl, operatorUrl, operatorToken } = exchange;
    const told = { baseUrl, wsUrl, operatorUrl, operatorToken, accounts: Object.fromEntries(accounts) };
    stopBot = await options.beside?.(told);
    await makeSteps(making, scenario.steps);
    const stop = stopBot;
    stopBot = undefined;
    await stop?.();
    isPassed = true;
    return { name: scenario.name, steps: making.made, ms: stopwatch() - began };
  } catch (error) {
    if (!(error instanceof StepAborted)) throw error;
    const { number, text, failure } = error;
    const { expected, seen } = failure;
    const told = newestRequests({ operator, accounts: accounts.values() }, world.logAfter);
    const requests = await told.catch(() => []);
    throw new ScenarioFailed(scenario.name, { step: number, text, expected, seen, requests });
  } finally {
    // After a failure the bot's own comes second.
    await Promise.resolve(stopBot?.()).catch(() => {});
    await world.streams.close();
    const left = restart === null ? await undo.undoAll() : [];
    // What failed before says more.
    if (isPassed) requireNothingLeft(left);
  }
}

/** @throws Error where something could not be taken back */
function requireNothingLeft(left: readonly string[]): void {
  if (left.length > 0) throw new Error(`what could not be taken back:\n${left.join('\n')}`);
}

/** Opens the accounts of a scenario, or makes keys of those that exist. */
async function openAccounts({ accounts }: Scenario, world: World): Promise<readonly TestAccount[]> {
  const { operator } = world;
  const opened: TestAccount[] = [];
  for (const [name, { uid: existing, grants }] of Object.entries(accounts)) {
    const { uid, key } =
      existing === undefined
        ? await operator.openFaucet({ name, grants })
        : await operator.impersonate({ uid: existing, seconds: 86_400, note: 'scenario' });
    if (existing === undefined) world.undo(`orders of ${name}`, () => operator.cancelOrders({ uid }));
    opened.push({ name, uid, apiKey: key.accessKey, secretKey: key.secretKey });
  }
  return opened;
}

/** Takes the simulated traders off the markets of a scenario, where there are any. */
async function leaveMarkets({ withoutTraders }: Scenario, world: World): Promise<void> {
  if (withoutTraders.length === 0) return;
  const traded = await world.operator.getMarket().catch(() => null);
  for (const former of traded?.markets ?? []) {
    const { market } = former;
    if (!withoutTraders.includes(market)) continue;
    await world.operator.setMarketCondition({ markets: [market], agents: 'off' });
    world.undo(`condition ${market}`, () => restoreCondition(world, former));
  }
}
