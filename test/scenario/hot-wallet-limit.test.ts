import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { coin, signed, type Step, usd, WithdrawalDesk } from './withdrawal-desk.ts';

const hour = 3_600_000;
const signing: readonly Step[] = ['assess', 'begin', 'sign'];

/** What counts towards the limit of COIN on NET now. */
const counted = (desk: WithdrawalDesk, asset = coin): bigint =>
  desk.engine.state.hotWalletPayments.paidLastHour({ network: 'NET', asset: as(asset) }, as(desk.at));

test('DEC-WAL-48: what was signed counts from then on, without its fee, and only once signed', () => {
  const desk = new WithdrawalDesk();
  const waits = desk.after(['assess', 'begin']);
  expect(counted(desk)).toBe(0n);
  desk.step(waits, 'sign');
  expect([counted(desk), counted(desk, usd)]).toEqual([99n, 0n]);
  desk.after(signing, { asset: as(usd), amount: as(11n) });
  expect([counted(desk), counted(desk, usd)]).toEqual([99n, 10n]);
  desk.at += hour + 60_000;
  expect([counted(desk), counted(desk, usd)]).toEqual([0n, 0n]);
});

test('DEC-WAL-48: a payment counts once, replaced, confirmed, displaced or failed', () => {
  const ends: readonly (readonly Step[])[] = [
    ['replace', 'replace'],
    ['broadcast', 'replace', 'confirm'],
    ['broadcast', 'displace'],
    ['fail'],
  ];
  for (const end of ends) {
    const desk = new WithdrawalDesk();
    desk.after([...signing, ...end]);
    expect(counted(desk)).toBe(99n);
  }
});

test('DEC-WAL-48: one that waited for more than a day counts from its signature, also when it is forgotten', () => {
  const desk = new WithdrawalDesk();
  const waits = desk.after(['assess']);
  desk.at += 30 * hour;
  for (const step of ['begin', 'sign', 'broadcast', 'confirm'] as const) desk.step(waits, step);
  for (let more = 0; more < 2; more += 1) desk.request();
  expect(desk.engine.state.withdrawals.get(waits)).toBeNull();
  expect(counted(desk)).toBe(99n);
});

test('DEC-WAL-48, DEC-WAL-98: what an operator paid by hand left no hot wallet', () => {
  const desk = new WithdrawalDesk();
  const byHand = desk.after(['assess', 'begin']);
  desk.advance(byHand, 'sign', { transaction: { ...signed(null, 'by hand'), raw: '' } });
  expect(desk.status(byHand)).toBe('packaging');
  expect(counted(desk)).toBe(0n);
});

test('DEC-WAL-48, DEC-WAL-123: what the journal did not sign counts from when it was found, once it is booked', () => {
  for (const booking of ['withdrawal', 'account', 'capital'] as const) {
    const desk = new WithdrawalDesk();
    const waits = desk.after(['assess']);
    const found = desk.at;
    desk.recordUnknown(5, coin, { address: '0xdead', amount: 99n });
    desk.at += hour / 2;
    const events = desk.bookUnknown(5, booking === 'withdrawal' ? waits : booking);
    expect(events.filter(({ kind }) => kind === 'commandRefused')).toEqual([]);
    expect([booking, counted(desk)]).toEqual([booking, 99n]);
    desk.at = found + hour + 60_000;
    expect(counted(desk)).toBe(0n);
  }
});

test('DEC-WAL-48: an image and the journal tell the same, before and after', () => {
  const desk = new WithdrawalDesk();
  desk.after(signing);
  desk.at += hour / 2;
  desk.after(signing);
  expect(counted(desk)).toBe(198n);
  desk.restore();
  expect(counted(desk)).toBe(198n);
  desk.at += hour / 2 + 60_000;
  expect(counted(desk)).toBe(99n);
  desk.after(signing);
  expect(counted(desk)).toBe(198n);
});
