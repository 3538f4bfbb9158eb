import { encodeFunctionData, erc20Abi } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InvariantBroken } from '#base/assert.ts';
import { DepositAddresses } from '#custody/evm/deposit-addresses.ts';
import { transferData } from '#custody/evm/erc20.ts';
import { EvmNode } from '#custody/evm/node.ts';
import { createRpc } from '#custody/evm/rpc.ts';
import { Sweeper } from '#custody/evm/sweep.ts';
import { assertSweepPays, type SweepBounds } from '#custody/evm/sweep-claims.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import { usualSettings } from '#custody/evm/settings.ts';
import { anvilChainId, hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { createEvmWorld, depositAddress, ether, exchangeKeys, gasWallet, hotWallet } from './evm-harness.ts';

const thief = '0x1111111111111111111111111111111111111111';
const token = '0x2222222222222222222222222222222222222222';
const spending = exchangeKeys.spending!;
type Signed = Parameters<PrivateKeyAccount['signTransaction']>[0];

/** A key that signs something else than it is asked to. */
const signingElse = (key: PrivateKeyAccount, change: (asked: Signed) => object): PrivateKeyAccount => ({
  ...key,
  signTransaction: (asked) => key.signTransaction({ ...asked, ...change(asked) } as Signed),
});

/** What a key may sign instead of a sweep; what is said of it. */
const plants: Record<string, readonly [change: (asked: Signed) => object, error: string]> = {
  'another receiver': [
    ({ data }) => (data === '0x' ? { to: thief } : { data: transferData(thief, 1n) }),
    `a sweep pays the own hot wallet, not ${thief}`,
  ],
  'another contract': [() => ({ to: thief, value: 0n, data: transferData(hotWallet, 1n) }), 'a token that is served'],
  'a call that is no payment': [
    () => ({
      value: 0n,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [thief, 2n ** 256n - 1n] }),
    }),
    'a sweep pays, and does nothing else',
  ],
  'a smaller amount': [
    ({ data }) => (data === '0x' ? { value: 1n } : { data: transferData(hotWallet, 1n) }),
    'the bytes of a sweep move what was to be signed',
  ],
  'another nonce': [
    ({ nonce }) => ({ nonce: nonce! + 1 }),
    'the bytes of a sweep are the transaction that its id and nonce name',
  ],
  'another chain': [() => ({ chainId: 1 }), 'a sweep is for its chain and has its nonce'],
  'more gas': [({ gas }) => ({ gas: gas! + 1n }), 'a sweep costs what was to be signed, within the caps'],
  'a higher fee': [
    ({ maxFeePerGas }) => ({ maxFeePerGas: maxFeePerGas! + 1n }),
    'a sweep costs what was to be signed, within the caps',
  ],
};

