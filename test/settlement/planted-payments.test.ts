import { describe, expect, test } from 'vitest';
import type { NetworkCustody, OutgoingPayment, SignedTransaction } from '#custody/custody.ts';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { signedTransaction, type TransactionContent } from '#custody/simulated/transaction-text.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';
import { changedCustody } from '../changed-custody.ts';
import { alice, seed, SettlementWorld } from './settlement-world.ts';

const bitcoin = 10n ** 8n;
const ether = 10n ** 18n;
const ledgerEther = 10n ** 9n;

/** Signs as the wallet of the simulated network does, something else than it was asked to. */
const planted = (signed: SignedTransaction, changes: Partial<TransactionContent>, signedWith = seed) =>
  signedTransaction('ETH', signedWith, { ...(JSON.parse(signed.raw) as TransactionContent), ...changes });

/** What may go wrong with the bytes of a payment, and what the worker says of it. */
function breachesOf(
  world: SettlementWorld,
): Record<string, readonly [(signed: SignedTransaction) => SignedTransaction, RegExp]> {
  const { address } = world.strangerOn('BSC');
  const token = world.listed('USDT', 'ETH').contract;
  return {
    'another receiver': [(signed) => planted(signed, { address }), /pays its receiver, not 0x/],
    'more than its amount': [
      (signed) =>
        planted(signed, { amount: String(BigInt((JSON.parse(signed.raw) as TransactionContent).amount) + 1n) }),
      /pays its amount \d+, not \d+/,
    ],
    'another coin': [(signed) => planted(signed, { contract: token }), /pays its coin, not 0x/],
    'a memo': [(signed) => planted(signed, { memo: '7' }), /has the memo of its receiver/],
    'another nonce than it is journaled with': [
      (signed) => ({ ...planted(signed, { nonce: 9 }), nonce: signed.nonce }),
      /is not the transaction that its id and nonce name/,
    ],
    'the key of somebody else': [(signed) => planted(signed, {}, 'else'), /is not the transaction that its id/],
    'another id than that of its bytes': [
      (signed) => ({ ...signed, raw: planted(signed, { address }).raw }),
      /is not the transaction that its id/,
    ],
    'a fee above its cap': [
      (signed) => planted(signed, { fee: String(ether) }),
      /costs its network fee, but its network fee is above the cap/,
    ],
  };
}

/** A world in which alice owns ether and bitcoin. */
async function fundedWorld(): Promise<SettlementWorld> {
  const world = await SettlementWorld.open(['ETH', 'BTC']);
  await world.pay(alice, 'ETH', 'ETH', 2n * ether);
  await world.pay(alice, 'BTC', 'BTC', bitcoin);
  await world.turnsUntil(async () => world.free(alice, 'ETH') > 0n && world.free(alice, 'BTC') > 0n);
  return world;
}

/** From the next start on, something of Ethereum's custody is otherwise. */
function tamper(world: SettlementWorld, changes: (custody: NetworkCustody) => Partial<NetworkCustody>): Promise<void> {
  world.wrap = (custody) => (custody.network === 'ETH' ? changedCustody(custody, changes(custody)) : custody);
  return world.restart();
}

/** Ethereum is stopped with one error, while bitcoin goes on. */
async function expectStopped(world: SettlementWorld, error: RegExp): Promise<void> {
  await world.turnsUntil(async () => world.troubles.length > 0);
  const bitcoins = await world.withdraw(alice, 'BTC', 'BTC', bitcoin / 4n);
  await world.turnsUntil(async () => world.withdrawal(bitcoins).status === 'success');
  expect(world.troubles).toHaveLength(1);
  expect(world.troubles[0]).toMatch(
    /^settling ETH, which is stopped until the next start: what is signed for withdraw/,
  );
  expect(world.troubles[0]).toMatch(error);
  expect(world.exchange.faults()).toEqual([]);
}

const signedWith = async (custody: NetworkCustody, payment: OutgoingPayment, nonceFrom: number) => {
  const signing = await custody.sign(payment, nonceFrom, 0n);
  if (signing.kind === 'refused') throw new Error(signing.reason);
  return signing.transaction;
};

const names = Object.keys(breachesOf(await SettlementWorld.open(['ETH'])));

