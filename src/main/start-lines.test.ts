import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { startLines } from '#main/start-lines.ts';

/** An output that keeps what is written to it. */
function output(isTTY: boolean) {
  const written: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  return { written, stream: Object.assign(stream, { isTTY }) };
}

describe('DEC-OPR-200: lines of a start', () => {
  test.each([
    ['production', true],
    ['production', false],
    ['sandbox', false],
  ] as const)('are JSON in %s, where there is a terminal: %s', (profile, isTTY) => {
    const [out, err] = [output(isTTY), output(isTTY)];
    const lines = startLines(profile, { stdout: out.stream, stderr: err.stream });
    lines.tell('two\nlines', { url: 'http://127.0.0.1:1' });
    lines.warn('careful');
    lines.fail('a port is taken');
    expect(lines.isForPeople).toBe(false);
    expect(out.written.map((line) => JSON.parse(line))).toMatchObject([
      { level: 30, msg: 'two\nlines', url: 'http://127.0.0.1:1' },
    ]);
    expect(err.written.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: 'careful' },
      { level: 60, msg: 'a port is taken' },
    ]);
    expect([...out.written, ...err.written].every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  test('are text at the terminal of a sandbox', () => {
    const [out, err] = [output(true), output(true)];
    const lines = startLines('sandbox', { stdout: out.stream, stderr: err.stream });
    lines.tell('Welcome.', { url: 'http://127.0.0.1:1' });
    lines.warn('careful');
    lines.fail('a port is taken');
    expect([lines.isForPeople, out.written, err.written]).toEqual([
      true,
      ['Welcome.\n'],
      ['careful\n', 'bourse: a port is taken\n'],
    ]);
  });
});
