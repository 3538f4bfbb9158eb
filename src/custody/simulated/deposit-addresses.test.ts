import { describe, expect, test } from 'vitest';
import { canonicalAddress, checkAddress } from '#custody/addresses/addresses.ts';
import { networkCodes } from '#custody/addresses/networks.ts';
import { depositAddresses } from '#custody/simulated/deposit-addresses.ts';

/** How an address of the main network begins. */
const shapes = {
  BTC: /^bc1q[a-z0-9]{38}$/,
  ETH: /^0x[0-9a-fA-F]{40}$/,
  TRX: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  BSC: /^0x[0-9a-fA-F]{40}$/,
  SOL: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  XRP: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
} as const;

describe('deposit addresses of the sandbox', () => {
  test.each(networkCodes)('DEC-WAL-21: addresses of %s have the format of its main network', (network) => {
    const addresses = depositAddresses(network, 'a');
    for (const index of [0, 1, 2, 1000]) {
      const { address, memo } = addresses.at(index)!;
      expect(address).toMatch(shapes[network]);
      expect(canonicalAddress(network, address)).toBe(address);
      expect(checkAddress(network, address, memo)).toBeNull();
    }
  });

  test('no address is of two seeds or two networks', () => {
    const all = networkCodes.flatMap((network) =>
      ['a', 'b', ''].flatMap((seed) => {
        const addresses = depositAddresses(network, seed);
        return network === 'XRP' ? [addresses.at(0)!.address] : [0, 1, 2].map((index) => addresses.at(index)!.address);
      }),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  test('on XRP one address serves all, each with a destination tag of its own, while there are tags', () => {
    const addresses = depositAddresses('XRP', 'a');
    const { address } = addresses.at(0)!;
    expect(addresses.at(0)).toEqual({ address, memo: '100000000' });
    expect(addresses.at(2 ** 32 - 1 - 100_000_000)).toEqual({ address, memo: '4294967295' });
    expect(addresses.at(2 ** 32 - 100_000_000)).toBeNull();
  });

  test('where addresses are derived they end with the indexes of BIP-32', () => {
    expect(depositAddresses('BTC', 'a').at(2 ** 31 - 1)).not.toBeNull();
    expect(depositAddresses('BTC', 'a').at(2 ** 31)).toBeNull();
  });

  test('an address is ours while its index is below the count, whether or not anybody asked for it', async () => {
    const asked = depositAddresses('SOL', 'a');
    const addresses = [5, 0, 39].map((index) => asked.at(index)!.address);
    await asked.prepare(40);
    const silent = depositAddresses('SOL', 'a');
    await Promise.all([silent.prepare(40), silent.prepare(17)]);
    for (const known of [asked, silent]) {
      expect(addresses.map((address) => known.isOurs(address, 39))).toEqual([true, true, false]);
      expect(known.isOurs(addresses[2]!, 40)).toBe(true);
      expect(known.isOurs(depositAddresses('SOL', 'b').at(0)!.address, 40)).toBe(false);
    }
  });
});
