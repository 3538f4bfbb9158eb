import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { Command } from '#domain/command.ts';
import { noopSink } from '#domain/event-record.ts';
import { permissionSet } from '#domain/permission.ts';
import type { Digest } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { audit } from '#engine/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { ImageNotReadable } from '#engine/image/state-image.ts';
import { stateTablesOf, tableOfMember } from '#engine/image/state-tables.ts';
import { EngineState } from '#engine/state.ts';
import { readGolden } from './golden-journal.ts';

const folder = import.meta.dirname;
const readImage = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, 'rules-1', name)));
const image = readImage('busy-hour.image');
/** Images of the same state in earlier forms, with the digests that the builds which wrote them promised. */
const earlierForms: readonly (readonly [form: string, image: Uint8Array, promised: Digest])[] = [
  ['the first version', image, as('107e361fb25c79a3052a973412fb0994')],
  ['orders with holds in them', readImage('busy-hour.holds-in-orders.image'), as('342117f675a57c6ec2e7f8907e497fc0')],
];

/** The engine that the image is of, made again from the commands. */
function replayed(): StateMachine {
  const engine = createEngine();
  const apply = (at: number, command: Command): void =>
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(at), command }, noopSink);
  for (const { at, command } of readGolden(join(folder, 'rules-1', 'busy-hour.jsonl')).slice(0, 700))
    apply(at, command);
  const account = as<never>(4 as never);
  const ips = ['1.2.3.4'];
  const permissions = permissionSet(['SPOT_ACCOUNT_READ', 'SPOT_ACCOUNT_WRITE']);
  apply(engine.at, { kind: 'createListenKey', account, keyHash: 'ab'.repeat(32), sealedKey: 'sealed "text"' });
  apply(engine.at, { kind: 'banAddress', address: '10.0.0.1', until: as(1_800_000_000_000), times: 2 });
  apply(engine.at, {
    kind: 'createApiKey',
    account,
    accessKey: 'key',
    sealedSecret: 's',
    note: 'n"ö',
    permissions,
    ips,
  });
  return engine;
}

describe('images', () => {
  test.for(earlierForms)('one of %s gives the state of its commands, and goes on like it', ([, old, promised]) => {
    const restored = restoreEngine(old, promised);
    const engine = replayed();
    expect(restored.state.holds.count).toBeGreaterThan(0);
    expect(restored.digest()).toBe(engine.digest());
    expect(restored.eventDigest()).toBe(engine.eventDigest());
    expect(audit(restored.state)).toEqual([]);
    expect(restoreEngine(restored.snapshot(), restored.digest()).snapshot()).toEqual(engine.snapshot());
  });

  test('one that has another digest, is cut short, changed, or from a later build is not readable, and nothing else', () => {
    expect(() => restoreEngine(image, as<Digest>('0'.repeat(32)))).toThrow(ImageNotReadable);
    const whole = replayed().snapshot();
    const later = whole.slice();
    later[0] = 3;
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

  test('every member of the state is kept by a table, and every table has a name of its own', () => {
    const state = new EngineState();
    const names = stateTablesOf(state).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const kept = Object.values(tableOfMember).filter((name) => name !== 'derived');
    expect(kept.filter((name) => !names.includes(name))).toEqual([]);
    const others = Object.entries(state).filter(
      ([, member]) => !(typeof member === 'object' && member !== null && 'isInDigest' in member),
    );
    expect(Object.keys(tableOfMember).sort()).toEqual(others.map(([name]) => name).sort());
  });
});
