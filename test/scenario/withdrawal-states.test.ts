import { describe, expect, test } from 'vitest';
import { type AssetId, as } from '#model/units.ts';
import { withdrawalStatuses, type WithdrawalStatus } from '#model/wallet.ts';
import { allowedSteps as allowed } from '../oracle/naive-withdrawal-states.ts';
import { refusals } from './deposit-desk.ts';
import {
  alice,
  coin,
  fees,
  funds,
  gas,
  postings,
  signed,
  steps,
  usd,
  WithdrawalDesk,
  type Step,
} from './withdrawal-desk.ts';

/** Steps that lead to each status; risk holds apply to those that need them. */
const ways: Record<WithdrawalStatus, readonly Step[]> = {
  apply: [],
  auditing: ['assess'],
  manual: ['assess', 'assess'],
  wait: ['assess', 'approve'],
  processing: ['assess', 'approve', 'begin'],
  packaging: ['assess', 'approve', 'begin', 'sign'],
  confirming: ['assess', 'approve', 'begin', 'sign', 'broadcast'],
  success: ['assess', 'approve', 'begin', 'sign', 'broadcast', 'confirm'],
  failed: ['assess', 'approve', 'begin', 'fail'],
  cancelled: ['cancel'],
};

/** A desk where every withdrawal of USD is above the risk hold. */
function riskyDesk(): WithdrawalDesk {
  const desk = new WithdrawalDesk();
  desk.rules({ riskHoldAbove: as(1n) });
  return desk;
}

const isFinal = (status: WithdrawalStatus): boolean => Object.keys(allowed[status]).length === 0;

