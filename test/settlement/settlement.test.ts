import { describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { DepositView } from '#model/wallet.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';
import { alice, bob, Crashed, SettlementWorld } from './settlement-world.ts';
import { operated } from '../operated.ts';

type OperatedCommand = Extract<Command, { readonly kind: 'operate' }>['command'];

const bitcoin = 10n ** 8n;

test('DEC-WAL-14: a deposit is pending while its confirmations count, and credited at minConfirm, once', async () => {
  const world = await SettlementWorld.open();
  const txId = await world.pay(alice, 'ETH', 'ETH', 10n ** 18n);
  const seen: (readonly [string, number])[] = [];
  for (let block = 0; block < 14; block += 1) {
    await world.turn(demoBlockMs);
    const [deposit] = await world.deposits();
    if (deposit !== undefined) seen.push([deposit.status, deposit.confirmations]);
    expect(world.free(alice, 'ETH')).toBe(deposit?.status === 'success' ? 10n ** 9n : 0n);
  }
  expect(seen.slice(0, 12)).toEqual([
    ...Array.from({ length: 11 }, (_, index) => ['pending', index + 1]),
    ['success', 12],
  ]);
  expect((await world.deposits()).map((deposit) => deposit.txId)).toEqual([txId]);
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-19: what a chain counts finer than the ledger stays in custody as a remainder', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'ETH', 'ETH', 10n ** 18n + 999_999_999n);
  await world.turnsUntil(async () => world.free(alice, 'ETH') > 0n);
  expect(world.free(alice, 'ETH')).toBe(10n ** 9n);
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-14: a reorganisation before minConfirm removes the deposit without a trace in balances', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'ETH', 'ETH', 10n ** 18n);
  for (let block = 0; block < 5; block += 1) await world.turn(demoBlockMs);
  expect((await world.deposits()).map(({ status }) => status)).toEqual(['pending']);
  await world.controls.reorganise({ network: 'ETH', depth: 6, drop: true });
  for (let block = 0; block < 20; block += 1) await world.turn(demoBlockMs);
  expect(await world.deposits()).toEqual([]);
  expect([world.free(alice, 'ETH'), world.onLedger('ETH')]).toEqual([0n, 0n]);
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-14: a deposit that a reorganisation puts into a later block counts again and is credited once', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await world.turn(demoBlockMs);
  await world.controls.reorganise({ network: 'BTC', depth: 1, drop: false });
  for (let block = 0; block < 8; block += 1) await world.turn(demoBlockMs);
  expect(world.free(alice, 'BTC')).toBe(bitcoin);
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-17: a credited deposit that leaves its chain freezes the account, and the books still balance', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await world.turnsUntil(async () => world.free(alice, 'BTC') === bitcoin);
  await world.controls.reorganise({ network: 'BTC', depth: 3, drop: true });
  for (let block = 0; block < 10; block += 1) await world.turn(demoBlockMs);
  expect(world.exchange.engine.state.accounts.get(alice)?.status).toBe('frozen');
  expect(world.free(alice, 'BTC')).toBe(0n);
  expect(world.troubles.join()).toContain('it had been credited');
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-106: what two operators vouch for is credited and stays, though nobody asks its chain', async () => {
  const world = await SettlementWorld.open();
  const to = await world.addressOf(alice, 'ETH');
  const asset = world.assetId('ETH');
  const payment = { txId: `0x${'ab'.repeat(32)}`, output: 0, ...to, amount: as<Balance>(10n ** 9n) };
  const by = (actor: string, command: OperatedCommand) => world.must(operated(actor, command));
  await by('erin', { kind: 'reportDeposit', network: 'ETH', asset, ...payment, sight: null });
  expect((await world.deposits())[0]).toMatchObject({ status: 'auditing', approvals: ['erin'] });
  const credit = { kind: 'reviewDeposit', deposit: 1, decision: 'credit', account: null, sight: null } as const;
  await expect(by('erin', credit)).rejects.toThrow('sameOperator');
  await by('dan', credit);
  for (let block = 0; block < 40; block += 1) await world.turn(demoBlockMs);
  expect(world.free(alice, 'ETH')).toBe(10n ** 9n);
  expect(world.exchange.engine.state.accounts.get(alice)?.status).toBe('normal');
});

test('DEC-WAL-23, DEC-WAL-24: a withdrawal waits a block, is signed, sent and confirmed, and the receiver gets amount - fee', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await world.turnsUntil(async () => world.free(alice, 'BTC') === bitcoin);
  const withdrawal = await world.withdraw(alice, 'BTC', 'BTC', bitcoin / 2n);
  const statuses: string[] = ['apply'];
  await world.turnsUntil(async () => {
    await world.turn();
    const { status } = world.withdrawal(withdrawal);
    if (statuses.at(-1) !== status) statuses.push(status);
    return status === 'success';
  });
  for (const status of ['wait', 'confirming', 'success']) expect(statuses).toContain(status);
  const fee = world.listed('BTC', 'BTC').withdrawFee;
  const done = world.withdrawal(withdrawal);
  expect([done.fee, done.amount, done.confirmations >= 2]).toEqual([fee, bitcoin / 2n, true]);
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-13: a network that is switched off keeps queued withdrawals waiting, and pending deposits follow minConfirm', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await world.turnsUntil(async () => world.free(alice, 'BTC') === bitcoin);
  const listed = world.listed('BTC', 'BTC');
  const withdrawal = await world.withdraw(alice, 'BTC', 'BTC', bitcoin / 2n);
  await world.must({ kind: 'configureAssetNetwork', network: { ...listed, withdrawEnabled: false, minConfirm: 6 } });
  await world.pay(bob, 'BTC', 'BTC', bitcoin);
  const commands = world.exchange.entries.length;
  for (let block = 0; block < 5; block += 1) await world.turn(demoBlockMs);
  expect(world.withdrawal(withdrawal).status).toBe('wait');
  expect((await world.deposits()).map(({ status }) => status)).toEqual(['success', 'pending']);
  expect(world.exchange.entries.length - commands).toBeLessThan(30);
  await world.must({ kind: 'configureAssetNetwork', network: { ...listed, withdrawEnabled: true, minConfirm: 1 } });
  await world.turnsUntil(async () => world.withdrawal(withdrawal).status === 'success');
  expect(world.free(bob, 'BTC')).toBe(bitcoin);
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-13: a pending deposit that has enough when minConfirm is lowered or deposits are on again waits for no block', async () => {
  const world = await SettlementWorld.open();
  const listed = world.listed('ETH', 'ETH');
  await world.pay(alice, 'ETH', 'ETH', 10n ** 18n);
  for (let block = 0; block < 5; block += 1) await world.turn(demoBlockMs);
  const off = { ...listed, minConfirm: 3, depositEnabled: false };
  await world.must({ kind: 'configureAssetNetwork', network: off });
  const reports = () => world.exchange.entries.filter(({ command }) => command.kind === 'reportDeposit').length;
  const before = reports();
  for (let look = 0; look < 5; look += 1) await world.turn(0);
  expect((await world.deposits()).map(({ status }) => status)).toEqual(['pending']);
  expect(reports()).toBe(before);
  await world.must({ kind: 'configureAssetNetwork', network: { ...off, depositEnabled: true } });
  await world.turn(0);
  expect((await world.deposits()).map(({ status }) => status)).toEqual(['success']);
  expect(world.free(alice, 'ETH')).toBe(10n ** 9n);
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-103: a deposit that was flagged before minConfirm goes on counting, and can then be credited by hand', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'ETH', 'ETH', 10n ** 18n);
  for (let block = 0; block < 3; block += 1) await world.turn(demoBlockMs);
  const [{ deposit, confirmations }] = (await world.deposits()) as [DepositView];
  expect(confirmations).toBeLessThan(12);
  await world.must({ kind: 'reviewDeposit', deposit, decision: 'flag', account: null, sight: null });
  for (let block = 0; block < 20; block += 1) await world.turn(demoBlockMs);
  expect((await world.deposits())[0]).toMatchObject({ status: 'auditing', confirmations: 12 });
  const journaled = world.exchange.entries.length;
  for (let block = 0; block < 5; block += 1) await world.turn(demoBlockMs);
  expect(world.exchange.entries.slice(journaled).filter(({ command }) => command.kind === 'reportDeposit')).toEqual([]);
});

