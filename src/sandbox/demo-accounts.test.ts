import { describe, expect, test } from 'vitest';
import { allPermissions, permissionNames, permissions } from '#model/permission.ts';
import { demoAccounts, demoKeys } from '#sandbox/demo-accounts.ts';
import { demoPrng, demoUid } from '#sandbox/demo-identity.ts';
import { demoAssets } from '#sandbox/listing.ts';
import { participantFunds, participantNames } from '#sandbox/agents/participants.ts';

describe('demo accounts', () => {
  test('the same seed gives the same uids and keys, another seed others', () => {
    expect(demoKeys('one')).toEqual(demoKeys('one'));
    expect(demoKeys('two').map((key) => key.secretKey)).not.toEqual(demoKeys('one').map((key) => key.secretKey));
    expect(demoKeys('two').map((key) => key.accessKey)).not.toEqual(demoKeys('one').map((key) => key.accessKey));
    expect(demoAccounts('two').map((account) => account.uid)).not.toEqual(
      demoAccounts('one').map((account) => account.uid),
    );
  });

  test('keys have the shapes that clients know and uids have eight digits, all distinct', () => {
    for (const seed of ['', '7', 'a long seed with blanks']) {
      const keys = demoKeys(seed);
      for (const key of keys) {
        expect(key.accessKey).toMatch(/^mx0[A-Za-z0-9]{15}$/);
        expect(key.secretKey).toMatch(/^[0-9a-f]{32}$/);
        expect(String(key.uid)).toMatch(/^\d{8}$/);
      }
      expect(new Set(keys.map((key) => key.accessKey)).size).toBe(keys.length);
      const accounts = demoAccounts(seed);
      expect(new Set(accounts.map((account) => account.uid)).size).toBe(accounts.length);
    }
  });

  test('alice and bob own every asset and every permission; the second key of alice only reads', () => {
    const accounts = new Map(demoAccounts('x').map((account) => [account.name, account]));
    for (const name of ['alice', 'bob']) {
      const funds = accounts.get(name)?.funds;
      expect(demoAssets.every((asset) => (funds?.get(asset.code) ?? 0n) > 0n)).toBe(true);
      expect([funds?.get('USDT'), funds?.get('BTC'), funds?.get('ETH')]).toEqual([
        1_000_000n * 10n ** 9n,
        20n * 10n ** 8n,
        300n * 10n ** 9n,
      ]);
    }
    expect(accounts.get('carol')?.funds.size).toBe(0);
    expect([accounts.get('broker')?.class, accounts.get('affiliate')?.class]).toEqual(['broker', 'affiliate']);
    const keys = new Map(demoKeys('x').map((key) => [key.name, key]));
    expect(keys.get('alice')?.permissions).toBe(allPermissions);
    expect(keys.get('alice-readonly')?.uid).toBe(keys.get('alice')?.uid);
    expect(permissionNames(keys.get('alice-readonly')?.permissions ?? 0)).toEqual(
      permissions.filter((name) => name.endsWith('_READ')),
    );
  });

  test('all accounts together stay below the cap of every asset', () => {
    for (const asset of demoAssets) {
      const people = demoAccounts('x').reduce((sum, account) => sum + (account.funds.get(asset.code) ?? 0n), 0n);
      const traders = participantNames.reduce((sum, name) => sum + (participantFunds(name).get(asset.code) ?? 0n), 0n);
      expect(people + traders).toBeLessThan(asset.cap / 2n + asset.cap / 4n);
    }
  });

  test('places outside the table are refused, and each name has a chance of its own', () => {
    expect(() => demoUid('x', 'name', 80)).toThrow(RangeError);
    expect(demoPrng('x', 'a').next()).toBe(demoPrng('x', 'a').next());
    expect(demoPrng('x', 'a').next()).not.toBe(demoPrng('x', 'b').next());
  });
});
