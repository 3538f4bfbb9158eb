import { describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import { as } from '#model/units.ts';
import { insideTxId } from '#model/wallet-id.ts';
import { createEventRecorder } from '#model/event-record.ts';
import { createEngine } from '#engine/create-engine.ts';
import { dayMs, networkOf, refusals } from './deposit-desk.ts';
import { alice, bob, coin, funds, postings, tagged, usd, WithdrawalDesk } from './withdrawal-desk.ts';

type Request = Extract<Command, { kind: 'requestWithdrawal' }>;
type Changes = Partial<Request>;

/** What is wrong with a request, in the order in which reasons come: each changes the desk or the request. */
const faults: readonly (readonly [string, (desk: WithdrawalDesk) => Changes])[] = [
  ['unknownAccount', () => ({ account: as(99) })],
  ['invalidConfiguration', () => ({ remark: 'r'.repeat(65) })],
  ['accountNotUsable', (desk) => after(desk.setStatus(alice, 'frozen'))],
  ['unknownAsset', () => ({ asset: as(77) })],
  ['unknownNetwork', () => ({ network: 'TAG' })],
  ['withdrawalsOff', (desk) => after(desk.configure(coin, { withdrawEnabled: false }))],
  ['wrongAmount', () => ({ amount: as(1001n) })],
  ['ownAddress', () => ({ address: `0x${alice}` })],
  ['addressNotAllowed', (desk) => after(desk.allowList(true))],
  ['dailyCapExceeded', (desk) => after(desk.trade(50))],
  ['tooManyInProgress', (desk) => after(fill(desk, 1000))],
  ['notEnoughFunds', () => ({ amount: as(1000n) })],
];

/** Nothing of the request changes after what was done to the desk. */
const after = (_done: unknown): Changes => ({});

/** Makes this many withdrawals of the least amount. */
function fill(desk: WithdrawalDesk, count: number): void {
  for (let made = 0; made < count; made += 1) desk.request({ amount: as(2n) });
}

/** Inside withdrawals, that are final at once, until alice has only so much free. */
function leave(desk: WithdrawalDesk, rest: bigint): void {
  while (desk.free(alice) > rest) {
    const more = desk.free(alice) - rest;
    const events = desk.request({ address: `0x${bob}`, amount: as(more <= 1000n ? more : 500n) });
    if (refusals(events).length > 0) throw new Error(`left ${more} too much`);
  }
}

describe('requests of withdrawals', () => {
  test.each(faults.map(([reason], index) => [reason, index] as const))(
    'DEC-WAL-26: %s comes before every later reason',
    (reason, index) => {
      const desk = new WithdrawalDesk();
      let changes: Changes = {};
      // Later ones first: a request that they changed is changed again by earlier ones.
      for (const [, spoil] of faults.slice(index).reverse()) {
        changes = { ...changes, ...spoil(desk) };
        if (spoil === faults[11]![1]) leave(desk, 5000n);
      }
      leaveLittle(desk, index);
      const before = desk.engine.digest();
      expect(refusals(desk.request(changes))).toEqual([reason]);
      expect(desk.engine.digest()).toBe(before);
      expect(desk.faults()).toEqual([]);
    },
  );

  test('walletNotConfigured comes once account, asset and network are known', () => {
    const engine = createEngine();
    const run = (command: Command): Event[] => {
      const recorder = createEventRecorder();
      engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(1), command }, recorder);
      return recorder.events;
    };
    run({
      kind: 'configureAsset',
      asset: { code: 'USD', fullName: 'USD', scale: 2, cap: as(9n), coinId: '0'.repeat(32) },
    });
    run({ kind: 'openAccount', uid: as(1234), name: '', master: null, class: 'user', kycLevel: 1, simulated: false });
    run({ kind: 'configureAssetNetwork', network: networkOf(usd, { withdrawEnabled: false }) });
    const terms = {
      address: '0xdead',
      memo: null,
      amount: as<never>(5n as never),
      withdrawOrderId: null,
      remark: null,
    };
    const request = {
      kind: 'requestWithdrawal',
      account: as<never>(4 as never),
      asset: as<never>(0 as never),
    } as const;
    expect(refusals(run({ ...request, ...terms, network: 'NET' }))).toEqual(['walletNotConfigured']);
    expect(refusals(run({ ...request, ...terms, network: 'TAG' }))).toEqual(['unknownNetwork']);
  });

  test('amounts are within their bounds, multiples, and above the fee', () => {
    const desk = new WithdrawalDesk();
    desk.configure(coin, { withdrawMin: as(30n), withdrawMax: as(90n), withdrawStep: as(15n), withdrawFee: as(20n) });
    const ask = (amount: bigint): string[] => refusals(desk.request({ amount: as(amount) }));
    for (const amount of [-30n, 0n, 15n, 29n, 31n, 20n, 91n, 105n, 2n ** 63n - 1n])
      expect([amount, ask(amount)]).toEqual([amount, ['wrongAmount']]);
    for (const amount of [30n, 45n, 90n]) expect([amount, ask(amount)]).toEqual([amount, []]);
    expect(desk.held(alice)).toBe(165n);
  });

  test('all that is free can be withdrawn, and the receiver gets it without the fee', () => {
    const desk = new WithdrawalDesk();
    leave(desk, 1000n);
    const withdrawal = desk.after(['assess', 'begin', 'sign', 'broadcast'], { amount: as(1000n) });
    expect([desk.free(alice), desk.held(alice)]).toEqual([0n, 1000n]);
    expect(postings(desk.step(withdrawal, 'confirm'))).toContain('0 1 999 0 withdrawal');
  });

  test('texts that are too long, or no address, are refused', () => {
    const desk = new WithdrawalDesk();
    const long = {
      address: 'a'.repeat(129),
      memo: 'm'.repeat(129),
      withdrawOrderId: 'o'.repeat(65),
      remark: 'r'.repeat(65),
    };
    for (const [name, text] of Object.entries(long)) {
      expect(refusals(desk.request({ [name]: text }))).toEqual(['invalidConfiguration']);
      expect(refusals(desk.request({ [name]: text.slice(1) }))).toEqual([]);
    }
    // Characters outside the basic plane count once, as in requests.
    const emoji = '\u{1F600}';
    expect(refusals(desk.request({ remark: emoji.repeat(64), memo: emoji.repeat(128) }))).toEqual([]);
    for (const changes of [{ remark: emoji.repeat(65) }, { memo: emoji.repeat(129) }])
      expect(refusals(desk.request(changes))).toEqual(['invalidConfiguration']);
    expect(refusals(desk.request({ address: '' }))).toEqual(['invalidConfiguration']);
  });

  test('of 200 withdrawals of the whole balance exactly one succeeds', () => {
    const desk = new WithdrawalDesk();
    leave(desk, 1000n);
    const answers = Array.from({ length: 200 }, () => refusals(desk.request({ amount: as(1000n) }))[0] ?? 'accepted');
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'notEnoughFunds')).toHaveLength(199);
    expect([desk.free(alice), desk.held(alice), desk.faults()]).toEqual([0n, 1000n, []]);
  });

  test('money in an order cannot be withdrawn, and money of a withdrawal cannot be ordered with', () => {
    const desk = new WithdrawalDesk();
    leave(desk, 1000n);
    const order = { symbol: 0, kind: 'limit', side: 'sell', price: 100, quantity: 600, budget: null };
    const place = (): Event[] =>
      desk.run({
        kind: 'placeOrder',
        account: as(alice),
        order: { ...order, clientOrderId: null, stpMode: 'none' } as never,
      });
    place();
    expect(desk.held(alice)).toBe(600n);
    expect(refusals(desk.request({ amount: as(401n) }))).toEqual(['notEnoughFunds']);
    expect(refusals(desk.request({ amount: as(400n) }))).toEqual([]);
    expect(place().map(({ kind }) => kind)).toEqual(['orderRefused']);
    expect(desk.faults()).toEqual([]);
  });

  test('DEC-WAL-56: one account has at most 10,000 withdrawals in 24 hours', () => {
    const desk = new WithdrawalDesk();
    for (let made = 0; made < 10_000; made += 1) desk.cancel(desk.after([]));
    expect(refusals(desk.request())).toEqual(['tooManyInProgress']);
    desk.restore();
    expect(refusals(desk.request())).toEqual(['tooManyInProgress']);
    desk.at += dayMs;
    expect(refusals(desk.request())).toEqual([]);
    expect(desk.faults()).toEqual([]);
  });
});

