import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { loadConfiguration } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { RunningExchange } from '#main/composition/open-exchange.ts';
import { openHosted, withPorts } from '#main/states/sandbox-host.ts';
import { claimDataDirectory, layoutOf } from '#main/storage/data-directory.ts';
import type { DemoFile } from '#sandbox/sandbox-files.ts';
import type { ExchangeFacts, TestAccount, TestExchange, TestExchangeOptions } from '#testing/test-exchange.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const optionNames: ReadonlySet<string> = new Set(['seed', 'now', 'clock', 'simulate', 'thread', 'settings']);
/** Settings that the kit decides, and those that are options of their own. */
const ownSettings = ['profile', 'cluster', 'data', 'host', 'port', 'operatorPort', 'seed', 'now', 'clock', 'simulate'];

/** An exchange that runs, and what restarts and ends it, as those of `TestExchange` do. */
export interface RunningTestExchange extends Pick<TestExchange, 'restart' | 'close'> {
  readonly facts: ExchangeFacts;
}

/**
 * Runs an exchange for a test in this thread: a sandbox on free ports of this machine, with a directory for itself that
 * goes with it. It reads no variables, takes no signals and writes no lines. DEC-KIT-80.
 * @throws TypeError where an option is unknown, ConfigurationRefused where the value of one cannot be used
 */
export async function runExchange(options: TestExchangeOptions): Promise<RunningTestExchange> {
  const root = mkdtempSync(join(tmpdir(), 'bourse-test-'));
  const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    return await startIn(root, configurationOf(options, root), remove);
  } catch (error) {
    remove();
    throw error;
  }
}

async function startIn(root: string, config: Configuration, remove: () => void): Promise<RunningTestExchange> {
  const directory = layoutOf(root);
  const claim = claimDataDirectory(directory);
  let failure: Error | null = null;
  const open = async (settings: Configuration): Promise<RunningExchange> => {
    const opened = await openHosted({
      ...{ config: settings, directory, version, log: pino({ level: 'silent' }), isTemporary: true },
      tell: () => {},
      onServing: () => {},
      onFailed: (error) => {
        failure ??= error;
      },
      onStepDown: () => {},
      stopped: new Promise(() => {}),
    });
    if (opened === null) throw new Error('the exchange was stopped before it was open');
    return opened;
  };
  try {
    let exchange: RunningExchange | null = await open(config);
    const settings = withPorts(config, exchange.addresses);
    const demo = JSON.parse(readFileSync(directory.demoFile, 'utf8')) as DemoFile;
    let turn: Promise<void> = Promise.resolve();
    const restartOnce = async (downMs: number): Promise<void> => {
      await exchange?.close();
      exchange = null;
      await pause(downMs);
      exchange = await open(settings);
    };
    let closing: Promise<void> | null = null;
    const closeOnce = async (): Promise<void> => {
      try {
        await exchange?.close();
      } finally {
        claim.release();
        remove();
      }
      if (failure !== null) throw failure;
    };
    const restart = (downMs = 0): Promise<void> => {
      if (closing !== null) return Promise.reject(new Error('the exchange was closed'));
      const restarted = turn.then(() => restartOnce(downMs));
      turn = restarted.catch(() => {});
      return restarted;
    };
    const close = (): Promise<void> => {
      closing ??= turn.then(closeOnce);
      return closing;
    };
    return { facts: factsOf(demo), restart, close };
  } catch (error) {
    claim.release();
    throw error;
  }
}

function factsOf(demo: DemoFile): ExchangeFacts {
  const accounts = Object.fromEntries(
    demo.accounts.map(({ name, uid, apiKey, secretKey }) => [name, { name, uid: Number(uid), apiKey, secretKey }]),
  ) as Record<'alice' | 'bob', TestAccount>;
  return {
    baseUrl: demo.base_url,
    futuresBaseUrl: demo.futures_base_url,
    wsUrl: demo.ws_url,
    operatorUrl: demo.operator_url,
    operatorToken: demo.operator_token,
    accounts,
  };
}

/** The configuration of a test's exchange. @throws TypeError, ConfigurationRefused. DEC-KIT-81. */
function configurationOf(options: TestExchangeOptions, data: string): Configuration {
  const unknown = Object.keys(options).find((name) => !optionNames.has(name));
  if (unknown !== undefined) throw new TypeError(`startBourse: there is no option ${unknown}`);
  const { seed, now, clock, simulate = false, settings = {} } = options;
  const own = ownSettings.find((name) => Object.hasOwn(settings, name));
  if (own !== undefined) throw new TypeError(`startBourse: ${own} is no member of settings`);
  const time = now === undefined ? {} : { seed: '1', now, clock: 'manual' };
  const asked = { ...(seed === undefined ? {} : { seed }), ...(clock === undefined ? {} : { clock }), simulate };
  const ports = { host: '127.0.0.1', port: 0, operatorPort: 0 };
  // A test writes little: its journal begins small.
  const values = { journalSegmentMib: 1, ...settings, ...time, ...asked, ...ports, data, profile: 'sandbox' };
  return loadConfiguration({
    flags: new Map(),
    environment: {},
    file: { path: 'options', namedBy: 'startBourse' },
    isForServer: true,
    readFile: () => JSON.stringify(values),
  }).config;
}
