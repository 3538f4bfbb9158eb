import { describe, expect, test } from 'vitest';
import type { BrokenNote, Handover, Leader } from '#cluster/command-log.ts';
import { handoverOf, hasVoided, successionOf, withNote } from '#cluster/handover.ts';
import type { AccountId, Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';

const noteAt = (seq: number, more: Partial<BrokenNote> = {}): BrokenNote => ({
  ...{ seq: as<Seq>(seq), epoch: as<Epoch>(3), at: as<TimestampMs>(1), commandKind: 'placeOrder' },
  ...{ account: as<AccountId>(7), invariant: 'it holds', node: 'one', builds: ['1.0'] },
  ...{ notedAt: '2026-01-01T00:00:00.000Z', voidedTo: null, ...more },
});
const handover = (broken: readonly BrokenNote[], since = 0): Handover => ({
  ...{ term: as<Epoch>(3), build: '1.0', since: as<Seq>(since), broken },
});
const leaderOf = (build: string): Leader => ({ node: 'two', epoch: as<Epoch>(4), address: '', build });
const at = (last: number, applied: number, build = '1.0') => ({
  last: as<Seq>(last),
  applied: as<Seq>(applied),
  build,
});

describe('DEC-CLU-11: who leads next', () => {
  test('voids an entry that only its own build can have applied, with all behind it', () => {
    const voided = noteAt(10, { voidedTo: as<Seq>(14) });
    const expected = { kind: 'void', note: voided, unrecorded: voided, broken: [voided] };
    expect(successionOf(handover([noteAt(10)]), at(14, 9))).toEqual(expected);
    expect(successionOf(handover([noteAt(10)], 9), at(14, 9, '1.1'))).toEqual(expected);
  });

  test('DEC-CLU-12: stands aside where a leader of another build may have answered it, and leads with a build that was not tried', () => {
    const passed = handover([noteAt(10)], 10);
    expect(successionOf(passed, at(14, 9))).toEqual({ kind: 'aside', note: noteAt(10) });
    expect(successionOf(passed, at(14, 9, '0.9'))).toMatchObject({ kind: 'lead', unrecorded: null });
    const both = withNote(passed, noteAt(10, { builds: ['0.9'] }));
    expect(successionOf(both, at(14, 9, '0.9'))).toMatchObject({ kind: 'aside', note: { builds: ['1.0', '0.9'] } });
  });

  test('records what was voided by a leader that died before it did, once', () => {
    const voided = noteAt(10, { voidedTo: as<Seq>(14) });
    expect(successionOf(handover([voided]), at(9, 9))).toEqual({ kind: 'lead', unrecorded: voided, broken: [voided] });
    expect(successionOf(handover([voided]), at(10, 9))).toMatchObject({ unrecorded: null });
  });

  test('does not record again what broke the engine by being recorded', () => {
    const record = noteAt(10, { commandKind: 'recordQuarantine' });
    expect(successionOf(handover([record]), at(10, 9))).toMatchObject({ kind: 'void', unrecorded: null });
    const voided = { ...record, voidedTo: as<Seq>(10) };
    expect(successionOf(handover([voided]), at(9, 9))).toMatchObject({ kind: 'lead', unrecorded: null });
  });

  test.each([
    ['the log does not have', 9, 9],
    ['a leader has applied', 14, 10],
  ])('forgets a note about an entry that %s', (_, last, applied) => {
    expect(successionOf(handover([noteAt(10)]), at(last, applied))).toEqual({
      kind: 'lead',
      unrecorded: null,
      broken: [],
    });
  });
});

describe('DEC-CLU-11: a handover', () => {
  test('knows since when its build alone has led', () => {
    const leader = leaderOf('1.0');
    expect(handoverOf(null, leader, as<Seq>(20), [])).toEqual({ term: 4, build: '1.0', since: 20, broken: [] });
    expect(handoverOf(handover([], 5), leader, as<Seq>(20), []).since).toBe(5);
    expect(handoverOf(handover([], 5), leaderOf('1.1'), as<Seq>(20), []).since).toBe(20);
  });

  test('keeps a few notes', () => {
    let kept = handover([]);
    for (let seq = 1; seq <= 20; seq += 1) kept = withNote(kept, noteAt(seq));
    expect(kept.broken.map(({ seq }) => seq)).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
  });

  test('tells which journals have what was voided', async () => {
    const own = (applied: number, last: number, epoch: number) => ({
      ...{ applied: as<Seq>(applied), last: as<Seq>(last), epochAt: async () => as<Epoch>(epoch) },
    });
    const voided = noteAt(10, { voidedTo: as<Seq>(14) });
    expect(await hasVoided(voided, own(9, 14, 3))).toBe(true);
    expect(await hasVoided(voided, own(9, 9, 3))).toBe(false);
    expect(await hasVoided(voided, own(10, 14, 3))).toBe(false);
    expect(await hasVoided(voided, own(9, 14, 4))).toBe(false);
    expect(await hasVoided(noteAt(10), own(9, 14, 3))).toBe(false);
  });
});
