import { expect, test } from 'vitest';
import type { AssetRules } from '#model/asset.ts';
import type { ContractRules } from '#model/contract.ts';
import type { SymbolRules } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import {
  amountText,
  lotsText,
  mostLots,
  priceText,
  quotePerTickLot,
  quoteText,
  SymbolDirectory,
} from '#market-data/symbol-directory.ts';

const usdt: AssetRules = {
  id: as(0),
  code: 'USDT',
  fullName: '',
  scale: 8,
  cap: as(1n),
  coinId: '',
  isDelisted: false,
};
const btc: AssetRules = { ...usdt, id: as(1), code: 'BTC', scale: 10 };
const pair = { id: 0, name: 'BTCUSDT', base: 1, quote: 0, priceDecimals: 2, quantityDecimals: 4 };
const btcUsdt = pair as unknown as SymbolRules;

function directoryOf(): SymbolDirectory {
  const directory = new SymbolDirectory();
  directory.load({ assets: [usdt, btc], symbols: [btcUsdt], isTradingOpen: true, feeToken: null });
  return directory;
}

test('a symbol is found by its name and its id, with the assets that it trades', () => {
  const directory = directoryOf();
  const found = directory.find('BTCUSDT');
  expect(found).toEqual({ rules: btcUsdt, base: btc, quote: usdt });
  expect(directory.at(as(0))).toBe(found);
  expect(directory.find('ETHUSDT')).toBeUndefined();
  expect([directory.assets, directory.symbols]).toEqual([[usdt, btc], [found]]);
});

test('facts change what is listed and its version: a symbol sees the new rules of its assets', () => {
  const directory = directoryOf();
  const { version } = directory;
  directory.fact({ kind: 'assetConfigured', asset: { ...usdt, fullName: 'Tether' } });
  expect(directory.at(as(0)).quote.fullName).toBe('Tether');
  directory.fact({ kind: 'symbolConfigured', symbol: { ...btcUsdt, priceDecimals: 3 } });
  expect(directory.find('BTCUSDT')?.rules.priceDecimals).toBe(3);
  expect(directory.symbols).toHaveLength(1);
  expect(directory.version).toBeGreaterThan(version);
  const { version: before } = directory;
  directory.fact({ kind: 'feeTokenConfigured', token: as(1), valuedIn: as(0), discountPpm: 0 });
  expect(directory.version).toBe(before);
});

test('contracts are listed apart from symbols, whose ids they share', () => {
  const directory = directoryOf();
  const contract = { id: 1, name: 'BTC_USDT', base: 1, settle: 0 } as unknown as ContractRules;
  directory.fact({ kind: 'contractConfigured', contract });
  directory.fact({ kind: 'symbolConfigured', symbol: { ...btcUsdt, id: as(2), name: 'BTC2USDT' } });
  expect(directory.symbols.map(({ rules }) => rules.name)).toEqual(['BTCUSDT', 'BTC2USDT']);
  expect(directory.find('BTC_USDT')).toBeUndefined();
  expect(directory.findContract('BTC_USDT')).toMatchObject({ rules: contract, base: btc, settle: usdt });
  expect([directory.contract(as(1)), directory.contract(as(2))]).toEqual([directory.contracts[0], undefined]);
  directory.fact({ kind: 'assetConfigured', asset: { ...usdt, fullName: 'Tether' } });
  expect(directory.contract(as(1))?.settle.fullName).toBe('Tether');
  const again = new SymbolDirectory();
  again.load({ assets: [usdt, btc], symbols: [btcUsdt], contracts: [contract], isTradingOpen: true, feeToken: null });
  expect(again.contracts.map(({ rules }) => rules.name)).toEqual(['BTC_USDT']);
});

test('units are printed at the scales of the symbol', () => {
  const symbol = directoryOf().at(as(0));
  expect([priceText(symbol, 12_345), lotsText(symbol, 12_300n), quoteText(symbol, 150_000_000)]).toEqual([
    '123.45',
    '1.23',
    '1.5',
  ]);
  expect(amountText(btc, 1)).toBe('0.0000000001');
  expect(quotePerTickLot(symbol)).toBe(100n);
  expect(mostLots(symbol)).toBe(Math.floor(Number.MAX_SAFE_INTEGER / 1_000_000));
});
