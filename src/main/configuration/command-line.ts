import { setTimeout } from 'node:timers/promises';
import { Command, CommanderError, Option } from 'commander';
import { evmNetworkCodes } from '#custody/addresses/networks.ts';
import type { Environment, LoadedConfiguration } from '#main/configuration/config.ts';
import {
  ConfigurationRefused,
  loadConfiguration,
  printConfiguration,
  readTextFile,
} from '#main/configuration/config.ts';
import type { SettingName } from '#main/configuration-schema.ts';
import { defaultOf, flagOf, settingNames, settings, variableOf } from '#main/configuration-schema.ts';
import { addCompletionCommand } from '#main/completion/completion-command.ts';
import { addBackupCommands } from '#main/backup/backup-commands.ts';
import { addClusterCommands } from '#main/cluster/cluster-commands.ts';
import { addCustodyCommands } from '#main/commands/custody-commands.ts';
import type { NewSeedRequest } from '#main/commands/new-seed.ts';
import type { PrintedAnswer } from '#main/commands/printed-answer.ts';
import { addProofCommands } from '#main/commands/proof-commands.ts';
import { hintsOnStart } from '#main/configuration/start-hint.ts';
import { addDoctorOptions, addExchangeDoctor, type DoctorParts } from '#main/doctor/doctor-command.ts';
import { addReconcileCommand } from '#main/commands/reconcile-commands.ts';
import { addScenarioCommands } from '#main/commands/scenario-commands.ts';
import { readPrivateFile } from '#main/secrets/private-file.ts';
import { addSetupCommand } from '#main/setup/setup-command.ts';
import { addOperatorCommands } from '#operator-commands/operator-commands.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';
import type { Work } from '#operator-commands/terminal.ts';

/** Commands of `bourse`. */
export type CommandName =
  | 'start'
  | 'verify'
  | 'audit-verify'
  | 'rebuild-history'
  | 'quarantine'
  | 'confirm-clock'
  | 'new-seed';

/** A command that is not about a data directory of this machine: what it does. */
export interface OtherWork {
  readonly work: Work;
}

/** A command to run, or what to print instead. */
export type ParsedCommandLine =
  | ({
      readonly command: CommandName;
      /** The caller agreed beforehand, so the command does not ask. */
      readonly isConfirmed: boolean;
      /** Of `new-seed` alone. */
      readonly newSeed: NewSeedRequest | null;
    } & LoadedConfiguration)
  | OtherWork
  | PrintedAnswer;

/** What parsing needs from outside. */
export interface CommandLineSurroundings {
  readonly version: string;
  readonly readFile: (path: string) => string;
}

/** Settings that the offline commands use. */
const offlineSettings: readonly SettingName[] = ['data', 'profile', 'logLevel', 'keepTradesDays'];
/** Settings that say which master key seals, for a command that needs no exchange. */
const keySettings: readonly SettingName[] = ['data', 'profile', 'seed', 'masterKeyFile'];
/** Settings that say what belongs to an exchange besides its data directory. */
const backupSettings: readonly SettingName[] = ['profile', 'masterKeyFile', 'custodyFile'];
/** Settings that say which cluster a directory belongs to. */
const clusterSettings: readonly SettingName[] = ['cluster', 'data', 'profile', 'masterKeyFile', 'journalSegmentMib'];
const usageFault = 2;

/**
 * Reads the command line with its twins in the environment and the configuration file. `argv` has no program names.
 * Pure except for reading the configuration file. Reports all faults at once, with exit code 2.
 */
export function parseCommandLine(
  argv: readonly string[],
  environment: Environment,
  { version, readFile }: CommandLineSurroundings = { version: '0', readFile: readTextFile },
): ParsedCommandLine {
  let printed = '';
  let parsed: ParsedCommandLine | null = null;
  const program = programOf({ argv, environment, version, readFile }, (taken) => {
    parsed = taken;
  });
  const write = (text: string): void => {
    printed += text;
  };
  configureAll(program, write);
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { exit: 0, text: printed };
    const isForExcess = error.code === 'commander.excessArguments';
    const hints = hintsOnStart({ argv, excess: excessOf(program), isForExcess, commands: namesOf(program) });
    return { exit: usageFault, text: printed + hints };
  }
  return parsed ?? { exit: usageFault, text: program.helpInformation() };
}

/** What the program is made for. */
interface ProgramParts extends CommandLineSurroundings {
  readonly argv: readonly string[];
  readonly environment: Environment;
}

