import { describe, expect, test } from 'vitest';
import { RateLimits } from '#http/rate-limits.ts';

const settings = {
  trustedProxies: [],
  deniedAddresses: ['10.0.0.9'],
  rateLimits: true,
  connectionsMax: 10,
  connectionsPerAddressMax: 10,
  banAfter: 1,
  banFirstSeconds: 60,
  banMostSeconds: 600,
  banMemoryHours: 1,
  banLoopback: true,
  faultsPerWindow: 1,
};

/** Limits by a clock that stands; with windows of its own, or by the machine's time. */
function standingLimits(hasOwnWindows: boolean) {
  const machine = { time: 0, now: () => machine.time };
  const own = { time: 0, now: () => own.time };
  const windows = hasOwnWindows ? own : machine;
  const limits = new RateLimits({
    ...{ settings, monotonic: machine, windows, wall: windows },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    storeBan: async () => {},
  });
  const why = (address: string, isForOperators: boolean) =>
    limits.refusalOf(limits.addresses.clientOf(address, undefined), limits.windows.now(), isForOperators)?.why ?? null;
  const [banned, faulty] = ['10.0.0.1', '10.0.0.2'].map((address) => limits.addresses.clientOf(address, undefined));
  for (let call = 0; call < 2; call += 1) limits.recordRetryAfter(banned!, 5_000, limits.windows.now());
  for (let fault = 0; fault < 3; fault += 1) limits.countFault(faulty!, limits.windows.now());
  return { machine, windows, why };
}

describe('DEC-KIT-06: limits by the clock of a sandbox', () => {
  test('bans and blocks last while that stands, whatever passes on the machine, and end by it', () => {
    const { machine, windows, why } = standingLimits(true);
    machine.time += 3_600_000;
    expect([why('10.0.0.1', false), why('10.0.0.2', false)]).toEqual(['banned', 'denied']);
    windows.time += 3_600_000;
    expect([why('10.0.0.1', false), why('10.0.0.2', false)]).toEqual([null, null]);
  });
});

describe('DEC-KIT-07: the operator port of a sandbox', () => {
  test('knows neither bans of the ladder nor blocks of the firewall, but addresses that are denied', () => {
    const { why } = standingLimits(true);
    expect(['10.0.0.1', '10.0.0.2', '10.0.0.9'].map((address) => why(address, true))).toEqual([null, null, 'denied']);
  });

  test('elsewhere both count there', () => {
    const { why } = standingLimits(false);
    expect(['10.0.0.1', '10.0.0.2'].map((address) => why(address, true))).toEqual(['banned', 'denied']);
  });
});
