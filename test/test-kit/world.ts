import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { surveyJournal } from '#journal/journal-survey.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { RunningExchange } from '#main/composition/open-exchange.ts';
import { parseCommandLine } from '#main/configuration/command-line.ts';
import { readTextFile } from '#main/configuration/config.ts';
import { openHosted } from '#main/states/sandbox-host.ts';
import { claimDataDirectory, layoutOf } from '#main/storage/data-directory.ts';
import type { DemoFile } from '#sandbox/sandbox-files.ts';

/** An answer of either API. */
export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, member by member, by tests
  readonly body: any;
}

/** A sandbox in this process, with a directory of its own. */
export interface World {
  readonly data: string;
  readonly exchange: RunningExchange;
  readonly demo: DemoFile;
  /** Why it failed, if it did. */
  readonly failures: readonly Error[];
  /** Asks its operator API. */
  operate(method: string, path: string, body?: object): Promise<Answered>;
  /** Asks the public API signed by a demo account, with the exchange's time. */
  signed(name: string, method: string, path: string, parameters?: Readonly<Record<string, string>>): Promise<Answered>;
  /** The last entry of its journal with the hash of the last batch, which all bytes before it go into. */
  journal(): Promise<string>;
  close(): Promise<void>;
}

const answered = async (reply: Response): Promise<Answered> => {
  const text = await reply.text();
  return { status: reply.status, body: text === '' ? null : JSON.parse(text) };
};

/** A new folder for the directories of worlds. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'bourse-world-'));

/** Opens a sandbox without history, with a clock that stands, in a directory that may have one already. */
export async function openWorld(data: string, more: readonly string[] = []): Promise<World> {
  const settings = ['--port', '0', '--operator-port', '0', '--seed', '7', '--no-simulate', '--no-rate-limits'];
  const time = ['--now', '2026-01-01T00:00:00Z', '--clock', 'manual', '--journal-segment-mib', '1'];
  const parsed = parseCommandLine(
    ['start', '--data', data, ...settings, ...time, ...more],
    {},
    {
      version: '1.2.3',
      readFile: readTextFile,
    },
  );
  if (!('command' in parsed)) throw new Error('the settings are refused');
  const directory = layoutOf(data);
  const claim = claimDataDirectory(directory);
  const failures: Error[] = [];
  const exchange = await openHosted({
    ...{ config: parsed.config, directory, version: '1.2.3', log: pino({ level: 'silent' }) },
    tell: () => {},
    onServing: () => {},
    onFailed: (error) => void failures.push(error),
    onStepDown: () => {},
    stopped: new Promise(() => {}),
  });
  if (exchange === null) throw new Error('it was not opened');
  const demo = JSON.parse(readFileSync(directory.demoFile, 'utf8')) as DemoFile;
  return {
    ...{ data, exchange, demo, failures },
    ...clientsOf(demo),
    journal: () => journalOf(data),
    close: async () => {
      await exchange.close();
      claim.release();
    },
  };
}

/** Both APIs of a sandbox, by what its `demo.json` says. */
export function clientsOf(demo: DemoFile): Pick<World, 'operate' | 'signed'> {
  return {
    operate: async (method, path, body) =>
      answered(
        await fetch(demo.operator_url + path, {
          method,
          headers: { authorization: `Bearer ${demo.operator_token}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    signed: async (name, method, path, parameters = {}) => {
      const { apiKey, secretKey } = demo.accounts.find((account) => account.name === name)!;
      const { serverTime } = (await (await fetch(`${demo.base_url}/api/v3/time`)).json()) as { serverTime: number };
      const query = `${new URLSearchParams({ ...parameters, timestamp: String(serverTime) })}`;
      const signature = createHmac('sha256', secretKey).update(query).digest('hex');
      const url = `${demo.base_url}${path}?${query}&signature=${signature}`;
      return answered(await fetch(url, { method, headers: { 'X-SVC-APIKEY': apiKey } }));
    },
  };
}

/** The last entry of a journal with the hash of the last batch. */
export async function journalOf(data: string): Promise<string> {
  const { sealed, active } = await surveyJournal(nodeFileOperations, join(data, 'journal'));
  const last = active !== null && active.lastSeq >= active.start.firstSeq ? active : sealed.at(-1);
  return `${last?.lastSeq} ${Buffer.from(last?.lastHash ?? []).toString('hex')}`;
}

/** Removes a folder and all that is in it. */
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
