import { expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { createEventRecorder } from '#model/event-record.ts';
import { engineLimits } from '#model/limits.ts';
import type { LimitedTarget, RateTerms } from '#model/operator-rate-limit.ts';
import { permissionSet } from '#model/permission.ts';
import { as, type Seq } from '#model/units.ts';
import { createEngine, restoreEngine } from '#engine/create-engine.ts';

/** An engine with one account and its key, and what applies the next command to it. */
function stage() {
  const engine = createEngine();
  const apply = (at: number, command: Command): readonly string[] => {
    const recorder = createEventRecorder();
    engine.apply({ seq: as<Seq>(engine.seq + 1), epoch: engine.state.progress.epoch, at: as(at), command }, recorder);
    return recorder.events.map((event) => (event.kind === 'commandRefused' ? event.reason : event.kind));
  };
  const shape = { master: null, class: 'user', kycLevel: 1, simulated: false } as const;
  apply(0, { kind: 'openAccount', uid: as(10_000_001), name: 'alice', ...shape });
  const owner = engine.state.accounts.find(as(10_000_001))!;
  const key = { accessKey: 'mx0key', sealedSecret: 's', note: 'n', permissions: permissionSet([]), ips: ['::1'] };
  apply(0, { kind: 'createApiKey', account: owner, ...key, unboundLifeMs: null });
  const set = (at: number, meant: LimitedTarget, terms: Partial<RateTerms> = { weight: 50 }, until?: number) =>
    apply(at, {
      ...{ kind: 'setRateLimit', ...meant, weight: null, callsPerSecond: null, futuresCalls: null, ...terms },
      ...{ until: until === undefined ? null : as(until), reason: 'why' },
    });
  const lift = (at: number, meant: LimitedTarget) => apply(at, { kind: 'liftRateLimit', ...meant });
  return { engine, owner, set, lift };
}
const address: LimitedTarget = { limited: 'address', target: '203.0.113.0/24' };
const account: LimitedTarget = { limited: 'account', target: '10000001' };
const key: LimitedTarget = { limited: 'key', target: 'mx0key' };

test('DEC-OPR-179: limits are kept, replaced and lifted, and an image has them', () => {
  const { engine, owner, set, lift } = stage();
  expect(set(1, address, { futuresCalls: 5 })).toEqual(['rateLimitSet']);
  expect(set(1, account, { weight: 5000, callsPerSecond: 20 })).toEqual(['rateLimitSet']);
  expect(set(1, key)).toEqual(['rateLimitSet']);
  expect(set(2, address, { weight: 7 }, 500)).toEqual(['rateLimitSet']);
  const { operatorRateLimits } = engine.state;
  const find = (meant: LimitedTarget) => operatorRateLimits.find(meant);
  expect(find(address)).toMatchObject({ weight: 7, futuresCalls: null, until: 500, since: 1, account: null });
  expect([find(account)?.account, find(key)?.account]).toEqual([owner, owner]);
  const restored = restoreEngine(engine.snapshot());
  expect(restored.digest()).toBe(engine.digest());
  expect(restored.state.operatorRateLimits.all()).toEqual(operatorRateLimits.all());
  expect([lift(3, key), lift(3, key), lift(500, address)]).toEqual([
    ['rateLimitLifted'],
    ['unknownRateLimit'],
    ['unknownRateLimit'],
  ]);
  expect(set(600, address)).toEqual(['rateLimitSet']);
  expect(find(address)).toMatchObject({ until: null, since: 600 });
});

const { rateWeightMax, rateCallsMax } = engineLimits;
test.each([
  [{ limited: 'account', target: '10000002' }, { weight: 1 }, 'unknownAccount'],
  [{ limited: 'account', target: '1' }, { weight: 1 }, 'unknownAccount'],
  [{ limited: 'key', target: 'mx0other' }, { weight: 1 }, 'unknownKey'],
  [{ limited: 'address', target: 'two words' }, { weight: 1 }, 'invalidConfiguration'],
  [account, {}, 'invalidConfiguration'],
  [account, { weight: 0 }, 'invalidConfiguration'],
  [account, { weight: -1 }, 'invalidConfiguration'],
  [account, { weight: rateWeightMax + 1 }, 'invalidConfiguration'],
  [account, { callsPerSecond: rateCallsMax + 1 }, 'invalidConfiguration'],
  [account, { weight: 1, callsPerSecond: 0 }, 'invalidConfiguration'],
  [account, { weight: 1, futuresCalls: 1 }, 'invalidConfiguration'],
  [key, { futuresCalls: 1 }, 'invalidConfiguration'],
  [address, { weight: 1, callsPerSecond: 1 }, 'invalidConfiguration'],
  [address, { futuresCalls: rateCallsMax + 1 }, 'invalidConfiguration'],
] as const)('DEC-OPR-179: of %j as %j it is %s', (meant, terms, reason) => {
  const { engine, set } = stage();
  const before = engine.digest();
  expect(set(1, meant, terms)).toEqual([reason]);
  expect(engine.digest()).toBe(before);
});

test('DEC-OPR-179: the bounds themselves are taken, an end that is past is not', () => {
  const { set } = stage();
  const most = { weight: rateWeightMax, callsPerSecond: rateCallsMax };
  expect([set(1, account, most), set(1, account, { weight: 1 }), set(5, account, { weight: 1 }, 5)]).toEqual([
    ...[['rateLimitSet'], ['rateLimitSet'], ['invalidConfiguration']],
  ]);
});

test('DEC-OPR-179: there are at most as many as the limit says; those that are over make room', () => {
  const { engine, set } = stage();
  const at = (index: number): LimitedTarget => ({ limited: 'address', target: `10.${index >> 8}.${index & 255}.0` });
  for (let index = 0; index < engineLimits.operatorRateLimits; index += 1)
    set(1, at(index), { weight: 1 }, index === 7 ? 100 : undefined);
  expect(set(2, address)).toEqual(['tooManyRateLimits']);
  expect(set(2, at(3), { weight: 2 })).toEqual(['rateLimitSet']);
  expect(set(100, address)).toEqual(['rateLimitSet']);
  expect(engine.state.operatorRateLimits.count).toBe(engineLimits.operatorRateLimits);
});
