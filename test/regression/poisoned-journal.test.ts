import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseDecimal } from '#base/decimal.ts';
import type { OrderRequest } from '#domain/order.ts';
import type { AccountId, Lots, PriceTicks, Quanta } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { layoutOf } from '#main/data-directory.ts';
import { loadMasterKeys } from '#main/master-key.ts';
import { quarantineTail } from '#main/quarantine-tail.ts';
import { apiKeyAssociatedData, createSecretSeal } from '#main/secret-seal.ts';
import { openDemoMarket } from '#sandbox/demo-market.ts';
import { seedOf } from '#sandbox/demo-seed.ts';
import { engineQuestions } from '#sequencer/engine-questions.ts';
import { Sequencer } from '#sequencer/sequencer.ts';
import { runBourse } from '../crash/broken-entry-harness.ts';
import { startServer } from '../crash/server-process.ts';
import { TradingClient } from '../crash/trading-client.ts';

const data = mkdtempSync(join(tmpdir(), 'bourse-poisoned-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));
const directory = layoutOf(data);
const seed = '7';

/**
 * A data directory as the first build left it, but for its profile: rules version 1, and as the last entry the market
 * sell by quote amount that the funds check let through and matching could not pay.
 */
async function poison(): Promise<number> {
  const keys = { profile: 'sandbox', data, seed, masterKey: null, masterKeyFile: null } as const;
  const seal = createSecretSeal(loadMasterKeys(keys));
  await seedOf(data, seed);
  const notice = (): void => {};
  const place = { files: nodeFileOperations, directory: directory.journal, segmentSize: 1 << 20, notice };
  const journal = await FileJournal.open(place);
  const engine = createEngine();
  const clock = { now: () => 1_750_000_000_000 };
  const broken: string[] = [];
  const sequencer = new Sequencer({
    engine,
    journal,
    clock,
    hasRoom: () => true,
    onBroken: (_entry, error) => broken.push(error.message),
    onFatal: () => {},
  });
  const queries = engineQuestions(engine);
  await sequencer.post({ kind: 'recordProfile', profile: 'sandbox' });
  await openDemoMarket({
    submit: (command) => sequencer.submit(command),
    queries,
    seed,
    seal: ({ secret, ...owner }) => seal.seal(secret, apiKeyAssociatedData({ ...owner, keyVersion: 1 })),
  });
  const { symbols, assets } = await queries.listing();
  const symbol = symbols.find(({ name }) => name === 'BTCUSDT')!;
  const scaleOf = (asset: number): number => assets[asset]!.scale;
  const units = (text: string, decimals: number): number => Number(parseDecimal(text, decimals));
  const accountOf = async (name: string): Promise<AccountId> =>
    (await queries.accounts()).find((account) => account.name === name)!.account;
  const [alice, bob] = [await accountOf('alice'), await accountOf('bob')];
  const order = (
    account: AccountId,
    side: 'buy' | 'sell',
    quantity: string | null,
    price: string | null,
    budget: string | null,
  ) => {
    const request: OrderRequest = {
      symbol: symbol.id,
      side,
      kind: price === null ? 'market' : 'limit',
      price: price === null ? null : as<PriceTicks>(units(price, symbol.priceDecimals)),
      quantity: quantity === null ? null : as<Lots>(units(quantity, symbol.quantityDecimals)),
      budget: budget === null ? null : as<Quanta>(units(budget, scaleOf(symbol.quote))),
      clientOrderId: null,
      stpMode: 'none',
    };
    return sequencer.submit({ kind: 'placeOrder', account, order: request });
  };
  for (const quantity of ['5', '5', '5', '4.999']) await order(alice, 'sell', quantity, '55000', null);
  await order(bob, 'buy', '0.001', '50000', null);
  await order(bob, 'buy', '0.001', '49999.99', null);
  await order(alice, 'sell', null, null, '50.049999999').catch(() => undefined);
  await sequencer.close();
  expect(broken).toEqual(['free balance stays above zero']);
  const last = journal.last();
  await journal.close();
  return last;
}

test('a journal that the first rules cannot go on from runs after bourse quarantine', async () => {
  const last = await poison();
  const options = ['--data', data, '--port', '0', '--operator-port', '0', '--seed', seed, '--no-simulate'];
  const refused = await runBourse(['start', ...options]);
  expect(refused).toMatchObject({ code: 3, text: expect.stringContaining(`entry ${last} (placeOrder of account`) });
  const said: string[] = [];
  const unconfirmed = { directory, version: 'test', isConfirmed: false, tell: (line: string) => said.push(line) };
  const asked = await quarantineTail({ ...unconfirmed, ask: async () => false });
  expect(asked).toBe(1);
  expect(said.join('\n')).toContain('free balance stays above zero');
  expect(said.at(-1)).toBe('Nothing was changed.');
  expect(readdirSync(data)).not.toContain('quarantine');
  expect(await runBourse(['quarantine', data, '--yes'])).toMatchObject({ code: 0 });
  const server = await startServer(data);
  const alice = new TradingClient(server.demo, 'alice');
  const sell = { symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quoteOrderQty: '50.049999999' };
  // The same order again: the newer rules sell what there is, and the exchange goes on.
  const reply = await alice.call('POST', '/api/v3/order', sell);
  expect([200, 400]).toContain(reply?.status);
  expect((await alice.call('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' }))?.body).toHaveLength(4);
  alice.close();
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(await runBourse(['verify', data])).toMatchObject({ code: 0, text: expect.stringContaining('All sound.') });
}, 90_000);
