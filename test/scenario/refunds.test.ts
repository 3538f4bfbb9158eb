import { describe, expect, test } from 'vitest';
import type { Event } from '#model/event-record.ts';
import { as } from '#model/units.ts';
import { alice, assetCap, outside, refusals } from './deposit-desk.ts';
import {
  capital,
  chainLosses,
  fees,
  postings,
  signed,
  tagged,
  usd,
  WithdrawalDesk,
  type Step,
} from './withdrawal-desk.ts';
import { seenWith } from '../chain-sight.ts';

/** House account of deposits on their way back. */
const refunds = 2 ** 27 + 9;
const tx = 'the-one';

/** Words for deposits that are paid back: a payment of 100 TAGGED that names nobody is to be refunded. */
class RefundDesk extends WithdrawalDesk {
  constructor(amount = 100n) {
    super();
    this.report(tx, 3, { network: 'TAG', asset: as(tagged), address: 'shared', memo: null, amount: as(amount) });
    this.review(1, 'refund');
  }

  /** The withdrawal that pays it back, after these steps. */
  paying(taken: readonly Step[], ...changes: Parameters<RefundDesk['payBack']>[1][]): number {
    expect(refusals(this.payBack(1, ...changes))).toEqual([]);
    const withdrawal = this.engine.state.withdrawals.lastWithdrawal;
    for (const step of taken) expect([step, refusals(this.step(withdrawal, step))]).toEqual([step, []]);
    return withdrawal;
  }

  override step(withdrawal: number, step: Step): Event[] {
    return step === 'cancel' ? this.cancelRefund(1) : super.step(withdrawal, step);
  }

  /** What each side has of TAGGED: outside, on its way back (free, held), fees. */
  books(): readonly bigint[] {
    return [
      this.balance(outside, tagged),
      this.free(refunds, tagged),
      this.held(refunds, tagged),
      this.free(fees, tagged),
    ];
  }

  expectSound(): void {
    expect(this.faults()).toEqual([]);
    const digest = this.engine.digest();
    this.restore();
    expect(this.engine.digest()).toBe(digest);
    expect(this.faults()).toEqual([]);
  }
}

const toSuccess: readonly Step[] = ['assess', 'begin', 'sign', 'broadcast', 'confirm'];
const tillSigned: readonly Step[] = ['assess', 'begin', 'sign'];

