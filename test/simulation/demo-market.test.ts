import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '#sandbox/virtual-clock.ts';
import { demoAccountsOf, demoUidOf, peopleKeys } from '#sandbox/demo-accounts.ts';
import { openDemoContracts, openDemoMarket } from '#sandbox/demo-market.ts';
import { GenesisRefused } from '#sandbox/genesis.ts';
import { contractName, demoContracts } from '#sandbox/contract-listing.ts';
import { coins, demoAssets, demoPairs } from '#sandbox/listing.ts';
import { startSandbox } from './sandbox-harness.ts';

const noon = Date.UTC(2026, 10, 21, 12);

describe('opening the demo market', () => {
  test('lists every asset and pair, funds alice and bob, stores keys sealed only', async () => {
    const sandbox = startSandbox('seed', noon);
    sandbox.clock.set(noon);
    await sandbox.open();
    const listing = await sandbox.queries.listing();
    expect(listing.assets.map((asset) => asset.code)).toEqual(demoAssets.map((asset) => asset.code));
    expect(listing.symbols.map((symbol) => symbol.name)).toEqual(demoPairs.map((pair) => pair.name));
    expect(listing.feeToken?.discountPpm).toBe(200_000);
    for (const person of demoAccountsOf('person')) {
      const account = await sandbox.queries.accountByUid(demoUidOf('seed', person.name));
      expect(account).toMatchObject({ name: person.name, class: person.class, simulated: false });
      if (account === null) continue;
      const held = await sandbox.queries.balances(account.account);
      expect(new Map(held.map((balance) => [listing.assets[balance.asset]?.code, balance.free]))).toEqual(person.funds);
    }
    for (const key of peopleKeys('seed')) {
      const stored = await sandbox.queries.apiKey(key.accessKey);
      expect(stored?.permissions).toBe(key.permissions);
      expect(stored?.sealedSecret).toBe(`sealed:${key.uid}:32`);
    }
    expect(sandbox.faults()).toEqual([]);
  });

  test('does nothing on a later start', async () => {
    const first = startSandbox('seed', noon);
    await first.open();
    const later = startSandbox('seed', noon + 1_000, first.engine);
    await later.open();
    expect(later.journal.commands).toBe(0);
  });

  test('interrupted after any command, it is completed to the same state', async () => {
    const whole = startSandbox('seed', noon);
    whole.clock.set(noon);
    await whole.open();
    for (let limit = 0; limit < whole.journal.commands; limit += 1) {
      const sandbox = startSandbox('seed', noon);
      sandbox.clock.set(noon);
      let taken = 0;
      const stopped = new Error('killed');
      const opening = openDemoMarket({
        queries: sandbox.queries,
        seed: 'seed',
        seal: (key) => `sealed:${key.uid}:${key.secret.length}`,
        submit: (command) => {
          taken += 1;
          return taken > limit ? Promise.reject(stopped) : sandbox.sequencer.submit(command);
        },
      });
      await expect(opening).rejects.toBe(stopped);
      await sandbox.sequencer.close();
      const restarted = startSandbox('seed', noon, sandbox.engine);
      restarted.clock.set(noon);
      await restarted.open();
      expect(restarted.engine.digest()).toBe(whole.engine.digest());
    }
  });

  test('DEC-FUT-18, DEC-FUT-67: an older sandbox gets its contracts and their funds, once, wherever a start is interrupted', async () => {
    const older = startSandbox('seed', noon);
    older.clock.set(noon);
    await older.open();
    await older.openWallet();
    const { queries, sequencer } = older;
    for (const limit of [0, 2, 3, 5, 99]) {
      let taken = 0;
      const stopped = new Error('killed');
      const submit = (command: Parameters<typeof sequencer.submit>[0]) =>
        (taken += 1) > limit ? Promise.reject(stopped) : sequencer.submit(command);
      await openDemoContracts({ queries, submit }).catch((error) => expect(error).toBe(stopped));
    }
    const contracts = await queries.contracts.all();
    expect(contracts.map(({ name }) => name)).toEqual(demoContracts.map(contractName));
    for (const { id } of contracts) expect((await queries.contracts.mark(id))?.fund).toBe(coins('USDT', 500_000));
    const { commands } = older.journal;
    await openDemoContracts({ queries, submit: sequencer.submit.bind(sequencer) });
    expect(older.journal.commands).toBe(commands);
    expect(older.faults()).toEqual([]);
  });

  test('a data directory that already holds something else under these names is told plainly', async () => {
    const sandbox = startSandbox('seed', noon);
    await sandbox.sequencer.submit({
      kind: 'configureAsset',
      asset: { ...(demoAssets[0] as (typeof demoAssets)[number]), code: 'USDT', scale: 2, cap: (10n ** 9n) as never },
    });
    await expect(sandbox.open()).rejects.toThrow(GenesisRefused);
  });

  test('the clock of a new exchange is wound back to where history begins', async () => {
    const sandbox = startSandbox('seed', noon);
    await sandbox.simulation.rewind(noon);
    await sandbox.open();
    expect(sandbox.engine.at).toBeLessThan(noon - 30 * 86_400_000);
    expect(createVirtualClock(sandbox.wall).now()).toBe(noon);
  });
});
