import { describe, expect, test } from 'vitest';
import { as, type AssetId, type Balance } from '#model/units.ts';
import { insideTxId } from '#model/wallet-id.ts';
import { dayMs, refusals } from './deposit-desk.ts';
import { alice, bob, coin, funds, postings, undelivered, usd, WithdrawalDesk } from './withdrawal-desk.ts';

describe('withdrawals inside to accounts that are not usable', () => {
  /** A desk where bob is frozen and was sent 100, and the number of the deposit. */
  function frozenDesk(): { desk: WithdrawalDesk; deposit: number } {
    const desk = new WithdrawalDesk();
    desk.setStatus(bob, 'frozen');
    const events = desk.request({ address: `0x${bob}` });
    expect(postings(events)).toEqual([`4 1 -100 0 withdrawal`, `${undelivered} 1 100 0 deposit`]);
    desk.restore();
    return { desk, deposit: desk.engine.state.deposits.lastDeposit };
  }

  test.each(['frozen', 'abnormal'] as const)(
    'DEC-WAL-150: of a receiver that is %s the money waits, and an operator credits it',
    (status) => {
      const { desk, deposit } = frozenDesk();
      desk.setStatus(bob, status);
      expect(desk.engine.state.deposits.get(deposit)).toMatchObject({
        status: 'restricted',
        account: bob,
        block: null,
      });
      expect([desk.status(1), desk.free(bob), desk.free(undelivered)]).toEqual(['success', 0n, 100n]);
      expect(refusals(desk.cancel(1))).toEqual(['notCancellable']);
      desk.setStatus(bob, 'normal');
      expect(desk.free(bob)).toBe(0n);
      const credit = { kind: 'reviewDeposit', deposit, decision: 'credit', account: null, sight: null } as const;
      expect(postings(desk.run(credit))).toEqual([`${undelivered} 1 -100 0 deposit`, '5 1 100 0 deposit']);
      expect(desk.faults()).toEqual([]);
      expect(refusals(desk.run(credit))).toEqual(['wrongState']);
      expect(refusals(desk.run({ ...credit, decision: 'refund' }))).toEqual(['wrongState']);
      desk.restore();
      expect([desk.free(bob), desk.free(undelivered), desk.faults()]).toEqual([100n, 0n, []]);
    },
  );

  test('DEC-WAL-150: a refund gives it back to the sender, whatever the state of the sender, and the withdrawal stays', () => {
    const { desk, deposit } = frozenDesk();
    desk.setStatus(alice, 'frozen');
    const events = desk.review(deposit, 'refund');
    expect(postings(events)).toEqual([`${undelivered} 1 -100 0 withdrawal`, '4 1 100 0 withdrawal']);
    expect([desk.status(1), desk.free(alice), desk.free(bob)]).toEqual(['success', funds, 0n]);
    desk.restore();
    expect(refusals(desk.review(deposit, 'credit'))).toEqual(['wrongState']);
    // The record leaves after some days, as those of chains do.
    desk.at += 4 * dayMs;
    desk.setStatus(alice, 'normal');
    for (let made = 0; made < 2; made += 1) desk.request({ address: `0x${bob}` });
    expect(desk.engine.state.deposits.get(deposit)).toBe(null);
    expect(desk.faults()).toEqual([]);
  });

  test('DEC-WAL-150: neither flags, rejections nor words of a chain touch it', () => {
    const { desk, deposit } = frozenDesk();
    for (const decision of ['flag', 'reject'] as const)
      expect(refusals(desk.review(deposit, decision))).toEqual(['wrongState']);
    const terms = { asset: as<AssetId>(coin), address: `0x${bob}`, amount: as<Balance>(100n) };
    expect(refusals(desk.report(insideTxId(1), 3, terms))).toEqual(['invalidConfiguration']);
    expect(refusals(desk.removal(insideTxId(1)))).toEqual(['unknownDeposit']);
    desk.run({ kind: 'recordFork', network: 'NET', height: -1 });
    expect(desk.engine.state.deposits.doubted.count).toBe(0);
    expect(desk.free(undelivered)).toBe(100n);
    expect(desk.faults()).toEqual([]);
  });

  test('DEC-WAL-151: where deposits of the asset are off nothing is delivered inside, and nothing is taken', () => {
    const desk = new WithdrawalDesk();
    desk.configure(coin, { depositEnabled: false });
    expect(refusals(desk.request({ address: `0x${bob}` }))).toEqual(['depositsOff']);
    expect(refusals(desk.request())).toEqual([]);
    desk.configure(coin, { withdrawEnabled: false });
    expect(refusals(desk.request({ address: `0x${bob}` }))).toEqual(['withdrawalsOff']);
    expect(desk.free(alice)).toBe(funds - 100n);
  });

  test('DEC-WAL-25, DEC-WAL-27: what goes inside counts towards the daily cap', () => {
    const desk = new WithdrawalDesk();
    const ask = (to: string): string =>
      refusals(desk.request({ asset: as(usd), amount: as(1000n), address: to }))[0] ?? '';
    for (let made = 0; made < 5; made += 1) expect(ask(`0x${bob}`)).toBe('');
    expect([ask(`0x${bob}`), ask('0xdead')]).toEqual(['dailyCapExceeded', 'dailyCapExceeded']);
  });
});
