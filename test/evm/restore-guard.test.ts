import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { house, innerHouse } from '#model/account.ts';
import type { Entry } from '#model/command.ts';
import type { UnknownPayment } from '#model/safety.ts';
import { type AccountId, as } from '#model/units.ts';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { createEvmWorld, depositAddress, ether, exchangeKeys, gasWallet, hotWallet } from './evm-harness.ts';
import { alice, type EvmSettlement, openEvmSettlement } from './settlement-world.ts';
import { startTamperingNode } from './tampering-node.ts';
import { operated } from '../operated.ts';

/** Units of the ledger: ETH has 9 decimals there, and 18 on the chain. */
const ledgerEther = 10n ** 9n;
const receiver = '0x00000000000000000000000000000000DeaDBeef';
const otherReceiver = '0x000000000000000000000000000000000000bEEF';

describe.skipIf(!hasAnvil)('an exchange that was restored from a backup', () => {
  let world: EvmWorld;
  let opened: EvmSettlement;
  beforeEach(async () => {
    world = await createEvmWorld();
    for (const wallet of [hotWallet, gasWallet]) await world.pay(wallet, 50n * ether);
    await world.anvil.mine();
    opened = await openEvmSettlement(world);
    await turns(1);
    await world.pay(depositAddress(0), 20n * ether);
    await turns(5);
    expect(opened.free('ETH')).toBe(20n * ledgerEther);
  });
  afterEach(() => world.anvil.stop());

  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await opened.turn();
  };
  const restore = async (backup: readonly Entry[]) => {
    opened = await openEvmSettlement(world, { backup });
  };
  const statusOf = (withdrawal: number) => opened.exchange.engine.state.withdrawals.get(withdrawal)!.status;
  const unknown = (): readonly UnknownPayment[] => opened.exchange.engine.state.unknownPayments.all();
  const book = (
    payment: string,
    booking: 'withdrawal' | 'account' | 'capital',
    target: { withdrawal?: number; account?: typeof alice } = {},
  ) =>
    opened.must(
      operated('olga', {
        kind: 'bookUnknownPayment',
        network: 'ETH',
        payment,
        booking,
        withdrawal: target.withdrawal ?? null,
        account: target.account ?? null,
        deposit: null,
        asset: null,
        amount: as(0n),
      }),
    );
  const expectSound = async () => {
    expect(opened.exchange.faults()).toEqual([]);
    const difference = await opened.difference('ETH');
    // The float of the wallets, and less than a unit for each network fee.
    expect(difference - 100n * ledgerEther).toBeGreaterThanOrEqual(0n);
    expect(difference - 100n * ledgerEther).toBeLessThan(100n);
  };

  test('DEC-WAL-120, DEC-WAL-123: what was paid in the lost time is asked for again and paid once', async () => {
    const backup = [...opened.exchange.entries];
    await opened.withdraw('ETH', receiver, 2n * ledgerEther);
    await turns(8);
    const paid = (ether * 1999n) / 1000n;
    expect(await world.balance(receiver)).toBe(paid);

    await restore(backup);
    const again = await opened.withdraw('ETH', receiver, 2n * ledgerEther);
    const next = await opened.withdraw('ETH', otherReceiver, ledgerEther);
    await turns(6);
    expect([statusOf(again), statusOf(next)]).toEqual(['wait', 'wait']);
    expect(unknown()).toMatchObject([
      { network: 'ETH', payment: '0', nonce: 0, amount: 1_999_000_000n, address: receiver, booking: null },
    ]);
    expect(opened.notices.join()).toContain('withdrawals of ETH are held until it is booked');
    expect(await world.balance(receiver)).toBe(paid);

    await book('0', 'withdrawal', { withdrawal: again });
    expect(statusOf(again)).toBe('success');
    await turns(8);
    expect(statusOf(next)).toBe('success');
    expect(await world.balance(receiver)).toBe(paid);
    expect(await world.balance(otherReceiver)).toBe((ether * 999n) / 1000n);
    expect(opened.free('ETH')).toBe(17n * ledgerEther);
    await expectSound();
  });

  test('DEC-WAL-120: the hold outlasts restarts; what it holds can be cancelled', async () => {
    const backup = [...opened.exchange.entries];
    await opened.withdraw('ETH', receiver, 2n * ledgerEther);
    await turns(8);
    await restore(backup);
    const again = await opened.withdraw('ETH', receiver, 2n * ledgerEther);
    await turns(4);
    await restore([...opened.exchange.entries]);
    await turns(4);
    expect(statusOf(again)).toBe('wait');
    await opened.must({ kind: 'cancelWithdrawal', account: alice, withdrawal: again });
    expect(statusOf(again)).toBe('cancelled');
    expect(opened.free('ETH')).toBe(20n * ledgerEther);
  });

  test('DEC-WAL-124, DEC-WAL-125: booked to an account it may leave a claim, booked as capital it is of the operator', async () => {
    const backup = [...opened.exchange.entries];
    await opened.withdraw('ETH', receiver, 19n * ledgerEther);
    await opened.withdraw('ETH', otherReceiver, ledgerEther);
    await turns(9);
    await restore(backup);
    await turns(2);
    expect(unknown().map(({ nonce, txId }) => [nonce, txId !== null])).toEqual([
      [0, true],
      [1, true],
    ]);
    await opened.withdraw('ETH', otherReceiver, 15n * ledgerEther);
    await book('0', 'account', { account: alice });
    const balanceOf = (account: AccountId) => {
      const { balances } = opened.exchange.engine.state.ledger;
      const row = balances.find(account, opened.exchange.engine.state.assets.find('ETH')!.id);
      return row < 0 ? 0n : balances.free.get(row);
    };
    expect(opened.free('ETH')).toBe(0n);
    expect(balanceOf(innerHouse.chainLosses)).toBe(-13_999_000_000n);
    expect(opened.exchange.engine.state.unknownPayments.openOf('ETH')).toBe(1);
    await book('1', 'capital');
    expect(balanceOf(innerHouse.capital)).toBe(-999_000_000n);
    expect(balanceOf(house.outside)).toBeLessThan(0n);
    await turns(8);
    expect(opened.exchange.engine.state.withdrawals.all().map(({ status }) => status)).toEqual(['success']);
    await expectSound();
  });

  test('DEC-WAL-121: a transaction that nobody knows holds while it waits, and a node that forgets lifts no hold', async () => {
    const sent = await sendByHand(0, ether);
    const withdrawal = await opened.withdraw('ETH', receiver, ledgerEther);
    for (let look = 0; look < 4; look += 1) await opened.look();
    expect([statusOf(withdrawal), opened.payingState().unknownWaiting, unknown()]).toEqual(['wait', 1, []]);
    await turns(4);
    expect(unknown()).toMatchObject([{ nonce: 0, txId: sent, amount: ledgerEther }]);
    const node = await startTamperingNode(world.anvil.url);
    node.behaviour = {
      tamper: (result, { method }) => (method === 'eth_getTransactionCount' ? '0x0' : result),
    };
    opened = await openEvmSettlement(world, {
      backup: [...opened.exchange.entries],
      custody: () => world.custody({ rpcUrl: node.url }),
    });
    await turns(4);
    expect([statusOf(withdrawal), unknown().length]).toEqual(['wait', 1]);
    await book('0', 'capital');
    await turns(3);
    // The journal's nonce counts, whatever the node says: nothing is signed with one that is used.
    const signed = opened.exchange.engine.state.withdrawals.get(withdrawal)!.transaction;
    expect(signed === null || signed.nonce === 1).toBe(true);
    await node.stop();
  });

  test('DEC-WAL-121: what takes the nonce of a known payment is unknown itself', async () => {
    const withdrawal = await opened.withdraw('ETH', receiver, ledgerEther);
    opened.crash = (point) => point === 'before send';
    for (let look = 0; look < 8; look += 1) await opened.look();
    expect(statusOf(withdrawal)).toBe('packaging');
    const taker = await sendByHand(0, 2n * ether);
    await world.anvil.mine(4);
    opened.crash = () => false;
    await turns(5);
    expect(statusOf(withdrawal)).toBe('failed');
    expect(unknown()).toMatchObject([{ nonce: 0, txId: taker, amount: 2n * ledgerEther, booking: null }]);
    const other = await opened.withdraw('ETH', otherReceiver, ledgerEther);
    await turns(4);
    expect(statusOf(other)).toBe('wait');
    await book('0', 'capital');
    await turns(8);
    expect(statusOf(other)).toBe('success');
    await expectSound();
  });

  test('DEC-WAL-122: a transaction that moves nothing costs its fee and holds nothing', async () => {
    await sendByHand(0, 0n);
    await turns(6);
    expect(unknown()).toMatchObject([{ nonce: 0, amount: 0n, booking: 'nothing' }]);
    const withdrawal = await opened.withdraw('ETH', receiver, ledgerEther);
    await turns(8);
    expect(statusOf(withdrawal)).toBe('success');
    await expectSound();
  });

  test('DEC-WAL-126: a payment that a reorganisation drops after its success is sent again as it was signed', async () => {
    const withdrawal = await opened.withdraw('ETH', receiver, ledgerEther);
    for (let turn = 0; turn < 12 && statusOf(withdrawal) !== 'success'; turn += 1) await opened.turn();
    expect(statusOf(withdrawal)).toBe('success');
    const { txId } = opened.exchange.engine.state.withdrawals.get(withdrawal)!.transaction!;
    await world.anvil.rpc('anvil_reorg', 6, []);
    await world.anvil.rpc('anvil_dropAllTransactions');
    expect(await world.balance(receiver)).toBe(0n);
    await turns(6);
    expect(await world.balance(receiver)).toBe((ether * 999n) / 1000n);
    const receipt = await world.anvil.rpc<{ status: string } | null>('eth_getTransactionReceipt', txId);
    expect(receipt?.status).toBe('0x1');
    expect(statusOf(withdrawal)).toBe('success');
    expect(opened.exchange.engine.state.paidWithdrawals.allLost()).toEqual([]);
  });

  test('DEC-WAL-127: one that can never be in a block any more is told and booked', async () => {
    const withdrawal = await opened.withdraw('ETH', receiver, ledgerEther);
    for (let turn = 0; turn < 12 && statusOf(withdrawal) !== 'success'; turn += 1) await opened.turn();
    await world.anvil.rpc('anvil_reorg', 6, []);
    await world.anvil.rpc('anvil_dropAllTransactions');
    const taker = await sendByHand(0, ether);
    await world.anvil.mine(8);
    await turns(3);
    expect(statusOf(withdrawal)).toBe('success');
    const { paidWithdrawals } = opened.exchange.engine.state;
    expect(paidWithdrawals.allLost()).toMatchObject([{ withdrawal, amount: 999_000_000n, lostBy: taker }]);
    expect(unknown()).toMatchObject([{ nonce: 0, txId: taker, booking: null }]);
    expect(opened.notices.join()).toContain('a reorganisation dropped its payment for good');
    const before = opened.free('ETH');
    await opened.must({ kind: 'bookLostPayment', withdrawal, booking: 'account' });
    expect(opened.free('ETH') - before).toBe(999_000_000n);
    await book('0', 'capital');
    expect(opened.exchange.faults()).toEqual([]);
  });

  /** Somebody else with the keys of the hot wallet pays; answers the transaction. */
  async function sendByHand(nonce: number, value: bigint): Promise<string> {
    const raw = await exchangeKeys.spending!.hotWallet.signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      nonce,
      gas: 21_000n,
      maxFeePerGas: 50_000_000_000n,
      maxPriorityFeePerGas: 2_000_000_000n,
      to: otherReceiver,
      value,
    });
    return world.anvil.rpc('eth_sendRawTransaction', raw);
  }
});
