import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Content } from '#model/codec/field-codec.ts';
import { codecOfKind } from '#model/command-codec.ts';
import type { CommandOf, PlainKind } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import { as } from '#model/units.ts';
import { subjectOf } from '#engine/acts/act-subjects.ts';
import { hiddenMembers, wordsOf, wordsOfCommand } from '#engine/acts/act-words.ts';
import { createEngine } from '#engine/create-engine.ts';
import { readGolden } from '../golden/golden-journal.ts';
import { arbitraryCommandOf } from './arbitrary-commands.ts';
import { canonicalText } from '#base/checksum.ts';

const kinds = Object.keys(codecOfKind) as PlainKind[];
const journals = ['every-kind', 'contracts'].map((name) => join('test/golden/rules-1', `${name}.jsonl`));
const states = journals.map((journal) => {
  const engine = createEngine();
  for (const { at, command } of readGolden(journal))
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(at), command }, noopSink);
  return engine.state;
});

/** Names of all texts that a content holds, at any depth. */
const textNames = (content: Content, name: string): string[] => {
  switch (content.kind) {
    case 'text':
      return [name];
    case 'nullable':
    case 'list':
      return textNames(content.of, name);
    case 'record':
      return Object.entries(content.members).flatMap(([member, codec]) => textNames(codec.content, member));
    default:
      return [];
  }
};

describe('DEC-OPR-192: whatever a command says, an act of it can be told', () => {
  test.each(kinds)('%s', (kind) => {
    fc.assert(
      fc.property(arbitraryCommandOf(kind), (command) => {
        for (const state of states) {
          const subject = subjectOf(state, command as CommandOf<PlainKind>);
          const words = wordsOfCommand(state, command as CommandOf<PlainKind>);
          const record = wordsOf(state, subject.record() ?? {});
          const id = subject.id();
          expect(id === null || typeof id === 'string').toBe(true);
          for (const told of [words, record]) expect(JSON.parse(canonicalText(told))).toEqual(told);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('DEC-OPR-194: no act tells a secret', () => {
  test('members of commands that are named like secrets are hidden', () => {
    const named = kinds.flatMap((kind) => textNames(codecOfKind[kind].content, ''));
    // The hash of a block is everybody's.
    const secret = named.filter((name) => /secret|.hash|seal|password|private|seed|signature|^raw$/i.test(name));
    expect(new Set(secret)).toEqual(new Set([...hiddenMembers, 'tokenHash']));
  });

  test.each(kinds)('%s', (kind) => {
    fc.assert(
      fc.property(arbitraryCommandOf(kind), (command) => {
        const secrets: string[] = [];
        const marked = JSON.parse(
          JSON.stringify(command, (name, value: unknown) => {
            if (typeof value === 'bigint') return String(value);
            if (!hiddenMembers.has(name) && name !== 'tokenHash') return value;
            secrets.push(`marked-secret-${'0'.repeat(40)}-${secrets.length}`);
            return secrets.at(-1);
          }),
        ) as CommandOf<PlainKind>;
        const told = JSON.stringify(wordsOfCommand(states[0]!, marked));
        for (const secret of secrets) expect(told).not.toContain(secret);
      }),
      { numRuns: 20 },
    );
  });
});
