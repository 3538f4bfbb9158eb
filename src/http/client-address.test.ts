import { expect, test } from 'vitest';
import { ClientAddresses, addressRanges, bindingFault, isAddressRange } from '#http/client-address.ts';

const direct = new ClientAddresses([]);

test('without trusted proxies the socket decides, whatever was forwarded', () => {
  expect(direct.clientOf('203.0.113.7', '198.51.100.1').text).toBe('203.0.113.7');
  expect(direct.clientOf('::ffff:203.0.113.7', undefined).text).toBe('203.0.113.7');
  expect(direct.clientOf(undefined, undefined).text).toBe('0.0.0.0');
});

test('behind proxies the last address that is no proxy decides', () => {
  const behind = new ClientAddresses(['10.0.0.0/8', '2001:db8::/32']);
  const client = (forwarded: string | undefined) => behind.clientOf('10.0.0.1', forwarded).text;
  expect(client(undefined)).toBe('10.0.0.1');
  expect(client('203.0.113.7')).toBe('203.0.113.7');
  expect(client('6.6.6.6, 203.0.113.7, 10.9.9.9,2001:db8::5')).toBe('203.0.113.7');
  expect(client('203.0.113.7, nonsense')).toBe('10.0.0.1');
  expect(client('')).toBe('10.0.0.1');
  expect(client('10.0.0.2, 10.0.0.3')).toBe('10.0.0.2');
  expect(behind.clientOf('203.0.113.9', '198.51.100.1').text).toBe('203.0.113.9');
});

test('limits count an IPv6 /64 as one', () => {
  const bucket = (text: string) => direct.of(text)?.bucket;
  expect(bucket('2001:db8:1:2:3:4:5:6')).toBe(bucket('2001:db8:1:2::1'));
  expect(bucket('2001:db8:1:3::1')).not.toBe(bucket('2001:db8:1:2::1'));
  expect(bucket('203.0.113.7')).toBe('203.0.113.7');
});

test('octal, hexadecimal, shortened and numeric forms of IPv4 are no addresses', () => {
  for (const text of ['0177.0.0.1', '0x7f.0.0.1', '127.1', '2130706433', '1.2.3.4.5', 'localhost', '1.2.3.256', '']) {
    expect([text, direct.of(text)]).toEqual([text, null]);
  }
});

test('ranges hold what they name, of their own family only', () => {
  const ranges = addressRanges(['203.0.113.0/24', '198.51.100.7', '2001:db8::/32']);
  const holds = (text: string) =>
    ranges.includes((direct.of(text) as NonNullable<ReturnType<typeof direct.of>>).parsed);
  expect(['203.0.113.255', '198.51.100.7', '2001:db8:9::1'].map(holds)).toEqual([true, true, true]);
  expect(['203.0.114.0', '198.51.100.8', '2001:db9::1'].map(holds)).toEqual([false, false, false]);
  expect(['10.0.0.0/33', '10.0.0.0/x', '::/129', 'a/8', '10.0.0.0/-1'].map(isAddressRange)).toEqual(
    Array(5).fill(false),
  );
  expect(() => addressRanges(['nonsense'])).toThrow(RangeError);
});

test('what was learnt about addresses is bounded', () => {
  const many = new ClientAddresses([]);
  for (let index = 0; index < 30_000; index += 1) many.of(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  expect(many.known).toBeLessThanOrEqual(10_000);
});

test('DEC-REQ-148: a key is not bound to everything, to bits beside a prefix, or to a zone', () => {
  const fine = [
    '203.0.113.7',
    '10.0.0.0/8',
    '10.128.0.0/9',
    '203.0.113.7/32',
    '2001:db8::/33',
    '::1',
    '2001:db8:8000::/33',
  ];
  expect(fine.map(bindingFault)).toEqual(fine.map(() => null));
  expect(bindingFault('0.0.0.0/0')).toContain('all addresses');
  expect(bindingFault('::/0')).toContain('all addresses');
  expect(bindingFault('10.0.0.1/8')).toContain('10.0.0.0/8');
  expect(bindingFault('10.64.0.0/9')).toContain('10.0.0.0/9');
  expect(bindingFault('2001:db8::1/64')).toContain('2001:db8::/64');
  expect(bindingFault('fe80::1%eth0')).toContain('zone');
  for (const text of [
    'nowhere',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/ 8',
    '10.0.0.0/0x8',
    '10.0.0.0/1e0',
    '10.0.0.0/+8',
  ])
    expect([text, bindingFault(text)]).toEqual([text, 'must be an address or a CIDR range']);
});
