import { describe, expect, test } from 'vitest';
import { usualSettings } from '#custody/evm/settings.ts';
import { readCustodyFile } from '#main/secrets/custody-file.ts';

const coin = { perHourMax: '10000000000000000000', sweepFrom: null };
const token = { contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', perHourMax: null, sweepFrom: '1' };
const evm = {
  kind: 'evm',
  network: 'ETH',
  rpcUrl: 'http://127.0.0.1:8545',
  chainId: 1,
  keys: { kind: 'hot', seedFile: 'eth.seed' },
  nativeCoin: coin,
};
const read = (networks: readonly unknown[], file: object = { networks }) =>
  readCustodyFile('custody.json', () => JSON.stringify(file));

describe('the custody file', () => {
  test('DEC-WAL-90: amounts are whole numbers as text in the smallest unit, and what is left out is as usual', () => {
    const [entry] = read([{ ...evm, tokens: [token], feeCaps: { gasMax: '100000' } }]);
    expect(entry).toEqual({
      ...evm,
      ...usualSettings,
      startBlock: null,
      nativeCoin: { perHourMax: 10n ** 19n, sweepFrom: null, hotFloor: null, gasFloor: null },
      tokens: [{ ...token, sweepFrom: 1n, hotFloor: null }],
      feeCaps: { ...usualSettings.feeCaps, gasMax: 100_000n },
    });
  });

  test('DEC-OPR-289: floors of the wallets that pay are amounts like the others', () => {
    const native = { ...coin, hotFloor: '2000000000000000000', gasFloor: '0' };
    const [entry] = read([{ ...evm, nativeCoin: native, tokens: [{ ...token, hotFloor: '5' }] }]);
    expect(entry).toMatchObject({
      nativeCoin: { hotFloor: 2n * 10n ** 18n, gasFloor: 0n },
      tokens: [{ hotFloor: 5n }],
    });
  });

  test.each([
    ['a floor below zero', [{ ...evm, nativeCoin: { ...coin, hotFloor: '-1' } }], 'networks.0.nativeCoin.hotFloor'],
    ['a gas wallet of a token', [{ ...evm, tokens: [{ ...token, gasFloor: '1' }] }], 'networks.0.tokens.0'],
    ['an amount as a number', [{ ...evm, nativeCoin: { ...coin, perHourMax: 1 } }], 'networks.0.nativeCoin.perHourMax'],
    ['a fraction', [{ ...evm, tokens: [{ ...token, sweepFrom: '0.5' }] }], 'networks.0.tokens.0.sweepFrom'],
    ['a node that is no address', [{ ...evm, rpcUrl: 'localhost' }], 'networks.0.rpcUrl'],
    ['keys of no kind', [{ ...evm, keys: { seedFile: 'x' } }], 'networks.0.keys'],
    ['a hot wallet without a seed', [{ ...evm, keys: { kind: 'hot' } }], 'networks.0.keys.seedFile'],
    ['a network that is no EVM chain', [{ ...evm, network: 'BTC' }], 'networks.0.network'],
    ['a network twice', [evm, { kind: 'watchOnly', network: 'ETH' }], 'ETH is there twice'],
    ['an unknown setting', [{ ...evm, sweepEvery: 1 }], 'sweepEvery'],
  ])('%s is refused by the name of the member', (_, networks, named) => {
    expect(() => read(networks)).toThrow(named);
    expect(() => read(networks)).toThrow(/^custody\.json: /);
  });
});
