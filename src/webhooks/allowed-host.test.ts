import { expect, test } from 'vitest';
import { faultOfUrl, guardedLookup, isPublicAddress } from '#webhooks/allowed-host.ts';

const production = { isSandbox: false, hosts: [] };
const listed = { isSandbox: false, hosts: ['hooks.internal', '127.0.0.1', '10.1.2.3'] };

test('DEC-OPR-242: addresses of this machine, of private and of reserved networks are not public', () => {
  const hidden = [
    ...['127.0.0.1', '10.0.0.1', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
    ...['::1', '::', '::ffff:127.0.0.1', '::ffff:8.8.8.8', 'fd00::1', 'fe80::1', '64:ff9b::a00:1', '2002:a00:1::', 'x'],
  ];
  expect(hidden.filter(isPublicAddress)).toEqual([]);
  expect(['8.8.8.8', '1.1.1.1', '2606:4700::1111'].filter((each) => !isPublicAddress(each))).toEqual([]);
});

test('DEC-OPR-242: in production urls are of public hosts over https, or of listed hosts', () => {
  const refused = [
    ...['http://example.com/', 'ftp://example.com/', 'nonsense', 'https://user:word@example.com/', 'https://e.com/#x'],
    ...['https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'https://10.0.0.1/', 'https://2130706433/'],
    ...['https://0x7f.1/', 'https://[::ffff:10.0.0.1]/'],
  ];
  expect(refused.filter((url) => faultOfUrl(url, production) === null)).toEqual([]);
  expect(faultOfUrl('https://example.com/a?b=c', production)).toBeNull();
  expect(faultOfUrl('https://example.com/', listed)).toBe('must be of a host of the setting webhookHosts');
  const taken = ['https://hooks.internal/', 'https://10.1.2.3/', 'http://127.0.0.1:8080/', 'https://HOOKS.internal/'];
  expect(taken.map((url) => faultOfUrl(url, listed))).toEqual([null, null, null, null]);
  expect(faultOfUrl('http://hooks.internal/', listed)).toBe('must begin with https://');
  expect(faultOfUrl('http://10.0.0.1/', { isSandbox: true, hosts: [] })).toBeNull();
});

test('DEC-OPR-242: a name that leads to this machine is refused as the connection is made', async () => {
  const found = (rules: typeof production) =>
    new Promise((resolve) => {
      guardedLookup(rules)('localhost', { all: true }, (error, addresses) => resolve(error?.message ?? addresses));
    });
  expect(await found(production)).toBe('the host has an address that is not public');
  expect(await found({ isSandbox: true, hosts: [] })).not.toBe('the host has an address that is not public');
});