describe('states of a withdrawal', () => {
  test.each(withdrawalStatuses)('DEC-WAL-02, DEC-WAL-23, DEC-WAL-24: from %s only what the rules allow', (from) => {
    for (const step of steps) {
      const desk = riskyDesk();
      const withdrawal = desk.after(ways[from], { asset: as(usd) });
      expect(desk.status(withdrawal)).toBe(from);
      const before = desk.withdrawal(withdrawal);
      const free = desk.free(alice, usd);
      const events = desk.step(withdrawal, step);
      const to = allowed[from][step];
      if (to === undefined) {
        expect([from, step, refusals(events)]).toEqual([
          from,
          step,
          [step === 'cancel' ? 'notCancellable' : 'wrongState'],
        ]);
        expect(desk.withdrawal(withdrawal)).toBe(before);
        expect(postings(events)).toEqual([]);
      } else {
        expect([from, step, desk.status(withdrawal)]).toEqual([from, step, to]);
        expect(events.filter((event) => event.kind === 'withdrawalChanged')).toHaveLength(1);
      }
      const status = desk.status(withdrawal);
      const isBack = to === 'failed' || to === 'cancelled';
      expect(desk.free(alice, usd)).toBe(isBack ? free + 100n : free);
      expect(desk.held(alice, usd)).toBe(isFinal(status) ? 0n : 100n);
      expect(desk.faults()).toEqual([]);
    }
  });

  test('DEC-WAL-28, DEC-WAL-143: what is worth more than the risk hold is audited, and what has no price', () => {
    const desk = new WithdrawalDesk();
    desk.rules({ riskHoldAbove: as(100n) });
    expect(desk.status(desk.after(['assess'], { asset: as(usd), amount: as(100n) }))).toBe('wait');
    expect(desk.status(desk.after(['assess'], { asset: as(usd), amount: as(101n) }))).toBe('auditing');
    expect(desk.status(desk.after(['assess'], { amount: as(1000n) }))).toBe('wait');
    desk.trade(2);
    expect(desk.status(desk.after(['assess'], { amount: as(51n) }))).toBe('auditing');
    desk.unprice(coin);
    for (const riskHoldAbove of [as<never>(100n as never), null]) {
      desk.rules({ riskHoldAbove });
      const unpriced = desk.after(['assess'], { amount: as(51n) });
      expect([desk.status(unpriced), desk.withdrawal(unpriced).value]).toEqual(['auditing', null]);
    }
  });

  test('DEC-WAL-144: what needs four eyes is held whatever the risk hold is; without a price it needs four eyes', () => {
    for (const riskHoldAbove of [null, 500n] as const) {
      const desk = new WithdrawalDesk();
      desk.rules({ riskHoldAbove: as(riskHoldAbove as never), fourEyesAbove: as(100n) });
      expect(desk.status(desk.after(['assess'], { asset: as(usd), amount: as(100n) }))).toBe('wait');
      const large = desk.after(['assess'], { asset: as(usd), amount: as(101n) });
      desk.unprice(coin);
      const unpriced = desk.after(['assess'], { amount: as(2n) });
      for (const withdrawal of [large, unpriced]) {
        expect(desk.status(withdrawal)).toBe('auditing');
        desk.decide(withdrawal, 'approve', 'olga');
        expect(desk.status(withdrawal)).toBe('auditing');
        expect(refusals(desk.decide(withdrawal, 'approve', 'olga'))).toEqual(['sameOperator']);
        desk.decide(withdrawal, 'approve', 'pete');
        expect(desk.status(withdrawal)).toBe('wait');
      }
    }
  });

  test('DEC-WAL-28: above the bound of four eyes two operators approve, and a review has an operator', () => {
    const desk = riskyDesk();
    desk.rules({ riskHoldAbove: as(1n), fourEyesAbove: as(99n) });
    const withdrawal = desk.after(['assess'], { asset: as(usd) });
    const alone = desk.run({ kind: 'reviewWithdrawal', withdrawal, decision: 'approve', remark: null });
    expect(refusals(alone)).toEqual(['invalidConfiguration']);
    desk.decide(withdrawal, 'approve', 'olga');
    expect([desk.status(withdrawal), desk.withdrawal(withdrawal).approvals]).toEqual(['auditing', ['olga']]);
    expect(refusals(desk.decide(withdrawal, 'approve', 'olga'))).toEqual(['sameOperator']);
    desk.decide(withdrawal, 'manual', 'olga');
    desk.restore();
    expect(refusals(desk.decide(withdrawal, 'approve', 'olga'))).toEqual(['sameOperator']);
    desk.decide(withdrawal, 'approve', 'pete');
    expect([desk.status(withdrawal), desk.withdrawal(withdrawal).approvals]).toEqual(['wait', ['olga', 'pete']]);
    const small = desk.after(['assess'], { asset: as(usd), amount: as(99n) });
    desk.decide(small, 'approve', 'olga');
    expect(desk.status(small)).toBe('wait');
  });

  test('DEC-OPR-230: a remark of a review replaces that of the account, and a repeated request is known all the same', () => {
    const desk = riskyDesk();
    const request = { asset: as<AssetId>(usd), withdrawOrderId: 'mine', remark: 'rent' };
    const withdrawal = desk.after(['assess'], request);
    const of = () => desk.withdrawal(withdrawal);
    const emoji = '\u{1f600}';
    expect(refusals(desk.decide(withdrawal, 'manual', 'olga', emoji.repeat(65)))).toEqual(['invalidConfiguration']);
    expect(of()).toMatchObject({ status: 'auditing', remark: 'rent', reviewRemark: null });
    desk.decide(withdrawal, 'manual', 'olga', emoji.repeat(64));
    desk.restore();
    desk.decide(withdrawal, 'reject', 'pete');
    expect(of()).toMatchObject({ status: 'failed', remark: 'rent', reviewRemark: emoji.repeat(64) });
    const repeated = desk.request(request);
    expect(repeated.map(({ kind }) => kind)).toContain('withdrawalRepeated');
  });

  test('DEC-WAL-13: confirmations count up to the number in force, also one that changed meanwhile', () => {
    const desk = new WithdrawalDesk();
    const withdrawal = desk.after(['assess', 'begin', 'sign', 'broadcast']);
    desk.advance(withdrawal, 'confirm', { confirmations: 2 });
    expect([desk.status(withdrawal), desk.withdrawal(withdrawal).confirmations]).toEqual(['confirming', 2]);
    desk.configure(coin, { minConfirm: 5 });
    desk.advance(withdrawal, 'confirm', { confirmations: 4 });
    expect(desk.status(withdrawal)).toBe('confirming');
    expect(refusals(desk.advance(withdrawal, 'displace', { confirmations: 4 }))).toEqual(['notConfirmed']);
    desk.advance(withdrawal, 'confirm', { confirmations: 0 });
    desk.configure(coin, { minConfirm: 1 });
    desk.advance(withdrawal, 'confirm', { confirmations: 1, transaction: signed(0, 'the one in the block') });
    expect([desk.status(withdrawal), desk.withdrawal(withdrawal).transaction!.txId]).toEqual([
      'success',
      'the one in the block',
    ]);
  });

  test('DEC-WAL-13, DEC-WAL-24: what waits does not begin too early, nor while network, account or address forbid it', () => {
    const desk = new WithdrawalDesk();
    const withdrawal = desk.after(['assess']);
    desk.at += 4999;
    const begin = (): string[] => refusals(desk.advance(withdrawal, 'begin'));
    expect(begin()).toEqual(['notYet']);
    desk.at += 1;
    desk.configure(coin, { withdrawEnabled: false });
    expect(begin()).toEqual(['withdrawalsOff']);
    desk.setStatus(alice, 'frozen');
    expect(begin()).toEqual(['accountNotUsable']);
    desk.setStatus(alice, 'normal');
    desk.configure(coin);
    expect([desk.status(withdrawal), begin()]).toEqual(['wait', []]);
  });

  test('DEC-WAL-57: a saved address that is removed keeps its withdrawal waiting until it is saved again', () => {
    const desk = new WithdrawalDesk();
    desk.save('0xdead');
    desk.allowList(true);
    const withdrawal = desk.after(['assess']);
    desk.unsave('0xdead');
    expect(refusals(desk.step(withdrawal, 'begin'))).toEqual(['addressNotAllowed']);
    desk.restore();
    expect([desk.status(withdrawal), desk.held(alice)]).toEqual(['wait', 100n]);
    desk.save('0xdead');
    desk.step(withdrawal, 'begin');
    expect(desk.status(withdrawal)).toBe('processing');
    desk.unsave('0xdead');
    desk.step(withdrawal, 'sign');
    expect(desk.status(withdrawal)).toBe('packaging');
  });
});

