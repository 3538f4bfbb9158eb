import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { BourseClient, ClientOptions } from '#client/client.ts';
import { loadConfiguration } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import type { RunningExchange } from '#main/composition/open-exchange.ts';
import { openHosted, withPorts } from '#main/states/sandbox-host.ts';
import { claimDataDirectory, layoutOf } from '#main/storage/data-directory.ts';
import type { DemoFile } from '#sandbox/sandbox-files.ts';
import { operatorCalls } from '#testing/operator-client.ts';
import type { TestAccount, TestExchange, TestExchangeOptions } from '#testing/test-exchange.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const optionNames: ReadonlySet<string> = new Set(['seed', 'now', 'clock', 'simulate', 'settings']);
/** Settings that the kit decides, and those that are options of their own. */
const ownSettings = ['profile', 'cluster', 'data', 'host', 'port', 'operatorPort', 'seed', 'now', 'clock', 'simulate'];

/**
 * Starts an exchange for a test in this process: a sandbox on free ports of this machine, with a directory for itself
 * that goes with it. It reads no variables, takes no signals and writes no lines; many may run side by side.
 * DEC-KIT-80.
 * @throws TypeError where an option is unknown, ConfigurationRefused where the value of one cannot be used
 */
export async function startBourse(options: TestExchangeOptions = {}): Promise<TestExchange> {
  const root = mkdtempSync(join(tmpdir(), 'bourse-test-'));
  const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    return await startIn(root, configurationOf(options, root), remove);
  } catch (error) {
    remove();
    throw error;
  }
}

async function startIn(root: string, config: Configuration, remove: () => void): Promise<TestExchange> {
  const directory = layoutOf(root);
  const claim = claimDataDirectory(directory);
  let failure: Error | null = null;
  const open = async (settings: Configuration): Promise<RunningExchange> => {
    const opened = await openHosted({
      ...{ config: settings, directory, version, log: pino({ level: 'silent' }) },
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
    const clients: BourseClient[] = [];
    const closeOnce = async (): Promise<void> => {
      try {
        for (const client of clients) await client.close();
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
    const addresses = addressesOf(demo);
    // Loaded here alone: the command that starts exchanges for scenarios has to do without until then.
    const { BourseClient: Client } = await import('#client/client.ts');
    const client: TestExchange['client'] = (account, options) => {
      const made = new Client({ ...clientOptionsOf(addresses, account), ...options });
      clients.push(made);
      return made;
    };
    return { ...addresses, client, restart, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    claim.release();
    throw error;
  }
}

type Addresses = Omit<TestExchange, 'client' | 'restart' | 'close' | typeof Symbol.asyncDispose>;

/** What a client of an account needs. @throws TypeError where there is no account of that name */
function clientOptionsOf(
  { baseUrl, futuresBaseUrl, wsUrl, accounts }: Addresses,
  account: Parameters<TestExchange['client']>[0],
): ClientOptions {
  const key = typeof account === 'string' ? accounts[account] : account;
  if (typeof account === 'string' && !Object.hasOwn(accounts, account))
    throw new TypeError(`there is no account ${account}`);
  const { apiKey, secretKey } = key ?? {};
  return { baseUrl, futuresBaseUrl, wsUrl, apiKey, secretKey };
}

function addressesOf(demo: DemoFile): Addresses {
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
    operator: operatorCalls({ url: demo.operator_url, token: demo.operator_token }),
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
