import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { innerHouse } from '#model/account.ts';
import { type Act, noActs } from '#model/act.ts';
import type { Command } from '#model/command.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import { engineLimits } from '#model/limits.ts';
import { type AccountId, as, type AssetId, type Balance, type Seq, type TimestampMs } from '#model/units.ts';
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
const done = ['posted', 'posted', 'operatorActed'];

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
    expect(operate(2, 'erin', 'key-1', 6n)).toEqual(['idempotencyKeyInUse', 'operatorActed']);
    const command = { kind: 'setKycLevel', account: alice, kycLevel: 3 } as const;
    expect(kindsOf(apply(2, operated('erin', command, { idempotencyKey: 'key-1' })))).toEqual([
      'idempotencyKeyInUse',
      'operatorActed',
    ]);
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
    expect(operate(1, 'erin', 'key-1', 2000n)).toEqual(['aboveAssetCap', 'operatorActed']);
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
    expect(restored.operate(3, 'erin', 'key-2', 1n)).toEqual(['idempotencyKeyInUse', 'operatorActed']);
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

/** The act that the events of an entry tell of. */
const actIn = (events: readonly Event[]): Act => {
  const told = events.at(-1);
  if (told?.kind !== 'operatorActed') throw new TypeError('no act was told');
  return told.act;
};

describe('DEC-OPR-192: an act tells what it was about and what it changed', () => {
  test('in words: a uid, a ticker, whole coins, old and new values', () => {
    const { apply } = stage();
    const command = { kind: 'creditFunds', account: alice, asset: as<AssetId>(0), amount: as<Balance>(550n) } as const;
    const act = actIn(apply(7, operated('Erin', command, { reason: 'opening balance', idempotencyKey: 'k' })));
    expect(act).toMatchObject({
      number: 1,
      seq: 3,
      at: 7,
      actor: 'erin',
      token: '00112233aabbccdd',
      address: '127.0.0.1',
      idempotencyKey: 'k',
      reason: 'opening balance',
      commandKind: 'creditFunds',
      targetKind: 'account',
      targetId: '10000004',
      refusal: null,
    });
    expect(JSON.parse(act.parameters)).toEqual({ account: 10_000_004, asset: 'USDT', amount: '5.5' });
    expect(JSON.parse(act.changes)).toEqual([{ member: 'free', before: '0', after: '5.5' }]);
  });

  test('members that stay are not told, nor anything where it was refused', () => {
    const { apply } = stage();
    const level = (kycLevel: number) =>
      actIn(apply(1, operated('erin', { kind: 'setKycLevel', account: alice, kycLevel })));
    expect(JSON.parse(level(3).changes)).toEqual([{ member: 'kycLevel', before: 1, after: 3 }]);
    expect(level(3)).toMatchObject({ number: 2, changes: '[]', refusal: null });
    expect(level(9)).toMatchObject({ number: 3, changes: '[]', refusal: 'invalidConfiguration' });
  });

  test('what it opens has a name afterwards only', () => {
    const { apply } = stage();
    const person = { uid: null, name: 'bob', class: 'user', kycLevel: 1, simulated: false, mobile: null } as const;
    const register = (email: string) =>
      actIn(apply(1, operated('erin', { kind: 'registerAccount', ...person, email, inviteCode: null })));
    const opened = register('bob@example.com');
    expect(opened.targetId).toMatch(/^[0-9]{8}$/);
    expect(JSON.parse(opened.changes)).toContainEqual({ member: 'email', before: null, after: 'bob@example.com' });
    expect(register('bob@example.com')).toMatchObject({
      targetKind: 'account',
      targetId: null,
      refusal: 'contactInUse',
    });
  });

  test('what nobody listed stays a number, and a house account has its name', () => {
    const { apply } = stage();
    const credit = { kind: 'creditFunds', account: as<AccountId>(99), asset: as<AssetId>(7), amount: as<Balance>(5n) };
    const unknown = actIn(apply(1, operated('erin', credit as never)));
    expect(unknown).toMatchObject({ targetKind: 'account', targetId: null });
    expect(JSON.parse(unknown.parameters)).toEqual({ account: 99, asset: 7, amount: '5' });
    const dust = actIn(apply(1, operated('erin', { ...credit, account: innerHouse.dust, asset: 0 } as never)));
    expect(dust).toMatchObject({ targetKind: 'houseAccount', targetId: 'dust', refusal: null });
  });

  test('DEC-OPR-194: no secret and nothing that stands for one, of commands nor of records', () => {
    const { apply } = stage();
    const tokenHash = 'ab'.repeat(32);
    const token = { tokenHash, actor: 'dan', scopes: ['assets:read'], expiresAt: as<TimestampMs>(1000) };
    const created = actIn(apply(1, operated('erin', { kind: 'createOperatorToken', ...token })));
    expect(created).toMatchObject({ targetKind: 'token', targetId: tokenHash.slice(0, 16) });
    expect(JSON.parse(created.parameters)).toMatchObject({ token: tokenHash.slice(0, 16), actor: 'dan' });
    const key = {
      accessKey: 'public',
      sealedSecret: 'sealed!',
      note: '',
      permissions: 1,
      ips: [],
      unboundLifeMs: null,
    };
    const made = actIn(apply(1, operated('erin', { kind: 'createApiKey', account: alice, ...key })));
    expect(JSON.parse(made.changes)).toContainEqual({
      member: 'permissions',
      before: null,
      after: ['SPOT_ACCOUNT_READ'],
    });
    for (const text of [JSON.stringify(created), JSON.stringify(made)]) {
      expect(text).not.toContain(tokenHash);
      expect(text).not.toContain('sealed!');
    }
  });
});