describe('money of a withdrawal', () => {
  test('DEC-WAL-03, DEC-WAL-30: the amount is held at once; success pays amount - fee outside and the fee to the house', () => {
    const desk = new WithdrawalDesk();
    expect(postings(desk.request())).toEqual(['4 1 -100 100 withdrawal']);
    for (const step of ['assess', 'begin', 'sign', 'broadcast'] as const) desk.step(1, step);
    const events = desk.step(1, 'confirm');
    expect(postings(events)).toEqual([
      '4 1 0 -99 withdrawal',
      '0 1 99 0 withdrawal',
      '4 1 0 -1 withdrawalFee',
      '1 1 1 0 withdrawalFee',
    ]);
    expect([desk.free(alice), desk.held(alice), desk.free(fees)]).toEqual([funds - 100n, 0n, 1n]);
  });

  test('DEC-WAL-24: failed and cancelled give back exactly what was held, as the fee was when it was asked for', () => {
    const desk = new WithdrawalDesk();
    const first = desk.after(['assess']);
    const second = desk.after(['assess', 'begin']);
    desk.configure(coin, { withdrawFee: as(50n), withdrawMin: as(51n) });
    expect(postings(desk.cancel(first))).toEqual(['4 1 100 -100 withdrawal']);
    expect(postings(desk.step(second, 'fail'))).toEqual(['4 1 100 -100 withdrawal']);
    expect(desk.free(alice)).toBe(funds);
    const third = desk.after(['assess', 'begin', 'sign', 'broadcast']);
    desk.configure(coin);
    desk.step(third, 'confirm');
    expect(desk.free(fees)).toBe(50n);
  });

  test('DEC-WAL-51: the house pays network fees in the native coin, also of what had no effect and of sweeps', () => {
    const desk = new WithdrawalDesk();
    const networkFee = as<never>(7n as never);
    const sent = desk.after(['assess', 'begin', 'sign', 'broadcast']);
    desk.advance(sent, 'confirm', { confirmations: 1, networkFee });
    expect(desk.free(gas, usd)).toBe(0n);
    desk.advance(sent, 'confirm', { confirmations: 3, networkFee });
    expect(desk.free(gas, usd)).toBe(-7n);
    const reverted = desk.after(['assess', 'begin', 'sign', 'broadcast']);
    desk.advance(reverted, 'displace', { confirmations: 3, networkFee });
    expect([desk.free(gas, usd), desk.free(alice)]).toEqual([-14n, funds - 100n]);
    desk.run({ kind: 'recordSweep', network: 'NET', txId: 'sweep', networkFee });
    expect(desk.free(gas, usd)).toBe(-21n);
    expect(desk.faults()).toEqual([]);
  });

  test('a network fee that is negative, or a debt above all there is of the coin, is refused', () => {
    const desk = new WithdrawalDesk();
    const sent = desk.after(['assess', 'begin', 'sign', 'broadcast']);
    for (const networkFee of [-1n, 1_000_001n, 2n ** 63n - 1n]) {
      const bad = desk.advance(sent, 'confirm', { confirmations: 3, networkFee: as(networkFee) });
      expect(refusals(bad)).toEqual(['invalidConfiguration']);
    }
    for (const confirmations of [-1, 0.5, 2 ** 53])
      expect(refusals(desk.advance(sent, 'confirm', { confirmations }))).toEqual(['invalidConfiguration']);
  });

  test('DEC-WAL-60: a sweep is recorded once', () => {
    const desk = new WithdrawalDesk();
    const sweep = (network: string, txId: string, networkFee = 1n): string[] =>
      refusals(desk.run({ kind: 'recordSweep', network, txId, networkFee: as(networkFee) }));
    expect(sweep('NET', 'a')).toEqual([]);
    desk.restore();
    expect(sweep('NET', 'a')).toEqual(['requestIdInUse']);
    expect(sweep('TAG', 'a')).toEqual([]);
    expect(sweep('NOPE', 'a')).toEqual(['unknownNetwork']);
    for (const txId of ['', 'x'.repeat(129)]) expect(sweep('NET', txId)).toEqual(['invalidConfiguration']);
    expect(sweep('NET', 'b', -1n)).toEqual(['invalidConfiguration']);
    desk.at += 30 * 86_400_000;
    expect(sweep('NET', 'c')).toEqual([]);
    expect(sweep('NET', 'a')).toEqual([]);
  });
});