describe.skipIf(!hasAnvil)('DEC-OPR-294: sweeps pay the own hot wallet, and nobody else', () => {
  let world: EvmWorld;
  beforeEach(async () => {
    world = await createEvmWorld();
    await world.pay(gasWallet, ether);
    await world.anvil.mine();
  });
  afterEach(() => world.anvil.stop());

  const settings = (): EvmSettings => ({
    ...usualSettings,
    ...{ network: 'ETH', rpcUrl: world.anvil.url, chainId: anvilChainId, startBlock: 0 },
    keys: { kind: 'hot', seed: new Uint8Array(32) },
    nativeCoin: { perHourMax: null, sweepFrom: ether / 10n },
    tokens: [{ contract: world.token, perHourMax: null, sweepFrom: ether }],
  });
  function sweeperWith(changes: Partial<typeof spending>): Sweeper {
    const rpc = createRpc({ network: 'ETH', url: world.anvil.url, timeoutMs: 5_000 });
    return new Sweeper({
      node: new EvmNode({ network: 'ETH', chainId: anvilChainId, rpc }),
      settings: settings(),
      spending: { ...spending, ...changes },
      deposits: new DepositAddresses(exchangeKeys),
      notice: (message) => void world.notices.push(message),
    });
  }
  const sentBy = async (address: string) =>
    Number(await world.anvil.rpc('eth_getTransactionCount', address, 'pending'));
  async function expectNothingSent(): Promise<void> {
    expect([await sentBy(depositAddress(0)), await sentBy(gasWallet)]).toEqual([0, 0]);
  }

  describe.each(['ether', 'token'])('of %s', (coin) => {
    beforeEach(async () => {
      await world.pay(depositAddress(0), ether);
      if (coin === 'token') await world.payToken(depositAddress(0), 50n * ether);
      await world.anvil.mine();
    });

    test('honest keys sweep it', async () => {
      await sweeperWith({}).sweep(1);
      await world.anvil.mine();
      const swept = coin === 'token' ? await world.tokenBalance(hotWallet) : await world.balance(hotWallet);
      expect(swept).toBeGreaterThan((9n * ether) / 10n);
    });

    test.each(Object.entries(plants))('bytes with %s are not sent', async (_name, [change, error]) => {
      const sweeper = sweeperWith({ deposit: (index) => signingElse(spending.deposit(index), change) });
      const failure = await sweeper.sweep(1).catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(InvariantBroken);
      expect(String(failure)).toContain(error);
      await expectNothingSent();
    });

    test('bytes that another key signed are not sent', async () => {
      const other: PrivateKeyAccount = { ...spending.gasWallet, address: spending.deposit(0).address };
      await expect(sweeperWith({ deposit: () => other }).sweep(1)).rejects.toThrow(
        'a sweep is signed by the address that it moves money of',
      );
      await expectNothingSent();
    });

    test('a transaction to somebody else is not even signed', async () => {
      let asked = 0;
      let signatures = 0;
      // The first answer is what sweeps are held against; later ones are what a fault makes of it.
      const hot = {
        ...spending.hotWallet,
        get address() {
          asked += 1;
          return asked === 1 ? spending.hotWallet.address : thief;
        },
      } as PrivateKeyAccount;
      const deposit = (index: number) =>
        signingElse(spending.deposit(index), () => {
          signatures += 1;
          return {};
        });
      await expect(sweeperWith({ hotWallet: hot, deposit }).sweep(1)).rejects.toThrow(
        `a sweep pays the own hot wallet, not ${thief}`,
      );
      expect(signatures).toBe(0);
      await expectNothingSent();
    });
  });

  test('gas for a sweep goes to a deposit address only', async () => {
    await world.payToken(depositAddress(0), 50n * ether);
    await world.anvil.mine();
    const gas = signingElse(spending.gasWallet, () => ({ to: thief }));
    await expect(sweeperWith({ gasWallet: gas }).sweep(1)).rejects.toThrow(
      `gas goes to a deposit address, not to ${thief}`,
    );
    await expectNothingSent();
    await sweeperWith({}).sweep(1);
    expect(await sentBy(gasWallet)).toBe(1);
  });
});

describe('DEC-OPR-294: what a sweep may be', () => {
  const { feeCaps } = usualSettings;
  const bounds: SweepBounds = {
    hotWallet: hotWallet.toLowerCase(),
    contracts: [token],
    settings: { chainId: 1, feeCaps },
    isDepositAddress: (address) => address === depositAddress(0).toLowerCase(),
  };
  const gasMax = 2n * feeCaps.gasMax * feeCaps.feePerGasMax;
  test.each([
    ['sweep', { to: hotWallet, value: 1n, data: '0x' }, null],
    ['sweep', { to: token, value: 0n, data: transferData(hotWallet, 1n) }, null],
    ['sweep', { to: hotWallet, value: 0n, data: '0x' }, 'a sweep pays'],
    ['sweep', { to: depositAddress(0), value: 1n, data: '0x' }, 'a sweep pays the own hot wallet'],
    ['sweep', { to: gasWallet, value: 1n, data: '0x' }, 'a sweep pays the own hot wallet'],
    ['sweep', { to: thief, value: 0n, data: transferData(hotWallet, 1n) }, 'a token that is served'],
    ['sweep', { to: token, value: 0n, data: transferData(thief, 1n) }, 'a sweep pays the own hot wallet'],
    ['sweep', { to: token, value: 1n, data: transferData(hotWallet, 1n) }, 'does nothing else'],
    ['sweep', { to: token, value: 0n, data: `${transferData(hotWallet, 1n)}00` }, 'does nothing else'],
    ['topUp', { to: depositAddress(0), value: gasMax, data: '0x' }, null],
    ['topUp', { to: depositAddress(0), value: gasMax + 1n, data: '0x' }, 'the gas of two sweeps at most'],
    ['topUp', { to: hotWallet, value: 1n, data: '0x' }, 'gas goes to a deposit address'],
    ['topUp', { to: token, value: 0n, data: transferData(depositAddress(0), 1n) }, 'gas goes to a deposit address'],
  ] as const)('a %s %#', (purpose, transfer, error) => {
    const claim = () => assertSweepPays(purpose, transfer, bounds);
    if (error === null) expect(claim).not.toThrow();
    else expect(claim).toThrow(error);
  });
});
