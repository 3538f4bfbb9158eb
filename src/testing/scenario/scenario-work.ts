import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandFailed, type ExitCode, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';
import type { Terminal } from '#operator-commands/terminal.ts';
import { TextTable } from '#operator-commands/text-table.ts';
import { checkedUrl, whomToAsk } from '#operator-commands/whom-to-ask.ts';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import { OperatorProblem } from '#testing/operator-problem.ts';
import { readScenario } from '#testing/scenario/read-scenario.ts';
import { recordScenario } from '#testing/scenario/record-scenario.ts';
import { runChecked } from '#testing/scenario/run-checked.ts';
import type { Scenario } from '#testing/scenario/scenario-schema.ts';
import { StepFailed } from '#testing/scenario/step-answer.ts';
import { type SandboxAddress, ScenarioFailed, ScenarioInvalid, type ScenarioStepMade } from '#testing/scenario-run.ts';
import { scenarioText, shippedScenarios } from '#testing/shipped-scenarios.ts';

/** Which sandbox a command is about. */
interface Against {
  readonly against?: string;
  readonly api?: string;
  readonly tokenFile?: string;
}

/** A file that was read and checked. */
interface ReadFile {
  readonly file: string;
  readonly scenario: Scenario;
}

/** Reads files, all of them before anything is done. @throws CommandFailed with every fault of every file */
async function readFiles(names: readonly string[]): Promise<readonly ReadFile[]> {
  const read: ReadFile[] = [];
  const faults: string[] = [];
  for (const name of names) {
    try {
      const { text, file } = scenarioText(name);
      read.push({ file, scenario: await readScenario(text, file) });
    } catch (error) {
      faults.push(error instanceof ScenarioInvalid ? error.message : `${name}: ${unreadable(error)}`);
    }
  }
  if (faults.length > 0) throw usedWrongly(faults.join('\n'));
  return read;
}

const unreadable = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'there is no such file, and no scenario of that name: bourse scenario list' : message;
};

const demoFile = z.object({
  base_url: z.string(),
  ws_url: z.string(),
  operator_url: z.string(),
  operator_token: z.string(),
});

/** What a sandbox wrote into its data directory; `null`: nothing that can be used. */
function demoOf(directory: string): SandboxAddress | null {
  try {
    const demo = demoFile.parse(JSON.parse(readFileSync(join(directory, 'demo.json'), 'utf8')));
    const { base_url: baseUrl, ws_url: wsUrl, operator_url: operatorUrl, operator_token: operatorToken } = demo;
    return { baseUrl, wsUrl, operatorUrl, operatorToken };
  } catch {
    return null;
  }
}

/** The sandbox that a command is about; `null`: one of its own. @throws CommandFailed where that is not clear */
export function sandboxOf(options: Against, surroundings: Surroundings): SandboxAddress | null {
  const { against, api, tokenFile } = options;
  if (against === undefined) {
    const extra = api === undefined ? (tokenFile === undefined ? null : '--token-file') : '--api';
    if (extra !== null) throw usedWrongly(`${extra} says something of a sandbox that runs: name it with --against`);
    return null;
  }
  if (!/^https?:/.test(against)) {
    const demo = demoOf(against);
    if (demo === null)
      throw usedWrongly(`--against ${against}: no address, and no directory with the demo.json of a sandbox`);
    return demo;
  }
  const usual = demoOf(surroundings.environment['BOURSE_DATA'] || 'data');
  const url = checkedUrl(against, '--against');
  if (usual?.operatorUrl === url && tokenFile === undefined && api === undefined) return usual;
  const { token } = whomToAsk({ url, ...(tokenFile === undefined ? {} : { tokenFile }) }, surroundings);
  if (api === undefined) throw usedWrongly('give --api, the address of the public API of that sandbox');
  const baseUrl = checkedUrl(api, '--api');
  return { baseUrl, wsUrl: `${baseUrl.replace(/^http/, 'ws')}/ws`, operatorUrl: url, operatorToken: token };
}

/** Where the work of a command reads and writes. */
interface Place {
  readonly surroundings: Surroundings;
  readonly terminal: Terminal;
}

/** What a sandbox that cannot be used says, and settings that no exchange can have. */
function unusable(error: unknown): unknown {
  if (error instanceof OperatorProblem) {
    if (error.status === 401 || error.status === 403) return new CommandFailed(exitCodes.notAllowed, error.message);
    const hint = error.status === 404 ? ': is it a sandbox of this version?' : '';
    return new CommandFailed(exitCodes.failed, `${error.message}${hint}`);
  }
  if (error instanceof StepFailed) return new CommandFailed(exitCodes.failed, error.message);
  if (error instanceof ConfigurationRefused) return usedWrongly(error.message);
  if (!(error instanceof TypeError)) return error;
  const { cause } = error as { readonly cause?: Error };
  return error.message === 'fetch failed'
    ? new CommandFailed(exitCodes.notReached, `the sandbox does not answer: ${cause?.message ?? error.message}`)
    : error.message.startsWith('startBourse')
      ? usedWrongly(error.message)
      : error;
}