/** Free money below 1000 for the reasons up to notEnoughFunds. */
function leaveLittle(desk: WithdrawalDesk, index: number): void {
  if (index === 11) leave(desk, 999n);
}

describe('ids of withdrawals', () => {
  test('I24, DEC-REQ-27: the same withdrawOrderId debits once; other terms are refused', () => {
    const desk = new WithdrawalDesk();
    const id = { withdrawOrderId: 'mine' };
    const first = desk.after(['assess'], id);
    desk.restore();
    const events = desk.request(id);
    expect(events).toEqual([{ kind: 'withdrawalRepeated', withdrawal: desk.withdrawal(first) }]);
    const other: readonly Changes[] = [
      { amount: as(101n) },
      { address: '0xbeef' },
      { asset: as(usd) },
      { network: 'TAG' },
      { memo: '' },
      { remark: 'other' },
    ];
    for (const changes of other) expect(refusals(desk.request({ ...id, ...changes }))).toEqual(['requestIdInUse']);
    expect(desk.held(alice)).toBe(100n);
    desk.setStatus(alice, 'frozen');
    expect(desk.request(id)[0]?.kind).toBe('withdrawalRepeated');
    expect(refusals(desk.request({ ...id, account: as(bob) }))).toEqual(['notEnoughFunds']);
  });

  test('DEC-REQ-27, DEC-WAL-58: an id is kept for 24 hours and while its withdrawal is not final', () => {
    const desk = new WithdrawalDesk();
    const id = { withdrawOrderId: 'mine' };
    const first = desk.after([], id);
    desk.at += dayMs;
    expect(desk.request(id)[0]?.kind).toBe('withdrawalRepeated');
    desk.cancel(first);
    desk.restore();
    const second = desk.after([], id);
    expect(second).toBe(first + 1);
    desk.cancel(second);
    desk.at += dayMs - 1;
    expect(desk.request(id)[0]).toMatchObject({ kind: 'withdrawalRepeated', withdrawal: { withdrawal: second } });
    desk.at += 1;
    expect(desk.request(id)[0]?.kind).toBe('posted');
  });

  test('a refused request takes no id', () => {
    const desk = new WithdrawalDesk();
    expect(refusals(desk.request({ withdrawOrderId: 'mine', amount: as(1n) }))).toEqual(['wrongAmount']);
    expect(refusals(desk.request({ withdrawOrderId: 'mine' }))).toEqual([]);
  });

  test('of a cancel and a payment exactly one happens, and a second cancel is refused', () => {
    const desk = new WithdrawalDesk();
    const sent = desk.after(['assess', 'begin']);
    expect(refusals(desk.cancel(sent))).toEqual(['notCancellable']);
    const cancelled = desk.after(['assess', 'cancel']);
    expect(refusals(desk.cancel(cancelled))).toEqual(['notCancellable']);
    expect(refusals(desk.step(cancelled, 'begin'))).toEqual(['wrongState']);
    expect([desk.free(alice), desk.held(alice)]).toEqual([funds - 100n, 100n]);
  });

  test('DEC-WAL-58: final withdrawals leave the state 24 hours after they were asked for, others stay', () => {
    const desk = new WithdrawalDesk();
    const waits = desk.after(['assess']);
    for (let made = 0; made < 20; made += 1) desk.cancel(desk.after([]));
    desk.at += dayMs - 1;
    desk.restore();
    desk.advance(0, 'assess');
    expect(desk.engine.state.withdrawals.count).toBe(21);
    desk.at += 1;
    for (let round = 0; round < 5; round += 1) desk.advance(0, 'assess');
    expect(desk.engine.state.withdrawals.all().map(({ withdrawal }) => withdrawal)).toEqual([waits]);
    expect(desk.faults()).toEqual([]);
  });
});