test('DEC-WAL-128: a wallet without enough coins leaves withdrawals waiting, to be cancelled or paid later', async () => {
  const world = await SettlementWorld.open();
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await world.turnsUntil(async () => world.free(alice, 'BTC') === bitcoin);
  await world.controls.limitWallet({ network: 'BTC', contract: null, amount: 10n });
  const withdrawal = await world.withdraw(alice, 'BTC', 'BTC', bitcoin / 2n);
  const other = await world.withdraw(alice, 'BTC', 'BTC', bitcoin / 4n);
  for (let block = 0; block < 6; block += 1) await world.turn(demoBlockMs);
  expect([withdrawal, other].map((each) => world.withdrawal(each).status)).toEqual(['wait', 'wait']);
  expect(world.withdrawal(withdrawal).transaction).toBeNull();
  expect(world.payingState('BTC').reasonOf(withdrawal)).toBe('the wallet has too little');
  expect(world.troubles).toEqual([]);
  expect(world.notices).toHaveLength(1);
  await world.must({ kind: 'cancelWithdrawal', account: alice, withdrawal: other });
  await world.turn(demoBlockMs);
  expect(world.withdrawal(other).status).toBe('cancelled');
  expect(world.payingState('BTC').reasonOf(other)).toBeNull();
  await world.controls.limitWallet({ network: 'BTC', contract: null, amount: null });
  await world.turnsUntil(async () => world.withdrawal(withdrawal).status === 'success');
  expect(await world.faults()).toEqual([]);
});

