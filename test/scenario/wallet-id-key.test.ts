import { expect, test } from 'vitest';
import { restoreEngine } from '#engine/create-engine.ts';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import { openWalletIds } from '#main/secrets/id-key.ts';
import { createSecretSeal } from '#main/secrets/secret-seal.ts';
import { startExchange } from '../exchange-harness.ts';

const master = (fill: number): Buffer => Buffer.alloc(32, fill);
const sealOf = (...fills: readonly number[]) => createSecretSeal({ keys: fills.map(master), nonces: 'random' });
const settings = { profile: 'production', seed: null, replaceIdKey: false } as const;
const sandbox = { ...settings, profile: 'sandbox' } as const;
const idOf = async (
  exchange: ReturnType<typeof startExchange>,
  seal = sealOf(1),
  given: typeof settings | object = {},
) => (await openWalletIds(exchange, seal, { ...settings, ...given })).text('withdrawal', 1);

test('DEC-WAL-170: two installations print different ids for the same number', async () => {
  expect(await idOf(startExchange())).not.toBe(await idOf(startExchange()));
});

test('DEC-WAL-171: the key is journaled once, sealed, and every later start and image has it', async () => {
  const exchange = startExchange();
  const id = await idOf(exchange);
  expect(exchange.entries.map(({ command }) => command.kind)).toEqual(['recordIdKey']);
  expect(await idOf(exchange)).toBe(id);
  expect(exchange.entries).toHaveLength(1);
  const restored = restoreEngine(exchange.engine.snapshot());
  expect(restored.state.idKey.value).toBe(exchange.engine.state.idKey.value);
  expect(restored.digest()).toBe(exchange.engine.digest());
  const key = sealOf(1).unseal(
    restored.state.idKey.value!,
    Buffer.from([0, 0, 0, 13, ...Buffer.from('wallet id key')]),
  );
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(JSON.stringify(exchange.entries)).not.toContain(key);
});

test('DEC-WAL-171: with a replaced master key the same key is sealed again, so that the old one can go', async () => {
  const exchange = startExchange();
  const id = await idOf(exchange, sealOf(1));
  expect(await idOf(exchange, sealOf(2, 1))).toBe(id);
  expect(exchange.entries).toHaveLength(2);
  expect(await idOf(exchange, sealOf(2))).toBe(id);
  expect(exchange.entries).toHaveLength(2);
});

test('DEC-WAL-171: a start whose master key does not open it is refused, unless a new key is asked for', async () => {
  const exchange = startExchange();
  const id = await idOf(exchange, sealOf(1));
  await expect(idOf(exchange, sealOf(3))).rejects.toThrow(ConfigurationRefused);
  await expect(idOf(exchange, sealOf(3))).rejects.toThrow('--replace-id-key');
  expect(exchange.entries).toHaveLength(1);
  const changed = await idOf(exchange, sealOf(3), { replaceIdKey: true });
  expect(changed).not.toBe(id);
  expect(await idOf(exchange, sealOf(3), { replaceIdKey: true })).toBe(changed);
});

test('DEC-WAL-173: a sandbox with a seed derives the key from it, production never does', async () => {
  const ofSeed = (seed: string, given: object = sandbox) => idOf(startExchange(), sealOf(1), { ...given, seed });
  expect(await ofSeed('77')).toBe(await ofSeed('77'));
  expect(await ofSeed('77')).not.toBe(await ofSeed('78'));
  expect(await ofSeed('77', settings)).not.toBe(await ofSeed('77', settings));
});
