import { expect, test } from 'vitest';
import type { BannedTarget } from '#model/ban.ts';
import type { Command } from '#model/command.ts';
import { createEventRecorder } from '#model/event-record.ts';
import { engineLimits } from '#model/limits.ts';
import { permissionSet } from '#model/permission.ts';
import { as, type Seq } from '#model/units.ts';
import { createEngine, restoreEngine } from '#engine/create-engine.ts';

const house = 4;
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
  const key = { accessKey: 'mx0key', sealedSecret: 's', note: 'n', permissions: permissionSet([]), ips: ['::1'] };
  apply(0, { kind: 'createApiKey', account: as(house), ...key, unboundLifeMs: null });
  const set = (at: number, target: BannedTarget, until: number | null = null, reason = 'why') =>
    apply(at, { kind: 'setBan', ...target, until: until === null ? null : as(until), reason });
  return { engine, apply, set };
}
const address: BannedTarget = { banned: 'address', target: '203.0.113.0/24' };
const account: BannedTarget = { banned: 'account', target: '10000001' };
const key: BannedTarget = { banned: 'key', target: 'mx0key' };

test('DEC-OPR-175: bans are kept, changed and lifted, and an image has them', () => {
  const { engine, apply, set } = stage();
  for (const target of [address, account, key]) expect(set(1, target)).toEqual(['banSet']);
  expect(set(2, address, 500)).toEqual(['banSet']);
  expect(engine.state.operatorBans.find(address)).toMatchObject({ until: 500, since: 1, account: null });
  expect(engine.state.operatorBans.find(key)).toMatchObject({ account: house });
  const restored = restoreEngine(engine.snapshot());
  expect(restored.digest()).toBe(engine.digest());
  expect(restored.state.operatorBans.all()).toEqual(engine.state.operatorBans.all());
  expect(apply(3, { kind: 'liftBan', ...key })).toEqual(['banLifted']);
  expect(apply(3, { kind: 'liftBan', ...key })).toEqual(['unknownBan']);
  expect(apply(500, { kind: 'liftBan', ...address })).toEqual(['unknownBan']);
  expect(set(600, address)).toEqual(['banSet']);
  expect(engine.state.operatorBans.find(address)).toMatchObject({ until: null, since: 600 });
});

test.each([
  [{ banned: 'account', target: '10000002' }, 'unknownAccount'],
  [{ banned: 'account', target: '1' }, 'unknownAccount'],
  [{ banned: 'account', target: '-1' }, 'unknownAccount'],
  [{ banned: 'key', target: 'mx0other' }, 'unknownKey'],
  [{ banned: 'address', target: '' }, 'invalidConfiguration'],
  [{ banned: 'address', target: 'two words' }, 'invalidConfiguration'],
] as const)('DEC-OPR-175: a ban of %j is %s', (target, reason) => {
  const { engine, set } = stage();
  const before = engine.digest();
  expect(set(1, target)).toEqual([reason]);
  expect(engine.digest()).toBe(before);
});

test('DEC-OPR-175: an end that is past and a missing reason are refused', () => {
  const { set } = stage();
  expect([set(5, address, 5), set(5, address, null, '')]).toEqual([['invalidConfiguration'], ['invalidConfiguration']]);
});

test('DEC-OPR-178: lifting the ban of an address lifts that of the ladder too', () => {
  const { engine, apply, set } = stage();
  const target = '203.0.113.7';
  apply(1, { kind: 'banAddress', address: target, until: as(500), times: 3 });
  set(1, { banned: 'address', target });
  expect(apply(2, { kind: 'liftBan', banned: 'address', target })).toEqual(['banLifted', 'addressBanned']);
  expect([engine.state.bans.count, engine.state.operatorBans.count]).toEqual([0, 0]);
});

test('DEC-OPR-175: there are at most as many as the limit says; those that are over make room', () => {
  const { engine, set } = stage();
  const at = (index: number): BannedTarget => ({ banned: 'address', target: `10.${index >> 8}.${index & 255}.0` });
  for (let index = 0; index < engineLimits.operatorBans; index += 1) set(1, at(index), index === 7 ? 100 : null);
  expect(set(2, address)).toEqual(['tooManyBans']);
  expect(set(2, at(3), 900)).toEqual(['banSet']);
  expect(set(100, address)).toEqual(['banSet']);
  expect(engine.state.operatorBans.count).toBe(engineLimits.operatorBans);
});
