import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCommandLine } from '#main/configuration/command-line.ts';
import { operatorCommands } from '#operator-commands/operator-command.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const parsed = parseCommandLine(['completion', shell], {});
    if (!('text' in parsed) || parsed.exit !== 0) throw new Error(shell);
    writeFileSync(join(folder, shell), parsed.text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a shell on a script that loads the completion first. */
function run(shell: string, script: string): string {
  const { status, stdout, stderr } = spawnSync(shell, ['-c', script], { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}
const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const quoted = (text: string): string => `'${text}'`;

/** What is offered for the last word of each of these lines, sorted. */
const offered: Readonly<Record<string, (lines: readonly string[]) => readonly (readonly string[])[]>> = {
  bash: (lines) => {
    const asked = lines.map((line) => {
      const words = line.split(' ');
      const asking = `COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}; _bourse`;
      return `${asking}; echo "\${COMPREPLY[@]}"`;
    });
    const out = run('bash', ['source ./bash', ...asked].join('\n'));
    return out
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' ').filter(Boolean).sort());
  },
  zsh: (lines) => {
    // Outside of its line editor zsh has no completion: what would be offered is printed instead.
    const stubs = [
      'compdef() { :; }; _files() { print @file }; source ./zsh',
      `_describe() { print -r -- "\${(@)\${(@P)4}%%:*}" }`,
    ].join('\n');
    const asked = lines.map((line) => {
      const words = line.split(' ');
      return `words=(${words.map(quoted).join(' ')}); CURRENT=${words.length}; _bourse`;
    });
    const out = run('zsh', [stubs, ...asked].join('\n'))
      .split('\n')
      .slice(0, -1);
    return out.map((line, at) => {
      const last = lines[at]!.split(' ').at(-1)!;
      return line
        .split(' ')
        .filter((word) => word !== '' && word.startsWith(last))
        .sort();
    });
  },
  fish: (lines) => {
    const asked = lines.map((line) => `complete -C ${quoted(line)}; echo ----`);
    const out = run('fish', ['source ./fish', ...asked].join('\n'));
    return out
      .split('----\n')
      .slice(0, -1)
      .map((part) =>
        part
          .split('\n')
          .filter(Boolean)
          .map((word) => word.split('\t')[0]!)
          .sort(),
      );
  },
};

describe.each(Object.keys(offered))('DEC-OPR-268: completion of %s', (shell) => {
  const ask = offered[shell]!;
  test.skipIf(!isInstalled(shell))('is a script that the shell can read', () => {
    expect(spawnSync(shell, ['-n', join(folder, shell)], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  test.skipIf(!isInstalled(shell))('offers commands, flags of the command, and words of a flag or an argument', () => {
    const lines = [
      'bourse veri',
      'bourse op pairs ',
      'bourse op pairs set BTCUSDT --st',
      'bourse op pairs set BTCUSDT --status ',
      'bourse op pairs set --status online BTCUSDT --side-type buy',
      'bourse op pairs set BTCUSDT --taker-fee-ppm ',
      'bourse op insurance-funds ',
      'bourse --signature-reuse m',
      'bourse start --profi',
      'bourse completion z',
      'bourse op exchanges u',
      'bourse op pears ',
    ];
    expect(ask(lines)).toEqual([
      ['verify'],
      ['delist', 'list', 'put', 'set', 'show'],
      ['--status'],
      ['cancelOnly', 'offline', 'online', 'paused'],
      ['buyOnly'],
      [],
      ['fund', 'show', 'snapshots'],
      ['money'],
      ['--profile'],
      ['zsh'],
      ['use'],
      expect.not.arrayContaining(['list']),
    ]);
  });

  test.skipIf(!isInstalled(shell))('knows every command of the operator', () => {
    const all = operatorCommands().map(({ words }) => words);
    const found = ask(all.map((words) => `bourse op ${words}`));
    expect(all.filter((words, at) => !found[at]!.includes(words.split(' ').at(-1)!))).toEqual([]);
  });
});
