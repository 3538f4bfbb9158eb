import { expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { as } from '#model/units.ts';
import type { DepositView } from '#model/wallet.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';
import { sightOfPayment } from '#custody/settlement/sight-of-payment.ts';
import { seenWith } from '../chain-sight.ts';
import { alice, bob, Crashed, SettlementWorld } from './settlement-world.ts';

const bitcoin = 10n ** 8n;
/** Of USDT on the ledger, and on the chain of the sandbox. */
const dollar = 10n ** 9n;
const onTron = (world: SettlementWorld, dollars: bigint): bigint =>
  dollars * 10n ** BigInt(world.listed('USDT', 'TRX').scale);
const reorganise = (world: SettlementWorld, network: string, depth: number, drop = true) =>
  world.controls.reorganise({ network, depth, drop });

/** What an operator's credit comes to: custody is asked, as by the operator API, and the engine decides. */
async function credit(world: SettlementWorld, { deposit, network, txId, output }: DepositView): Promise<string> {
  const parts = { custody: world.custody, queries: world.exchange.queries };
  const seen = await sightOfPayment(parts, { network, txId, output });
  if (seen.kind !== 'seen') return seen.kind;
  return refusalOf(world, { kind: 'reviewDeposit', deposit, decision: 'credit', account: null, sight: seen.sight });
}

async function refusalOf(world: SettlementWorld, command: Command): Promise<string> {
  const { events } = await world.exchange.submit(command);
  for (const event of events) if (event.kind === 'commandRefused') return event.reason;
  return 'done';
}

/** The only deposit, once it is in this status. */
async function depositIn(world: SettlementWorld, status: string): Promise<DepositView> {
  await world.turnsUntil(async () => (await world.deposits())[0]?.status === status);
  return (await world.deposits())[0]!;
}

test('DEC-WAL-101: a large deposit whose block was dropped is not credited by hand, though nobody has looked since', async () => {
  const world = await SettlementWorld.open(['TRX']);
  await world.pay(alice, 'USDT', 'TRX', onTron(world, 150_000n));
  const deposit = await depositIn(world, 'largeDelay');
  await reorganise(world, 'TRX', 40);
  expect(await credit(world, deposit)).toBe('gone');
  expect(world.free(alice, 'USDT')).toBe(0n);
});

test('DEC-WAL-101: what custody said before a fork is refused, also where the fork is told between answer and credit', async () => {
  const world = await SettlementWorld.open(['TRX']);
  await world.pay(alice, 'USDT', 'TRX', onTron(world, 150_000n));
  const { deposit, network, txId, output } = await depositIn(world, 'largeDelay');
  const parts = { custody: world.custody, queries: world.exchange.queries };
  const seen = await sightOfPayment(parts, { network, txId, output });
  await reorganise(world, 'TRX', 1);
  await world.turn(0);
  if (seen.kind !== 'seen') throw new Error('the payment is in a block');
  const review = { kind: 'reviewDeposit', deposit, decision: 'credit', account: null } as const;
  expect(await refusalOf(world, { ...review, sight: seen.sight })).toBe('notYet');
  expect(await credit(world, (await world.deposits())[0]!)).toBe('done');
});

test('DEC-WAL-15, DEC-WAL-101: small deposits of which one was dropped are not credited together', async () => {
  const world = await SettlementWorld.open(['TRX']);
  await world.pay(alice, 'USDT', 'TRX', onTron(world, 6n) / 10n);
  await depositIn(world, 'small');
  await reorganise(world, 'TRX', 40);
  await world.pay(alice, 'USDT', 'TRX', onTron(world, 6n) / 10n);
  for (let block = 0; block < 25; block += 1) await world.turn(demoBlockMs);
  expect((await world.deposits()).map(({ status }) => status)).toEqual(['small']);
  expect(world.free(alice, 'USDT')).toBe(0n);
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-105, DEC-WAL-107: a credited deposit that was dropped freezes its account in the next look, and nothing is paid', async () => {
  const world = await SettlementWorld.open(['TRX', 'BSC']);
  await world.pay(alice, 'USDT', 'TRX', onTron(world, 5_000n));
  await depositIn(world, 'success');
  await reorganise(world, 'TRX', 40);
  const withdrawal = await world.withdraw(alice, 'USDT', 'BSC', 4_000n * dollar);
  await world.turn(demoBlockMs);
  expect(world.exchange.engine.state.accounts.get(alice)?.status).toBe('frozen');
  for (let block = 0; block < 5; block += 1) await world.turn(demoBlockMs);
  expect(world.withdrawal(withdrawal)).toMatchObject({ transaction: null });
  expect(world.exchange.faults()).toEqual([]);
});

test("DEC-WAL-102: while a deposit is in doubt its account moves nothing out, and nobody's withdrawal is released", async () => {
  const world = await SettlementWorld.open(['TRX', 'BTC']);
  for (const account of [alice, bob]) await world.pay(account, 'BTC', 'BTC', bitcoin);
  await world.pay(alice, 'USDT', 'TRX', onTron(world, 5_000n));
  await world.turnsUntil(async () => world.free(alice, 'USDT') > 0n && world.free(bob, 'BTC') > 0n);
  const withdrawal = await world.withdraw(bob, 'BTC', 'BTC', bitcoin / 2n);
  await world.turn(0);
  await world.must({ kind: 'recordFork', network: 'TRX', height: 0 });
  const asset = world.assetId('USDT');
  const terms = { asset, amount: as<never>(dollar as never) };
  const to = world.strangerOn('TRX');
  const held: readonly Command[] = [
    { kind: 'sendFunds', account: alice, targetKind: 'uid', target: '10000002', clientTranId: null, ...terms },
    { kind: 'transferFunds', account: alice, from: 'spot', to: 'futures', clientTranId: null, ...terms },
    { kind: 'convertDust', account: alice, assets: [asset] },
    {
      ...{ kind: 'requestWithdrawal', account: alice, network: 'TRX', ...to, ...terms },
      ...{ amount: as(20n * dollar), withdrawOrderId: null, remark: null },
    },
  ];
  for (const command of held)
    expect([command.kind, await refusalOf(world, command)]).toEqual([command.kind, 'depositInDoubt']);
  const begin = { kind: 'advanceWithdrawal', withdrawal, event: 'begin' } as const;
  const nothing = { transaction: null, confirmations: 0, networkFee: as<never>(0n as never) };
  world.exchange.clock.time += demoBlockMs;
  expect(await refusalOf(world, { ...begin, ...nothing })).toBe('notYet');
  // The next look judges, and all goes on.
  await world.turn(0);
  expect(await refusalOf(world, held[0]!)).toBe('done');
  await world.turnsUntil(async () => world.withdrawal(withdrawal).status === 'success');
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-102: a process that dies while it judges goes on judging; a restart doubts what is above its position', async () => {
  for (const step of ['before', 'after'] as const) {
    const world = await SettlementWorld.open(['BTC']);
    await world.pay(alice, 'BTC', 'BTC', bitcoin);
    await depositIn(world, 'success');
    await reorganise(world, 'BTC', 5);
    let isDead = false;
    world.crash = (what, at) => {
      if (world.hasDied) throw new Crashed();
      if (isDead || what !== 'removeDeposit' || at !== step) return;
      isDead = world.hasDied = true;
      throw new Crashed();
    };
    await world.turn(0);
    await world.turn(0);
    expect(world.exchange.engine.state.accounts.get(alice)?.status).toBe('frozen');
    expect(world.exchange.engine.state.deposits.doubted.count).toBe(0);
    expect(await world.faults()).toEqual([]);
  }
});

test('DEC-WAL-102: two forks in a row, and one deeper than anything that was seen, judge all that stands above', async () => {
  const world = await SettlementWorld.open(['BTC']);
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await depositIn(world, 'success');
  await reorganise(world, 'BTC', 3, false);
  await reorganise(world, 'BTC', 90, false);
  await world.turn(0);
  expect(world.exchange.engine.state.accounts.get(alice)?.status).toBe('frozen');
  // The payment is in another block, and the books have it again.
  for (let block = 0; block < 8; block += 1) await world.turn(demoBlockMs);
  expect((await world.deposits())[0]).toMatchObject({ status: 'success' });
  expect(await world.faults()).toEqual([]);
});

test('DEC-WAL-104: a rejected deposit that its chain drops leaves the reconciliation; a flagged one stays flagged', async () => {
  for (const decision of ['reject', 'refund'] as const) {
    const world = await SettlementWorld.open(['BTC']);
    await world.pay(alice, 'BTC', 'BTC', bitcoin);
    await world.turn(demoBlockMs);
    const { deposit } = (await world.deposits())[0]!;
    const review = { kind: 'reviewDeposit', deposit, account: null, sight: null } as const;
    await world.must({ ...review, decision: 'flag' });
    await reorganise(world, 'BTC', 1, false);
    await world.turn(0);
    expect((await world.deposits())[0]).toMatchObject({ status: 'auditing', confirmations: 0 });
    await world.turn(demoBlockMs);
    expect((await world.deposits())[0]).toMatchObject({ deposit, status: 'auditing', confirmations: 1 });
    await world.must({ ...review, decision });
    expect(await world.faults()).toEqual([]);
    await reorganise(world, 'BTC', 2);
    await world.turn(0);
    expect(await world.faults()).toEqual([]);
    expect((await world.deposits())[0]).toMatchObject({ confirmations: 0, block: null });
  }
});

test('DEC-WAL-101: nobody but an operator reports without having asked custody', async () => {
  const world = await SettlementWorld.open(['BTC']);
  const to = await world.addressOf(alice, 'BTC');
  const payment = { network: 'BTC', txId: 'ab'.repeat(32), output: 0, asset: world.assetId('BTC'), ...to };
  const report = { kind: 'reportDeposit', ...payment, amount: as<never>(bitcoin as never) } as const;
  expect(await refusalOf(world, { ...report, sight: null })).toBe('invalidConfiguration');
  expect(await refusalOf(world, { ...report, sight: seenWith(9, 7) })).toBe('notYet');
});
