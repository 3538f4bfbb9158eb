import { describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import { engineLimits } from '#model/limits.ts';
import { type AccountId, as, type AssetId, type Balance, type Seq } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { operated } from '#test/operated.ts';

const dayMs = 86_400_000;
const alice = as<AccountId>(4);

/** An engine with one account and one asset, and what applies the next command to it. */
function stage(from?: StateMachine) {
  const engine = from ?? createEngine();
  const apply = (at: number, command: Command): readonly Event[] => {
    const recorder = createEventRecorder();
    engine.apply({ seq: as<Seq>(engine.seq + 1), epoch: engine.state.progress.epoch, at: as(at), command }, recorder);
    return recorder.events;
  };
  if (from === undefined) {
    const asset = { code: 'USDT', fullName: 'Tether', scale: 2, cap: as<Balance>(1000n), coinId: '0'.repeat(32) };
    apply(0, { kind: 'configureAsset', asset });
    const shape = { master: null, class: 'user', kycLevel: 1, simulated: false } as const;
    apply(0, { kind: 'openAccount', uid: as(10_000_004), name: 'alice', ...shape });
  }
  const credit = (amount: bigint) =>
    ({ kind: 'creditFunds', account: alice, asset: as<AssetId>(0), amount: as<Balance>(amount) }) as const;
  const operate = (at: number, actor: string, idempotencyKey: string | null, amount: bigint) =>
    kindsOf(apply(at, operated(actor, credit(amount), { idempotencyKey })));
  const freeOf = () => {
    const row = engine.state.ledger.balances.find(alice, as<AssetId>(0));
    return row < 0 ? 0n : engine.state.ledger.balances.free.get(row);
  };
  return { engine, apply, operate, freeOf };
}

const kindsOf = (events: readonly Event[]) =>
  events.map((event) => (event.kind === 'commandRefused' ? event.reason : event.kind));

/** What an act that credits funds tells. */
const done = ['operatorActed', 'posted', 'posted'];

describe('DEC-OPR-06: an act is remembered by its idempotency key', () => {
  test('a repetition does nothing and tells so', () => {
    const { operate, freeOf, apply } = stage();
    expect(operate(1, 'erin', 'key-1', 5n)).toEqual(done);
    expect(operate(2, 'erin', 'key-1', 5n)).toEqual(['operationRepeated']);
    expect(freeOf()).toBe(5n);
    const command = { kind: 'creditFunds', account: alice, asset: as<AssetId>(0), amount: as<Balance>(5n) } as const;
    expect(apply(3, operated('erin', command, { idempotencyKey: 'key-1' }))).toEqual([
      { kind: 'operationRepeated', actor: 'erin', idempotencyKey: 'key-1', refusal: null },
    ]);
  });

  test('another command under the same key is refused, whatever it is', () => {
    const { apply, operate, freeOf } = stage();
    operate(1, 'erin', 'key-1', 5n);
    expect(operate(2, 'erin', 'key-1', 6n)).toEqual(['idempotencyKeyInUse']);
    const command = { kind: 'setKycLevel', account: alice, kycLevel: 3 } as const;
    expect(kindsOf(apply(2, operated('erin', command, { idempotencyKey: 'key-1' })))).toEqual(['idempotencyKeyInUse']);
    expect(freeOf()).toBe(5n);
  });

  test('keys are of their actor, and acts without a key are never repetitions', () => {
    const { operate, freeOf } = stage();
    expect(operate(1, 'erin', 'key-1', 5n)).toEqual(done);
    expect(operate(1, 'dan', 'key-1', 5n)).toEqual(done);
    expect(operate(1, 'erin', null, 5n)).toEqual(done);
    expect(operate(1, 'erin', null, 5n)).toEqual(done);
    expect(freeOf()).toBe(20n);
  });

  test('a refusal is told again, also when the command would succeed by now', () => {
    const { apply, operate, freeOf } = stage();
    expect(operate(1, 'erin', 'key-1', 2000n)).toEqual(['operatorActed', 'aboveAssetCap']);
    const command = { kind: 'creditFunds', account: alice, asset: as<AssetId>(0), amount: as<Balance>(2000n) } as const;
    expect(apply(2, operated('erin', command, { idempotencyKey: 'key-1' }))).toEqual([
      { kind: 'operationRepeated', actor: 'erin', idempotencyKey: 'key-1', refusal: 'aboveAssetCap' },
    ]);
    expect(operate(3, 'erin', 'key-2', 5n)).toEqual(done);
    expect(operate(4, 'erin', 'key-2', 5n)).toEqual(['operationRepeated']);
    expect(freeOf()).toBe(5n);
  });

  test('after 24 hours the key is free, not before', () => {
    const { operate } = stage();
    operate(1, 'erin', 'key-1', 5n);
    expect(operate(dayMs, 'erin', 'key-1', 5n)).toEqual(['operationRepeated']);
    expect(operate(dayMs + 1, 'erin', 'key-1', 6n)).toEqual(done);
    expect(operate(dayMs + 2, 'erin', 'key-1', 6n)).toEqual(['operationRepeated']);
  });

  test('beyond the limit the oldest is forgotten', () => {
    const { engine, operate } = stage();
    operate(1, 'erin', 'key-1', 1n);
    operate(1, 'erin', 'key-2', 1n);
    const { operations } = engine.state;
    for (let count = 2; count < engineLimits.idempotencyKeys; count += 1) {
      const refusal = 'unknownAsset' as const;
      operations.put({ actor: 'dan', idempotencyKey: `key-${count}`, fingerprint: '', refusal, at: as(1) });
    }
    expect(operate(2, 'erin', 'key-1', 1n)).toEqual(['operationRepeated']);
    operate(2, 'erin', 'key-3', 1n);
    expect(operations.find('erin', 'key-1', as(2))).toBeNull();
    expect(operations.find('erin', 'key-2', as(2))).not.toBeNull();
    expect(audit(engine.state)).toEqual([]);
  });

  test('an image keeps what was done', () => {
    const { engine, operate } = stage();
    operate(1, 'erin', 'key-1', 5n);
    operate(2, 'erin', 'key-2', 2000n);
    const restored = stage(restoreEngine(engine.snapshot(), engine.digest()));
    expect(restored.engine.digest()).toBe(engine.digest());
    expect(restored.operate(3, 'erin', 'key-1', 5n)).toEqual(['operationRepeated']);
    expect(restored.operate(3, 'erin', 'key-2', 1n)).toEqual(['idempotencyKeyInUse']);
  });

  test.each([
    ['an actor without a name', '', 'key'],
    ['an actor with a line break', 'a\nb', 'key'],
    ['an actor of 65 characters', 'a'.repeat(65), 'key'],
    ['an empty key', 'erin', ''],
    ['a key of 65 characters', 'erin', 'k'.repeat(65)],
  ])('%s is refused', (_, actor, key) => {
    const { operate, freeOf } = stage();
    expect(operate(1, actor, key, 5n)).toEqual(['invalidConfiguration']);
    expect(freeOf()).toBe(0n);
  });
});

describe('DEC-OPR-12: tokens of operators', () => {
  const hash = (count: number): string => count.toString(16).padStart(64, '0');
  const token = (count: number, expiresAt = 1000, changes = {}): Command => ({
    kind: 'createOperatorToken',
    tokenHash: hash(count),
    actor: 'erin',
    scopes: ['assets:read'],
    expiresAt: as(expiresAt),
    ...changes,
  });

  test('are found by their hash until they are deleted, and an image keeps them', () => {
    const { engine, apply } = stage();
    expect(apply(5, token(1))).toEqual([
      {
        kind: 'operatorTokenCreated',
        token: { tokenHash: hash(1), actor: 'erin', scopes: ['assets:read'], createdAt: 5, expiresAt: 1000 },
      },
    ]);
    const restored = stage(restoreEngine(engine.snapshot(), engine.digest()));
    expect(restored.engine.state.operatorTokens.find(hash(1))).toEqual(engine.state.operatorTokens.find(hash(1)));
    const deleted = restored.apply(6, { kind: 'deleteOperatorToken', tokenHash: hash(1) });
    expect(deleted).toEqual([{ kind: 'operatorTokenDeleted', tokenHash: hash(1), actor: 'erin' }]);
    expect(restored.engine.state.operatorTokens.find(hash(1))).toBeNull();
    expect(kindsOf(restored.apply(7, { kind: 'deleteOperatorToken', tokenHash: hash(1) }))).toEqual([
      'unknownOperatorToken',
    ]);
  });

  test('expired ones are forgotten when the next is created, and do not count', () => {
    const { engine, apply } = stage();
    for (let count = 0; count < engineLimits.operatorTokens; count += 1)
      apply(0, token(count, count === 7 ? 10 : 1000));
    expect(kindsOf(apply(9, token(5000)))).toEqual(['tooManyOperatorTokens']);
    expect(kindsOf(apply(10, token(5000)))).toEqual(['operatorTokenCreated']);
    expect(engine.state.operatorTokens.find(hash(7))).toBeNull();
    expect(kindsOf(apply(10, token(5001)))).toEqual(['tooManyOperatorTokens']);
  });

  test.each([
    ['a hash that is none', { tokenHash: 'A'.repeat(64) }, 'invalidConfiguration'],
    ['a name with a blank', { actor: 'a b' }, 'invalidConfiguration'],
    ['DEC-OPR-140: a name that folds to root', { actor: 'RooT' }, 'invalidConfiguration'],
    ['DEC-OPR-141: making and approving', { scopes: ['proposals:review', 'tokens:write'] }, 'invalidConfiguration'],
    ['an end in the past', { expiresAt: 5 }, 'invalidConfiguration'],
    ['a scope that is none', { scopes: ['assets read'] }, 'invalidConfiguration'],
    ['more than 32 scopes', { scopes: Array.from({ length: 33 }, () => 'a') }, 'invalidConfiguration'],
    ['a hash that is known', { tokenHash: hash(1) }, 'operatorTokenInUse'],
  ])('%s is refused and changes nothing', (_, changes, reason) => {
    const { engine, apply } = stage();
    apply(5, token(1));
    const before = engine.digest();
    expect(kindsOf(apply(5, token(2, 1000, changes)))).toEqual([reason]);
    expect(engine.digest()).toBe(before);
  });
});
