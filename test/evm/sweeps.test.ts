import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sweep } from '#custody/custody.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import {
  addressCount,
  createEvmWorld,
  depositAddress,
  ether,
  gasWallet,
  hotWallet,
  observeAll,
} from './evm-harness.ts';
import { frozenTokenCode } from './test-token.ts';

describe.skipIf(!hasAnvil)('sweeps on an EVM chain', () => {
  let world: EvmWorld;
  beforeEach(async () => {
    world = await createEvmWorld();
    await world.pay(gasWallet, ether);
    await world.anvil.mine();
  });
  afterEach(() => world.anvil.stop());

  /** Rounds of sweeping, each by a new instance, with a block after each. */
  async function sweepRounds(count: number, settings: Partial<EvmSettings> = {}): Promise<void> {
    for (let round = 0; round < count; round += 1) {
      await world.custody(settings).sweep(addressCount);
      await world.anvil.mine();
    }
  }

  /** What is reported from the first block on, with a new instance per question. */
  async function allSweeps(settings: Partial<EvmSettings> = {}): Promise<readonly Sweep[]> {
    const sweeps: Sweep[] = [];
    let position: string | null = null;
    for (let turn = 0; turn < 100; turn += 1) {
      const reported = await world.custody(settings).sweepsSince(position, addressCount);
      sweeps.push(...reported.sweeps);
      if (reported.position === position) return sweeps;
      position = reported.position;
      expect(position).toMatch(/^[!-~]{1,200}$/);
    }
    throw new Error('there is always something new');
  }

  const holdings = async () => {
    const [native, tokens] = await world.custody().holdings([world.token], addressCount);
    return { native: native!.amount, tokens: tokens!.amount };
  };

  test('DEC-WAL-49: tokens and ether above their thresholds reach the hot wallet, and every fee is accounted for', async () => {
    await world.payToken(depositAddress(0), 50n * ether);
    await world.payToken(depositAddress(1), 10n * ether - 1n);
    await world.pay(depositAddress(2), 2n * ether);
    await world.pay(depositAddress(3), ether / 10n - 1n);
    await world.payToken(depositAddress(4), 20n * ether);
    await world.pay(depositAddress(4), ether);
    await world.anvil.mine();
    const before = await holdings();
    await sweepRounds(6);
    await world.anvil.mine(3);
    expect(await world.tokenBalance(hotWallet)).toBe(70n * ether);
    expect(await world.tokenBalance(depositAddress(1))).toBe(10n * ether - 1n);
    expect(await world.balance(depositAddress(3))).toBe(ether / 10n - 1n);
    expect(await world.balance(hotWallet)).toBeGreaterThan((299n * ether) / 100n);

    const sweeps = await allSweeps();
    const moved = (contract: string | null) =>
      sweeps.filter((sweep) => sweep.contract === contract).reduce((sum, { amount }) => sum + amount, 0n);
    expect(moved(world.token)).toBe(70n * ether);
    expect(moved(null)).toBe(await world.balance(hotWallet));
    const fees = sweeps.reduce((sum, { networkFee }) => sum + networkFee, 0n);
    expect(await holdings()).toEqual({ native: before.native - fees, tokens: before.tokens });
    // Gas for one address, two sweeps of tokens, two of ether.
    expect(sweeps.filter(({ amount }) => amount === 0n)).toHaveLength(1);
    expect(sweeps).toHaveLength(5);
    expect(new Set(sweeps.map(({ txId }) => txId)).size).toBe(5);
    expect(world.notices).toEqual([]);
  });

  test('DEC-WAL-45: gas for a sweep is never a deposit, nor is anything that sweeping does', async () => {
    await world.payToken(depositAddress(0), 50n * ether);
    await world.anvil.mine();
    const { position, payments } = await observeAll(world);
    expect(payments).toHaveLength(1);
    await sweepRounds(4);
    expect(await world.balance(gasWallet)).toBeLessThan(ether);
    expect(await world.tokenBalance(hotWallet)).toBe(50n * ether);
    expect((await observeAll(world, position)).payments).toEqual([]);
  });

  test('DEC-WAL-49: rounds without a block between them move everything once', async () => {
    await world.payToken(depositAddress(0), 50n * ether);
    await world.pay(depositAddress(1), ether);
    await world.anvil.mine();
    for (let round = 0; round < 4; round += 1) {
      for (let again = 0; again < 3; again += 1) await world.custody().sweep(addressCount);
      await world.anvil.mine();
    }
    await world.anvil.mine(3);
    const sweeps = await allSweeps();
    expect(sweeps.map(({ contract }) => contract)).toHaveLength(3);
    expect(await world.tokenBalance(hotWallet)).toBe(50n * ether);
    expect(world.notices).toEqual([]);
  });

  test('several addresses get gas in one round, each by a transaction of its own', async () => {
    for (const index of [0, 1, 2]) await world.payToken(depositAddress(index), 50n * ether);
    await world.anvil.mine();
    await sweepRounds(2);
    expect(await world.tokenBalance(hotWallet)).toBe(150n * ether);
  });

  test('a sweep is reported when it is final, and once', async () => {
    await world.pay(depositAddress(0), ether);
    await world.anvil.mine();
    const start = await world.custody().sweepsSince(null, addressCount);
    await sweepRounds(1);
    await world.anvil.mine();
    const early = await world.custody().sweepsSince(start.position, addressCount);
    expect(early.sweeps).toEqual([]);
    await world.anvil.mine();
    const final = await world.custody().sweepsSince(early.position, addressCount);
    expect(final.sweeps).toMatchObject([{ contract: null, amount: await world.balance(hotWallet) }]);
    await world.anvil.mine(5);
    const later = await world.custody().sweepsSince(final.position, addressCount);
    expect(later.sweeps).toEqual([]);
  });

  test('a reorganisation of final blocks is told to the operator, and nothing is reported twice', async () => {
    await world.pay(depositAddress(0), ether);
    await world.anvil.mine();
    await sweepRounds(1);
    await world.anvil.mine(4);
    let reported = await world.custody().sweepsSince(null, addressCount);
    reported = await world.custody().sweepsSince(reported.position, addressCount);
    expect(reported.sweeps).toHaveLength(1);
    await world.anvil.rpc('anvil_reorg', 5, []);
    await world.anvil.mine(4);
    const after = await world.custody().sweepsSince(reported.position, addressCount);
    expect(after.sweeps).toEqual([]);
    expect(world.notices).toEqual([expect.stringContaining('was final and is replaced')]);
  });

  test('addresses are looked at in turns, so that every one is swept', async () => {
    for (let index = 0; index < addressCount; index += 1) await world.pay(depositAddress(index), ether);
    await world.anvil.mine();
    const custody = world.custody({ addressesPerSweep: 2 });
    const left: bigint[] = [];
    for (let round = 0; round < 3; round += 1) {
      await custody.sweep(addressCount);
      await world.anvil.mine();
      left.push((await world.balance(hotWallet)) / ether);
    }
    expect(left).toEqual([1n, 3n, 4n]);
  });

  test('rounds of sweeping keep their distance, and a new process begins with one', async () => {
    const custody = world.custody({ sweepEveryMs: 60_000, addressesPerSweep: 1 });
    const sweptAfter = async (ms: number, index: number) => {
      await world.pay(depositAddress(index), ether);
      await world.anvil.mine();
      world.clock.ms += ms;
      await custody.sweep(addressCount);
      await world.anvil.mine();
      return (await world.balance(depositAddress(index))) < ether / 10n;
    };
    expect(await sweptAfter(0, 0)).toBe(true);
    expect(await sweptAfter(59_999, 1)).toBe(false);
    expect(await sweptAfter(1, 1)).toBe(true);
  });

  test('a token that custody does not serve is not looked at, and keeps nothing else from being counted', async () => {
    const nowhere = '0x1111111111111111111111111111111111111111';
    const held = await world.custody().holdings([nowhere, world.token], addressCount);
    expect(held.map(({ contract }) => contract)).toEqual([null, world.token]);
  });

  test('DEC-OPR-291: an empty gas wallet is told of once, and once when it is filled; tokens wait meanwhile', async () => {
    const custody = world.custody();
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        await custody.sweep(addressCount);
        await world.anvil.mine();
      }
    };
    await world.anvil.rpc('anvil_setBalance', gasWallet, '0x0');
    await world.payToken(depositAddress(0), 50n * ether);
    await world.anvil.mine();
    await rounds(3);
    const told = (how: string) => `The gas wallet ${gasWallet} ${how} for the gas of token sweeps.`;
    expect(world.notices).toEqual([told('has too little')]);
    await world.pay(gasWallet, ether);
    await world.anvil.mine();
    await rounds(3);
    expect(await world.tokenBalance(hotWallet)).toBe(50n * ether);
    await rounds(2);
    expect(world.notices).toEqual([told('has too little'), told('has enough again')]);
  });

  test('a token that refuses to move does not keep others from being swept', async () => {
    const { anvil, token } = world;
    const frozen = '0x00000000000000000000000000000000000000F0';
    await anvil.rpc('anvil_setCode', frozen, frozenTokenCode);
    const tokens = [frozen, token].map((contract) => ({ contract, perHourMax: null, sweepFrom: ether }));
    await world.payToken(depositAddress(0), 50n * ether);
    await anvil.mine();
    const custody = world.custody({ tokens });
    for (let round = 0; round < 3; round += 1) {
      await custody.sweep(addressCount);
      await anvil.mine();
    }
    expect(await world.tokenBalance(hotWallet)).toBe(50n * ether);
    const told = (address: string) => `Token ${frozen} cannot be swept from ${address}: execution reverted.`;
    const addresses = Array.from({ length: addressCount }, (_, index) => depositAddress(index));
    expect([...world.notices].sort()).toEqual(addresses.map(told).sort());
  });

  test('a sweep that waits too long gets a higher fee, and takes effect once', async () => {
    const { anvil } = world;
    await world.pay(depositAddress(0), ether);
    await anvil.mine();
    const custody = world.custody();
    const pooled = async () => {
      const pool = await anvil.rpc<{ pending: Record<string, Record<string, { maxFeePerGas: string }>> }>(
        'txpool_content',
      );
      return Object.values(pool.pending).flatMap((byNonce) => Object.values(byNonce));
    };
    const fees: bigint[] = [];
    for (let block = 0; block < 3; block += 1) {
      await custody.sweep(addressCount);
      const waiting = await pooled();
      expect(waiting).toHaveLength(1);
      fees.push(BigInt(waiting[0]!.maxFeePerGas));
      await anvil.rpc('evm_setBlockGasLimit', '0x5207');
      await anvil.mine();
      await anvil.rpc('evm_setBlockGasLimit', '0x1c9c380');
    }
    expect(fees[1]).toBe(fees[0]);
    expect(fees[2]! * 8n).toBeGreaterThanOrEqual(fees[0]! * 9n);
    await anvil.mine(4);
    expect(await allSweeps()).toHaveLength(1);
  });
});