/** The program with all its commands. `take` gets what was parsed. */
function programOf(
  { argv, environment, version, readFile }: ProgramParts,
  take: (parsed: ParsedCommandLine) => void,
): Command {
  const accept = (command: CommandName, options: Command, data?: string): void =>
    take(load(command, options, environment, readFile, data));
  const program = describeProgram({ version, readFile }, accept, take);
  const surroundings: Surroundings = { environment, readFile, readPrivateFile, pause: (ms) => setTimeout(ms) };
  const later = (work: Work): void => take({ work });
  addReconcileCommand(program, surroundings, later);
  addScenarioCommands(program, surroundings, later);
  addSetupCommand(program, later);
  const op = addOperatorCommands(program, { surroundings, later, word: operatorWord(argv) });
  const doctor = { surroundings, version, later };
  addExchangeDoctor(op, doctor);
  addDoctor(
    program,
    (options, data) => loadOptions(options, { environment, readFile, data, isForServer: true }),
    doctor,
  );
  addBackupCommands(program, {
    version,
    later,
    addSettings: (command) => addSettings(command, backupSettings),
    load: (options, data) => ({
      loaded: loadOptions(options, { environment, readFile, data, isForServer: false }),
      file: namedFile(givenOption(options, 'config'), environment)?.path ?? null,
    }),
  });
  addClusterCommands(program, {
    ...{ later, version },
    addSettings: (command) => addSettings(command, clusterSettings),
    load: (options, data) => loadOptions(options, { environment, readFile, data, isForServer: false }),
  });
  addCompletionCommand(program, take);
  return program;
}

/** The program for who describes it: every command has its options. */
export const wholeProgram = (): Command =>
  programOf({ argv: ['completion'], environment: {}, version: '', readFile: readTextFile }, () => {});

/** The operator's commands that need their options; `null`: all of them. */
const operatorWord = ([command, word = '']: readonly string[]): string | null =>
  command === 'completion' ? null : command === 'op' ? word : '';

/** Sets how a command and all below it print. */
function configureAll(command: Command, write: (text: string) => void): void {
  command.exitOverride().configureOutput({ writeOut: write, writeErr: write });
  command.configureHelp({ helpWidth: 110, showGlobalOptions: false });
  command.showSuggestionAfterError(true);
  for (const each of command.commands) configureAll(each, write);
}

const namesOf = (program: Command): readonly string[] => program.commands.map((command) => command.name());

/** Words that `start` was given and does not take. */
const excessOf = (program: Command): readonly string[] =>
  program.commands.find((command) => command.name() === 'start')?.args ?? [];

type Accept = (command: CommandName, options: Command, data?: string) => void;

function describeProgram(
  { version, readFile }: CommandLineSurroundings,
  accept: Accept,
  answer: (printed: PrintedAnswer) => void,
): Command {
  const program = new Command('bourse').description('A complete cryptocurrency exchange that anyone can run.');
  program.version(version, '-V, --version', 'print the version').enablePositionalOptions();
  const start = program.command('start', { isDefault: true }).description('run the exchange (default)');
  start.version(version, '-V, --version', 'print the version');
  addSettings(start, settingNames);
  start.action((_options: unknown, self: Command) => accept('start', self));
  start.addHelpText('after', helpNotes);

  const verify = program.command('verify').argument('[data]', 'data directory (default: --data)');
  verify.description('check journal, snapshots, digests and the ledger of a stopped exchange, and report');
  addSettings(verify, offlineSettings);
  verify.action((data: string | undefined, _options: unknown, self: Command) => accept('verify', self, data));

  const audit = program.command('audit').description('what operators did').command('verify');
  audit.argument('[data]', 'data directory (default: --data)');
  audit.description('check the chain of acts of a stopped exchange: history against journal and snapshots, and report');
  addSettings(audit, offlineSettings);
  audit.action((data: string | undefined, _options: unknown, self: Command) => accept('audit-verify', self, data));

  const rebuild = program.command('rebuild-history').argument('[data]', 'data directory (default: --data)');
  rebuild.description('write the history database of a stopped exchange anew from its journal');
  addSettings(rebuild, offlineSettings);
  rebuild.action((data: string | undefined, _options: unknown, self: Command) => accept('rebuild-history', self, data));

  const confirm = program.command('confirm-clock').argument('[data]', 'data directory (default: --data)');
  confirm.description(
    'tell the exchange that the machine’s clock is right: it takes orders again after a step forward',
  );
  addSettings(confirm, offlineSettings);
  confirm.action((data: string | undefined, _options: unknown, self: Command) => accept('confirm-clock', self, data));
  const quarantine = program.command('quarantine').argument('[data]', 'data directory (default: --data)');
  quarantine.description('take the journal of a stopped exchange back to before an entry that cannot be applied');
  quarantine.option('--yes', 'do it without asking');
  addSettings(quarantine, offlineSettings);
  quarantine.action((data: string | undefined, _options: unknown, self: Command) => accept('quarantine', self, data));

  const newSeed = addCustodyCommands(program, answer).command('new-seed');
  newSeed.description('make the seed of a hot wallet and write it sealed with the master key');
  newSeed.addOption(new Option('--network <code>', 'network').choices(evmNetworkCodes).makeOptionMandatory());
  newSeed.requiredOption('--out <file>', 'file to write; it must not exist');
  addSettings(newSeed, keySettings);
  newSeed.action((_options: unknown, self: Command) => accept('new-seed', self));
  addProofCommands(program, readFile, answer);
  program
    .command('version')
    .description('print the version')
    .action(() => answer({ exit: 0, text: `${version}\n` }));
  program.addHelpText(
    'after',
    '\nEvery command tells its options with --help; bourse start --help lists all settings.',
  );
  return program;
}

