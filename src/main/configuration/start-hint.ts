import { flagOf, settingNames, settings } from '#main/configuration-schema.ts';

/** Words that turn a switch on or off where settings are text. */
export const wordsOfTruth: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

const switches: ReadonlySet<string> = new Set(
  settingNames.filter((name) => settings[name].notation === 'switch').map((name) => onFlag(flagOf(name))),
);

/** What the words of a refused `start` show of its intent. */
export interface RefusedStart {
  readonly argv: readonly string[];
  /** Words that are neither options nor their values. */
  readonly excess: readonly string[];
  /** Whether they are what it was refused for; else one of them may belong to an unknown option. */
  readonly isForExcess: boolean;
  /** Names of all commands. */
  readonly commands: readonly string[];
}

/** What to write instead, one line each; empty where nothing is known. DEC-OPR-24. */
export function hintsOnStart({ argv, excess, isForExcess, commands }: RefusedStart): string {
  const [word] = excess;
  const valued = argv.flatMap((argument, index) => {
    const [flag = '', value = argv[index + 1] ?? ''] = argument.split('=', 2);
    return switches.has(onFlag(flag)) && Object.hasOwn(wordsOfTruth, value.toLowerCase()) ? [onFlag(flag)] : [];
  });
  const lines = valued.map(
    (flag) => `${flag} takes no value: write ${flag} to turn it on, ${offFlag(flag)} to turn it off.`,
  );
  if (word !== undefined && word !== 'start' && commands.includes(word))
    lines.unshift(`${word} is a command of its own, not a part of start; run: npx bourse ${word}`);
  else if (isForExcess && word !== undefined && word !== 'start' && lines.length === 0)
    lines.push(`${word} is neither an option nor a command: see npx bourse --help and npx bourse start --help.`);
  return lines.map((line) => `${line}\n`).join('');
}

function onFlag(flag: string): string {
  return flag.replace(/^--no-/, '--');
}

function offFlag(flag: string): string {
  return flag.replace(/^--/, '--no-');
}
