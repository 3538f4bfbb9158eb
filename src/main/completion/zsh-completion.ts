import type { CompletedCommand, CompletedFlag } from '#main/completion/completed-commands.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A word with its description, as `_describe` reads it. */
const described = ({ name, description }: { readonly name: string; readonly description: string }): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${description}`);

const listOf = (items: readonly string[]): string => `(${items.join(' ')})`;
const valuesOf = (value: readonly string[] | 'file' | 'any'): string =>
  value === 'any' ? '()' : value === 'file' ? '(@file)' : listOf(value.map(quoted));

function branch({ path, commands, flags, argument }: CompletedCommand): string {
  const words = commands.length > 0 ? listOf(commands.map(described)) : valuesOf(argument);
  return `    ${quoted(path)}) found=${words} flags=${listOf(flags.map(described))} ;;`;
}

const valueBranch = (path: string, { name, value }: CompletedFlag): readonly string[] =>
  value === null ? [] : [`    ${quoted(`${path} ${name}`.trim())}) found=${valuesOf(value)} ;;`];

/** The completion script of zsh. DEC-OPR-268. */
export const zshCompletion = (commands: readonly CompletedCommand[]): string => `#compdef bourse
# Completion of bourse for zsh: put it as _bourse into a folder of $fpath, or: source <(bourse completion zsh)

# Sets found and flags to what can stand behind a command.
_bourse_command() {
  found=() flags=()
  case "$1" in
${commands.map(branch).join('\n')}
    *) return 1 ;;
  esac
}

# Sets found to what the value of a flag can be; fails for flags without one.
_bourse_value() {
  found=()
  case "$1" in
${commands.flatMap(({ path, flags }) => flags.flatMap((flag) => valueBranch(path, flag))).join('\n')}
    *) return 1 ;;
  esac
}

_bourse() {
  local at= word
  local -a found flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    _bourse_command "\${at:+$at }$word" && at="\${at:+$at }$word"
  done
  if ! _bourse_value "\${at:+$at }\${words[CURRENT-1]}"; then
    _bourse_command "$at"
    [[ \${words[CURRENT]} == -* ]] && found=("\${(@)flags}")
  fi
  if [[ \${found[1]} == @file ]]; then
    _files
  else
    _describe -t words bourse found
  fi
}

if [[ \${funcstack[1]} == _bourse ]]; then _bourse "$@"; else compdef _bourse bourse; fi
`;