describe('withdrawals inside', () => {
  test('DEC-WAL-25: the receiver has all of it at once, as a deposit that the withdrawal names', () => {
    const desk = new WithdrawalDesk();
    const events = desk.request({ address: `0x${bob}` });
    expect(postings(events)).toEqual(['4 1 -100 0 withdrawal', '5 1 100 0 deposit']);
    expect(desk.withdrawal(1)).toMatchObject({ status: 'success', isInside: true, fee: 0n, transaction: null });
    const deposit = {
      account: bob,
      txId: insideTxId(1),
      amount: 100n,
      isInside: true,
      status: 'success',
    };
    expect(events).toContainEqual(expect.objectContaining({ deposit: expect.objectContaining(deposit) as object }));
    expect(desk.faults()).toEqual([]);
  });

  test('DEC-WAL-25: a shared address is found by its memo; a memo that nobody has is refused', () => {
    const desk = new WithdrawalDesk();
    const ask = (memo: string | null): Event[] =>
      desk.request({ asset: as(tagged), network: 'TAG', address: 'shared', memo });
    expect(refusals(ask(String(alice)))).toEqual(['ownAddress']);
    for (const memo of [null, '', '99']) expect(refusals(ask(memo))).toEqual(['unknownMemo']);
    expect(refusals(ask(String(bob)))).toEqual([]);
    expect(desk.free(bob, tagged)).toBe(100n);
  });

  test('where addresses are not shared a memo names nobody', () => {
    const desk = new WithdrawalDesk();
    expect(refusals(desk.request({ address: `0x${alice}`, memo: '7' }))).toEqual(['ownAddress']);
    expect(postings(desk.request({ address: `0x${bob}`, memo: '7' }))).toContain('5 1 100 0 deposit');
  });
});

