import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseDecimal } from '#base/decimal.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId, Lots, PriceTicks, Quanta } from '#model/units.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine } from '#engine/create-engine.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { layoutOf } from '#main/storage/data-directory.ts';
import { loadMasterKeys } from '#main/secrets/master-key.ts';
import { apiKeyAssociatedData, createSecretSeal } from '#main/secrets/secret-seal.ts';
import { openDemoMarket } from '#sandbox/demo-market.ts';
import { seedOf } from '#sandbox/sandbox-files.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { Sequencer } from '#sequencer/sequencer.ts';

const data = mkdtempSync(join(tmpdir(), 'bourse-poisoned-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));
const directory = layoutOf(data);
const seed = '7';

// The funds check once let through what matching could not pay, and the entry broke every replay of its journal.
test('a market sell by quote amount of the last coins is refused and breaks nothing', async () => {
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
  const queries = exchangeQueries(engine);
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
  const sold = await order(alice, 'sell', null, null, '50.049999999');
  await sequencer.close();
  await journal.close();
  expect(broken).toEqual([]);
  expect(sold.events.map(({ kind }) => kind)).toEqual(['orderRefused']);
  expect(audit(engine.state)).toEqual([]);
});
