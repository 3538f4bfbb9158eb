import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfiguration } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { listening, PortUnavailable, portsOf, requirePorts } from '#main/composition/ports.ts';

const taken = createServer();
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  port = (taken.address() as AddressInfo).port;
});
afterAll(() => taken.close());

const sources = { flags: new Map(), environment: {}, file: null, readFile: () => '', isForServer: true } as const;
const usual: Configuration = { ...loadConfiguration(sources).config, port: 0, operatorPort: 0 };
const faultsOf = async (changes: Partial<Configuration>): Promise<readonly string[]> => {
  try {
    await requirePorts(portsOf({ ...usual, ...changes }));
    return [];
  } catch (error) {
    if (!(error instanceof PortUnavailable)) throw error;
    return error.faults;
  }
};

test('futures have a port of their own unless it is that of the public API', () => {
  const futuresPortOf = (changes: Partial<Configuration>) => portsOf({ ...usual, ...changes }).futures?.port;
  expect(futuresPortOf({ port: 8080, futuresPort: null })).toBe(undefined);
  expect(futuresPortOf({ port: 8080, futuresPort: 8080 })).toBe(undefined);
  expect(futuresPortOf({ port: 8080, futuresPort: 8082 })).toBe(8082);
  expect(futuresPortOf({ port: 0, futuresPort: 0 })).toBe(0);
});

test('DEC-OPR-22: free ports are accepted and stay free', async () => {
  expect(await faultsOf({})).toEqual([]);
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const free = (probe.address() as AddressInfo).port;
  await new Promise((resolve) => probe.close(resolve));
  expect(await faultsOf({ port: free })).toEqual([]);
  expect(await faultsOf({ port: free })).toEqual([]);
});

test('DEC-OPR-22: every port that is in use is named with its setting, all at once', async () => {
  const inUse = (flag: string): string =>
    `port ${port} of 127.0.0.1 is in use by another process: stop that one, or choose another port with ${flag} ` +
    '(0 takes any free one)';
  expect(await faultsOf({ port, futuresPort: port })).toEqual([inUse('--port')]);
  expect(await faultsOf({ port, operatorPort: port })).toEqual([inUse('--port'), inUse('--operator-port')]);
  expect(await faultsOf({ futuresPort: port })).toEqual([inUse('--futures-port')]);
});

test('DEC-OPR-22: an address that is not of this machine is named with its setting', async () => {
  const [fault] = await faultsOf({ operatorHost: '192.0.2.1' });
  expect(fault).toBe(
    '192.0.2.1 is no address of this machine: choose another one with --operator-host, such as 127.0.0.1',
  );
});

test.each([
  ['EACCES', 'this user may not listen on port 80 of 127.0.0.1: choose one from 1024 up with --port'],
  ['ENOTFOUND', 'no address is known for the name 127.0.0.1: choose another one with --host, such as 127.0.0.1'],
])('DEC-OPR-22: %s is told in plain words, and anything else stays as it is', async (code, text) => {
  const address = portsOf({ ...usual, port: 80 }).public;
  const fails = (error: Error) => listening(address, () => Promise.reject(error));
  await expect(fails(Object.assign(new Error('listen'), { code }))).rejects.toThrow(text);
  await expect(fails(new Error('listen'))).rejects.not.toBeInstanceOf(PortUnavailable);
});