describe('caps of withdrawals', () => {
  test('DEC-WAL-27: the cap of the KYC level holds for what was asked for in 24 hours and not given back', () => {
    const desk = new WithdrawalDesk();
    const ask = (amount: bigint): string => refusals(desk.request({ asset: as(usd), amount: as(amount) }))[0] ?? '';
    for (let made = 0; made < 5; made += 1) expect(ask(1000n)).toBe('');
    expect(ask(2n)).toBe('dailyCapExceeded');
    desk.cancel(1);
    desk.restore();
    expect([ask(998n), ask(3n), ask(2n), ask(2n)]).toEqual(['', 'dailyCapExceeded', '', 'dailyCapExceeded']);
    desk.run({ kind: 'setKycLevel', account: as(alice), kycLevel: 2 });
    expect(ask(2n)).toBe('');
    desk.run({ kind: 'setKycLevel', account: as(alice), kycLevel: 1 });
    desk.at += dayMs - 1;
    expect(ask(2n)).toBe('dailyCapExceeded');
    desk.at += 1;
    expect(ask(1000n)).toBe('');
  });

  test('DEC-WAL-27: amounts are valued when they are asked for; without a price there is no cap', () => {
    const desk = new WithdrawalDesk();
    desk.unprice(coin);
    expect(refusals(desk.request({ amount: as(1000n) }))).toEqual([]);
    desk.trade(3);
    expect(desk.withdrawal(1).value).toBeNull();
    for (const at of [2, 3, 4, 5, 6]) {
      desk.request({ amount: as(333n) });
      expect(desk.withdrawal(at).value).toBe(999n);
    }
    expect(refusals(desk.request({ amount: as(2n) }))).toEqual(['dailyCapExceeded']);
  });
});

