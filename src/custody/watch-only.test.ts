import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createWatchOnlyCustody, CustodyMisconfigured, type WatchOnlySettings } from '#custody/watch-only.ts';

/** BIP-84: the account of its test vectors, and its first two receiving addresses. */
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const published = ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'];
const solana = ['11111111111111111111111111111112', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'];
const ripple = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function fileWith(lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-pool-'));
  folders.push(folder);
  const path = join(folder, 'addresses.txt');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
const addressesOf = async (settings: WatchOnlySettings, count: number) => {
  const custody = createWatchOnlyCustody(settings);
  return Promise.all(Array.from({ length: count }, (_, index) => custody.depositAddress(index)));
};

test('DEC-WAL-22: an extended public key gives the published addresses, index by index', async () => {
  expect(await addressesOf({ network: 'BTC', key: zpub }, 2)).toEqual(
    published.map((address) => ({ address, memo: null })),
  );
});

test('DEC-WAL-22: a file gives its addresses in order, and none once they are used up', async () => {
  expect(await addressesOf({ network: 'SOL', addressFile: fileWith(['', ...solana, '']) }, 3)).toEqual([
    ...solana.map((address) => ({ address, memo: null })),
    null,
  ]);
});

test('DEC-OPR-287: a list says how many addresses there are; what is derived or shared has no end', async () => {
  const most = (settings: WatchOnlySettings) => createWatchOnlyCustody(settings).addressCountMax;
  expect(most({ network: 'SOL', addressFile: fileWith(solana) })).toBe(2);
  expect(most({ network: 'BTC', key: zpub })).toBeNull();
  expect(most({ network: 'XRP', sharedAddress: ripple })).toBeNull();
  const custody = createWatchOnlyCustody({ network: 'BTC', key: zpub });
  expect(await custody.status([])).toEqual({ head: null, wallets: [] });
});

test('DEC-WAL-22: a shared address gives each index a memo of its own', async () => {
  expect(await addressesOf({ network: 'XRP', sharedAddress: ripple }, 2)).toEqual([
    { address: ripple, memo: '100000000' },
    { address: ripple, memo: '100000001' },
  ]);
});

test('it signs nothing, sees nothing and calls nothing gone', async () => {
  const custody = createWatchOnlyCustody({ network: 'BTC', key: zpub });
  const payment = { reference: '1', address: published[0] as string, memo: null, contract: null, amount: 1n };
  expect(await custody.sign(payment, 0, 0n)).toMatchObject({ kind: 'refused', until: 'later' });
  expect(await custody.observe({ since: null, addressCount: 9 })).toMatchObject({ payments: [] });
  expect(await custody.placesOf([{ txId: 'a', output: 0 }])).toEqual([null]);
});

test.each([
  ['no source', { network: 'BTC' }],
  ['two sources', { network: 'BTC', key: zpub, sharedAddress: 'x' }],
  ['an unknown network', { network: 'DOGE', key: zpub }],
  ['a key of another kind of wallet', { network: 'ETH', key: zpub }],
  ['a shared address where there are no memos', { network: 'BTC', sharedAddress: published[0] as string }],
  ['a shared address of another network', { network: 'XRP', sharedAddress: published[0] as string }],
])('%s is refused at the start', (_name, settings: WatchOnlySettings) => {
  expect(() => createWatchOnlyCustody(settings)).toThrow(CustodyMisconfigured);
});

test('a file with a bad or a repeated address is refused at the start', () => {
  for (const lines of [['nonsense'], [solana[0] as string, solana[0] as string]])
    expect(() => createWatchOnlyCustody({ network: 'SOL', addressFile: fileWith(lines) })).toThrow(
      CustodyMisconfigured,
    );
});
