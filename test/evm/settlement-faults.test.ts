import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { createEvmWorld, depositAddress, ether, gasWallet, hotWallet } from './evm-harness.ts';
import type { EvmSettlement } from './settlement-world.ts';
import { alice, openEvmSettlement } from './settlement-world.ts';

/** Units of the ledger: ETH has 9 decimals there, and 18 on the chain. */
const ledgerEther = 10n ** 9n;
const receiver = '0x00000000000000000000000000000000DeaDBeef';
/** What the operator pays to the hot wallet and the gas wallet together before anybody deposits. */
const float = 10n;

describe.skipIf(!hasAnvil)('settlement with an EVM chain that is replaced, and with a process that dies', () => {
  let world: EvmWorld;
  let opened: EvmSettlement;
  beforeEach(async () => {
    world = await createEvmWorld();
    for (const wallet of [hotWallet, gasWallet]) await world.pay(wallet, (float / 2n) * ether);
    await world.anvil.mine();
    opened = await openEvmSettlement(world);
    await opened.turn();
  });
  afterEach(() => world.anvil.stop());

  const usdt = () => {
    const { scale } = opened.exchange.engine.state.assets.find('USDT')!;
    return 10n ** BigInt(scale);
  };
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await opened.turn();
  };
  /** Replaces the newest blocks by empty ones; what was in them is gone. */
  const reorganise = async (depth: number) => {
    await world.anvil.rpc('anvil_reorg', depth, []);
    await world.anvil.rpc('anvil_dropAllTransactions');
  };
  /** Whether blocks have room for a payment. */
  const setRoom = (isThere: boolean) => world.anvil.rpc('evm_setBlockGasLimit', isThere ? '0x1c9c380' : '0x5207');
  const deposits = async () =>
    (await opened.exchange.queries.wallet.liveDeposits('ETH')).map(({ status, confirmations }) => [
      status,
      confirmations,
    ]);
  const withdrawal = (number: number) => opened.exchange.engine.state.withdrawals.get(number)!;

  /**
   * Nothing is unexplained: custody has the operator's float beside what the ledger knows of, and at most one unit for
   * each network fee, which the ledger rounds up.
   */
  async function expectReconciled(): Promise<void> {
    let fees = 0n;
    for (const sender of [hotWallet, gasWallet, depositAddress(0)])
      fees += BigInt(await world.anvil.rpc('eth_getTransactionCount', sender, 'latest'));
    const unexplained = (await opened.difference('ETH')) - float * ledgerEther;
    expect(unexplained).toBeGreaterThanOrEqual(0n);
    expect(unexplained).toBeLessThanOrEqual(fees);
    expect(await opened.difference('USDT')).toBe(0n);
    expect(opened.exchange.faults()).toEqual([]);
  }

  test('DEC-WAL-14: a deposit that a reorganisation takes away before minConfirm leaves no trace', async () => {
    await world.pay(depositAddress(0), ether / 20n);
    await world.payToken(depositAddress(0), 5n * ether);
    await turns(2);
    // Mined by the first turn; seen by the second, before it mined another block.
    expect(await deposits()).toEqual([
      ['pending', 1],
      ['pending', 1],
    ]);
    await reorganise(3);
    await turns(8);
    expect(await deposits()).toEqual([]);
    expect([opened.free('ETH'), opened.free('USDT')]).toEqual([0n, 0n]);
    expect(opened.onLedger('ETH')).toEqual({ here: 0n, gas: 0n });
    await expectReconciled();
  });

  test('DEC-WAL-17: a deposit that a reorganisation takes away after minConfirm freezes the account, and the books balance', async () => {
    await world.pay(depositAddress(0), ether / 20n);
    await turns(5);
    expect(opened.free('ETH')).toBe(ledgerEther / 20n);
    expect((await deposits()).map(([status]) => status)).toEqual(['success']);
    await reorganise(6);
    await turns(8);
    expect(opened.free('ETH')).toBe(0n);
    expect(opened.exchange.engine.state.accounts.get(alice)?.status).toBe('frozen');
    expect(opened.troubles.join()).toContain('it had been credited');
    await expectReconciled();
  });

  test('a withdrawal that a reorganisation takes out of its block is sent again, and pays once', async () => {
    await world.pay(depositAddress(0), ether);
    await turns(5);
    const number = await opened.withdraw('ETH', receiver, ledgerEther / 2n);
    for (let turn = 0; turn < 10 && withdrawal(number).confirmations === 0; turn += 1) await opened.turn();
    expect(withdrawal(number).status).toBe('confirming');
    expect(await world.balance(receiver)).toBeGreaterThan(0n);
    await reorganise(2);
    expect(await world.balance(receiver)).toBe(0n);
    await turns(12);
    expect(withdrawal(number).status).toBe('success');
    expect(await world.balance(receiver)).toBe((ether * 499n) / 1000n);
    await expectReconciled();
  });

  test('a process that dies at any step of replacing a withdrawal pays it once', async () => {
    await world.pay(depositAddress(0), ether);
    await turns(5);
    const number = await opened.withdraw('ETH', receiver, ledgerEther / 2n);
    await setRoom(false);
    await turns(4);
    expect(withdrawal(number).status).toBe('confirming');
    const first = withdrawal(number).transaction!;
    const steps = ['replacementFor', 'advanceWithdrawal replace', 'send'];
    for (const moment of steps.flatMap((step) => [`before ${step}`, `after ${step}`])) {
      let deaths = 0;
      opened.crash = (point) => point === moment && (deaths += 1) === 1;
      // Each process counts anew how long a transaction waits.
      await turns(5);
      expect([moment, deaths > 0]).toEqual([moment, true]);
    }
    opened.crash = () => false;
    await setRoom(true);
    await turns(8);
    const last = withdrawal(number);
    expect([last.status, last.transaction!.nonce]).toEqual(['success', first.nonce]);
    expect(last.transaction!.txId).not.toBe(first.txId);
    expect(await world.balance(receiver)).toBe((ether * 499n) / 1000n);
    await expectReconciled();
  });

  test('a withdrawal whose first transaction wins over its replacement is paid once, and says by which', async () => {
    await world.pay(depositAddress(0), ether);
    await turns(5);
    const number = await opened.withdraw('ETH', receiver, ledgerEther / 2n);
    await setRoom(false);
    await turns(4);
    const first = withdrawal(number).transaction!;
    for (let turn = 0; turn < 6 && withdrawal(number).transaction!.txId === first.txId; turn += 1) await opened.turn();
    expect(withdrawal(number).transaction!.txId).not.toBe(first.txId);
    // A miner that never heard of the replacement.
    await world.anvil.rpc('anvil_dropAllTransactions');
    await setRoom(true);
    await world.anvil.rpc('eth_sendRawTransaction', first.raw);
    await world.anvil.mine();
    await turns(6);
    expect([withdrawal(number).status, withdrawal(number).transaction!.txId]).toEqual(['success', first.txId]);
    expect(await world.balance(receiver)).toBe((ether * 499n) / 1000n);
    await expectReconciled();
  });

  test('a process that dies before and after every call of every look doubles nothing and leaves nothing stuck', async () => {
    const died = new Set<string>();
    const diedAtBlock = new Set<string>();
    const calls = new Map<string, number>();
    opened.crash = (point) => {
      const nth = (calls.get(point) ?? 0) + 1;
      calls.set(point, nth);
      const call = `${point} ${nth}`;
      if (diedAtBlock.has(call)) return false;
      diedAtBlock.add(call);
      died.add(point);
      return true;
    };
    /** Polling until the process has died at each call that there is at this block, and then once more to the end. */
    const blocks = async (count: number) => {
      for (let block = 0; block < count; block += 1) {
        let deaths = 0;
        for (let hasLived = false; !hasLived; deaths += 1) {
          calls.clear();
          hasLived = await opened.look();
          expect(deaths).toBeLessThan(300);
        }
        diedAtBlock.clear();
        await world.anvil.mine();
      }
    };
    await world.pay(depositAddress(0), 2n * ether);
    await world.payToken(depositAddress(0), 100n * ether);
    await blocks(6);
    expect([opened.free('ETH'), opened.free('USDT')]).toEqual([2n * ledgerEther, 100n * usdt()]);
    const numbers = [
      await opened.withdraw('ETH', receiver, ledgerEther),
      await opened.withdraw('USDT', receiver, 50n * usdt()),
    ];
    // Blocks without room: what is sent waits.
    await setRoom(false);
    await blocks(4);
    await setRoom(true);
    await blocks(8);

    expect(numbers.map((number) => withdrawal(number).status)).toEqual(['success', 'success']);
    expect([opened.free('ETH'), opened.free('USDT')]).toEqual([ledgerEther, 50n * usdt()]);
    // The fee is inside the amount: 0.001 ETH, 3 USDT.
    expect(await world.balance(receiver)).toBe((ether * 999n) / 1000n);
    expect(await world.tokenBalance(receiver)).toBe(47n * ether);
    expect(await world.tokenBalance(depositAddress(0))).toBe(0n);
    expect(opened.onLedger('ETH').gas).toBeLessThan(0n);
    await expectReconciled();
    const ofCustody = ['observe', 'placesOf', 'sign', 'send', 'fateOf', 'replacementFor', 'sweep', 'sweepsSince'];
    const ofIngress = ['reportDeposit', 'recordChainPosition', 'recordSweep'];
    const events = ['assess', 'begin', 'sign', 'broadcast', 'confirm'].map((event) => `advanceWithdrawal ${event}`);
    for (const call of [...ofCustody, ...ofIngress, ...events])
      for (const moment of ['before', 'after']) expect(died).toContain(`${moment} ${call}`);
  }, 90_000);
});
