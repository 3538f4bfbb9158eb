import type { CompletedCommand, CompletedFlag } from '#main/completion/completed-commands.ts';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Prints words with their descriptions. */
const printed = (items: readonly { readonly name: string; readonly description: string }[]): string =>
  items.length === 0
    ? 'return'
    : `printf '%s\\t%s\\n' ${items.map(({ name, description }) => `${quoted(name)} ${quoted(description)}`).join(' ')}`;

function valuesOf(value: readonly string[] | 'file' | 'any'): string {
  if (value === 'file') return '__fish_complete_path (commandline -ct)';
  return value === 'any' || value.length === 0 ? 'return' : `printf '%s\\n' ${value.map(quoted).join(' ')}`;
}

const branch = (words: string, does: string): string => `    case ${quoted(words)}\n      ${does}`;

const valueBranch = (path: string, { name, value }: CompletedFlag): readonly string[] =>
  value === null ? [] : [branch(`${path} ${name}`.trim(), valuesOf(value))];

const wordsBranch = ({ path, commands, argument }: CompletedCommand): string =>
  branch(path, commands.length > 0 ? printed(commands) : valuesOf(argument));

/** The completion script of fish. DEC-OPR-268. */
export const fishCompletion = (
  commands: readonly CompletedCommand[],
): string => `# Completion of bourse for fish: bourse completion fish > ~/.config/fish/completions/bourse.fish

set -g __bourse_paths ${commands.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' ')}

# What can stand behind a command.
function __bourse_words
  switch $argv[1]
${commands.map(wordsBranch).join('\n')}
  end
end

# The flags of a command.
function __bourse_flags
  switch $argv[1]
${commands.map(({ path, flags }) => branch(path, printed(flags))).join('\n')}
  end
end

# What the value of a flag can be; fails for flags without one.
function __bourse_value
  switch $argv[1]
${commands.flatMap(({ path, flags }) => flags.flatMap((flag) => valueBranch(path, flag))).join('\n')}
    case '*'
      return 1
  end
end

function __bourse_complete
  set -l words (commandline -opc)[2..]
  set -l path
  for word in $words
    set -l next (string join -- ' ' $path $word)
    contains -- $next $__bourse_paths; and set path $next
  end
  if set -q words[1]; and __bourse_value (string join -- ' ' $path $words[-1])
    return
  end
  if string match -q -- '-*' (commandline -ct)
    __bourse_flags "$path"
  else
    __bourse_words "$path"
  end
end

complete -c bourse -f -a '(__bourse_complete)'
`;
