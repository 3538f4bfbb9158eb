import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import { permissionSet } from '#model/permission.ts';
import type { Digest } from '#model/units.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { ImageNotReadable } from '#engine/image/state-image.ts';
import { stateTablesOf } from '#engine/image/state-tables.ts';
import { EngineState } from '#engine/state/state.ts';
import { readGolden } from './golden-journal.ts';

const folder = import.meta.dirname;
/** An engine with something of everything, made from recorded commands. */
function replayed(): StateMachine {
  const engine = createEngine();
  const apply = (at: number, command: Command): void =>
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(at), command }, noopSink);
  for (const { at, command } of readGolden(join(folder, 'rules-1', 'busy-hour.jsonl')))
    apply(at, command);
  const account = as<never>(4 as never);
  const ips = ['1.2.3.4'];
  const permissions = permissionSet(['SPOT_ACCOUNT_READ', 'SPOT_ACCOUNT_WRITE']);
  apply(engine.at, { kind: 'banAddress', address: '10.0.0.1', until: as(1_800_000_000_000), times: 2 });
  apply(engine.at, {
    kind: 'createApiKey',
    account,
    accessKey: 'key',
    sealedSecret: 's',
    note: 'n"ö',
    permissions,
    ips,
    unboundLifeMs: null,
  });
  const listenKey = { account, accessKey: 'key', keyHash: 'ab'.repeat(32), sealedKey: 'sealed "text"' };
  apply(engine.at, { kind: 'createListenKey', ...listenKey });
  return engine;
}

describe('images', () => {
  test('one restored is the engine that it was made of, and goes on like it', () => {
    const engine = replayed();
    expect(engine.state.holds.count).toBeGreaterThan(0);
    expect(engine.state.listenKeys.all()).toHaveLength(1);
    const restored = restoreEngine(engine.snapshot(), engine.digest());
    expect(restored.eventDigest()).toBe(engine.eventDigest());
    expect(audit(restored.state)).toEqual([]);
    expect(restored.snapshot()).toEqual(engine.snapshot());
  });

  test('one that has another digest, is cut short, changed, or from a later build is not readable, and nothing else', () => {
    const whole = replayed().snapshot();
    expect(() => restoreEngine(whole, as<Digest>('0'.repeat(32)))).toThrow(ImageNotReadable);
    const later = whole.slice();
    later[0] = 2;
    expect(() => restoreEngine(later)).toThrow(ImageNotReadable);
    const chance = createPrng(4);
    const digest = replayed().digest();
    for (let round = 0; round < 300; round += 1) {
      const cut = whole.slice(0, chance.below(whole.length));
      expect(() => restoreEngine(cut)).toThrow(ImageNotReadable);
      const changed = whole.slice();
      changed[chance.below(whole.length)]! ^= 1 << chance.below(8);
      try {
        expect(restoreEngine(changed, digest).digest()).toBe(digest);
      } catch (error) {
        expect(error).toBeInstanceOf(ImageNotReadable);
      }
    }
  });

  test('every member of the state is in images but for packed tables, and every table has a name of its own', () => {
    const state = new EngineState();
    const tables = stateTablesOf(state);
    const names = tables.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const others = Object.values(state).filter((member) => !tables.includes(member));
    expect(others).toEqual([state.tables, state.emit, state.holds, state.ledger, state.running]);
  });
});
