import type { CompletedCommand } from '#main/completion/completed-commands.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What the value or argument can be, as the script writes it: words, `@file`, or nothing. */
const valuesOf = (value: readonly string[] | 'file' | 'any'): string =>
  value === 'any' ? '' : value === 'file' ? '@file' : value.join(' ');

function branch({ path, commands, flags, argument }: CompletedCommand): string {
  const names = flags.map(({ name }) => name).join(' ');
  const words = commands.length > 0 ? commands.map(({ name }) => name).join(' ') : valuesOf(argument);
  return `    ${quoted(path)}) words=${quoted(words)} flags=${quoted(names)} ;;`;
}

function valueBranches({ path, flags }: CompletedCommand): readonly string[] {
  return flags.flatMap(({ name, value }) =>
    value === null ? [] : [`    ${quoted(`${path} ${name}`.trim())}) words=${quoted(valuesOf(value))} ;;`],
  );
}

/** The completion script of bash 3.2 and later. DEC-OPR-268. */
export const bashCompletion = (
  commands: readonly CompletedCommand[],
): string => `# Completion of bourse for bash: source <(bourse completion bash)

# Sets words and flags to what can stand behind a command.
_bourse_command() {
  words= flags=
  case "$1" in
${commands.map(branch).join('\n')}
    *) return 1 ;;
  esac
}

# Sets words to what the value of a flag can be; fails for flags without one.
_bourse_value() {
  words=
  case "$1" in
${commands.flatMap(valueBranches).join('\n')}
    *) return 1 ;;
  esac
}

_bourse() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path= words flags word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    _bourse_command "\${path:+$path }$word" && path="\${path:+$path }$word"
  done
  if ! _bourse_value "\${path:+$path }\${COMP_WORDS[COMP_CWORD-1]}"; then
    _bourse_command "$path"
    [[ $current == -* ]] && words="$flags"
  fi
  if [[ $words == @file ]]; then
    compopt -o default 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}

complete -F _bourse bourse
`;
