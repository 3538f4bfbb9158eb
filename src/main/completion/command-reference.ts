import type { Argument, Command, Option } from 'commander';
import { anchorOf, markdownOf, table } from '#http/documents/markdown.ts';
import { wholeProgram } from '#main/configuration/command-line.ts';
import { flagOf, settingNames, settings } from '#main/configuration-schema.ts';
import { exitCodes, exitMeanings } from '#operator-commands/exit-codes.ts';
import { operatorCommands } from '#operator-commands/operator-command.ts';

/*
 * The reference of commands. It is made from the program's own commands, as completion is; written to
 * `docs/reference/commands.md` by `tools/generate-reference.mjs`.
 */

/** A command with the words that call it. */
interface Named {
  /** `op pairs list`. */
  readonly words: string;
  readonly command: Command;
}

/** The commands that do something, in the order of the help; one with commands below it may do something itself. */
function leavesOf(command: Command, words = ''): readonly Named[] {
  const below = command.commands.flatMap((each) => leavesOf(each, `${words} ${each.name()}`.trim()));
  const isGroup = command.commands.length > 0 && (words === '' || command.options.length === 0);
  return isGroup ? below : [{ words, command }, ...below];
}

const operatorGroup = 'op ';
/** Options that all commands with an endpoint have in common; they are told once. */
const sharedGroups: ReadonlySet<string> = new Set(['Answer:', 'Which exchange:', 'Configuration:']);
const openSettings = settingNames.filter((name) => !settings[name].isSecret);
const settingFlags: ReadonlyMap<string, string> = new Map(
  settingNames.map((name) => [flagOf(name).replace('--no-', '--'), name]),
);
const settingOf = ({ long }: Option): string | undefined => settingFlags.get(long!.replace('--no-', '--'));
const isShared = (option: Option): boolean => sharedGroups.has(option.helpGroupHeading ?? '');
const isSettingOf = (command: Command, option: Option): boolean =>
  settingOf(option) !== undefined && command.options.some(({ long }) => long === '--config');

const choicesText = (choices: readonly string[] | undefined): string =>
  choices === undefined ? '' : ` Of ${choices.map((each) => `\`${each}\``).join(', ')}.`;
/** The text of a help as a sentence of a table. */
function sentence(text: string, choices?: readonly string[]): string {
  const trimmed = text.trim();
  const whole = /[.!?]$/.test(trimmed) || trimmed === '' ? trimmed : `${trimmed}.`;
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}${choicesText(choices)}`;
}

const argumentRow = (argument: Argument): readonly string[] => [
  `\`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\``,
  sentence(argument.description, argument.argChoices),
];
const optionRow = ({ flags, description, argChoices, mandatory }: Option): readonly string[] => [
  `\`${flags}\``,
  `${sentence(description, argChoices)}${mandatory ? ' Required.' : ''}`,
];

const settingsText = (names: readonly string[]): string => {
  if (names.length === 0) return '';
  const which = names.length === openSettings.length ? 'all' : names.map((name) => `\`${name}\``).join(', ');
  return `Settings: ${which}, and \`--config\`, \`--print-config\` ([configuration.md](configuration.md)).`;
};

function commandText({ words, command }: Named): string {
  const shown = command.options.filter(({ hidden, long }) => !hidden && long !== '--help' && long !== '--version');
  const ownSettings = shown.filter((option) => isSettingOf(command, option));
  const own = shown.filter((option) => !ownSettings.includes(option) && !isShared(option));
  const rows = [...command.registeredArguments.map(argumentRow), ...own.map(optionRow)];
  const asked = operatorCommands().find((each) => `${operatorGroup}${each.words}` === words);
  const names = command.registeredArguments.map((argument) => argumentRow(argument)[0]!.replaceAll('`', ''));
  return markdownOf([
    `### bourse ${words}`,
    sentence(command.description()),
    asked === undefined ? '' : endpointText(asked.endpoint.method, asked.endpoint.path, asked.endpoint.scope),
    `\`bourse ${[words, ...names].join(' ')}\``,
    settingsText(ownSettings.map((option) => settingOf(option)!)),
    rows.length === 0 ? '' : table(['argument or flag', 'what it is'], rows),
  ]).trimEnd();
}

const endpointText = (method: string, path: string, scope: string | null): string =>
  `Asks \`${method} ${path}\`. ${scope === null ? 'Any token may.' : `Scope \`${scope}\`.`}`;

/** Options that commands of `bourse op` have in common, each once. */
function sharedOptions(leaves: readonly Named[]): readonly (readonly string[])[] {
  const options = leaves
    .filter(({ words }) => words.startsWith(operatorGroup))
    .flatMap(({ command }) => command.options.filter((option) => isShared(option) && option.long !== '--help'));
  return [...new Map(options.map((option) => [option.long, optionRow(option)])).values()];
}

/** The whole document. */
export function commandReference(): string {
  const leaves = leavesOf(wholeProgram());
  const codes = Object.entries(exitMeanings) as [keyof typeof exitCodes, (typeof exitMeanings)['done']][];
  return markdownOf([
    '# Commands',
    '<!-- Generated by tools/generate-reference.mjs; edit src/main and src/operator-api instead. -->',
    'Every command of `bourse`, as `--help` tells it. [command-line.md](../operations/command-line.md) says how to ' +
      'run an exchange with them.',
    table(
      ['command', 'what it does'],
      leaves.map(({ words, command }) => [
        `[bourse ${words}](#${anchorOf(`bourse ${words}`)})`,
        sentence(command.summary() === '' ? command.description() : command.summary()),
      ]),
    ),
    '## Exit codes',
    'The same of all commands.',
    table(
      ['code', 'meaning', 'of `bourse start`', 'start it again?'],
      codes.map(([name, { command, start, restart }]) => [String(exitCodes[name]), command, start, restart]),
    ),
    '## Options of all commands below op',
    'Those of them that fit: lists have pages, acts have none.',
    table(['flag', 'what it is'], sharedOptions(leaves)),
    '## The commands',
    ...leaves.map(commandText),
  ]);
}