describe('a crash at any call', () => {
  /** Deposits on three networks and withdrawals on two, all to their end. */
  async function story(world: SettlementWorld): Promise<string> {
    await world.pay(alice, 'BTC', 'BTC', bitcoin);
    await world.pay(alice, 'ETH', 'ETH', 2n * 10n ** 18n);
    await world.pay(bob, 'XRP', 'XRP', 100n * 10n ** 6n);
    await world.turnsUntil(
      async () => world.free(alice, 'BTC') > 0n && world.free(alice, 'ETH') > 0n && world.free(bob, 'XRP') > 0n,
    );
    const numbers = [
      await world.withdraw(alice, 'ETH', 'ETH', 10n ** 9n),
      await world.withdraw(alice, 'ETH', 'ETH', 5n * 10n ** 8n),
      await world.withdraw(bob, 'XRP', 'XRP', 30n * 10n ** 6n),
    ];
    await world.turnsUntil(async () => numbers.every((number) => world.withdrawal(number).status === 'success'));
    const owned = ['BTC', 'ETH', 'XRP'].map((code) => `${world.free(alice, code)} ${world.free(bob, code)}`);
    return [...owned, ...numbers.map((number) => world.withdrawal(number).status), await world.faults()].join();
  }

  test('the story has calls of every kind', async () => {
    const world = await SettlementWorld.open();
    const calls = new Set<string>();
    world.crash = (what) => void calls.add(what);
    expect(await story(world)).toBe(`${bitcoin} 0,500000000 0,0 70000000,success,success,success,`);
    for (const call of ['observe', 'reportDeposit', 'placesOf', 'recordChainPosition', 'sign', 'send', 'fateOf'])
      expect(calls).toContain(call);
    for (const event of ['assess', 'begin', 'sign', 'broadcast', 'confirm'])
      expect(calls).toContain(`advanceWithdrawal ${event}`);
  });

  const kinds = [
    'observe',
    'reportDeposit',
    'recordChainPosition',
    'placesOf',
    'sign',
    'send',
    'fateOf',
    'advanceWithdrawal assess',
    'advanceWithdrawal begin',
    'advanceWithdrawal sign',
    'advanceWithdrawal broadcast',
    'advanceWithdrawal confirm',
  ];
  test.each(kinds.flatMap((what) => (['before', 'after'] as const).map((step) => ({ what, step }))))(
    '$step each of the first calls of $what doubles nothing and leaves nothing stuck',
    async ({ what, step }) => {
      const undisturbed = await story(await SettlementWorld.open());
      for (const nth of [1, 2, 3, 5]) {
        const world = await SettlementWorld.open();
        let calls = 0;
        world.crash = (called, at) => {
          if (world.hasDied) throw new Crashed();
          if (called !== what || at !== step) return;
          calls += 1;
          if (calls !== nth) return;
          world.hasDied = true;
          throw new Crashed();
        };
        expect(await story(world)).toBe(undisturbed);
      }
    },
  );

  test('a process that dies at every 97th call brings all to its end', async () => {
    const world = await SettlementWorld.open();
    let calls = 0;
    world.crash = () => {
      if (world.hasDied) throw new Crashed();
      calls += 1;
      if (calls % 97 !== 0) return;
      world.hasDied = true;
      throw new Crashed();
    };
    expect(await story(world)).toBe(`${bitcoin} 0,500000000 0,0 70000000,success,success,success,`);
  });
});
