import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import { codecOfKind, decodeCommand, encodeCommand } from '#model/command-codec.ts';
import { type Acting, acting, type Command, type CommandKind, type PlainKind } from '#model/command.ts';
import { samplesOf } from './samples.ts';

/**
 * Commands of each kind, derived from its declaration, with the bytes that they had when they were recorded. A
 * difference means that an old journal would be read differently: it needs a new number, or, before the first release,
 * a reason in the commit that records them again (`BOURSE_RECORD_GOLDEN=1 npx vitest run test/golden`).
 */
const path = new URL('command-bytes.json', import.meta.url);
const plainKinds = Object.keys(codecOfKind) as PlainKind[];
const samplesOfKind = (kind: PlainKind): readonly Command[] =>
  samplesOf(codecOfKind[kind].content, kind) as readonly Command[];

const samples: readonly (readonly [CommandKind, readonly Command[]])[] = [
  ...plainKinds.map((kind) => [kind, samplesOfKind(kind)] as const),
  [
    'operate',
    (samplesOf(acting.content, 'operate') as readonly Acting[]).map((sample) => {
      const [command] = samplesOfKind('setAccountStatus') as readonly Extract<Command, { kind: 'setAccountStatus' }>[];
      return { kind: 'operate', ...sample, command: command! };
    }),
  ],
];

function hexOf(command: Command): string {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  return Buffer.from(writer.take()).toString('hex');
}

if (process.env['BOURSE_RECORD_GOLDEN'] === '1') {
  const bytes = Object.fromEntries(samples.map(([kind, commands]) => [kind, commands.map(hexOf)]));
  writeFileSync(path, `${JSON.stringify(bytes, null, 2)}\n`);
}
const recorded = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string[]>;

test.each(samples)('the bytes of %s in journals that exist stay readable, and are written so', (kind, commands) => {
  expect(commands.map(hexOf)).toEqual(recorded[kind]);
  const read = (recorded[kind] as string[]).map((bytes) => decodeCommand(new ByteReader(Buffer.from(bytes, 'hex'))));
  expect(read).toEqual(commands);
});

test('no bytes are recorded of a kind that is no more', () => {
  expect(Object.keys(recorded).sort()).toEqual(samples.map(([kind]) => kind).sort());
});
