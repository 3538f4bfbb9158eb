import { describe, expect, test } from 'vitest';
import { formatDecimal } from '#base/decimal.ts';
import { canonicalAddress } from '#custody/addresses/addresses.ts';
import { networkCodes, type Network } from '#custody/addresses/networks.ts';
import type { AssetRules } from '#model/asset.ts';
import { as } from '#model/units.ts';
import { demoAssets } from '#sandbox/listing.ts';
import { demoAssetNetworks, demoWalletRules } from '#sandbox/wallet-listing.ts';

const assets: readonly AssetRules[] = demoAssets.map((asset, index) => ({
  id: as(index),
  ...asset,
  isDelisted: false,
}));
const codeOf = (asset: number): string => assets[asset]?.code ?? '';
const listed = demoAssetNetworks(assets);
const text = (asset: number, amount: bigint): string => formatDecimal(amount, assets[asset]?.scale ?? 0);

describe('the demo wallet', () => {
  test('DEC-WAL-08, DEC-WAL-11: each asset is on its networks, with their labels and confirmations', () => {
    const labels = Object.fromEntries(listed.map((each) => [each.network, [each.label, each.minConfirm]]));
    expect(labels).toEqual({
      BTC: ['BTC', 2],
      ETH: ['Ethereum(ERC20)', 12],
      TRX: ['Tron(TRC20)', 20],
      BSC: ['BNB Smart Chain(BEP20)', 15],
      SOL: ['Solana(SOL)', 32],
      XRP: ['XRP', 1],
    });
    const on = (code: string): string[] =>
      listed.filter(({ asset }) => codeOf(asset) === code).map(({ network }) => network);
    expect([on('USDT'), on('USDC')]).toEqual([
      ['ETH', 'TRX', 'BSC', 'SOL'],
      ['ETH', 'BSC', 'SOL'],
    ]);
    expect(['BTC', 'ETH', 'SHIB', 'SVC', 'BNB', 'SOL', 'TRX', 'XRP'].map((code) => on(code).join())).toEqual([
      'BTC',
      'ETH',
      'ETH',
      'ETH',
      'BSC',
      'SOL',
      'TRX',
      'XRP',
    ]);
    expect([on('LTC'), on('DOGE')]).toEqual([[], []]);
    expect(listed.filter(({ sharesAddress }) => sharesAddress).map(({ network }) => network)).toEqual(['XRP']);
  });

  test('DEC-WAL-09, DEC-WAL-10: fees and minima are as printed, a deposit needs the fee, a step has at most 8 decimals', () => {
    const terms = Object.fromEntries(
      listed.map(({ asset, network, withdrawFee, withdrawMin, depositMin, withdrawStep }) => [
        `${codeOf(asset)} ${network}`,
        [withdrawFee, withdrawMin, depositMin, withdrawStep].map((amount) => text(asset, amount)).join(' '),
      ]),
    );
    expect(terms).toEqual({
      'BTC BTC': '0.0001 0.001 0.0001 0.00000001',
      'ETH ETH': '0.001 0.01 0.001 0.00000001',
      'SHIB ETH': '100000 1000000 100000 0.01',
      'SVC ETH': '1 10 1 0.00000001',
      'USDT ETH': '3 10 3 0.000001',
      'USDT TRX': '1 10 1 0.000001',
      'USDT BSC': '0.5 10 0.5 0.00000001',
      'USDT SOL': '0.5 10 0.5 0.000001',
      'USDC ETH': '3 10 3 0.000001',
      'USDC BSC': '0.5 10 0.5 0.000001',
      'USDC SOL': '0.5 10 0.5 0.000001',
      'BNB BSC': '0.0005 0.01 0.0005 0.00000001',
      'SOL SOL': '0.005 0.1 0.005 0.00000001',
      'TRX TRX': '1 10 1 0.000001',
      'XRP XRP': '0.2 20 0.2 0.000001',
    });
    const usdt = listed.find(({ asset }) => codeOf(asset) === 'USDT');
    expect(text(usdt?.asset ?? 0, usdt?.withdrawMax ?? 0n)).toBe('1000000');
    for (const each of listed) expect(each.withdrawMax % each.withdrawStep).toBe(0n);
  });

  test('contracts are in the one canonical form of their network, and the chain counts at least as fine as a step', () => {
    for (const { asset, network, contract, scale, withdrawStep } of listed) {
      if (contract !== null && networkCodes.includes(network as Network))
        expect(canonicalAddress(network as Network, contract)).toBe(contract);
      const decimals = text(asset, withdrawStep).split('.')[1]?.length ?? 0;
      expect(scale).toBeGreaterThanOrEqual(decimals);
    }
  });

  test('DEC-WAL-27, DEC-WAL-28: caps rise with the KYC level, and risk hold, delay and four eyes are off', () => {
    const usdt = assets.find(({ code }) => code === 'USDT') as AssetRules;
    const rules = demoWalletRules(usdt);
    expect(rules.dailyCaps.map((cap) => text(usdt.id, cap))).toEqual(['10000', '100000', '1000000', '10000000']);
    expect([rules.riskHoldAbove, rules.fourEyesAbove, rules.newAddressDelayMs]).toEqual([null, null, 0]);
  });
});
