import { expect, test } from 'vitest';
import type { AssetRules } from '#model/asset.ts';
import { type AssetId, as } from '#model/units.ts';
import { firstDemoPrices } from '#sandbox/demo-prices.ts';
import { demoAssets } from '#sandbox/listing.ts';

test('DEC-OPR-131: every demo asset but the reference asset is listed with a price for a day', () => {
  const listed = demoAssets.map((asset, index) => ({ ...asset, id: as<AssetId>(index) }));
  const assets = listed as unknown as readonly AssetRules[];
  const reference = listed.find(({ code }) => code === 'USDT')!.id;
  const prices = firstDemoPrices(assets, reference);
  const priced = prices.map((command) => (command.kind === 'setReferencePrice' ? command.asset : null));
  expect(priced).toEqual(assets.filter(({ id }) => id !== reference).map(({ id }) => id));
  for (const command of prices) expect(command).toMatchObject({ validMs: 86_400_000 });
});
