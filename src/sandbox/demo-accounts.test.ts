import { describe, expect, test } from 'vitest';
import { allPermissions, permissionNames, permissions } from '#model/permission.ts';
import {
  demoAccountNamed,
  demoAccounts,
  demoAccountsOf,
  demoKeys,
  demoUidOf,
  peopleKeys,
} from '#sandbox/demo-accounts.ts';
import { demoPrng, demoUid } from '#sandbox/demo-identity.ts';
import { demoAssets } from '#sandbox/listing.ts';

/** Uids of all accounts whose uid the seed decides. */
const uidsOf = (seed: string) =>
  demoAccounts.filter(({ kind }) => kind !== 'subAccount').map(({ name }) => demoUidOf(seed, name));

describe('demo accounts', () => {
  test('the same seed gives the same uids and keys, another seed others', () => {
    expect(peopleKeys('one')).toEqual(peopleKeys('one'));
    expect(peopleKeys('two').map((key) => key.secretKey)).not.toEqual(peopleKeys('one').map((key) => key.secretKey));
    expect(peopleKeys('two').map((key) => key.accessKey)).not.toEqual(peopleKeys('one').map((key) => key.accessKey));
    expect(uidsOf('two')).not.toEqual(uidsOf('one'));
  });

  test('keys have the shapes that clients know and uids have eight digits, all distinct', () => {
    const names = demoAccounts.map(({ name }) => name);
    for (const seed of ['', '7', 'a long seed with blanks']) {
      const keys = demoKeys(seed, new Map(names.map((name) => [name, demoUidOf(seed, 'alice')])));
      for (const key of keys) {
        expect(key.accessKey).toMatch(/^mx0[A-Za-z0-9]{15}$/);
        expect(key.secretKey).toMatch(/^[0-9a-f]{32}$/);
        expect(names).toContain(key.owner);
      }
      expect(new Set(keys.map((key) => key.accessKey)).size).toBe(keys.length);
      const uids = uidsOf(seed);
      for (const uid of uids) expect(String(uid)).toMatch(/^\d{8}$/);
      expect(new Set(uids).size).toBe(uids.length);
    }
    expect(new Set(names).size).toBe(names.length);
  });

  test('inviters and masters come first, and codes that accounts came with are their inviters', () => {
    const isAfter = (name: string, other: string): boolean =>
      demoAccounts.indexOf(demoAccountNamed(other)) < demoAccounts.indexOf(demoAccountNamed(name));
    for (const { name, inviter, code, daysAgo } of demoAccountsOf('invitee')) {
      const codes = demoAccountNamed(inviter).codes.filter((each) => each.daysAgo >= daysAgo);
      expect([name, isAfter(name, inviter)]).toEqual([name, true]);
      expect([name, code === null || codes.some((each) => each.code === code)]).toEqual([name, true]);
    }
    for (const { name, master } of demoAccountsOf('subAccount'))
      expect([name, isAfter(name, master)]).toEqual([name, true]);
    expect(() => demoUidOf('x', 'aliceDesk')).toThrow(RangeError);
    expect(() => demoAccountNamed('nobody')).toThrow(RangeError);
  });

  test('alice and bob own every asset and every permission; the second key of alice only reads', () => {
    for (const name of ['alice', 'bob']) {
      const { funds } = demoAccountNamed(name);
      expect(demoAssets.every((asset) => (funds.get(asset.code) ?? 0n) > 0n)).toBe(true);
      expect([funds.get('USDT'), funds.get('BTC'), funds.get('ETH')]).toEqual([
        1_000_000n * 10n ** 9n,
        20n * 10n ** 8n,
        300n * 10n ** 9n,
      ]);
    }
    expect(demoAccountNamed('carol').funds.size).toBe(0);
    const classes = new Map(demoAccountsOf('person').map((account) => [account.name, account.class]));
    expect([classes.get('broker'), classes.get('affiliate')]).toEqual(['broker', 'affiliate']);
    const keys = new Map(peopleKeys('x').map((key) => [key.name, key]));
    expect(keys.get('alice')?.permissions).toBe(allPermissions);
    expect(keys.get('alice-readonly')?.uid).toBe(keys.get('alice')?.uid);
    expect(permissionNames(keys.get('alice-readonly')?.permissions ?? 0)).toEqual(
      permissions.filter((name) => name.endsWith('_READ')),
    );
  });

  test('all accounts together stay below the cap of every asset', () => {
    for (const asset of demoAssets) {
      const owned = demoAccounts.reduce((sum, { funds }) => sum + (funds.get(asset.code) ?? 0n), 0n);
      expect(owned).toBeLessThan(asset.cap / 2n + asset.cap / 4n);
    }
  });

  test('places outside the table are refused, and each name has a chance of its own', () => {
    expect(() => demoUid('x', 'name', 80)).toThrow(RangeError);
    expect(demoPrng('x', 'a').next()).toBe(demoPrng('x', 'a').next());
    expect(demoPrng('x', 'a').next()).not.toBe(demoPrng('x', 'b').next());
  });
});
