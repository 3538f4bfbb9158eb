import { describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import type { AccountId, Seq, Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';

const hourMs = 3_600_000;

/** An engine with two accounts, and what applies the next command to it. */
function stage(from: StateMachine = createEngine()) {
  const engine = from;
  const apply = (at: number, command: Command): readonly Event[] => {
    const recorder = createEventRecorder();
    engine.apply({ seq: as<Seq>(engine.seq + 1), epoch: engine.state.progress.epoch, at: as(at), command }, recorder);
    return recorder.events;
  };
  const open = (name: string): AccountId => {
    const account = as<AccountId>(engine.state.accounts.size);
    const shape = { master: null, class: 'user', kycLevel: 1, simulated: false } as const;
    apply(engine.at, { kind: 'openAccount', uid: as(10_000_000 + account), name, ...shape });
    return account;
  };
  const tail = (at: number, account: AccountId | null, behind = 0): readonly Event[] => {
    const seq = as<Seq>(engine.seq + 1);
    const why = { commandKind: 'placeOrder', invariant: 'planted' };
    return apply(at, { kind: 'recordQuarantine', seq, lastSeq: as<Seq>(seq + behind), account, ...why });
  };
  const statusOf = (account: AccountId) => engine.state.accounts.get(account)!.status;
  return { engine, apply, open, tail, statusOf };
}

describe('quarantined tails', () => {
  test('the third of one account within an hour makes it abnormal, others stay as they are', () => {
    const { open, tail, statusOf } = stage();
    const alice = open('alice');
    const bob = open('bob');
    for (const at of [0, hourMs / 2]) {
      tail(at, alice);
      tail(at, bob);
    }
    expect([statusOf(alice), statusOf(bob)]).toEqual(['normal', 'normal']);
    const events = tail(hourMs - 1, alice);
    expect(events.map(({ kind }) => kind)).toEqual(['tailQuarantined', 'accountChanged']);
    expect([statusOf(alice), statusOf(bob)]).toEqual(['abnormal', 'normal']);
  });

  test('three that span an hour or more leave it as it is', () => {
    const { open, tail, statusOf } = stage();
    const alice = open('alice');
    for (const at of [0, 1, hourMs, 2 * hourMs - 1]) tail(at, alice);
    expect(statusOf(alice)).toBe('normal');
    tail(2 * hourMs - 1, alice);
    expect(statusOf(alice)).toBe('abnormal');
  });

  test('tails and their entries are counted, whoever they belong to', () => {
    const { engine, open, tail } = stage();
    tail(0, open('alice'), 9);
    tail(0, null, 4);
    for (let round = 0; round < 4; round += 1) tail(0, as<AccountId>(1));
    expect(engine.state.tails).toMatchObject({ count: 6, entryCount: 19 });
  });

  test('an image keeps them, and they count in the digest', () => {
    const plain = stage();
    const { engine, open, tail } = stage();
    const alice = open('alice');
    plain.open('alice');
    tail(5, alice, 3);
    tail(6, alice);
    expect(engine.digest()).not.toBe(plain.engine.digest());
    const again = stage(restoreEngine(engine.snapshot()));
    expect(again.engine.state.tails).toEqual(engine.state.tails);
    again.tail(7, alice);
    expect(again.statusOf(alice)).toBe('abnormal');
  });

  test('one that began elsewhere than where it is recorded is refused', () => {
    const { engine, apply } = stage();
    const why = { account: null, commandKind: 'placeOrder', invariant: 'planted' };
    const wrong = { kind: 'recordQuarantine', seq: as<Seq>(7), lastSeq: as<Seq>(8), ...why } as const;
    expect(apply(0, wrong)).toEqual([{ kind: 'commandRefused', reason: 'invalidConfiguration' }]);
    expect(engine.state.tails.count).toBe(0);
  });
});

describe('the profile', () => {
  const simulated = {
    kind: 'openAccount',
    uid: as<Uid>(77),
    name: 'robot',
    master: null,
    class: 'user',
    kycLevel: 1,
    simulated: true,
  } as const;

  test('DEC-OPR-100: it is recorded once and kept by images', () => {
    const { engine, apply } = stage();
    expect(apply(0, { kind: 'recordProfile', profile: 'production' })).toContainEqual({
      kind: 'profileRecorded',
      profile: 'production',
    });
    for (const profile of ['sandbox', 'production'] as const)
      expect(apply(1, { kind: 'recordProfile', profile })).toContainEqual({
        kind: 'commandRefused',
        reason: 'wrongState',
      });
    const restored = restoreEngine(engine.snapshot());
    expect(restored.state.profile.value).toBe('production');
    expect(restored.digest()).toBe(engine.digest());
  });

  test('DEC-OPR-101: production has no simulated account, whoever asks for one', () => {
    const { engine, apply } = stage();
    apply(0, { kind: 'recordProfile', profile: 'production' });
    const before = engine.state.accounts.size;
    expect(apply(1, simulated)).toContainEqual({ kind: 'commandRefused', reason: 'invalidConfiguration' });
    expect(engine.state.accounts.size).toBe(before);
    const sandbox = stage();
    sandbox.apply(0, { kind: 'recordProfile', profile: 'sandbox' });
    sandbox.apply(1, simulated);
    expect(sandbox.engine.state.accounts.size).toBe(before + 1);
  });
});

test('DEC-OPR-243: a backup that somebody asks for is no event, and its name has a bound', () => {
  const { apply } = stage();
  expect(apply(0, { kind: 'recordBackup', name: 'bourse-2026-01-31' })).toEqual([]);
  for (const name of ['', 'b'.repeat(65)])
    expect(apply(1, { kind: 'recordBackup', name })).toContainEqual({
      kind: 'commandRefused',
      reason: 'invalidConfiguration',
    });
});
