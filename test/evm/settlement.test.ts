import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { createEvmWorld, depositAddress, ether, gasWallet, hotWallet } from './evm-harness.ts';
import type { EvmSettlement } from './settlement-world.ts';
import { openEvmSettlement } from './settlement-world.ts';

/** Units of the ledger: ETH has 9 decimals there, and 18 on the chain. */
const ledgerEther = 10n ** 9n;
const receiver = '0x00000000000000000000000000000000DeaDBeef';

describe.skipIf(!hasAnvil)('settlement with an EVM chain', () => {
  let world: EvmWorld;
  let opened: EvmSettlement;
  beforeEach(async () => {
    world = await createEvmWorld();
    for (const wallet of [hotWallet, gasWallet]) await world.pay(wallet, 5n * ether);
    await world.payToken(hotWallet, 1000n * ether);
    await world.anvil.mine();
    opened = await openEvmSettlement(world);
  });
  afterEach(() => world.anvil.stop());

  const holdings = async () => {
    const [native, tokens] = await world.custody().holdings([world.token], 1);
    return { native: native!.amount, tokens: tokens!.amount };
  };
  const usdt = () => {
    const { scale } = opened.exchange.engine.state.assets.at(opened.exchange.engine.state.assets.find('USDT')!.id);
    return 10n ** BigInt(scale);
  };
  const statuses = async () => {
    const withdrawals = await opened.exchange.queries.wallet.liveWithdrawals('ETH');
    return [...new Set(withdrawals.map(({ status }) => status))];
  };

  test('DEC-WAL-49, DEC-WAL-92: a deposit is credited, swept and paid out again, and the gas of all of it is on the books', async () => {
    await opened.turn();
    const before = await holdings();
    await world.pay(depositAddress(0), 2n * ether);
    await world.payToken(depositAddress(0), 100n * ether);
    for (let block = 0; block < 5; block += 1) await opened.turn();
    expect([opened.free('ETH'), opened.free('USDT')]).toEqual([2n * ledgerEther, 100n * usdt()]);
    await opened.withdraw('ETH', receiver, ledgerEther);
    await opened.withdraw('USDT', receiver, 50n * usdt());
    for (let block = 0; block < 12; block += 1) await opened.turn();
    expect(await statuses()).toEqual(['success']);
    // The fee is inside the amount: 0.001 ETH, 3 USDT.
    expect(await world.balance(receiver)).toBe((ether * 999n) / 1000n);
    expect(await world.tokenBalance(receiver)).toBe(47n * ether);
    expect(await world.tokenBalance(depositAddress(0))).toBe(0n);
    await expectBooks(before);
    expect(opened.onLedger('ETH').gas).toBeLessThan(0n);
    expect([...opened.troubles, ...world.notices]).toEqual([]);
  });

  /** Custody has what it had before, what came over the chain and is still here: nothing doubled, nothing lost. */
  async function expectBooks(before: { readonly native: bigint; readonly tokens: bigint }): Promise<void> {
    const after = await holdings();
    const scale = ether / usdt();
    expect(after.tokens - before.tokens).toBe(opened.onLedger('USDT').here * scale);
    // Each network fee is rounded up to the ledger's unit, and there are less than a thousand.
    const difference = (after.native - before.native) / ledgerEther - opened.onLedger('ETH').here;
    expect(difference).toBeGreaterThanOrEqual(0n);
    expect(difference).toBeLessThan(1000n);
    expect(opened.exchange.faults()).toEqual([]);
  }

  test('a process that dies again and again, before and after every step, neither doubles nor loses anything', async () => {
    await opened.turn();
    const before = await holdings();
    const chance = createPrng(77);
    const died = new Map<string, number>();
    opened.crash = (point) => {
      const deaths = died.get(point) ?? 0;
      if (deaths > 0 && chance.below(6 + 4 * deaths) > 0) return false;
      died.set(point, deaths + 1);
      return true;
    };
    let [paidEther, paidTokens, sentEther, sentTokens] = [0n, 0n, 0n, 0n];
    for (let block = 0; block < 100; block += 1) {
      if (block % 20 === 0) {
        await world.pay(depositAddress(0), 2n * ether);
        await world.payToken(depositAddress(0), 100n * ether);
        paidEther += 2n;
        paidTokens += 100n;
      }
      if (block % 20 === 10 && opened.free('ETH') > ledgerEther && opened.free('USDT') > 50n * usdt()) {
        await opened.withdraw('ETH', receiver, ledgerEther);
        await opened.withdraw('USDT', receiver, 50n * usdt());
        sentEther += 1n;
        sentTokens += 1n;
      }
      await opened.turn();
    }
    opened.crash = () => false;
    for (let block = 0; block < 30; block += 1) await opened.turn();

    expect(await statuses()).toEqual(['success']);
    expect(sentEther).toBeGreaterThan(2n);
    expect(opened.free('ETH')).toBe((paidEther - sentEther) * ledgerEther);
    expect(opened.free('USDT')).toBe((paidTokens - 50n * sentTokens) * usdt());
    expect(await world.balance(receiver)).toBe((sentEther * ether * 999n) / 1000n);
    expect(await world.tokenBalance(receiver)).toBe(47n * sentTokens * ether);
    await expectBooks(before);
    for (const step of ['send', 'sign', 'advanceWithdrawal sign', 'observe', 'reportDeposit', 'recordSweep', 'sweep'])
      for (const moment of ['before', 'after']) expect([...died.keys()]).toContain(`${moment} ${step}`);
  }, 120_000);
});
