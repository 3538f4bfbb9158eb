import { expect, test } from 'vitest';
import type { EvmSettings } from '#custody/evm/settings.ts';
import { settingsFault, usualSettings } from '#custody/evm/settings.ts';

const token = { contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', perHourMax: 1n, sweepFrom: null };
const settings: EvmSettings = {
  ...usualSettings,
  network: 'ETH',
  rpcUrl: 'http://127.0.0.1:8545',
  chainId: 1,
  startBlock: null,
  keys: { kind: 'hot', seed: new Uint8Array(32) },
  nativeCoin: { perHourMax: null, sweepFrom: 1n },
  tokens: [token],
};

test('usual settings have no fault', () => {
  expect(settingsFault(settings)).toBeNull();
});

test.each<[string, Partial<EvmSettings>]>([
  ['a chain id of 0', { chainId: 0 }],
  ['no blocks per call', { blocksPerCall: 0 }],
  ['a time before the last sweep', { sweepEveryMs: -1 }],
  ['half a confirmation', { sweepConfirmations: 0.5 }],
  ['a first block below zero', { startBlock: -1 }],
  ['a fee cap of nothing', { feeCaps: { ...usualSettings.feeCaps, feePerGasMax: 0n } }],
  ['less gas than a payment takes', { feeCaps: { ...usualSettings.feeCaps, gasMax: 20_999n } }],
  ['sweeping from nothing on', { nativeCoin: { perHourMax: null, sweepFrom: 0n } }],
  ['a limit of nothing', { tokens: [{ ...token, perHourMax: 0n }] }],
  ['a token twice, in other letters', { tokens: [token, { ...token, contract: token.contract.toLowerCase() }] }],
])('settings with %s are refused', (_, change) => {
  expect(settingsFault({ ...settings, ...change })).not.toBeNull();
});