describe('a deposit that is paid back', () => {
  test('DEC-OPR-215: comes in to the house account of refunds, and leaves less the fee of a withdrawal', () => {
    const desk = new RefundDesk();
    const before = desk.books();
    const events = desk.payBack(1);
    expect(postings(events)).toEqual([
      `${outside} ${tagged} -100 0 deposit`,
      `${refunds} ${tagged} 100 0 deposit`,
      `${refunds} ${tagged} -100 100 withdrawal`,
    ]);
    expect(desk.books()).toEqual([before[0]! - 100n, 0n, 100n, 0n]);
    expect(desk.withdrawal(1)).toMatchObject({ deposit: 1, account: refunds, amount: 100n, fee: 1n, status: 'apply' });
    for (const step of toSuccess) {
      expect(desk.statusOf(tx)).toBe('refunding');
      desk.expectSound();
      expect(refusals(desk.step(1, step))).toEqual([]);
    }
    expect([desk.statusOf(tx), desk.books()]).toEqual(['refunded', [before[0]! - 1n, 0n, 0n, 1n]]);
    desk.expectSound();
  });

  test('DEC-OPR-215: the last unit that the fee leaves is paid back, and below that nothing', () => {
    const scarce = new RefundDesk(2n);
    scarce.paying(toSuccess);
    expect([scarce.statusOf(tx), scarce.free(fees, tagged)]).toEqual(['refunded', 1n]);
    scarce.expectSound();
    const none = new RefundDesk(1n);
    const digest = none.engine.digest();
    expect(refusals(none.payBack(1))).toEqual(['nothingLeft']);
    expect(none.engine.digest()).toBe(digest);
  });

  test('DEC-OPR-215: is paid back once: nothing else pays it, neither meanwhile nor afterwards', () => {
    const desk = new RefundDesk();
    for (const step of ['', ...toSuccess] as const) {
      if (step !== '') desk.step(1, step);
      else desk.payBack(1);
      expect(refusals(desk.payBack(1, { address: 'other' }))).toEqual(['wrongState']);
      for (const decision of ['credit', 'refund', 'paidBack', 'reject'] as const)
        expect(refusals(desk.review(1, decision, alice))).toEqual(['wrongState']);
    }
    // The same payment, reported again, is the deposit that was paid back.
    desk.report(tx, 9, { network: 'TAG', asset: as(tagged), address: 'shared', memo: null, amount: as(100n) });
    expect([desk.statusOf(tx), desk.engine.state.withdrawals.lastWithdrawal]).toEqual(['refunded', 1]);
    desk.expectSound();
  });

  test.each([
    ['cancelled in apply', []],
    ['cancelled in wait', ['assess']],
    ['failed', ['assess', 'begin', 'fail']],
    ['failed after it was signed', [...tillSigned, 'fail']],
    ['displaced', [...tillSigned, 'broadcast', 'displace']],
  ] as const)('DEC-OPR-215, DEC-OPR-218: a withdrawal that is %s leaves it to be refunded again', (_, taken) => {
    const desk = new RefundDesk();
    const before = desk.books();
    desk.paying(taken);
    if (taken.at(-1) !== 'fail' && taken.at(-1) !== 'displace') expect(refusals(desk.cancelRefund(1))).toEqual([]);
    expect([desk.statusOf(tx), desk.books()]).toEqual(['refund', before]);
    desk.expectSound();
    expect(desk.paying(toSuccess, { address: 'better' })).toBe(2);
    expect([desk.statusOf(tx), desk.withdrawal(2).address]).toEqual(['refunded', 'better']);
    desk.expectSound();
  });

  test('DEC-OPR-218: from when it is taken up it cannot be cancelled, and no account can cancel it', () => {
    const desk = new RefundDesk();
    desk.paying(['assess']);
    expect(refusals(desk.cancel(1))).toEqual(['unknownWithdrawal']);
    for (const step of ['begin', 'sign', 'broadcast'] as const) {
      desk.step(1, step);
      expect(refusals(desk.cancelRefund(1))).toEqual(['notCancellable']);
    }
    desk.step(1, 'confirm');
    expect(refusals(desk.cancelRefund(1))).toEqual(['wrongState']);
    expect(refusals(desk.cancelRefund(2))).toEqual(['unknownDeposit']);
  });
});

describe('DEC-OPR-216: a deposit is not paid back', () => {
  const shared = { network: 'TAG', asset: tagged as never, address: 'shared', memo: null };
  test.each<[string, (desk: RefundDesk) => Event[], string]>([
    ['that nobody knows', (desk) => desk.payBack(9), 'unknownDeposit'],
    ['that was credited', (desk) => again(desk, () => desk.report('two', 3)), 'wrongState'],
    ['that waits', (desk) => again(desk, () => desk.report('two', 3, { ...shared, amount: as(50n) })), 'wrongState'],
    ['to nowhere', (desk) => desk.payBack(1, { address: '' }), 'invalidConfiguration'],
    ['to an address that is too long', (desk) => desk.payBack(1, { address: 'x'.repeat(129) }), 'invalidConfiguration'],
    ['to a memo that is too long', (desk) => desk.payBack(1, { memo: 'x'.repeat(129) }), 'invalidConfiguration'],
    ['to an address of the exchange', (desk) => desk.payBack(1, { address: 'shared' }), 'addressNotAllowed'],
    ['to one with a memo', (desk) => desk.payBack(1, { address: 'shared', memo: '4' }), 'addressNotAllowed'],
    ['before its confirmations', (desk) => desk.payBack(1, { sight: seenWith(2) }), 'notConfirmed'],
    ['when custody was not asked', (desk) => desk.payBack(1, { sight: null }), 'invalidConfiguration'],
    ['on what custody said before a fork', (desk) => desk.payBack(1, { sight: seenWith(3, 1) }), 'notYet'],
    ['while withdrawals are off', (desk) => off(desk), 'withdrawalsOff'],
  ])('%s', (_, ask, reason) => {
    const desk = new RefundDesk();
    expect(refusals(ask(desk))).toEqual([reason]);
    expect([desk.statusOf(tx), desk.engine.state.withdrawals.count]).toEqual(['refund', 0]);
    desk.expectSound();
  });
  const again = (desk: RefundDesk, report: () => unknown): Event[] => {
    report();
    return desk.payBack(2);
  };
  const off = (desk: RefundDesk): Event[] => {
    desk.configure(tagged, { withdrawEnabled: false });
    return desk.payBack(1);
  };

  test('beyond what the asset may have of fees, though the deposit itself is beyond the cap', () => {
    const desk = new RefundDesk(assetCap - 1n);
    // 10,000 of alice and this deposit are more than the cap; only the fee stays.
    desk.paying(toSuccess);
    desk.expectSound();
    const full = new RefundDesk();
    full.run({ kind: 'creditFunds', account: as(alice), asset: as(tagged), amount: as(assetCap - 10_000n) });
    expect(refusals(full.payBack(1))).toEqual(['aboveAssetCap']);
    full.expectSound();
  });
});