describe('DEC-OPR-193: acts are a chain', () => {
  const credit = { kind: 'creditFunds', account: alice, asset: as<AssetId>(0), amount: as<Balance>(1n) } as const;

  test('each hash covers the act and the hash before, refused acts too', () => {
    const { engine, apply } = stage();
    const acts = [
      actIn(apply(1, operated('erin', credit))),
      actIn(apply(2, operated('erin', { ...credit, amount: as<Balance>(5000n) }))),
      actIn(apply(3, operated('dan', credit))),
    ];
    expect(acts.map(({ refusal }) => refusal)).toEqual([null, 'aboveAssetCap', null]);
    let before = noActs.hash;
    for (const [index, act] of acts.entries()) {
      expect(act.number).toBe(index + 1);
      const { actor, token, address, idempotencyKey, commandKind, targetKind, targetId } = act;
      const { parameters, changes, reason, refusal } = act;
      const told = [act.number, act.seq, act.at, actor, token, address, idempotencyKey, commandKind, targetKind];
      const list = JSON.stringify([...told, targetId, parameters, changes, reason, refusal]);
      expect(act.hash).toBe(createHash('sha256').update(`${before}\n${list}`).digest('hex'));
      before = act.hash;
    }
    expect(engine.state.acts.head).toEqual({ count: 3, hash: before });
  });

  test('a repetition is no act, another command under the key is a refused one', () => {
    const { engine, apply } = stage();
    apply(1, operated('erin', credit, { idempotencyKey: 'k' }));
    apply(2, operated('erin', credit, { idempotencyKey: 'k' }));
    expect(engine.state.acts.head.count).toBe(1);
    const other = actIn(apply(3, operated('erin', { ...credit, amount: as<Balance>(2n) }, { idempotencyKey: 'k' })));
    expect(other).toMatchObject({ number: 2, refusal: 'idempotencyKeyInUse' });
  });

  test('an image keeps its head, and goes on with the same chain', () => {
    const { engine, apply } = stage();
    apply(1, operated('erin', credit));
    const restored = stage(restoreEngine(engine.snapshot(), engine.digest()));
    expect(restored.engine.state.acts.head).toEqual(engine.state.acts.head);
    const [one, other] = [apply, restored.apply].map((next) => actIn(next(2, operated('dan', credit))));
    expect(one).toEqual(other);
  });

  test('members that a command does not declare are in neither: replay would not know them', () => {
    const more = { ...credit, note: 'of the caller' };
    expect(actIn(stage().apply(1, operated('erin', more as never)))).toEqual(
      actIn(stage().apply(1, operated('erin', credit))),
    );
  });

  test.each([
    ['a token that is none', { token: 'two words' }],
    ['no address', { address: '' }],
    ['an empty reason', { reason: '' }],
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }],
  ])('%s is refused, and is no act', (_, rest) => {
    const { engine, apply } = stage();
    expect(kindsOf(apply(1, operated('erin', credit, rest)))).toEqual(['invalidConfiguration']);
    expect(engine.state.acts.head).toEqual(noActs);
  });
});
