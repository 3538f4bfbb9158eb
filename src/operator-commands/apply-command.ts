import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseCommentedJson } from '#operator-commands/commented-json.ts';
import { CommandFailed, exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';
import { readMarketFile } from '#operator-commands/market-file.ts';
import { type Difference, planOf, type Planned, refusedAt, type Step } from '#operator-commands/market-plan.ts';
import { ask, type ExchangeAddress } from '#operator-commands/operator-client.ts';
import { targetOf } from '#operator-commands/operator-command.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';
import { agrees, type Terminal, type Work } from '#operator-commands/terminal.ts';
import { safeText, TextTable } from '#operator-commands/text-table.ts';
import { addAddressOptions, type AddressOptions, whomToAsk } from '#operator-commands/whom-to-ask.ts';

interface ApplyOptions extends AddressOptions {
  readonly plan?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** A thing and what was, or would be, done about it, as people and programs read it. */
interface Told {
  readonly thing: string;
  readonly result: string;
  readonly changes: readonly Difference[];
}

/** Adds `bourse op apply`, which makes an exchange as a file says. DEC-OPR-272, DEC-OPR-273, DEC-OPR-278. */
export function addApplyCommand(op: Command, surroundings: Surroundings, later: (work: Work) => void): void {
  const command = op
    .command('apply')
    .description('make assets, networks, rules, prices, pairs and tokens as a file says');
  command.argument('<file>', 'market file: JSON, with comments; it may be applied again and again');
  command.option('--plan', 'show what is different, and do nothing');
  command.option('--yes', 'do it without asking');
  command.option('--json', 'what is different, or was done, for programs');
  addAddressOptions(command);
  command.action((file: string, options: ApplyOptions) =>
    later(async (terminal) => {
      const declared = readMarketFile(contentOf(file, surroundings));
      const address = whomToAsk(options, surroundings);
      const plan = await planOf(declared, address);
      const isToDo = plan.some(({ steps }) => steps.length > 0);
      const told = plan.map((planned) => toldOf(planned, planned.state));
      if (options.plan === true || !isToDo) return report(told, options, terminal);
      if (options.yes !== true) await agree(told, address, terminal);
      const folder = dirname(resolve(file));
      return applyAll(plan, { address, folder }, (applied) => report(applied, options, terminal));
    }),
  );
}

function contentOf(file: string, { readFile }: Surroundings): unknown {
  try {
    return parseCommentedJson(readFile(file));
  } catch (error) {
    throw usedWrongly(`${file}: ${(error as Error).message}`);
  }
}

const toldOf = ({ name, differences }: Planned, result: string): Told => ({
  thing: name,
  result,
  changes: differences,
});

/** Shows what is different and asks whether to go on. @throws CommandFailed */
async function agree(told: readonly Told[], address: ExchangeAddress, terminal: Terminal): Promise<void> {
  if (terminal.ask === null)
    throw usedWrongly('nothing was done: apply asks before it acts, and nobody can be asked here; add --yes to do it');
  terminal.tell(`At ${address.name} this is different:\n${shown(told.filter(({ changes }) => changes.length > 0))}`);
  if (!agrees(await terminal.ask('\nMake it so? [y/N] ')))
    throw new CommandFailed(exitCodes.failed, 'nothing was done');
}

/** Where steps go. `folder`: that of the market file, from which files of tokens are named. */
interface Place {
  readonly address: ExchangeAddress;
  readonly folder: string;
}

/** Does one step after the other; what was done before one that is refused is told too. */
async function applyAll(
  plan: readonly Planned[],
  place: Place,
  tell: (applied: readonly Told[]) => Promise<number>,
): Promise<number> {
  const applied: Told[] = [];
  try {
    for (const planned of plan) {
      let result: string = planned.state;
      for (const step of planned.steps) result = await applyStep(planned, step, place);
      applied.push(toldOf(planned, result));
    }
  } catch (error) {
    await tell(applied);
    throw error;
  }
  return tell(applied);
}

/** Answers what became of the thing. */
async function applyStep({ name, state }: Planned, { request, ifMatch, tokenFile }: Step, { address, folder }: Place) {
  const { endpoint, parts } = request;
  const file = tokenFile === null ? null : openTokenFile(name, resolve(folder, tokenFile));
  try {
    const { status, text } = await ask(address, {
      method: endpoint.method,
      target: targetOf(endpoint, parts),
      body: JSON.stringify(parts.body),
      idempotencyKey: randomUUID(),
      ifMatch,
    });
    if (status < 200 || status >= 300) throw refusedAt(name, status, text, true);
    const answer = JSON.parse(text ?? '{}') as { readonly proposal?: number; readonly token?: string };
    file?.fill(`${answer.token}\n`);
    if (status === 202) return `waits: proposal ${answer.proposal}`;
    return state === 'make' ? 'made' : 'changed';
  } finally {
    file?.close();
  }
}

/**
 * A new file for a token that is not made yet: a token that nobody can keep is not asked for. What was not filled
 * leaves no file. @throws CommandFailed where there is one, or it cannot be made.
 */
function openTokenFile(name: string, path: string) {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    throw usedWrongly(`${name}: ${path} cannot be made for the token: ${(error as Error).message}`);
  }
  let isFilled = false;
  return {
    fill: (text: string): void => {
      writeSync(file, text);
      fsyncSync(file);
      isFilled = true;
    },
    close: (): void => {
      closeSync(file);
      if (!isFilled) rmSync(path);
    },
  };
}

const valueText = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

/** One line a thing; of one that changes, another for each member that is not as wanted. */
function shown(told: readonly Told[]): string {
  const rows = told.flatMap(({ thing, result, changes }) => {
    const isNew = changes.every(({ before }) => before === undefined);
    return [[thing, result], ...(isNew ? [] : changes).map((change) => ['', differenceText(change)])];
  });
  return new TextTable(['thing', 'result']).add(rows.map((row) => row.map(safeText)));
}

const differenceText = ({ member, before, after }: Difference): string =>
  `${member}: ${valueText(before)} -> ${valueText(after)}`;

async function report(told: readonly Told[], { json, plan }: ApplyOptions, terminal: Terminal): Promise<number> {
  if (json === true) await terminal.write(`${JSON.stringify({ items: told }, null, 2)}\n`);
  else if (told.length > 0)
    await terminal.write(shown(plan === true ? told : told.map((each) => ({ ...each, changes: [] }))));
  if (told.some(({ result }) => result.startsWith('waits')))
    terminal.tell('What waits needs a second operator: bourse op proposals list --state open\n');
  return exitCodes.done;
}
