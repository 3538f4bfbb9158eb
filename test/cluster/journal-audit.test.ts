import { describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { differences, faultsOfOrders, type JournalContent } from './journal-audit.ts';

const journal = (changes: Partial<JournalContent> = {}): JournalContent => ({
  segments: new Map([[1, '100 aa']]),
  last: as(2),
  digest: 'd',
  sent: new Set(['a', 'b']),
  accepted: new Map([
    ['a', ['1']],
    ['b', ['2']],
  ]),
  closed: new Set(['2']),
  quarantined: 0,
  ...changes,
});
const answered = (clientOrderId: string, orderId: string, phase = 1) => ({ clientOrderId, orderId, phase, lane: 0 });
const told = { acknowledged: [answered('a', '1'), answered('b', '2', 2)], canceled: ['2'], refused: ['c'] };

describe('the audit of a drill finds', () => {
  test('nothing where all is as it was answered', () => {
    expect(faultsOfOrders(told, journal())).toEqual({ lost: [], double: [], texts: [] });
    expect(differences([journal(), journal(), journal()])).toEqual([]);
  });

  test('an acknowledged order that is gone, or has another id', () => {
    const gone = journal({ accepted: new Map([['b', ['3']]]) });
    const { lost, texts } = faultsOfOrders(told, gone);
    expect(lost).toEqual([1, 2]);
    expect(texts).toHaveLength(2);
  });

  test('an order that is there twice, acknowledged or not', () => {
    const twice = journal({ accepted: new Map([...journal().accepted, ['b', ['2', '3']], ['x', ['4', '5']]]) });
    const { double, lost, texts } = faultsOfOrders(told, twice);
    expect([lost, double]).toEqual([[], [2]]);
    expect(texts).toHaveLength(2);
  });

  test('an order id that two orders were answered', () => {
    const acknowledged = [answered('a', '1'), answered('b', '1')];
    const shared = journal({
      accepted: new Map([
        ['a', ['1']],
        ['b', ['1']],
      ]),
    });
    expect(faultsOfOrders({ ...told, acknowledged }, shared).double).toEqual([1]);
  });

  test('a refused order that is there, and a cancelled one that rests', () => {
    const wrong = journal({ accepted: new Map([...journal().accepted, ['c', ['9']]]), closed: new Set() });
    expect(faultsOfOrders(told, wrong).texts).toEqual(['c was refused, and is there', '2 was cancelled, and rests']);
  });

  test('journals that end elsewhere, have other bytes, or lead to another state', () => {
    const other = journal({ last: as(3), digest: 'e', segments: new Map([[1, '100 bb']]) });
    expect(differences([journal(), journal(), other])).toHaveLength(3);
    expect(differences([journal(), journal({ segments: new Map([...journal().segments, [2, '1 cc']]) })])).toHaveLength(
      1,
    );
  });
});
