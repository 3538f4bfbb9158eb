import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { isWrite } from '#operator-api/declaration/endpoint.ts';
import { addApplyCommand } from '#operator-commands/apply-command.ts';
import { addExchangesCommands } from '#operator-commands/exchanges-commands.ts';
import { argumentsOf, flagsOf, isPaged, type Member, type Notation } from '#operator-commands/member-flags.ts';
import { type OperatorCommand, operatorCommands, sentencesOf } from '#operator-commands/operator-command.ts';
import { type RunOptions, runOperatorCommand } from '#operator-commands/run-operator-command.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';
import type { Work } from '#operator-commands/terminal.ts';
import { addAddressOptions } from '#operator-commands/whom-to-ask.ts';

/*
 * `bourse op`: a command for each endpoint of the operator API, made from its declaration. Nothing here knows an
 * endpoint. `member-flags.ts` says which flags follow from a schema, `operator-command.ts` makes the request of them,
 * `operator-client.ts` sends it, `run-operator-command.ts` is the way of one command; `whom-to-ask.ts` finds address
 * and token, `shown-answer.ts` and `told-refusal.ts` are what people read.
 */

/** What is made of the command line. */
export interface OperatorCommandsOptions {
  readonly surroundings: Surroundings;
  /** Gets the work of the command that was called. */
  readonly later: (work: Work) => void;
  /** First word behind `op`: only its commands get their options, which takes time. `null`: all do. */
  readonly word: string | null;
}

/** Adds `bourse op` with all its commands, and answers it, for commands that are no endpoints. DEC-OPR-260. */
export function addOperatorCommands(program: Command, options: OperatorCommandsOptions): Command {
  const op = program.command('op').description('run an exchange: every endpoint of its operator API as a command');
  op.usage('GROUP VERB [options]');
  op.helpCommand(false);
  for (const command of operatorCommands()) {
    const [group = '', verb] = command.words.split(' ');
    const parent = verb === undefined ? op : groupOf(op, group);
    const name = verb ?? group;
    const own = parent.commands.find((each) => each.name() === name) ?? parent.command(name);
    own.description(command.endpoint.summary).helpCommand(false);
    if (options.word === null || options.word === group) addCommand(own, command, options);
  }
  addApplyCommand(op, options.surroundings, options.later);
  addExchangesCommands(op, options);
  op.addHelpText(
    'after',
    '\nEvery command tells its options with --help. docs/operations/command-line.md says how to use it.',
  );
  return op;
}

/** The command that holds the verbs of a group. */
function groupOf(op: Command, group: string): Command {
  const found = op.commands.find((command) => command.name() === group);
  if (found !== undefined) return found;
  const verbs = operatorCommands().flatMap(({ words }) => (words.startsWith(`${group} `) ? [words.split(' ')[1]] : []));
  return op.command(group).description(verbs.join(', ')).helpCommand(false);
}

const placeholders: Readonly<Record<Exclude<Notation, 'switch'>, string>> = {
  text: 'text',
  file: 'file',
  whole: 'n',
  moment: 'time',
  list: 'list',
  json: 'json',
};

const requestGroup = 'Request:';

/** The options of one member, by which it is found again. */
function optionsOf({ flag, notation, choices, description, isRequired, isNullable, items }: Member): readonly Option[] {
  const isRequiredNote = isRequired ? ' Required.' : '';
  if (notation === 'switch')
    return [
      new Option(flag, `${description} ${flag.replace('--', '--no-')} for false.${isRequiredNote}`).helpGroup(
        requestGroup,
      ),
      new Option(flag.replace('--', '--no-')).hideHelp(),
    ];
  const words = items !== null && choices !== null ? ` Of ${choices.join(', ')}.` : '';
  const note = `${isNullable ? ' `none` for null.' : ''}${words}${isRequiredNote}`;
  const option = new Option(`${flag} <${placeholders[notation]}>`, `${description}${note}`).helpGroup(requestGroup);
  if (choices !== null && items === null) option.choices(isNullable ? [...choices, 'none'] : choices);
  return [option];
}

function addCommand(own: Command, command: OperatorCommand, { surroundings, later }: OperatorCommandsOptions): void {
  const { endpoint, fixed } = command;
  const positional = argumentsOf(endpoint);
  const flags = flagsOf(endpoint, fixed);
  own.summary(endpoint.summary).description(sentencesOf(command));
  for (const { flag, description, choices } of positional) {
    const argument = new Argument(`<${flag}>`, description);
    own.addArgument(choices === null ? argument : argument.choices(choices));
  }
  for (const member of flags) for (const option of optionsOf(member)) own.addOption(option);
  addOwnOptions(own, command);
  own.action((...called: readonly unknown[]) => {
    const self = called.at(-1) as Command;
    const written = flags.flatMap((member) => {
      const name = optionsOf(member)[0]!.attributeName();
      const value = self.getOptionValueSource(name) === 'cli' ? self.getOptionValue(name) : undefined;
      return value === undefined ? [] : [[member, value as string | boolean] as const];
    });
    const given = [...positional.map((member, at) => [member, self.args[at]!] as const), ...written];
    const run = { command, members: [...positional, ...flags], given, options: ownOptionsOf(self) };
    later((terminal) => runOperatorCommand(run, surroundings, terminal));
  });
}

const answerGroup = 'Answer:';
const actGroup = 'Act:';

function addOwnOptions(own: Command, { endpoint }: OperatorCommand): void {
  const add = (group: string, flags: string, description: string): Option => {
    const option = new Option(flags, description).helpGroup(group);
    own.addOption(option);
    return option;
  };
  if (endpoint.body !== null)
    add(requestGroup, '--body <file>', 'JSON file with the body, - for standard input; flags go before it');
  if (isWrite(endpoint)) {
    if (endpoint.asksFirst !== undefined) add(actGroup, '--yes', 'do it without asking');
    add(actGroup, '--idempotency-key <key>', 'repeat an act of this key: what was done is not done again');
    if (endpoint.edits !== undefined)
      add(actGroup, '--if-match <tag>', 'only if it was not changed since its ETag was this');
  }
  add(answerGroup, '--json', 'the answer as it is, for programs');
  if (!isWrite(endpoint) && !isPaged(endpoint))
    add(answerGroup, '--out <file>', 'the answer as it is, into a new file');
  if (isPaged(endpoint)) {
    add(answerGroup, '--limit <n>', 'items to read, page after page').argParser(itemCount);
    add(answerGroup, '--all', 'read all items').conflicts('limit');
    add(answerGroup, '--cursor <cursor>', 'go on behind an earlier answer');
    add(answerGroup, '--columns <names>', 'columns of the table, or all; those that fit when not given');
  }
  addAddressOptions(own);
  own.addHelpOption(new Option('-h, --help', 'print this help').helpGroup(answerGroup));
}

/** Values of the options that are no members. */
const ownOptionsOf = (self: Command): RunOptions => {
  const names = ['json', 'columns', 'limit', 'all', 'cursor', 'out', 'yes', 'idempotencyKey', 'ifMatch', 'body'];
  const address = ['url', 'tokenFile', 'exchange', 'data'];
  return Object.fromEntries([...names, ...address].map((name) => [name, self.getOptionValue(name)])) as RunOptions;
};

function itemCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999999.');
}
