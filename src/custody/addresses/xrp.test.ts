import { expect, test } from 'vitest';
import { destinationTagFault, xrp } from '#custody/addresses/xrp.ts';

test.each([
  ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'b5f762798a53d543a014caf8b297cff8f2f937e8'],
  ['rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B', '0a20b3c85f482532a9578dbb3950b85ca06594d1'],
])('%s, an account that everyone knows, stands for its published id', (address, accountId) => {
  const reading = xrp.read(address);
  expect('payload' in reading && Buffer.from(reading.payload).toString('hex')).toBe(accountId);
});

test.each([
  ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTH', 'has a wrong checksum: one of its characters differs'],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'has a wrong checksum: one of its characters differs'],
  ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyT0', 'has a character that the Base58 of the XRP Ledger does not know'],
  ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', 'is not a classic XRP address (r…)'],
  ['snoPBrXtMeMyMHUVTgbuqAfg1SUTb', 'is not a classic XRP address (r…)'],
  ['', 'is not a classic XRP address (r…)'],
])('%j %s', (address, fault) => {
  expect(xrp.read(address)).toEqual({ fault });
});

test('a destination tag is a whole number of 32 bits in its shortest form', () => {
  for (const tag of ['0', '7', '4294967295']) expect([tag, destinationTagFault(tag)]).toEqual([tag, null]);
  for (const memo of ['4294967296', '-1', '1.0', '01', '1e3', ' 1', '1\n', '٣', '9'.repeat(10_000)])
    expect([memo, destinationTagFault(memo)]).toEqual([
      memo,
      'is not a destination tag, a whole number from 0 to 4294967295',
    ]);
});
