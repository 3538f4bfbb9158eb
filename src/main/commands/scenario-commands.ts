import { type Command, Option } from 'commander';
import type { Surroundings } from '#operator-commands/surroundings.ts';
import type { Work } from '#operator-commands/terminal.ts';

/** Options of commands that may be about an exchange that runs. */
export interface AgainstOptions {
  /** Its data directory, or the address of its operator API. */
  readonly against?: string;
  /** Address of its public API. */
  readonly api?: string;
  readonly tokenFile?: string;
}

/** Options of `bourse scenario run`. */
export interface RunOptions extends AgainstOptions {
  readonly seed?: string;
  readonly json?: boolean;
}

/** Options of `bourse scenario record`. */
export interface RecordOptions extends AgainstOptions {
  readonly out: string;
  readonly name: string;
  readonly seed?: string;
}

function addAgainst(command: Command, description: string): void {
  const group = 'Which exchange:';
  const options = [
    ['--against <sandbox>', description],
    ['--api <url>', 'address of its public API, where --against is an address that no demo.json of ./data tells of'],
    ['--token-file <file>', 'file with its token, mode 0600 (BOURSE_OPERATOR_TOKEN_FILE, BOURSE_OPERATOR_TOKEN)'],
  ] as const;
  for (const [flags, about] of options) command.addOption(new Option(flags, about).helpGroup(group));
}

/**
 * Adds `bourse scenario`. What runs scenarios is loaded by these commands alone. `later` gets the work. DEC-KIT-72,
 * DEC-KIT-76, DEC-KIT-77.
 */
export function addScenarioCommands(program: Command, surroundings: Surroundings, later: (work: Work) => void): void {
  const scenario = program.command('scenario').description('play scenarios on a sandbox: tests of bots as files');
  const work = () => import('#testing/scenario/scenario-work.ts');

  const run = scenario.command('run').argument('<file...>', 'files, or names that bourse scenario list tells');
  run.description('run scenarios, each on an exchange of its own, or all on one that runs');
  addAgainst(run, 'a sandbox that runs: its data directory, or the address of its operator API');
  run.option('--seed <text>', 'seed of the exchanges that are started, in place of those of the files');
  run.option('--json', 'a JSON object a line, for programs');
  run.addHelpText(
    'after',
    '\nExit code 0: all passed; 1: a step failed; 2: a file is no scenario, and nothing was done.',
  );
  run.action((files: readonly string[], options: RunOptions) =>
    later(async (terminal) => (await work()).runFiles(files, options, { surroundings, terminal })),
  );

  const check = scenario.command('check').argument('<file...>', 'files, or names that bourse scenario list tells');
  check.description('check files without running them');
  check.action((files: readonly string[]) => later(async (terminal) => (await work()).checkFiles(files, terminal)));

  const record = scenario
    .command('record')
    .description('write a scenario of what people do on a sandbox, until Ctrl C');
  addAgainst(record, 'the sandbox: its data directory, or the address of its operator API');
  record.requiredOption('--out <file>', 'file to write; it must not exist');
  record.option('--name <text>', 'what happens, for the head of the file', 'Recorded');
  record.option('--seed <text>', 'seed that the sandbox was started with, for the head of the file');
  record.action((options: RecordOptions) =>
    later(async (terminal) => (await work()).recordFile(options, { surroundings, terminal })),
  );

  const list = scenario.command('list').description('list the scenarios that Bourse brings along');
  list.option('--json', 'as JSON, for programs');
  list.action((options: { readonly json?: boolean }) =>
    later(async (terminal) => (await work()).listShipped(options.json === true, terminal)),
  );
}
