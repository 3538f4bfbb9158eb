import { expect, test } from 'vitest';
import { commandReference } from '#main/completion/command-reference.ts';
import { exitCodes } from '#operator-commands/exit-codes.ts';
import { operatorCommands } from '#operator-commands/operator-command.ts';

const lines = commandReference().split('\n');
/** Lines under a heading, up to the next one. */
const under = (heading: string): readonly string[] => {
  const rest = lines.slice(lines.indexOf(heading) + 1);
  return lines.includes(heading)
    ? rest.slice(
        0,
        rest.findIndex((line) => line.startsWith('#')),
      )
    : [];
};

test('DEC-OPR-260: every command of an endpoint is there with its scope', () => {
  for (const { words, endpoint } of operatorCommands()) {
    const scope = endpoint.scope === null ? 'Any token may.' : `Scope \`${endpoint.scope}\`.`;
    expect(under(`### bourse op ${words}`)).toContain(`Asks \`${endpoint.method} ${endpoint.path}\`. ${scope}`);
  }
});

test('DEC-OPR-261: every exit code is there once, in one table', () => {
  const rows = under('## Exit codes').filter((line) => /^\| \d/.test(line));
  expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(Object.values(exitCodes));
});

test('commands tell settings by name, and flags of their own in a table', () => {
  const setup = under('### bourse setup').join('\n');
  expect(setup).toContain('| `--rpc-url <url>` | Address of your node of it. |');
  expect(under('### bourse start')).toContain(
    'Settings: all, and `--config`, `--print-config` ([configuration.md](configuration.md)).',
  );
  expect(lines.filter((line) => line.includes('--token-file <file>'))).toHaveLength(2);
});