/** `bourse scenario run`. @throws CommandFailed */
export async function runFiles(
  names: readonly string[],
  options: Against & { readonly seed?: string; readonly json?: boolean },
  { surroundings, terminal }: Place,
): Promise<ExitCode> {
  const files = await readFiles(names);
  const against = sandboxOf(options, surroundings);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new CommandFailed(exitCodes.failed, 'stopped'));
  process.once('SIGINT', stop);
  try {
    let failed = 0;
    for (const file of files) {
      const told = options.json === true ? toldAsJson(file, terminal) : toldAsText(file, terminal);
      const isPassed = await runFile(file, told, {
        ...(against === null ? {} : { against }),
        ...(options.seed === undefined ? {} : { seed: options.seed }),
        signal: stopping.signal,
      });
      if (!isPassed) failed += 1;
    }
    return failed === 0 ? exitCodes.done : exitCodes.failed;
  } finally {
    process.off('SIGINT', stop);
  }
}

/** How a run is told. */
interface Telling {
  begin(): Promise<void>;
  step(step: ScenarioStepMade): void;
  passed(result: { readonly steps: number; readonly ms: number }): Promise<void>;
  failed(error: ScenarioFailed): Promise<void>;
}

async function runFile(
  { scenario }: ReadFile,
  told: Telling,
  options: Parameters<typeof runChecked>[1],
): Promise<boolean> {
  await told.begin();
  try {
    const result = await runChecked(scenario, { ...options, onStep: (step) => told.step(step) });
    await told.passed(result);
    return true;
  } catch (error) {
    if (!(error instanceof ScenarioFailed)) throw unusable(error);
    await told.failed(error);
    return false;
  }
}

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const toldAsText = ({ file, scenario }: ReadFile, terminal: Terminal): Telling => ({
  begin: () => terminal.write(`${file}: ${scenario.name}\n`),
  step: ({ number, text, note, ms }) => {
    const noted = note === null ? '' : `        ${note}\n`;
    void terminal.write(`${noted}ok ${number.padStart(4)}  ${text} (${Math.round(ms)} ms)\n`);
  },
  passed: ({ steps, ms }) => terminal.write(`passed: ${steps} steps in ${secondsOf(ms)}\n`),
  failed: ({ message }) => terminal.write(`FAILED  ${message}\n`),
});

const toldAsJson = ({ file, scenario: { name } }: ReadFile, terminal: Terminal): Telling => {
  const write = (line: object): Promise<void> => terminal.write(`${JSON.stringify({ file, ...line })}\n`);
  return {
    begin: () => write({ begun: name }),
    step: (step) => void write(step),
    passed: (result) => write({ passed: true, ...result }),
    failed: ({ failure }) => write({ passed: false, ...failure }),
  };
};

/** `bourse scenario check`. @throws CommandFailed with all faults */
export async function checkFiles(names: readonly string[], terminal: Terminal): Promise<ExitCode> {
  for (const { file, scenario } of await readFiles(names)) await terminal.write(`${file}: ${scenario.name}\n`);
  return exitCodes.done;
}

/** `bourse scenario list`. */
export async function listShipped(isJson: boolean, terminal: Terminal): Promise<ExitCode> {
  const names = shippedScenarios();
  const items = (await readFiles(names)).map(({ scenario }, at) => ({
    name: names[at] as string,
    what: scenario.name,
    why: scenario.why ?? '',
  }));
  if (isJson) await terminal.write(`${JSON.stringify({ items }, null, 2)}\n`);
  else
    await terminal.write(
      String(new TextTable(['name', 'what happens']).add(items.map(({ name, what }) => [name, what]))),
    );
  return exitCodes.done;
}

/** `bourse scenario record`: until Ctrl C. @throws CommandFailed */
export async function recordFile(
  { out, name, seed, ...against }: Against & { readonly out: string; readonly name: string; readonly seed?: string },
  { surroundings, terminal }: Place,
): Promise<ExitCode> {
  const sandbox = sandboxOf({ against: surroundings.environment['BOURSE_DATA'] || 'data', ...against }, surroundings);
  if (existsSync(out)) throw new CommandFailed(exitCodes.data, `${out} exists already`);
  const ended = new Promise((resolve) => process.once('SIGINT', resolve));
  const stop = await recordScenario(sandbox as SandboxAddress, { name, seed }).catch((error: unknown) => {
    throw unusable(error);
  });
  terminal.tell('Recording. Ctrl C ends it.\n');
  await ended;
  const text = await stop();
  writeFileSync(out, text, { flag: 'wx' });
  const { steps } = await readScenario(text, out);
  await terminal.write(`${out}: ${steps.length} steps\n`);
  return exitCodes.done;
}