describe('saved addresses', () => {
  test('DEC-WAL-28: with the allow list on, or a delay for new addresses, only saved ones are paid, after the delay', () => {
    const desk = new WithdrawalDesk();
    const ask = (address = '0xdead'): string => refusals(desk.request({ address }))[0] ?? '';
    desk.allowList(true);
    expect(ask()).toBe('addressNotAllowed');
    desk.save('0xdead');
    desk.save('0xbeef', { memo: 'x' });
    expect([ask(), ask('0xbeef'), ask(`0x${bob}`)]).toEqual(['', 'addressNotAllowed', 'addressNotAllowed']);
    desk.allowList(false);
    expect(ask('0xbeef')).toBe('');
    desk.rules({ newAddressDelayMs: 1000 });
    desk.at += 999;
    expect([ask(), ask('0xcafe')]).toEqual(['addressNotAllowed', 'addressNotAllowed']);
    desk.save('0xdead', { tag: 'renamed' });
    desk.at += 1;
    desk.restore();
    expect(ask()).toBe('');
  });

  test('DEC-WAL-29: each success saves its address once, and a list that is full takes no more', () => {
    const desk = new WithdrawalDesk();
    const saved = (): string[] => desk.engine.state.savedAddresses.of(as(alice)).map(({ address }) => address);
    for (let made = 0; made < 2; made += 1) desk.after(['assess', 'begin', 'sign', 'broadcast', 'confirm']);
    desk.request({ address: `0x${bob}` });
    desk.after(['assess', 'begin', 'fail'], { address: '0xfail' });
    expect(saved()).toEqual(['0xdead', `0x${bob}`]);
    for (let made = 2; made < 1000; made += 1) expect(refusals(desk.save(`0x${made}00`))).toEqual([]);
    expect(refusals(desk.save('0xmore'))).toEqual(['tooManySavedAddresses']);
    expect(refusals(desk.save('0xdead', { tag: 'known' }))).toEqual([]);
    desk.after(['assess', 'begin', 'sign', 'broadcast', 'confirm'], { address: '0xmore' });
    expect(saved()).toHaveLength(1000);
    desk.restore();
    expect(saved()).toHaveLength(1000);
    desk.unsave('0xdead');
    expect(refusals(desk.unsave('0xdead'))).toEqual(['unknownSavedAddress']);
    expect(refusals(desk.save('0xmore'))).toEqual([]);
  });

  test('what cannot be saved is refused in this order', () => {
    const desk = new WithdrawalDesk();
    const name = {
      account: as<never>(99 as never),
      asset: as<never>(77 as never),
      network: 'NOPE',
      address: '',
      memo: null,
    };
    const ask = (changes: object): string[] =>
      refusals(desk.run({ kind: 'saveAddress', ...name, tag: 't'.repeat(65), ...changes }));
    expect(ask({})).toEqual(['unknownAccount']);
    expect(ask({ account: alice })).toEqual(['unknownAsset']);
    expect(ask({ account: alice, asset: coin })).toEqual(['unknownNetwork']);
    expect(ask({ account: alice, asset: coin, network: 'NET' })).toEqual(['invalidConfiguration']);
    expect(ask({ account: alice, asset: coin, network: 'NET', address: 'a' })).toEqual(['invalidConfiguration']);
    expect(ask({ account: alice, asset: coin, network: 'NET', address: 'a', tag: '' })).toEqual([]);
    for (const account of [0, 99]) {
      const nobody = as<Request['account']>(account);
      expect(refusals(desk.run({ kind: 'setAllowList', account: nobody, enabled: true }))).toEqual(['unknownAccount']);
      const removal = { ...name, account: nobody };
      expect(refusals(desk.run({ kind: 'removeSavedAddress', ...removal }))).toEqual(['unknownAccount']);
    }
  });
});