describe('DEC-OPR-293: what pays a withdrawal is held against what was approved', () => {
  test.each(names)('a signature with %s is neither journaled nor sent', async (name) => {
    const world = await fundedWorld();
    const [plant, error] = breachesOf(world)[name]!;
    await tamper(world, (custody) => ({
      sign: async (payment, nonceFrom) => ({
        kind: 'signed',
        transaction: plant(await signedWith(custody, payment, nonceFrom)),
      }),
    }));
    const withdrawal = await world.withdraw(alice, 'ETH', 'ETH', ledgerEther);
    await expectStopped(world, error);
    expect(world.withdrawal(withdrawal)).toMatchObject({ status: 'wait', transaction: null });
    expect(await world.chainTransactions('ETH')).toBe(0);
    // An honest signer, after a new start.
    world.wrap = (custody) => custody;
    await world.restart();
    await world.turnsUntil(async () => world.withdrawal(withdrawal).status === 'success');
    expect(await world.faults()).toEqual([]);
  });

  /** A withdrawal for which these bytes are journaled, taken up to a state by hand. */
  async function journaled(
    world: SettlementWorld,
    plant: (signed: SignedTransaction) => SignedTransaction,
    last: 'sign' | 'broadcast' | 'confirm',
  ): Promise<number> {
    const withdrawal = await world.withdraw(alice, 'ETH', 'ETH', ledgerEther);
    const step = async (
      event: 'assess' | 'begin' | 'sign' | 'broadcast' | 'confirm',
      transaction: SignedTransaction | null,
    ) =>
      world.must({
        kind: 'advanceWithdrawal',
        withdrawal,
        event,
        transaction,
        confirmations: event === 'confirm' ? 1_000 : 0,
        networkFee: as<Balance>(0n),
      });
    const { address, memo, amount, fee } = world.withdrawal(withdrawal);
    const payment = { reference: String(withdrawal), address, memo, contract: null };
    const units = (amount - fee) * ledgerEther;
    const signed = await signedWith(world.custody.get('ETH')!, { ...payment, amount: units }, 0);
    const steps = ['assess', 'begin', 'sign', 'broadcast', 'confirm'] as const;
    for (const event of steps.slice(0, steps.indexOf(last) + 1)) {
      if (event === 'begin') world.exchange.clock.time += 3_600_000;
      await step(event, event === 'sign' ? plant(signed) : null);
    }
    return withdrawal;
  }

  test.each(names)('journaled bytes with %s are not sent, also after a restart', async (name) => {
    const world = await fundedWorld();
    const [plant, error] = breachesOf(world)[name]!;
    const withdrawal = await journaled(world, plant, 'sign');
    await world.restart();
    if (name === 'a fee above its cap') {
      // A cap may have been lowered since: no breach, but it waits and says why.
      for (let block = 0; block < 5; block += 1) await world.turn(demoBlockMs);
      expect(world.payingState('ETH').reasonOf(withdrawal)).toBe('its network fee is above the cap');
      expect(world.troubles).toEqual([]);
    } else await expectStopped(world, error);
    expect(world.withdrawal(withdrawal).status).toBe('packaging');
    expect(await world.chainTransactions('ETH')).toBe(0);
    await world.restart();
    await world.turn(demoBlockMs);
    expect(await world.chainTransactions('ETH')).toBe(0);
  });

  test('what the chain does not know any more is held against it before it is sent again', async () => {
    const world = await fundedWorld();
    const [plant, error] = breachesOf(world)['another receiver']!;
    const withdrawal = await journaled(world, plant, 'broadcast');
    await expectStopped(world, error);
    expect([world.withdrawal(withdrawal).status, await world.chainTransactions('ETH')]).toEqual(['confirming', 0]);
  });

  test('so is what was paid and a reorganisation dropped', async () => {
    const world = await fundedWorld();
    const [plant, error] = breachesOf(world)['more than its amount']!;
    const withdrawal = await journaled(world, plant, 'confirm');
    expect(world.withdrawal(withdrawal).status).toBe('success');
    await expectStopped(world, error);
    expect(await world.chainTransactions('ETH')).toBe(0);
  });

  test.each(names)('a replacement with %s is neither journaled nor sent', async (name) => {
    const world = await fundedWorld();
    const [plant, error] = breachesOf(world)[name]!;
    await world.controls.delay({ network: 'ETH', blocks: 1_000 });
    const withdrawal = await world.withdraw(alice, 'ETH', 'ETH', ledgerEther);
    await world.turnsUntil(async () => world.withdrawal(withdrawal).status === 'confirming');
    const first = world.withdrawal(withdrawal).transaction!;
    await tamper(world, (custody) => ({
      replacementFor: async (payment, sent) => {
        const newer = await custody.replacementFor(payment, sent);
        return newer === null ? null : plant(newer);
      },
    }));
    await expectStopped(world, error);
    expect(world.withdrawal(withdrawal).transaction).toEqual(first);
    expect(await world.chainTransactions('ETH')).toBe(1);
  });

  test('a replacement that the journal refuses is not sent', async () => {
    const world = await fundedWorld();
    await world.controls.delay({ network: 'ETH', blocks: 1_000 });
    const withdrawal = await world.withdraw(alice, 'ETH', 'ETH', ledgerEther);
    await world.turnsUntil(async () => world.withdrawal(withdrawal).status === 'confirming');
    const sent: string[] = [];
    await tamper(world, (custody) => ({
      replacementFor: async (payment, first) => {
        const newer = await custody.replacementFor(payment, first);
        if (newer === null) return null;
        // Meanwhile somebody found a payment that the journal does not know: nothing may be replaced any more.
        await world.must({
          kind: 'recordUnknownPayment',
          network: 'ETH',
          ...{ nonce: 77, txId: null, asset: null, amount: as<Balance>(0n), address: null, memo: null },
          networkFee: as<Balance>(0n),
        });
        return newer;
      },
      send: async (transaction) => {
        sent.push(transaction.txId);
        await custody.send(transaction);
      },
    }));
    for (let block = 0; block < 30; block += 1) await world.turn(demoBlockMs);
    const { unknownPayments } = world.exchange.engine.state;
    expect([unknownPayments.all().length, sent]).toEqual([1, []]);
  });
});
