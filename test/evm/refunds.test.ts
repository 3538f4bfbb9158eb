import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { innerHouse } from '#model/account.ts';
import { createPrng } from '#base/prng.ts';
import { sightOfPayment } from '#custody/settlement/sight-of-payment.ts';
import type { DepositView, WithdrawalView } from '#model/wallet.ts';
import { isEvery, shareOf } from '../every-case.ts';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { createEvmWorld, depositAddress, ether, gasWallet, hotWallet } from './evm-harness.ts';
import { alice, type EvmSettlement, openEvmSettlement } from './settlement-world.ts';
import { operated } from '../operated.ts';

/** Units of the ledger: ETH has 9 decimals there, and 18 on the chain. */
const ledgerEther = 10n ** 9n;
const payer = '0x00000000000000000000000000000000DeaDBeef';
const other = '0x000000000000000000000000000000000000bEEF';
/** What arrives of one ether: the fee is 0.001 ETH. */
const arrived = (ether * 999n) / 1000n;

describe.skipIf(!hasAnvil)('deposits that the hot wallet pays back', () => {
  let world: EvmWorld;
  let opened: EvmSettlement;
  beforeEach(async () => {
    world = await createEvmWorld();
    for (const wallet of [hotWallet, gasWallet]) await world.pay(wallet, 5n * ether);
    await world.anvil.mine();
    opened = await openEvmSettlement(world);
    await turns(1);
    await opened.must({ kind: 'setAccountStatus', account: alice, status: 'frozen' });
  });
  afterEach(() => world.anvil.stop());

  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await opened.turn();
  };
  const state = () => opened.exchange.engine.state;
  const deposit = (): DepositView => state().deposits.all().at(-1)!;
  const refund = (): WithdrawalView => state().withdrawals.refundOf(deposit().deposit)!;
  /** A deposit of one ether to a frozen account, which an operator decided to refund. */
  const toRefund = async (): Promise<DepositView> => {
    await world.pay(depositAddress(0), ether);
    await turns(5);
    expect(deposit().status).toBe('restricted');
    const review = { kind: 'reviewDeposit', deposit: deposit().deposit, account: null, sight: null } as const;
    await opened.must(operated('olga', { ...review, decision: 'refund' }));
    return deposit();
  };
  const payBack = async (to = payer) => {
    const known = deposit();
    const custody = new Map([['ETH', world.custody()]]);
    const seen = await sightOfPayment({ custody, queries: opened.exchange.queries }, known);
    const sight = seen.kind === 'seen' ? seen.sight : null;
    const command = { kind: 'payBackDeposit', deposit: known.deposit, address: to, memo: null, sight } as const;
    await opened.must(operated('olga', command));
  };
  const lossesOf = (code: string): bigint => {
    const { ledger, assets } = state();
    const row = ledger.balances.find(innerHouse.chainLosses, assets.find(code)!.id);
    return row < 0 ? 0n : ledger.balances.free.get(row);
  };
  /** The float of the wallets, and less than a unit for each network fee, is all that the ledger does not explain. */
  const expectBooks = async () => {
    expect(opened.exchange.faults()).toEqual([]);
    const difference = (await opened.difference('ETH')) - 10n * ledgerEther;
    expect(difference).toBeGreaterThanOrEqual(0n);
    expect(difference).toBeLessThan(1000n);
  };

  test('DEC-OPR-215: a decision alone pays nothing; with an address it is paid back once, less the fee', async () => {
    await toRefund();
    await turns(10);
    expect([deposit().status, await world.balance(payer), state().withdrawals.count]).toEqual(['refund', 0n, 0]);
    await expectBooks();
    await payBack();
    for (let turn = 0; turn < 8; turn += 1) {
      await opened.turn();
      await expectBooks();
    }
    expect([deposit().status, refund().status]).toEqual(['refunded', 'success']);
    expect(await world.balance(payer)).toBe(arrived);
    await turns(10);
    expect(await world.balance(payer)).toBe(arrived);
    expect([...opened.troubles, ...world.notices, ...opened.notices]).toEqual([]);
  });

  const moments = ['advanceWithdrawal sign', 'send', 'advanceWithdrawal begin', 'advanceWithdrawal broadcast'];
  const deaths = [...moments, 'advanceWithdrawal confirm'].flatMap((moment) => [`after ${moment}`, `before ${moment}`]);
  test.each(shareOf(deaths, 3))('DEC-OPR-215: a process that dies %s pays it once', async (where) => {
    await toRefund();
    await payBack();
    let died = 0;
    opened.crash = (point) => {
      if (point !== where || died === 3) return false;
      died += 1;
      return true;
    };
    await turns(20);
    expect(died).toBeGreaterThan(0);
    expect([deposit().status, await world.balance(payer)]).toEqual(['refunded', arrived]);
    await expectBooks();
  });

  test.runIf(isEvery)(
    'DEC-OPR-215: refunds and withdrawals of a process that dies again and again are all paid once',
    async () => {
      await opened.must({ kind: 'setAccountStatus', account: alice, status: 'normal' });
      await world.pay(depositAddress(0), 4n * ether);
      await turns(5);
      await opened.must({ kind: 'setAccountStatus', account: alice, status: 'frozen' });
      const chance = createPrng(99);
      let paidBack = 0n;
      for (let round = 0; round < 3; round += 1) {
        opened.crash = () => false;
        await opened.must({ kind: 'setAccountStatus', account: alice, status: 'frozen' });
        await toRefund();
        await payBack();
        paidBack += 1n;
        await opened.must({ kind: 'setAccountStatus', account: alice, status: 'normal' });
        await opened.withdraw('ETH', other, ledgerEther);
        opened.crash = () => chance.below(8) === 0;
        await turns(25);
      }
      opened.crash = () => false;
      await turns(20);
      expect(await world.balance(payer)).toBe(paidBack * arrived);
      expect(await world.balance(other)).toBe(3n * arrived);
      expect(
        state()
          .withdrawals.all()
          .map(({ status }) => status),
      ).toEqual(Array(6).fill('success'));
      await expectBooks();
    },
    120_000,
  );

  test('DEC-OPR-217: a deposit that its chain drops before the refund is signed is not paid back until it is in a block again', async () => {
    await world.anvil.mine(20);
    const sweepsNothing = { nativeCoin: { perHourMax: 1n, sweepFrom: null }, tokens: [] };
    await reopen(() => world.custody(sweepsNothing));
    const { txId } = await toRefund();
    const raw = await world.anvil.rpc('eth_getRawTransactionByHash', txId);
    // Its limit keeps it waiting: what leaves per hour is one wei.
    await payBack();
    await turns(4);
    expect([deposit().status, refund().status]).toEqual(['refunding', 'wait']);
    await world.anvil.rpc('anvil_reorg', 12, []);
    await world.anvil.rpc('anvil_dropAllTransactions');
    await turns(3);
    expect([deposit().status, deposit().block, refund().status]).toEqual(['refund', null, 'cancelled']);
    await expectBooks();
    await expect(payBack()).rejects.toThrow('invalidConfiguration');

    await reopen(() => world.custody({ nativeCoin: { perHourMax: null, sweepFrom: null }, tokens: [] }));
    await world.anvil.rpc('eth_sendRawTransaction', raw);
    await turns(5);
    expect(deposit().block).not.toBeNull();
    await payBack(other);
    await turns(8);
    expect([deposit().status, await world.balance(payer), await world.balance(other)]).toEqual([
      'refunded',
      0n,
      arrived,
    ]);
    await expectBooks();
  });

  test('DEC-OPR-217: a fork that nobody told of is noticed before the refund is signed', async () => {
    await world.anvil.mine(20);
    await reopen(() => world.custody({ nativeCoin: { perHourMax: null, sweepFrom: null }, tokens: [] }));
    await toRefund();
    await payBack();
    // Between the look at deposits and the signature.
    let isReplaced = false;
    const begins = opened.exchange.queries.wallet.depositsBehind;
    const { wallet } = opened.exchange.queries as { wallet: { depositsBehind: typeof begins } };
    wallet.depositsBehind = async (view) => {
      if (!isReplaced) await world.anvil.rpc('anvil_reorg', 12, []);
      isReplaced = true;
      await world.anvil.rpc('anvil_dropAllTransactions');
      return begins(view);
    };
    await turns(6);
    expect(isReplaced).toBe(true);
    expect([deposit().status, refund().status, await world.balance(payer)]).toEqual(['refund', 'cancelled', 0n]);
    await expectBooks();
  });

  test('DEC-OPR-217: what a reorganisation takes after it was paid back is a loss of the house, and told', async () => {
    await world.anvil.mine(20);
    await reopen(() => world.custody({ nativeCoin: { perHourMax: null, sweepFrom: null }, tokens: [] }));
    const { txId } = await toRefund();
    const raw = await world.anvil.rpc('eth_getRawTransactionByHash', txId);
    await payBack();
    await turns(8);
    expect([deposit().status, await world.balance(payer)]).toEqual(['refunded', arrived]);
    // Both the deposit and what paid it back; the latter is sent again.
    await world.anvil.rpc('anvil_reorg', 18, []);
    await world.anvil.rpc('anvil_dropAllTransactions');
    await turns(8);
    expect([deposit().block, await world.balance(payer)]).toEqual([null, arrived]);
    expect(lossesOf('ETH')).toBe(-ledgerEther);
    expect(opened.troubles.join()).toContain('chain losses');
    await expectBooks();
    await world.anvil.rpc('eth_sendRawTransaction', raw);
    await turns(5);
    expect([deposit().block === null, lossesOf('ETH')]).toEqual([false, 0n]);
    await expectBooks();
  });

  test('DEC-OPR-217: what was signed is sent though its deposit is gone, so that it keeps no withdrawal waiting', async () => {
    await world.anvil.mine(20);
    await opened.must({ kind: 'setAccountStatus', account: alice, status: 'normal' });
    await world.pay(depositAddress(0), 2n * ether);
    await turns(5);
    await world.anvil.mine(20);
    await opened.must({ kind: 'setAccountStatus', account: alice, status: 'frozen' });
    await reopen(() => world.custody({ nativeCoin: { perHourMax: null, sweepFrom: null }, tokens: [] }));
    await toRefund();
    await payBack();
    opened.crash = (point) => point === 'before send';
    await turns(3);
    expect(refund().status).toBe('packaging');
    await world.anvil.rpc('anvil_reorg', 12, []);
    await world.anvil.rpc('anvil_dropAllTransactions');
    await turns(2);
    expect([deposit().block, lossesOf('ETH')]).toEqual([null, -ledgerEther]);
    await opened.must({ kind: 'setAccountStatus', account: alice, status: 'normal' });
    const next = await opened.withdraw('ETH', other, ledgerEther);
    opened.crash = () => false;
    await turns(12);
    expect([refund().status, state().withdrawals.get(next)!.status]).toEqual(['success', 'success']);
    expect([await world.balance(payer), await world.balance(other)]).toEqual([arrived, arrived]);
    expect([deposit().status, lossesOf('ETH')]).toEqual(['refunded', -ledgerEther]);
    await expectBooks();
  });

  test('DEC-OPR-217: what a restored backup has lost holds it; booked to it, it is paid once', async () => {
    await toRefund();
    await payBack();
    const backup = [...opened.exchange.entries];
    await turns(8);
    expect(await world.balance(payer)).toBe(arrived);
    await reopen(() => world.custody(), backup);
    await turns(4);
    expect([deposit().status, refund().status]).toEqual(['refunding', 'wait']);
    const nothing = { account: null, asset: null, amount: 0n as never, deposit: null };
    await opened.must(
      operated('olga', {
        kind: 'bookUnknownPayment',
        ...{ network: 'ETH', payment: '0', booking: 'withdrawal', withdrawal: refund().withdrawal },
        ...nothing,
      }),
    );
    await turns(10);
    expect([deposit().status, await world.balance(payer)]).toEqual(['refunded', arrived]);
    await expectBooks();
  });

  test('DEC-OPR-217: it waits for funds like any withdrawal, and goes on when money arrives', async () => {
    await world.anvil.rpc('anvil_setBalance', hotWallet, '0x0');
    await reopen(() => world.custody({ nativeCoin: { perHourMax: null, sweepFrom: null }, tokens: [] }));
    await toRefund();
    await payBack();
    await turns(4);
    expect(opened.payingState().shortfallOf(refund().withdrawal)).toMatchObject({ purpose: 'amount', withdrawals: 1 });
    await world.pay(hotWallet, 5n * ether);
    await turns(8);
    expect([deposit().status, await world.balance(payer)]).toEqual(['refunded', arrived]);
    await expectBooks();
  });

  const reopen = async (
    custody: () => ReturnType<EvmWorld['custody']>,
    backup: EvmSettlement['exchange']['entries'] = [...opened.exchange.entries],
  ) => {
    opened = await openEvmSettlement(world, { backup, custody });
  };
});
