import type { Command } from 'commander';
import { join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '#main/configuration/config.ts';
import type { PrintedAnswer } from '#main/commands/printed-answer.ts';

/** Exit codes: 0 all is explained, 1 something is not or the exchange did not answer, 2 used wrongly. */
const exitCodes = { explained: 0, unexplained: 1, usage: 2 } as const;
const defaultUrl = 'http://127.0.0.1:8081';
const answerTimeoutMs = 60_000;
/** A difference must be there so often in a row: money moves while the exchange reads. */
const readings = 3;
const lookAgainAfterMs = 2000;

/** What the command needs from outside. */
export interface ReconcileSurroundings {
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
  readonly pause: (ms: number) => Promise<unknown>;
}

interface ReconcileOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly data: string;
}

const answer = z.object({
  items: z.array(
    z.object({
      asset: z.string(),
      expected: z.string(),
      inCustody: z.string(),
      difference: z.string(),
      rounding: z.string(),
      isComplete: z.boolean(),
      isExplained: z.boolean(),
      networks: z.array(z.object({ network: z.string(), amount: z.string().nullable() })),
    }),
  ),
});
type Row = z.infer<typeof answer>['items'][number];
const demoFile = z.object({ operator_url: z.string(), operator_token: z.string() });

/** The exchange did not answer, or refused. */
class NoAnswer extends Error {
  override name = 'NoAnswer';
}
/** The command cannot begin as it was called. */
class UsedWrongly extends Error {
  override name = 'UsedWrongly';
}

/** Adds `bourse reconcile`, which asks a running exchange. `later` gets the work, which answers what to print. */
export function addReconcileCommand(
  program: Command,
  surroundings: ReconcileSurroundings,
  later: (work: () => Promise<PrintedAnswer>) => void,
): void {
  const command = program.command('reconcile').description('compare the ledger of a running exchange with custody');
  command.option('--url <url>', `operator API (default: of DATA/demo.json, else ${defaultUrl})`);
  command.option('--token-file <file>', 'file with the token (default: BOURSE_OPERATOR_TOKEN, else of DATA/demo.json)');
  command.option('--data <data>', 'data directory of a sandbox', surroundings.environment['BOURSE_DATA'] || 'data');
  command.addHelpText('after', '\nExit code 0: all is explained; 1: a difference, or no answer; 2: used wrongly.');
  command.action((options: ReconcileOptions) => later(() => reconcileNow(options, surroundings)));
}

async function reconcileNow(options: ReconcileOptions, surroundings: ReconcileSurroundings): Promise<PrintedAnswer> {
  try {
    const { url, token } = whomToAsk(options, surroundings);
    let rows = await ask(url, token);
    for (let reading = 1; reading < readings && rows.some(isDifferent); reading += 1) {
      await surroundings.pause(lookAgainAfterMs);
      rows = await ask(url, token);
    }
    const isExplained = rows.every((row) => row.isExplained);
    return { exit: isExplained ? exitCodes.explained : exitCodes.unexplained, text: `${table(rows)}${verdict(rows)}` };
  } catch (error) {
    if (error instanceof NoAnswer) return { exit: exitCodes.unexplained, text: `bourse: ${error.message}\n` };
    if (error instanceof UsedWrongly) return { exit: exitCodes.usage, text: `bourse: ${error.message}\n` };
    throw error;
  }
}

const isDifferent = ({ isExplained, isComplete }: Row): boolean => isComplete && !isExplained;

function whomToAsk(
  { url, tokenFile, data }: ReconcileOptions,
  { environment, readFile }: ReconcileSurroundings,
): { readonly url: string; readonly token: string } {
  const demo = readDemo(join(data, 'demo.json'), readFile);
  const token = tokenFile === undefined ? environment['BOURSE_OPERATOR_TOKEN'] || demo?.operator_token : tokenOf();
  if (!token) throw new UsedWrongly('no token: give --token-file, BOURSE_OPERATOR_TOKEN or the --data of a sandbox');
  const asked = url ?? demo?.operator_url ?? defaultUrl;
  if (!/^https?:$/.test(URL.parse(asked)?.protocol ?? '')) throw new UsedWrongly(`--url ${asked} is no http address`);
  return { url: asked.replace(/\/+$/, ''), token };

  function tokenOf(): string {
    try {
      return readFile(tokenFile!).trim();
    } catch (error) {
      throw new UsedWrongly((error as Error).message);
    }
  }
}

/** What a sandbox wrote there; `null`: nothing that can be used. */
function readDemo(path: string, readFile: (path: string) => string): z.infer<typeof demoFile> | null {
  try {
    return demoFile.safeParse(JSON.parse(readFile(path))).data ?? null;
  } catch {
    return null;
  }
}

async function ask(url: string, token: string): Promise<readonly Row[]> {
  let response: Response;
  let text: string;
  try {
    const headers = { authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(answerTimeoutMs);
    response = await fetch(`${url}/v1/reconciliation`, { headers, signal, redirect: 'error' });
    text = await response.text();
  } catch (error) {
    const { message, cause } = error as Error;
    throw new NoAnswer(`${url} does not answer: ${cause instanceof Error ? cause.message : message}`);
  }
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Told below.
  }
  const { detail } = z.object({ detail: z.string() }).safeParse(body).data ?? { detail: 'no detail' };
  if (!response.ok) throw new NoAnswer(`${url} refuses with ${response.status}: ${detail}`);
  const parsed = answer.safeParse(body);
  if (!parsed.success) throw new NoAnswer(`${url} is no operator API of this version`);
  return parsed.data.items;
}

function table(rows: readonly Row[]): string {
  const lines = [
    ['asset', 'expected', 'in custody', 'difference'],
    ...rows.map(({ asset, expected, inCustody, difference }) => [asset, expected, inCustody, difference]),
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const padded = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  return lines.map((line) => `${line.map(padded).join('  ')}\n`).join('');
}

function verdict(rows: readonly Row[]): string {
  const faults = rows.flatMap(({ asset, difference, isComplete, isExplained, networks }) => {
    const silent = networks.filter(({ amount }) => amount === null).map(({ network }) => network);
    if (!isComplete) return [`${asset}: no answer from ${silent.join(', ')}`];
    if (isExplained) return [];
    const more = difference.startsWith('-') ? 'less' : 'more';
    return [`${asset}: custody has ${difference.replace('-', '')} ${more} than the ledger explains`];
  });
  return faults.length === 0 ? '\nall is explained\n' : `\n${faults.map((fault) => `${fault}\n`).join('')}`;
}
