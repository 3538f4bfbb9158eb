import { describe, expect, test } from 'vitest';
import type { OperatorBan } from '#model/ban.ts';
import { as } from '#model/units.ts';
import { bannableRange, ClientAddresses } from '#http/client-address.ts';
import { OperatorBans } from '#http/operator-bans.ts';

const addresses = new ClientAddresses([]);
const client = (text: string) => addresses.of(text)!;
const ban = (target: string, change: Partial<OperatorBan> = {}): OperatorBan => ({
  ...{ banned: 'address', target, account: null, until: null, reason: 'x', actor: 'olga', since: as(0) },
  ...change,
});
const forEver = Number.POSITIVE_INFINITY;

describe('DEC-OPR-176: addresses', () => {
  test('a ban holds for its range, the longest of several counts, and a lifted one no more', () => {
    const bans = new OperatorBans();
    expect(bans.addressUntil(client('203.0.113.7'), 0)).toBe(0);
    bans.put(ban('203.0.113.0/24', { until: as(500) }));
    bans.put(ban('203.0.113.7', { until: as(900) }));
    const ends = (now: number) =>
      ['203.0.113.7', '203.0.113.8', '203.0.114.7'].map((at) => bans.addressUntil(client(at), now));
    expect(ends(0)).toEqual([900, 500, 0]);
    expect(ends(500)).toEqual([900, 0, 0]);
    bans.fact({ kind: 'banSet', ban: ban('203.0.113.0/24') });
    expect(ends(0)).toEqual([forEver, forEver, 0]);
    bans.fact({ kind: 'banLifted', banned: 'address', target: '203.0.113.0/24' });
    expect(ends(0)).toEqual([900, 0, 0]);
    bans.fact({ kind: 'banLifted', banned: 'address', target: '203.0.113.7' });
    expect([ends(0), bans.size]).toEqual([[0, 0, 0], 0]);
  });

  test('IPv4-mapped addresses are IPv4, and ranges of one family leave the other alone', () => {
    const bans = new OperatorBans();
    bans.put(ban('203.0.113.0/24'));
    expect(bans.addressUntil(client('::ffff:203.0.113.9'), 0)).toBe(forEver);
    bans.put(ban('2001:db8::/32'));
    expect(bans.addressUntil(client('2001:db8:7::1'), 0)).toBe(forEver);
    expect(bans.addressUntil(client('2001:db9::1'), 0)).toBe(0);
    bans.put(ban('no address'));
    expect(bans.addressUntil(client('32.1.13.184'), 0)).toBe(0);
  });
});

test('DEC-OPR-176: accounts and keys are banned until their end', () => {
  const bans = new OperatorBans();
  bans.put(ban('1001', { banned: 'account', account: as(7), until: as(100) }));
  bans.put(ban('mx0key', { banned: 'key', account: as(7) }));
  expect([bans.isAccountBanned(as(7), 99), bans.isAccountBanned(as(7), 100), bans.isAccountBanned(as(8), 0)]).toEqual([
    ...[true, false, false],
  ]);
  expect([bans.isKeyBanned('mx0key', 10 ** 15), bans.isKeyBanned('mx0other', 0)]).toEqual([true, false]);
  bans.fact({ kind: 'banLifted', banned: 'account', target: '1001' });
  bans.fact({ kind: 'banLifted', banned: 'key', target: 'mx0key' });
  expect([bans.isAccountBanned(as(7), 0), bans.isKeyBanned('mx0key', 0), bans.size]).toEqual([false, false, 0]);
});

test.each([
  ['203.0.113.7', '203.0.113.7', null],
  ['203.0.113.7/32', '203.0.113.7', null],
  ['::ffff:203.0.113.7', '203.0.113.7', null],
  ['10.0.0.0/8', '10.0.0.0/8', null],
  ['2001:DB8::1', '2001:db8::/64', null],
  ['2001:db8::/32', '2001:db8::/32', null],
  ['203.0.113.7/24', null, 'must begin with the first address of its range: 203.0.113.0/24'],
  ['10.0.0.0/7', null, 'must not be wider than /8'],
  ['0.0.0.0/0', null, 'must not be a range of all addresses'],
  ['2000::/15', null, 'must not be wider than /16'],
  ['2001:db8::1/128', null, 'must not be narrower than /64'],
  ['127.0.0.1', null, 'must not have the addresses of this machine itself'],
  ['127.0.0.0/8', null, 'must not have the addresses of this machine itself'],
  ['::1', null, 'must not have the addresses of this machine itself'],
  ['::/16', null, 'must not have the addresses of this machine itself'],
  ['fe80::1%eth0', null, 'must have no zone'],
  ['localhost', null, 'must be an address or a CIDR range'],
  ['0x7f.1', null, 'must be an address or a CIDR range'],
])('DEC-OPR-176: %s can be banned as %s', (text, normal, fault) => {
  const result = bannableRange(text);
  expect(result.fault).toBe(fault);
  if (normal !== null) expect(result.normal).toBe(normal);
});