describe('DEC-OPR-217: a refund is as careful as a withdrawal', () => {
  test('above the bound of four eyes two operators approve it, and a rejected one is to be refunded again', () => {
    const desk = new RefundDesk();
    desk.price(tagged, 1000);
    desk.rules({ riskHoldAbove: as(50n), fourEyesAbove: as(50n) });
    const first = desk.paying(['assess', 'assess']);
    expect(desk.status(first)).toBe('manual');
    desk.decide(first, 'approve', 'olga');
    expect(refusals(desk.decide(first, 'approve', 'olga'))).toEqual(['sameOperator']);
    desk.decide(first, 'reject', 'otto', 'another address');
    expect([desk.status(first), desk.statusOf(tx)]).toEqual(['failed', 'refund']);
    const second = desk.paying(['assess', 'assess']);
    for (const actor of ['olga', 'otto']) desk.decide(second, 'approve', actor);
    expect(desk.status(second)).toBe('wait');
    desk.expectSound();
  });

  test('neither an allow list nor a delay of new addresses is in its way, and what it paid is saved for nobody', () => {
    const desk = new RefundDesk();
    desk.rules({ newAddressDelayMs: 1000 });
    desk.paying(toSuccess);
    expect([desk.statusOf(tx), desk.engine.state.savedAddresses.count]).toEqual(['refunded', 0]);
    desk.expectSound();
  });

  test('withdrawals that are off, a network that is held and deposits in doubt keep it waiting', () => {
    const desk = new RefundDesk();
    const withdrawal = desk.paying(['assess']);
    desk.configure(tagged, { withdrawEnabled: false });
    expect(refusals(desk.step(withdrawal, 'begin'))).toEqual(['withdrawalsOff']);
    desk.configure(tagged);
    desk.run({
      ...{ kind: 'recordUnknownPayment', network: 'TAG', nonce: 7, txId: null, asset: null, amount: as(0n) },
      ...{ address: null, memo: null, networkFee: as(0n) },
    });
    expect(refusals(desk.step(withdrawal, 'begin'))).toEqual(['networkHeld']);
    desk.run({
      ...{ kind: 'bookUnknownPayment', network: 'TAG', payment: '7', booking: 'capital', withdrawal: null },
      ...{ account: null, asset: tagged as never, amount: as(5n), deposit: null },
    });
    desk.run({ kind: 'recordFork', network: 'TAG', height: 0 });
    expect(refusals(desk.step(withdrawal, 'begin'))).toEqual(['notYet']);
    desk.report(tx, 4, { network: 'TAG', asset: as(tagged), address: 'shared', memo: null, amount: as(100n) });
    desk.nonce = 8;
    for (const step of ['begin', 'sign', 'broadcast', 'confirm'] as const)
      expect([step, refusals(desk.step(withdrawal, step))]).toEqual([step, []]);
    desk.expectSound();
  });

  test.each([[], ['assess'], ['assess', 'begin']] as const)(
    'a reorganisation that takes the deposit ends a refund that is not signed: after %s',
    (...taken) => {
      const desk = new RefundDesk();
      const before = desk.books();
      const withdrawal = desk.paying(taken);
      desk.removal(tx, 'TAG');
      expect([desk.statusOf(tx), desk.books()]).toEqual(['refund', before]);
      expect(desk.status(withdrawal)).toBe(taken.length === 2 ? 'failed' : 'cancelled');
      expect(desk.deposit(tx)).toMatchObject({ block: null, confirmations: 0 });
      desk.expectSound();
      // It is in a block again.
      expect(refusals(desk.payBack(1, { sight: seenWith(2) }))).toEqual(['notConfirmed']);
      expect(desk.paying(toSuccess, { sight: seenWith(3) })).toBe(withdrawal + 1);
      desk.expectSound();
    },
  );

  const back = (desk: RefundDesk, confirmations: number) =>
    desk.report(tx, confirmations, {
      network: 'TAG',
      asset: as(tagged),
      address: 'shared',
      memo: null,
      amount: as(100n),
    });

  test.each([
    ['signed', tillSigned, ['broadcast', 'confirm']],
    ['sent', [...tillSigned, 'broadcast'], ['confirm']],
    ['final', toSuccess, []],
  ] as const)(
    'what a reorganisation takes after the refund is %s the house loses, until it is there again',
    (_, taken, rest) => {
      const desk = new RefundDesk();
      const before = desk.books();
      const withdrawal = desk.paying(taken);
      const told = desk.removal(tx, 'TAG').filter(({ kind }) => kind === 'depositLost');
      expect(told).toMatchObject([{ fromAccount: 0n, fromHouse: 100n, deposit: { block: null, confirmations: 0 } }]);
      expect(desk.balance(chainLosses, tagged)).toBe(-100n);
      expect(desk.removal(tx, 'TAG').filter(({ kind }) => kind === 'posted')).toEqual([]);
      desk.expectSound();
      for (const step of rest) desk.step(withdrawal, step);
      expect([desk.statusOf(tx), desk.balance(chainLosses, tagged)]).toEqual(['refunded', -100n]);
      desk.expectSound();
      back(desk, 1);
      expect([desk.balance(chainLosses, tagged), desk.balance(outside, tagged)]).toEqual([0n, before[0]! - 1n]);
      expect([desk.free(alice, tagged), desk.accountStatus(alice)]).toEqual([10_000n, 'normal']);
      desk.expectSound();
      desk.removal(tx, 'TAG');
      expect(desk.balance(chainLosses, tagged)).toBe(-100n);
      desk.expectSound();
    },
  );

  test.each([['fail'], ['broadcast', 'displace']] as const)(
    'what was signed for a deposit that is gone, and was not paid, costs the house nothing: %s',
    (...steps) => {
      const desk = new RefundDesk();
      const before = desk.books();
      const withdrawal = desk.paying(tillSigned);
      desk.removal(tx, 'TAG');
      for (const step of steps) expect(refusals(desk.step(withdrawal, step))).toEqual([]);
      expect([desk.statusOf(tx), desk.books(), desk.balance(chainLosses, tagged)]).toEqual(['refund', before, 0n]);
      desk.expectSound();
      back(desk, 3);
      expect([desk.statusOf(tx), desk.balance(chainLosses, tagged)]).toEqual(['refund', 0n]);
      desk.paying(toSuccess);
      desk.expectSound();
    },
  );

  test('a loss of the house is never taken from an account, and a lost record leaves with its deposit', () => {
    const desk = new RefundDesk();
    desk.setStatus(alice, 'frozen');
    desk.report('two', 3);
    desk.review(2, 'refund');
    desk.payBack(2);
    for (const step of toSuccess) desk.step(1, step);
    desk.removal('two');
    expect(desk.statusOf('two')).toBe('refunded');
    desk.setStatus(alice, 'normal');
    // What comes free of her own withdrawal stays hers.
    const own = desk.after([], { asset: as(usd) });
    desk.cancel(own);
    expect([desk.free(alice, usd), desk.balance(chainLosses, usd)]).toEqual([10_000n, -200n]);
    desk.expectSound();
    desk.at += 3 * 86_400_000;
    desk.report('three', 1);
    desk.removal('three');
    for (let round = 0; round < 3; round += 1) desk.report(`four ${round}`, 3);
    expect([desk.deposit('two'), desk.balance(chainLosses, usd)]).toEqual([null, -200n]);
    desk.expectSound();
  });

  test('a booked payment of a hot wallet pays it, once', () => {
    const desk = new RefundDesk();
    const withdrawal = desk.paying(['assess']);
    const unknown = (nonce: number, amount: bigint) =>
      desk.run({
        ...{ kind: 'recordUnknownPayment', network: 'TAG', nonce, txId: `unknown ${nonce}`, asset: as(tagged) },
        ...{ amount: as(amount), address: 'payer', memo: null, networkFee: as(0n) },
      });
    const book = (nonce: number, booking: 'withdrawal' | 'refund') =>
      desk.run({
        ...{ kind: 'bookUnknownPayment', network: 'TAG', payment: String(nonce), booking, asset: null },
        ...{ withdrawal, account: null, amount: as(0n), deposit: 1 },
      });
    unknown(0, 98n);
    unknown(1, 99n);
    expect(refusals(book(0, 'withdrawal'))).toEqual(['paymentDiffers']);
    expect(refusals(book(1, 'refund'))).toEqual(['wrongState']);
    expect(refusals(book(1, 'withdrawal'))).toEqual([]);
    expect([desk.status(withdrawal), desk.statusOf(tx)]).toEqual(['success', 'refunded']);
    expect(refusals(book(0, 'refund'))).toEqual(['wrongState']);
    desk.expectSound();
  });

  test('a payment that its chain can never have any more belongs to the operator, who pays in another way', () => {
    const desk = new RefundDesk();
    const withdrawal = desk.paying(toSuccess);
    desk.run({ kind: 'recordLostPayment', withdrawal, by: 'another' });
    expect(refusals(desk.run({ kind: 'bookLostPayment', withdrawal, booking: 'account' }))).toEqual(['unknownAccount']);
    expect(refusals(desk.run({ kind: 'bookLostPayment', withdrawal, booking: 'capital' }))).toEqual([]);
    expect([desk.statusOf(tx), desk.free(capital, tagged)]).toEqual(['refunded', 99n]);
    desk.expectSound();
  });

  test('an asset with a refund on its way is not delisted', () => {
    const desk = new RefundDesk();
    const withdrawal = desk.paying(['assess']);
    const delist = () => refusals(desk.run({ kind: 'delistAsset', asset: as(tagged) }));
    expect(delist()).toEqual(['assetInTransit']);
    for (const step of ['begin', 'sign', 'broadcast', 'confirm'] as const) desk.step(withdrawal, step);
    // Its chain may still take back what paid it, and the deposit.
    expect(delist()).toEqual(['assetInTransit']);
  });

  test('a replaced transaction keeps its nonce, and the deposit is refunded when one of both is final', () => {
    const desk = new RefundDesk();
    const withdrawal = desk.paying([...tillSigned, 'broadcast']);
    const newer = signed(desk.nonce - 1, 'dearer');
    expect(refusals(desk.advance(withdrawal, 'replace', { transaction: signed(desk.nonce) }))).toEqual([
      'invalidConfiguration',
    ]);
    expect(refusals(desk.advance(withdrawal, 'replace', { transaction: newer }))).toEqual([]);
    desk.expectSound();
    desk.step(withdrawal, 'confirm');
    expect([desk.statusOf(tx), desk.withdrawal(withdrawal).transaction]).toEqual(['refunded', newer]);
    desk.expectSound();
  });
});
