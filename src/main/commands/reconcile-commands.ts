import type { Command } from 'commander';
import { z } from 'zod';
import { CommandFailed, exitCodes } from '#operator-commands/exit-codes.ts';
import { ask, type ExchangeAddress, problemOf } from '#operator-commands/operator-client.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';
import type { Terminal, Work } from '#operator-commands/terminal.ts';
import { TextTable } from '#operator-commands/text-table.ts';
import { exitOfStatus, toldRefusal } from '#operator-commands/told-refusal.ts';
import { addAddressOptions, type AddressOptions, whomToAsk } from '#operator-commands/whom-to-ask.ts';

/** A difference must be there so often in a row: money moves while the exchange reads. */
const readings = 3;
const lookAgainAfterMs = 2000;

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

/** Adds `bourse reconcile`, which asks a running exchange. `later` gets the work. */
export function addReconcileCommand(program: Command, surroundings: Surroundings, later: (work: Work) => void): void {
  const command = program.command('reconcile').description('compare the ledger of a running exchange with custody');
  addAddressOptions(command);
  command.addHelpText('after', '\nExit code 0: all is explained; 1: a difference, or custody without an answer.');
  command.action((options: AddressOptions) => later((terminal) => reconcileNow(options, surroundings, terminal)));
}

/** Reads until all is explained, three times at most; what is not is an alarm. @throws CommandFailed */
async function reconcileNow(options: AddressOptions, surroundings: Surroundings, terminal: Terminal): Promise<number> {
  const address = whomToAsk(options, surroundings);
  let rows = await rowsOf(address);
  for (let reading = 1; reading < readings && rows.some(isDifferent); reading += 1) {
    await surroundings.pause(lookAgainAfterMs);
    rows = await rowsOf(address);
  }
  await terminal.write(`${table(rows)}${verdict(rows)}`);
  return rows.every((row) => row.isExplained) ? exitCodes.done : exitCodes.failed;
}

const isDifferent = ({ isExplained, isComplete }: Row): boolean => isComplete && !isExplained;

async function rowsOf(address: ExchangeAddress): Promise<readonly Row[]> {
  const target = '/v1/reconciliation';
  const { status, text } = await ask(address, {
    method: 'GET',
    target,
    body: null,
    idempotencyKey: null,
    ifMatch: null,
  });
  const problem = problemOf(text);
  if (problem !== null) throw new CommandFailed(exitOfStatus(status, false), toldRefusal(problem, []));
  try {
    return answer.parse(JSON.parse(text ?? 'null')).items;
  } catch {
    throw new CommandFailed(exitCodes.notReached, `${address.url} is no operator API of this version`);
  }
}

const table = (rows: readonly Row[]): string =>
  new TextTable(['asset', 'expected', 'in custody', 'difference']).add(
    rows.map(({ asset, expected, inCustody, difference }) => [asset, expected, inCustody, difference]),
  );

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
