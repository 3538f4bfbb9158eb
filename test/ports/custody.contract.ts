import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalAddress, checkAddress } from '#custody/addresses/addresses.ts';
import type { Network } from '#custody/addresses/networks.ts';
import type {
  ChainAddress,
  ChainPayment,
  NetworkCustody,
  OutgoingPayment,
  PaymentRef,
  SignedTransaction,
} from '#custody/custody.ts';
import { confirmationsOf } from '../chain-sight.ts';
import { describeStatus } from './custody-status.contract.ts';

/** A chain that a test controls, and the adapter under test beside it. Nothing is mined unless `mine` says so. */
export interface CustodyWorld {
  readonly network: Network;
  /** The adapter; another object after `restart`. */
  readonly custody: () => NetworkCustody;
  /** A token that exists on the chain, in canonical form; `null` where the network has none. */
  readonly token: string | null;
  /** Addresses that belong to nobody here. */
  readonly strangers: readonly [ChainAddress, ChainAddress];
  /** Whether all deposit addresses are one, with different memos. */
  readonly sharesAddress: boolean;
  /** Smallest units that any payment of these tests moves; the wallet can pay this a hundred times. */
  readonly amount: bigint;
  /** Somebody outside pays; the payment waits for a block. */
  pay(payment: {
    readonly to: ChainAddress;
    readonly contract: string | null;
    readonly amount: bigint;
  }): Promise<PaymentRef>;
  mine(blocks: number): Promise<void>;
  /** The newest blocks are replaced by as many others, without the transactions that were in them. */
  reorganise(depth: number): Promise<void>;
  /** Ends the adapter, as at a crash, and makes another one from what is durable. The chain goes on. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** What every adapter of the custody port promises. */
export function describeCustody(name: string, makeWorld: () => Promise<CustodyWorld>): void {
  describe(`custody contract: ${name}`, () => {
    let world: CustodyWorld;
    beforeEach(async () => {
      world = await makeWorld();
    });
    afterEach(() => world.close());

    describeAddresses(() => world);
    describeDeposits(() => world);
    describeReorganisations(() => world);
    describeWithdrawals(() => world);
    describeNonces(() => world);
    describeStatus(() => world);
  });
}

const addressCount = 5;

/** What a payment is known by. */
const nameOf = ({ txId, output }: PaymentRef): string => `${txId}:${output}`;
const named = (payments: readonly ChainPayment[], ref: PaymentRef): ChainPayment | undefined =>
  payments.find((payment) => nameOf(payment) === nameOf(ref));

async function addressOf(world: CustodyWorld, index: number): Promise<ChainAddress> {
  const address = await world.custody().depositAddress(index);
  if (address === null) throw new Error('this adapter has an address for every index that is tested');
  return address;
}

async function payTo(world: CustodyWorld, index: number, contract: string | null = null): Promise<PaymentRef> {
  return world.pay({ to: await addressOf(world, index), contract, amount: world.amount });
}

function describeAddresses(the: () => CustodyWorld): void {
  test('an index has one address for ever, and no two indexes have the same', async () => {
    const world = the();
    const first = await Promise.all(Array.from({ length: 20 }, (_, index) => addressOf(world, index)));
    expect(new Set(first.map(({ address, memo }) => `${address} ${memo}`)).size).toBe(20);
    await world.restart();
    for (const index of [19, 0, 7]) expect(await addressOf(world, index)).toEqual(first[index]);
  });

  test('DEC-WAL-06: deposit addresses are payable on their network and in canonical form', async () => {
    const world = the();
    for (let index = 0; index < 20; index += 1) {
      const { address, memo } = await addressOf(world, index);
      expect(checkAddress(world.network, address, memo)).toBeNull();
      expect(canonicalAddress(world.network, address)).toBe(address);
    }
  });
}

function describeDeposits(the: () => CustodyWorld): void {
  const observe = (since: string | null) => the().custody().observe({ since, addressCount });

  test('a payment is reported from its block on, with all that names it, and confirmations count blocks', async () => {
    const world = the();
    const { position } = await observe(null);
    expect(position).toMatch(/^[!-~]{1,200}$/);
    for (const contract of world.token === null ? [null] : [null, world.token]) {
      const to = await addressOf(world, 3);
      const ref = await world.pay({ to, contract, amount: world.amount });
      expect(named((await observe(position)).payments, ref)).toBeUndefined();
      expect(await confirmationsOf(world.custody(), [ref])).toEqual([0]);
      await world.mine(1);
      const expected = { ...ref, ...to, contract, amount: world.amount, confirmations: 1 };
      expect(named((await observe(position)).payments, ref)).toMatchObject(expected);
      expect(await confirmationsOf(world.custody(), [ref])).toEqual([1]);
      await world.mine(4);
      expect(named((await observe(position)).payments, ref)).toMatchObject({ ...expected, confirmations: 5 });
      const [place] = await world.custody().placesOf([ref]);
      expect(place).toMatchObject({ block: named((await observe(position)).payments, ref)!.block });
    }
  });

  test('every payment of a block is reported once, and asking again from a position tells it again', async () => {
    const world = the();
    const { position } = await observe(null);
    const refs: PaymentRef[] = [];
    for (const index of [0, 1, 1, 4]) refs.push(await payTo(world, index));
    await world.mine(2);
    for (let round = 0; round < 2; round += 1) {
      const found = (await observe(position)).payments.map(nameOf);
      expect(new Set(found).size).toBe(found.length);
      expect(new Set(found)).toEqual(new Set(refs.map(nameOf)));
    }
    expect(await confirmationsOf(world.custody(), [...refs].reverse())).toEqual([2, 2, 2, 2]);
  });

  test('following positions misses no payment, whatever is mined between two questions', async () => {
    const world = the();
    let { position } = await observe(null);
    const paid = new Set<string>();
    const seen = new Set<string>();
    for (const blocks of [0, 1, 3, 0, 2, 1]) {
      paid.add(nameOf(await payTo(world, blocks)));
      if (blocks > 0) await world.mine(blocks);
      const observation = await observe(position);
      for (const payment of observation.payments) seen.add(nameOf(payment));
      position = observation.position;
    }
    expect([...seen].sort()).toEqual([...paid].sort());
  });

  test('a payment to an address that is not ours is not reported, nor one to an index not yet given', async () => {
    const world = the();
    const { position } = await observe(null);
    const foreign = [await world.pay({ to: world.strangers[0], contract: null, amount: world.amount })];
    if (!world.sharesAddress) foreign.push(await payTo(world, addressCount));
    const ours = await payTo(world, addressCount - 1);
    await world.mine(1);
    const { payments } = await observe(position);
    expect(payments.map(nameOf)).toEqual([nameOf(ours)]);
  });

  test('a payment is reported after a restart, from the position of before', async () => {
    const world = the();
    const { position } = await observe(null);
    const before = await payTo(world, 0);
    await world.mine(1);
    await world.restart();
    const after = await payTo(world, 1);
    await world.mine(1);
    const { payments } = await observe(position);
    expect(named(payments, before)?.confirmations).toBe(2);
    expect(named(payments, after)?.confirmations).toBe(1);
  });

  test('holdings grow by what is paid in', async () => {
    const world = the();
    const contracts = world.token === null ? [] : [world.token];
    const before = await world.custody().holdings(contracts, addressCount);
    expect(before.map(({ contract }) => contract)).toEqual([null, ...contracts]);
    for (const contract of [null, ...contracts]) await payTo(world, 2, contract);
    await world.pay({ to: world.strangers[0], contract: null, amount: world.amount });
    await world.mine(1);
    const after = await world.custody().holdings(contracts, addressCount);
    expect(after).toEqual(before.map((holding) => ({ ...holding, amount: holding.amount + world.amount })));
  });
}

function describeReorganisations(the: () => CustodyWorld): void {
  const observe = (since: string | null) => the().custody().observe({ since, addressCount });

  test('DEC-WAL-14: a payment whose block is replaced has no confirmations, deep or not', async () => {
    const world = the();
    const { position } = await observe(null);
    const kept = await payTo(world, 0);
    await world.mine(1);
    const lost = [await payTo(world, 1)];
    await world.mine(1);
    lost.push(await payTo(world, 2));
    await world.mine(2);
    expect(await confirmationsOf(world.custody(), [kept, ...lost])).toEqual([4, 3, 2]);
    const deep = (await observe(position)).position;
    expect((await observe(deep)).fork).toBeNull();
    await world.reorganise(3);
    const told = await observe(deep);
    expect([told.fork !== null, told.fork! <= told.height]).toEqual([true, true]);
    expect((await observe(told.position)).fork).toBeNull();
    const [confirmations, ...others] = await confirmationsOf(world.custody(), [kept, ...lost]);
    expect(confirmations).toBeGreaterThanOrEqual(4);
    expect(others).toEqual([0, 0]);
    expect((await observe(position)).payments.map(nameOf)).toEqual([nameOf(kept)]);
  });

  test('a position in a replaced block starts again at the last common one and misses nothing', async () => {
    const world = the();
    await world.mine(3);
    let { position } = await observe(null);
    for (const depth of [1, 2, 3]) {
      await world.mine(2);
      ({ position } = await observe(position));
      await world.reorganise(depth);
      const ref = await payTo(world, depth);
      await world.mine(1);
      const observation = await observe(position);
      expect(named(observation.payments, ref)?.confirmations).toBe(1);
      ({ position } = observation);
    }
    expect(named((await observe(position)).payments, await payTo(world, 0))).toBeUndefined();
  });

  test('a withdrawal whose block is replaced is in no block, and is in one again after sending it again', async () => {
    const world = the();
    const transaction = await signed(world, outgoing(world, 'one'), 0);
    await world.custody().send(transaction);
    await world.mine(2);
    await world.reorganise(2);
    expect((await world.custody().fateOf(transaction)).kind).toMatch(/^(unknown|waiting)$/);
    await world.custody().send(transaction);
    await world.mine(1);
    expect(await world.custody().fateOf(transaction)).toMatchObject({ kind: 'included', confirmations: 1 });
  });
}

function outgoing(world: CustodyWorld, reference: string, contract: string | null = null): OutgoingPayment {
  return { reference, ...world.strangers[0], contract, amount: world.amount };
}

async function signed(world: CustodyWorld, payment: OutgoingPayment, nonceFrom: number): Promise<SignedTransaction> {
  const signing = await world.custody().sign(payment, nonceFrom, 0n);
  if (signing.kind === 'refused') throw new Error(signing.reason);
  return signing.transaction;
}

function describeWithdrawals(the: () => CustodyWorld): void {
  test('a transaction is unknown until it is sent, waits for a block, and is in it from then on', async () => {
    const world = the();
    let nonceFrom = 0;
    for (const contract of world.token === null ? [null] : [null, world.token]) {
      const payment = outgoing(world, `to ${contract}`, contract);
      const transaction = await signed(world, payment, nonceFrom);
      nonceFrom += 1;
      expect(transaction.raw.length).toBeLessThanOrEqual(8192);
      await world.mine(1);
      expect(await world.custody().fateOf(transaction)).toEqual({ kind: 'unknown' });
      await world.custody().send(transaction);
      expect(await world.custody().fateOf(transaction)).toEqual({ kind: 'waiting' });
      expect(await world.custody().replacementFor(payment, transaction)).toBeNull();
      await world.mine(1);
      const fate = await world.custody().fateOf(transaction);
      expect(fate).toMatchObject({ kind: 'included', confirmations: 1 });
      await world.mine(3);
      expect(await world.custody().fateOf(transaction)).toEqual({ ...fate, confirmations: 4 });
      expect(await world.custody().replacementFor(payment, transaction)).toBeNull();
    }
  });

  test('a transaction that is sent five times, before and after its block, pays once', async () => {
    const world = the();
    const [before] = await world.custody().holdings([], addressCount);
    const transaction = await signed(world, outgoing(world, 'one'), 0);
    for (let round = 0; round < 5; round += 1) {
      await world.custody().send(transaction);
      if (round % 2 === 1) await world.mine(1);
      if (round === 3) await world.restart();
    }
    await world.mine(2);
    const fate = await world.custody().fateOf(transaction);
    if (fate.kind !== 'included') throw new Error(`not ${fate.kind}`);
    const [after] = await world.custody().holdings([], addressCount);
    expect(before!.amount - after!.amount).toBe(world.amount + fate.networkFee);
  });

  test('a signed transaction is all that a restart needs to send it and to learn its fate', async () => {
    const world = the();
    const transaction = await signed(world, outgoing(world, 'one'), 0);
    await world.restart();
    expect(await world.custody().fateOf(transaction)).toEqual({ kind: 'unknown' });
    await world.custody().send(transaction);
    await world.restart();
    expect(await world.custody().fateOf(transaction)).toEqual({ kind: 'waiting' });
    await world.mine(1);
    await world.restart();
    expect(await world.custody().fateOf(transaction)).toMatchObject({ kind: 'included', confirmations: 1 });
  });

  test('DEC-OPR-293: what is signed says what was asked for, and texts that were not signed say nothing', async () => {
    const world = the();
    for (const contract of world.token === null ? [null] : [null, world.token]) {
      const payment = outgoing(world, `to ${contract}`, contract);
      const transaction = await signed(world, payment, 0);
      const { address, memo, amount } = payment;
      await world.restart();
      expect(await world.custody().readSigned(transaction)).toEqual({
        address,
        memo,
        contract,
        amount,
        feeFault: null,
      });
      const other = await signed(world, { ...payment, reference: 'other', amount: amount + 1n }, 0);
      const altered: readonly SignedTransaction[] = [
        { ...transaction, txId: other.txId },
        { ...transaction, raw: other.raw },
        { ...transaction, raw: '' },
        { ...transaction, raw: transaction.raw.slice(0, -2) },
        { ...transaction, nonce: 77 },
      ];
      for (const each of altered) expect(await world.custody().readSigned(each)).toEqual({ fault: expect.any(String) });
    }
  });

  test('payments that cannot be made are refused for ever', async () => {
    const world = the();
    const payment = outgoing(world, 'one');
    const refused = { kind: 'refused', until: 'never' };
    expect(await world.custody().sign({ ...payment, address: `${payment.address}x` }, 0, 0n)).toMatchObject(refused);
    expect(await world.custody().sign({ ...payment, address: '' }, 0, 0n)).toMatchObject(refused);
    expect(await world.custody().sign({ ...payment, amount: 0n }, 0, 0n)).toMatchObject(refused);
    expect(await world.custody().sign({ ...payment, contract: 'x' }, 0, 0n)).toMatchObject(refused);
  });

  test('without a sweep the position of sweeps is answered again', async () => {
    const world = the();
    const first = await world.custody().sweepsSince(null, addressCount);
    expect(first.sweeps).toEqual([]);
    expect((await world.custody().sweepsSince(first.position, addressCount)).sweeps).toEqual([]);
  });
}

function describeNonces(the: () => CustodyWorld): void {
  test('transactions that are signed one after the other are all in a block, each with a nonce of its own', async () => {
    const world = the();
    const transactions: SignedTransaction[] = [];
    let nonceFrom = 0;
    for (let index = 0; index < 5; index += 1) {
      const transaction = await signed(world, outgoing(world, `payment ${index}`), nonceFrom);
      transactions.push(transaction);
      if (transaction.nonce !== null) {
        expect(transaction.nonce).toBeGreaterThanOrEqual(nonceFrom);
        nonceFrom = transaction.nonce + 1;
      }
    }
    expect(new Set(transactions.map(({ txId }) => txId)).size).toBe(5);
    for (const transaction of transactions) await world.custody().send(transaction);
    await world.mine(1);
    for (const transaction of transactions) {
      expect(await world.custody().fateOf(transaction)).toMatchObject({ kind: 'included', confirmations: 1 });
    }
  });

  test('a replacement that loses to what it replaced tells that the payment was made', async () => {
    const world = the();
    const payment = outgoing(world, 'one');
    const one = await signed(world, payment, 0);
    if (one.nonce === null) return;
    const again = await signed(world, { ...payment, reference: 'again' }, 0);
    await world.custody().send(one);
    await world.mine(2);
    const fate = await world.custody().fateOf(again);
    expect(fate).toMatchObject({ kind: 'included', txId: one.txId, confirmations: 2 });
  });

  test('of two transactions with one nonce only one is ever in a block, and displaces the other', async () => {
    const world = the();
    const one = await signed(world, outgoing(world, 'one'), 0);
    if (one.nonce === null) return;
    const other = await signed(world, { ...outgoing(world, 'other'), ...world.strangers[1] }, 0);
    expect(other.nonce).toBe(one.nonce);
    await world.custody().send(one);
    await world.mine(2);
    await world.custody().send(other);
    await world.mine(1);
    expect(await world.custody().fateOf(one)).toMatchObject({ kind: 'included', confirmations: 3 });
    expect(await world.custody().fateOf(other)).toEqual({ kind: 'displaced', by: one.txId, confirmations: 3 });
    const next = await signed(world, outgoing(world, 'next'), one.nonce + 1);
    expect(next.nonce).toBe(one.nonce + 1);
  });
}
