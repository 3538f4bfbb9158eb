import { type Command, Option } from 'commander';
import { z } from 'zod';
import { addCount, compareCounts, type ComparedCounts } from '#main/commands/hand-counts.ts';
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
      byHand: z.string().nullable(),
      difference: z.string(),
      rounding: z.string(),
      isComplete: z.boolean(),
      isExplained: z.boolean(),
      networks: z.array(z.object({ network: z.string(), amount: z.string().nullable(), isByHand: z.boolean() })),
    }),
  ),
});
type Row = z.infer<typeof answer>['items'][number];

interface ReconcileOptions extends AddressOptions {
  /** What was counted by hand, by asset. */
  readonly counted: ReadonlyMap<string, bigint>;
}

/** Adds `bourse reconcile`, which asks a running exchange. `later` gets the work. */
export function addReconcileCommand(program: Command, surroundings: Surroundings, later: (work: Work) => void): void {
  const command = program.command('reconcile').description('compare the ledger of a running exchange with custody');
  addAddressOptions(command);
  command.addOption(
    new Option('--counted <asset=amount>', 'what you counted by hand on networks that nobody reads, once an asset')
      .argParser(addCount)
      .default(new Map(), 'compare nothing'),
  );
  command.addHelpText('after', '\nExit code 0: all is explained; 1: a difference, or custody without an answer.');
  command.action((options: ReconcileOptions) => later((terminal) => reconcileNow(options, surroundings, terminal)));
}

/** Reads until all is explained, three times at most; what is not is an alarm. @throws CommandFailed */
async function reconcileNow(
  options: ReconcileOptions,
  surroundings: Surroundings,
  terminal: Terminal,
): Promise<number> {
  const address = whomToAsk(options, surroundings);
  let rows = await rowsOf(address);
  for (let reading = 1; reading < readings && rows.some(isDifferent); reading += 1) {
    await surroundings.pause(lookAgainAfterMs);
    rows = await rowsOf(address);
  }
  const counted = compareCounts(rows, options.counted);
  await terminal.write(`${table(rows)}${verdict(rows, counted)}`);
  return rows.every((row) => row.isExplained) && counted.faults.length === 0 ? exitCodes.done : exitCodes.failed;
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
  new TextTable(['asset', 'expected', 'in custody', 'by hand', 'difference']).add(
    rows.map((row) => [row.asset, row.expected, row.inCustody, row.byHand ?? '-', row.difference]),
  );

function verdict(rows: readonly Row[], counted: ComparedCounts): string {
  const ofRows = rows.flatMap(({ asset, difference, isComplete, isExplained, networks }) => {
    const isSilent = ({ amount, isByHand }: Row['networks'][number]): boolean => amount === null && !isByHand;
    const silent = networks.filter(isSilent).map(({ network }) => network);
    if (!isComplete) return [`${asset}: no answer from ${silent.join(', ')}`];
    if (isExplained) return [];
    const more = difference.startsWith('-') ? 'less' : 'more';
    return [`${asset}: custody has ${difference.replace('-', '')} ${more} than the ledger explains`];
  });
  const faults = [...ofRows, ...counted.faults];
  const lines = [...(faults.length === 0 ? ['all is explained'] : faults), ...counted.notes];
  return `\n${lines.map((line) => `${line}\n`).join('')}`;
}