/** Adds `bourse doctor`, which takes all that a start takes. */
function addDoctor(
  program: Command,
  load: (options: Command, data: string | undefined) => LoadedConfiguration,
  parts: DoctorParts,
): void {
  const doctor = program.command('doctor').argument('[data]', 'data directory (default: --data)');
  doctor.description(
    'check machine, disk, clock, ports, secrets, custody and the running exchange; exit code 1 for faults',
  );
  addSettings(doctor, settingNames);
  addDoctorOptions(doctor, (data) => load(doctor, data), parts);
}

const helpNotes = `
Every option has a twin in the environment (--operator-port: BOURSE_OPERATOR_PORT) and in a configuration file
("operatorPort"). A flag wins over the environment, that over the file, that over the default. Secrets are taken
from the environment or the file only: ${settingNames
  .filter((name) => settings[name].isSecret)
  .map(variableOf)
  .join(', ')}.`;

function addSettings(command: Command, names: readonly SettingName[]): void {
  for (const name of names) {
    const { isSecret, notation, placeholder, summary, group } = settings[name];
    if (isSecret) continue;
    const flag = flagOf(name);
    const shown = notation === 'switch' ? flag : `${flag} <${placeholder}>`;
    command.addOption(
      new Option(shown, `${flag.startsWith('--no-') ? 'Turns off: ' : ''}${summary}${shownDefault(name)}`).helpGroup(
        `${group}:`,
      ),
    );
    if (notation !== 'switch') continue;
    const opposite = flag.startsWith('--no-') ? flag.replace('--no-', '--') : flag.replace('--', '--no-');
    command.addOption(new Option(opposite).hideHelp());
  }
  const group = 'Configuration:';
  command.addHelpOption(new Option('-h, --help', 'print this help').helpGroup(group));
  command.addOption(new Option('--config <file>', 'JSON file with settings (BOURSE_CONFIG)').helpGroup(group));
  command.addOption(
    new Option('--print-config', 'print the effective settings with their origin, and end').helpGroup(group),
  );
}

function shownDefault(name: SettingName): string {
  const [sandbox, production] = (['sandbox', 'production'] as const).map((profile) =>
    shownValue(defaultOf(name, profile)),
  );
  if (settings[name].notation === 'switch' || (sandbox === '' && production === '')) return '';
  return sandbox === production ? ` (${sandbox})` : ` (${sandbox || 'none'}; in production ${production || 'none'})`;
}

const shownValue = (value: unknown): string =>
  value === null ? '' : Array.isArray(value) ? value.join(',') : String(value);

/** An option that stands on the command line; `undefined`: it does not. */
const givenOption = (options: Command, key: string): unknown =>
  options.getOptionValueSource(key) === 'cli' ? options.getOptionValue(key) : undefined;

/** Where the settings of a command come from besides its options. */
interface SettingSources {
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
  /** Data directory as an argument. */
  readonly data: string | undefined;
  readonly isForServer: boolean;
}

/** The settings of a command. @throws ConfigurationRefused */
function loadOptions(options: Command, { data, ...sources }: SettingSources): LoadedConfiguration {
  const flags = new Map<SettingName, string | boolean>();
  for (const name of settingNames) {
    const value = givenOption(options, name);
    if (typeof value === 'string' || typeof value === 'boolean') flags.set(name, value);
  }
  if (data !== undefined) flags.set('data', data);
  return loadConfiguration({ ...sources, flags, file: namedFile(givenOption(options, 'config'), sources.environment) });
}

function load(
  command: CommandName,
  options: Command,
  environment: Environment,
  readFile: (path: string) => string,
  data: string | undefined,
): ParsedCommandLine {
  try {
    const loaded = loadOptions(options, { environment, readFile, data, isForServer: command === 'start' });
    if (givenOption(options, 'printConfig') === true) return { exit: 0, text: printConfiguration(loaded) };
    const { network, out } = options.opts<NewSeedRequest>();
    const newSeed = command === 'new-seed' ? { network, out } : null;
    return { command, isConfirmed: givenOption(options, 'yes') === true, newSeed, ...loaded };
  } catch (error) {
    if (!(error instanceof ConfigurationRefused)) throw error;
    return { exit: usageFault, text: error.faults.map((fault) => `bourse: ${fault}\n`).join('') };
  }
}

function namedFile(
  flag: unknown,
  environment: Environment,
): { readonly path: string; readonly namedBy: string } | null {
  if (typeof flag === 'string') return { path: flag, namedBy: 'flag --config' };
  const { BOURSE_CONFIG: variable } = environment;
  return variable ? { path: variable, namedBy: 'environment BOURSE_CONFIG' } : null;
}