describe('transactions of a withdrawal', () => {
  test('DEC-WAL-59: a nonce is signed once, unless its withdrawal failed before it was broadcast', () => {
    const desk = new WithdrawalDesk();
    const sign = (nonce: number | null): string[] => {
      const withdrawal = desk.after(['assess', 'begin'], { amount: as(10n) });
      return refusals(desk.advance(withdrawal, 'sign', { transaction: signed(nonce) }));
    };
    const last = (): number => desk.engine.state.withdrawals.lastWithdrawal;
    expect(sign(5)).toEqual([]);
    const first = last();
    expect(desk.engine.state.chains.at('NET').nextNonce).toBe(6);
    for (const nonce of [0, 5, -1, 1.5, 2 ** 53 - 1]) expect(sign(nonce)).toEqual(['invalidConfiguration']);
    desk.step(first, 'fail');
    desk.restore();
    expect(sign(5)).toEqual([]);
    expect(sign(5)).toEqual(['invalidConfiguration']);
    expect(sign(6)).toEqual([]);
    const broadcast = last();
    desk.step(broadcast, 'broadcast');
    desk.advance(broadcast, 'displace', { confirmations: 3 });
    expect(sign(6)).toEqual(['invalidConfiguration']);
    expect(sign(null)).toEqual([]);
  });

  test('what is no transaction is refused, and so is another nonce for the same payment', () => {
    const desk = new WithdrawalDesk();
    const withdrawal = desk.after(['assess', 'begin']);
    const bad = [null, signed(0, ''), signed(0, 'x'.repeat(129)), { ...signed(0), raw: 'r'.repeat(8193) }];
    for (const transaction of bad)
      expect(refusals(desk.advance(withdrawal, 'sign', { transaction }))).toEqual(['invalidConfiguration']);
    desk.advance(withdrawal, 'sign', { transaction: { ...signed(0), raw: 'r'.repeat(8192) } });
    for (const transaction of [...bad, signed(1), signed(null)])
      expect(refusals(desk.advance(withdrawal, 'replace', { transaction }))).toEqual(['invalidConfiguration']);
    desk.advance(withdrawal, 'replace', { transaction: signed(0, 'dearer') });
    expect(desk.withdrawal(withdrawal).transaction).toEqual(signed(0, 'dearer'));
  });

  test('a withdrawal of another account, or none, is unknown', () => {
    const desk = new WithdrawalDesk();
    const withdrawal = desk.after([]);
    expect(refusals(desk.cancel(withdrawal, 5))).toEqual(['unknownWithdrawal']);
    for (const none of [0, -1, 1.5, 2, 2 ** 53]) expect(refusals(desk.cancel(none))).toEqual(['unknownWithdrawal']);
    expect(refusals(desk.advance(9, 'assess'))).toEqual(['unknownWithdrawal']);
    expect(refusals(desk.decide(9, 'approve'))).toEqual(['unknownWithdrawal']);
    expect(desk.status(withdrawal)).toBe('apply');
  });
});
