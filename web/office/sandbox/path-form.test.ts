import { expect, test } from 'vitest';
import { type PathEntries, presets, readPath } from '#web/office/sandbox/path-form.ts';

const empty: PathEntries = { kind: 'segments', members: {}, places: [], chance: '' };

test.each(presets.map(({ title, entries }) => [title, entries] as const))(
  'DEC-WEB-62: the preset %s can be started as it is',
  (_title, entries) => {
    const { path, faults } = readPath({ ...empty, ...entries });
    expect(faults).toEqual({});
    expect(path?.kind).toBe(entries.kind);
  },
);

test('numbers that cannot be read are told where they stand', () => {
  const asked = { ...empty, kind: 'trend', members: { changePpm: 'much', seconds: '' }, chance: '-1' } as const;
  const { path, faults } = readPath(asked);
  expect([path, Object.keys(faults).sort()]).toEqual([null, ['changePpm', 'seconds', 'volatilityPpm']]);
});

test.each([
  [[], 'Draw a line'],
  [
    [
      ['5', '1'],
      ['4', '1'],
    ],
    'Place 2 must not be before',
  ],
  [[['5', '-100']], 'above -100'],
  [[['five', '1']], 'Place 1: seconds'],
])('places %j are refused', (places, fault) => {
  const read = readPath({ ...empty, places: places.map(([seconds = '', percent = '']) => ({ seconds, percent })) });
  expect(read.faults['places']).toContain(fault);
});
