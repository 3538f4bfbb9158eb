import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { createEvmWorld, depositAddress, ether, gasWallet, hotWallet } from './evm-harness.ts';
import { type EvmSettlement, openEvmSettlement } from './settlement-world.ts';

const receiver = '0x00000000000000000000000000000000DeaDBeef';
const ledgerEther = 10n ** 9n;

describe.skipIf(!hasAnvil)('a hot wallet of an EVM chain that has too little', () => {
  let world: EvmWorld;
  let opened: EvmSettlement;
  beforeEach(async () => {
    world = await createEvmWorld();
    await world.pay(gasWallet, ether);
    await world.anvil.mine();
    // What is deposited stays where it is, so that the hot wallet has what these tests give it.
    const sweepsNothing = { nativeCoin: { perHourMax: null, sweepFrom: null }, tokens: [tokenOf(world)] };
    opened = await openEvmSettlement(world, { custody: () => world.custody(sweepsNothing) });
    await world.pay(depositAddress(0), 2n * ether);
    await world.payToken(depositAddress(0), 100n * ether);
    await turns(6);
  });
  afterEach(() => world.anvil.stop());

  const tokenOf = ({ token }: EvmWorld) => ({ contract: token, perHourMax: null, sweepFrom: null });
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await opened.turn();
  };
  const assetOf = (code: string) => opened.exchange.engine.state.assets.find(code)!;
  const assetId = (code: string) => assetOf(code).id;
  const unitOf = (code: string) => 10n ** BigInt(assetOf(code).scale);
  const statusOf = (withdrawal: number) => opened.exchange.engine.state.withdrawals.get(withdrawal)!.status;
  const lacks = () => opened.payingState().lacks();
  /** Pays the hot wallet, and gives settlement the time to go on. */
  const fund = async (pay: Promise<string>) => {
    await pay;
    await turns(8);
  };

  test('DEC-OPR-290: ether that is missing is told with the least fee, and paid when it arrives', async () => {
    await fund(world.pay(hotWallet, ether / 4n));
    const withdrawal = await opened.withdraw('ETH', receiver, ledgerEther);
    await turns(4);
    expect(statusOf(withdrawal)).toBe('wait');
    const lack = opened.payingState().shortfallOf(withdrawal)!;
    expect(lack).toMatchObject({ asset: assetId('ETH'), purpose: 'amount', withdrawals: 1 });
    // 0.999 ETH leave, and 0.25 are there; the fee comes beside.
    expect(lack.missing).toBeGreaterThan((ledgerEther * 749n) / 1000n);
    expect(lack.missing).toBeLessThan((ledgerEther * 760n) / 1000n);
    await fund(world.pay(hotWallet, ether));
    expect([statusOf(withdrawal), lacks()]).toEqual(['success', []]);
    expect(await world.balance(receiver)).toBe((ether * 999n) / 1000n);
    expect(opened.notices.map((notice) => notice.replace(/lacks [\d.]+ /, 'lacks some '))).toEqual([
      'The hot wallet of ETH lacks some ETH: withdrawals wait for funds, and go on by themselves when money arrives.',
      'The hot wallet of ETH does not lack ETH any more.',
    ]);
    expect(opened.troubles).toEqual([]);
  });

  test('DEC-OPR-290: tokens that are missing, then gas that is missing, each until it arrives, also over a restart', async () => {
    const withdrawal = await opened.withdraw('USDT', receiver, 50n * unitOf('USDT'));
    await turns(4);
    expect(opened.payingState().shortfallOf(withdrawal)).toEqual({
      asset: assetId('USDT'),
      missing: 47n * unitOf('USDT'),
      purpose: 'amount',
      withdrawals: 1,
    });
    opened.restart();
    await fund(world.payToken(hotWallet, 47n * ether));
    expect(statusOf(withdrawal)).toBe('wait');
    const gas = opened.payingState().shortfallOf(withdrawal)!;
    expect(gas).toMatchObject({ asset: assetId('ETH'), purpose: 'networkFee', withdrawals: 1 });
    expect(gas.missing).toBeGreaterThan(0n);
    opened.restart();
    await turns(2);
    expect(lacks()).toMatchObject([{ asset: assetId('ETH'), purpose: 'networkFee', withdrawals: 1 }]);
    // What it says is missing is enough.
    await fund(world.pay(hotWallet, gas.missing * 10n ** 9n));
    expect([statusOf(withdrawal), lacks()]).toEqual(['success', []]);
    expect(await world.tokenBalance(receiver)).toBe(47n * ether);
    expect([opened.troubles, opened.exchange.faults()]).toEqual([[], []]);
  });
});
