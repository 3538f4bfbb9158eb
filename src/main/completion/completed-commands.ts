import type { Command, Option } from 'commander';

/** A flag as shells complete it. */
export interface CompletedFlag {
  /** With its dashes. */
  readonly name: string;
  readonly description: string;
  /** Words that its value can be; `file`: a path, `any`: nobody knows. `null`: it takes no value. */
  readonly value: readonly string[] | 'file' | 'any' | null;
}

/** A command as shells complete it. */
export interface CompletedCommand {
  /** Words behind `bourse`, with blanks between them; empty for `bourse` itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly CompletedFlag[];
  /** What its next argument can be. */
  readonly argument: readonly string[] | 'file' | 'any';
}

const isPath = (placeholder: string): boolean => /^(?:file|directory|data|proof|folder)$/.test(placeholder);
/** The first sentence, without what shells take for more than text. */
const brief = (text: string): string => (/^.*?[.;:](?= |$)/.exec(text)?.[0] ?? text).replace(/[.;:]$/, '');

function flagOf({ long, flags, description, argChoices }: Option): CompletedFlag {
  const placeholder = /[<[](.+)[>\]]/.exec(flags)?.[1];
  return { name: long!, description: brief(description), value: placeholder === undefined ? null : offeredValue() };

  function offeredValue(): CompletedFlag['value'] {
    if (argChoices !== undefined) return argChoices;
    // Settings name their words in place of the value.
    if (placeholder!.includes('|')) return placeholder!.split('|');
    return isPath(placeholder!) ? 'file' : 'any';
  }
}

function argumentOf({ registeredArguments }: Command): CompletedCommand['argument'] {
  const [first] = registeredArguments;
  if (first === undefined) return [];
  return first.argChoices ?? (isPath(first.name()) ? 'file' : 'any');
}

/** The command that runs where none is named. */
const defaultOf = (program: Command): readonly Command[] => {
  const { _defaultCommandName: name } = program as unknown as { readonly _defaultCommandName: string | null };
  return program.commands.filter((command) => command.name() === name);
};

/** `program` and every command below it, itself first. */
export function completedCommands(command: Command, path = ''): readonly CompletedCommand[] {
  const options = [command, ...defaultOf(command)].flatMap((each) => each.options);
  const flags = options.filter(({ hidden }) => !hidden).map(flagOf);
  const help = { name: '--help', description: 'print this help', value: null };
  const own: CompletedCommand = {
    path,
    commands: command.commands.map((each) => ({ name: each.name(), description: brief(each.description()) })),
    flags: [...new Map([...flags, help].map((flag) => [flag.name, flag])).values()],
    argument: argumentOf(command),
  };
  const below = command.commands.map((each) => completedCommands(each, `${path} ${each.name()}`.trim()));
  return [own, ...below.flat()];
}
