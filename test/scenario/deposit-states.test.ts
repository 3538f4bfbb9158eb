import { describe, expect, test } from 'vitest';
import type { Event } from '#model/event-record.ts';
import { depositStatuses, type DepositStatus } from '#model/wallet.ts';
import { alice, bob, DepositDesk, refusals, tagged, usd } from './deposit-desk.ts';

const tx = 'the-one';
type Way = (desk: DepositDesk) => void;
type Act = (desk: DepositDesk, deposit: number) => Event[];

/** How a deposit gets into each status, with 3 confirmations where it needs them. */
const ways: Record<DepositStatus, Way> = {
  pending: (desk) => void desk.report(tx, 1),
  small: (desk) => void desk.report(tx, 3, amountOf(60n)),
  largeDelay: (desk) => void desk.report(tx, 3, amountOf(50_000n)),
  auditing: (desk) => {
    desk.report(tx, 3, amountOf(50_000n));
    desk.review(1, 'flag');
  },
  invalid: (desk) => void desk.report(tx, 3, unattributed),
  restricted: (desk) => {
    desk.setStatus(alice, 'frozen');
    desk.report(tx, 3);
    desk.setStatus(alice, 'normal');
  },
  success: (desk) => void desk.report(tx, 3),
  rejected: (desk) => {
    ways.auditing(desk);
    desk.review(1, 'reject');
  },
  refund: (desk) => {
    ways.invalid(desk);
    desk.review(1, 'refund');
  },
  refunded: (desk) => {
    ways.refund(desk);
    desk.review(1, 'paidBack');
  },
  refunding: (desk) => {
    ways.refund(desk);
    desk.payBack(1);
  },
  removed: (desk) => {
    desk.report(tx, 1);
    desk.removal(tx);
  },
  lost: (desk) => {
    desk.report(tx, 3);
    desk.removal(tx);
  },
};
const amountOf = (amount: bigint) => ({ amount: amount as never });
const unattributed = { network: 'TAG', asset: tagged as never, address: 'shared', memo: null };

/** The same payment with so many confirmations. */
const again = (desk: DepositDesk, confirmations: number): Event[] => {
  const known = desk.deposit(tx);
  if (known === null) return desk.report(tx, confirmations);
  const { network, asset, address, memo, amount } = known;
  return desk.report(tx, confirmations, { network, asset, address, memo, amount });
};
const acts: Record<string, Act> = {
  unconfirmed: (desk) => again(desk, 2),
  confirmed: (desk) => again(desk, 4),
  sumReached: (desk) => desk.report('other', 3, amountOf(40n)),
  removed: (desk) => desk.removal(tx, desk.deposit(tx)?.network ?? 'NET'),
  credit: (desk, deposit) => desk.review(deposit, 'credit', desk.deposit(tx)?.account === 0 ? bob : null),
  reject: (desk, deposit) => desk.review(deposit, 'reject'),
  refund: (desk, deposit) => desk.review(deposit, 'refund'),
  flag: (desk, deposit) => desk.review(deposit, 'flag'),
  paidBack: (desk, deposit) => desk.review(deposit, 'paidBack'),
  payBack: (desk, deposit) => desk.payBack(deposit),
  cancel: (desk, deposit) => desk.cancelRefund(deposit),
};

/**
 * What the rules say of each status (line) and event (column). `=`: nothing changes and nothing is told. `!`: refused
 * as the wrong state. `?`: refused as unknown. `~`: another deposit changes, this one does not.
 */
const table = `
              unconfirmed confirmed sumReached removed  credit  reject   refund flag     paidBack payBack   cancel
  pending     pending     success   ~          none     !       !        !      auditing !        !         !
  small       pending     =         success    none     !       !        !      auditing !        !         !
  largeDelay  pending     =         ~          none     success rejected !      auditing !        !         !
  auditing    auditing    =         ~          auditing success rejected refund !        !        !         !
  invalid     pending     =         ~          none     success !        refund auditing !        !         !
  restricted  pending     =         ~          none     success !        refund auditing !        !         !
  success     =           =         ~          lost     !       !        !      !        !        !         !
  rejected    =           =         ~          rejected !       !        !      !        !        !         !
  refund      =           =         ~          refund   !       !        !      !        refunded refunding !
  refunding   =           =         ~          refund   !       !        !      !        !        !         refund
  refunded    =           =         ~          refunded !       !        !      !        !        !         !
  removed     pending     success   ~          ?        ?       ?        ?      ?        ?        ?         ?
  lost        lost        success   ~          =        !       !        !      !        !        !         !
`;

const words = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const [columns = [], ...rows] = words;
const cells = rows.flatMap(([status = '', ...wanted]) =>
  columns.map((event, column) => [status as DepositStatus, event, wanted[column] as string] as const),
);
/** Statuses whose money is with its account. */
const isPaid = (status: string): boolean => status === 'success';

describe('DEC-WAL-01, DEC-WAL-14 to 17, DEC-WAL-54: a deposit', () => {
  test('has a line for every status and a column for every event in the table of this test', () => {
    expect(rows.map(([status]) => status).sort()).toEqual([...depositStatuses].sort());
    expect(columns).toEqual(Object.keys(acts));
  });

  test.each(cells)('that is %s gets %s: %s', (status, event, wanted) => {
    const desk = new DepositDesk();
    ways[status](desk);
    const before = desk.statusOf(tx);
    expect(before).toBe(status === 'removed' ? 'none' : status);
    const { amount = 0n as never, asset = usd as never } = desk.deposit(tx) ?? {};
    const owner = status === 'invalid' ? bob : alice;
    const owned = desk.balance(owner, asset);
    const digest = desk.engine.digest();
    if (status === 'lost') expect(desk.accountStatus(alice)).toBe('frozen');

    const events = acts[event]!(desk, 1).filter(({ kind }) => kind !== 'posted');

    if ('=!?'.includes(wanted)) {
      expect(refusals(events)).toEqual(wanted === '=' ? [] : [wanted === '!' ? 'wrongState' : 'unknownDeposit']);
      expect(events).toHaveLength(wanted === '=' ? 0 : 1);
      expect(desk.engine.digest()).toBe(digest);
    } else if (wanted === '~') {
      expect(desk.statusOf(tx)).toBe(before);
    } else {
      expect(refusals(events)).toEqual([]);
      expect(desk.statusOf(tx)).toBe(wanted);
      const paid = status === 'removed' ? 200n : amount;
      const gained = (isPaid(wanted) ? paid : 0n) - (isPaid(status) ? paid : 0n);
      const beside = event === 'sumReached' ? 40n : 0n;
      expect(desk.balance(owner, asset) - owned).toBe(gained + beside);
    }
    expect(desk.faults()).toEqual([]);
    desk.restore();
    expect(desk.faults()).toEqual([]);
  });
});
