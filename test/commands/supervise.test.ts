import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const supervisor = new URL('../../tools/supervise.mjs', import.meta.url).href;

/** Starts a supervisor of a process that ends with each of these codes in turn, then runs until it is stopped. */
function supervised(codes: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-supervise-'));
  const starts = join(folder, 'starts');
  writeFileSync(starts, '');
  const script = join(folder, 'node.mjs');
  writeFileSync(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs';
     const started = readFileSync(${JSON.stringify(starts)}, 'utf8').length;
     appendFileSync(${JSON.stringify(starts)}, '.');
     const code = ${JSON.stringify(codes)}[started];
     if (code !== undefined) process.exit(code);
     process.on('SIGTERM', () => process.exit(0));
     console.log('runs');
     setTimeout(() => process.exit(9), 20_000);`,
  );
  const run = join(folder, 'run.mjs');
  writeFileSync(
    run,
    `import { supervise } from ${JSON.stringify(supervisor)};
     supervise([${JSON.stringify(script)}]);`,
  );
  const child = spawn(process.execPath, [run], { stdio: ['ignore', 'pipe', 'pipe'] });
  return { child, ended: once(child, 'exit'), starts: () => readFileSync(starts, 'utf8').length };
}

test('DEC-CLU-10: a node that ends is started again, until it is asked to stop', async () => {
  const { child, ended, starts } = supervised([1, 1]);
  await once(child.stdout, 'data');
  expect(starts()).toBe(3);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(starts()).toBe(3);
});

test.each([0, 2, 3])('DEC-CLU-10: a node that ends with %i is not started again', async (code) => {
  const { ended, starts } = supervised([code]);
  expect(await ended).toEqual([code, null]);
  expect(starts()).toBe(1);
});
