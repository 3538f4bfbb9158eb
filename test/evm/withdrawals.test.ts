import { parseTransaction } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NetworkCustody, OutgoingPayment, SignedTransaction } from '#custody/custody.ts';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { createEvmWorld, ether, gasWallet, hotWallet } from './evm-harness.ts';
import { balanceSlot } from './test-token.ts';

describe.skipIf(!hasAnvil)('withdrawals on an EVM chain', () => {
  let world: EvmWorld;
  beforeEach(async () => {
    world = await createEvmWorld();
    await world.pay(hotWallet, 10n * ether);
    await world.payToken(hotWallet, 100n * ether);
    await world.anvil.mine();
  });
  afterEach(() => world.anvil.stop());

  const receiver = '0x00000000000000000000000000000000DeaDBeef';
  const payment = (changes: Partial<OutgoingPayment> = {}): OutgoingPayment => ({
    reference: 'w1',
    address: receiver,
    memo: null,
    contract: null,
    amount: ether,
    ...changes,
  });

  async function signed(custody: NetworkCustody, of: OutgoingPayment, nonceFrom = 0): Promise<SignedTransaction> {
    const signing = await custody.sign(of, nonceFrom, 0n);
    if (signing.kind === 'refused') throw new Error(signing.reason);
    return signing.transaction;
  }

  /** Mines a block that no transaction fits into. */
  async function mineWithoutRoom(): Promise<void> {
    await world.anvil.rpc('evm_setBlockGasLimit', '0x5207');
    await world.anvil.mine();
    await world.anvil.rpc('evm_setBlockGasLimit', '0x1c9c380');
  }

  /** The wallet pays somebody else with a nonce, behind the exchange's back. */
  async function takeNonce(nonce: number): Promise<string> {
    const { anvil, stranger } = world;
    await anvil.rpc('anvil_impersonateAccount', hotWallet);
    await anvil.rpc('anvil_dropAllTransactions');
    const transaction = { from: hotWallet, to: stranger, value: '0x1', gas: '0x5208', nonce: `0x${nonce}` };
    return anvil.rpc('eth_sendTransaction', transaction);
  }

  test.each(['native', 'token'])('a %s payment arrives, with another instance at every step', async (kind) => {
    const asked = payment({ contract: kind === 'native' ? null : world.token, amount: 3n * ether });
    const transaction = await signed(world.custody(), asked);
    expect(await world.custody().fateOf(transaction)).toEqual({ kind: 'unknown' });
    await world.custody().send(transaction);
    expect(await world.custody().fateOf(transaction)).toEqual({ kind: 'waiting' });
    await world.custody().send(transaction);
    const before = await world.balance(hotWallet);
    await world.anvil.mine(2);
    const fate = await world.custody().fateOf(transaction);
    const paid = before - (await world.balance(hotWallet)) - (kind === 'native' ? 3n * ether : 0n);
    expect(fate).toEqual({ kind: 'included', txId: transaction.txId, confirmations: 2, networkFee: paid });
    expect(paid).toBeGreaterThan(0n);
    await world.custody().send(transaction);
    await world.anvil.mine();
    const arrived = kind === 'native' ? await world.balance(receiver) : await world.tokenBalance(receiver);
    expect(arrived).toBe(3n * ether);
  });

  test('DEC-WAL-121: payments get nonces one after another, and none that the chain has is passed over', async () => {
    const custody = world.custody();
    const first = await signed(custody, payment());
    const second = await signed(custody, payment({ reference: 'w2', contract: world.token }), 1);
    expect([first.nonce, second.nonce]).toEqual([0, 1]);
    await custody.send(first);
    const third = await signed(custody, payment({ reference: 'w3' }), 2);
    await custody.send(second);
    await custody.send(third);
    await world.anvil.mine();
    expect(await world.custody().sign(payment({ reference: 'w4' }), 0, 0n)).toEqual({
      kind: 'refused',
      until: 'later',
      reason: 'the wallet has sent a transaction with nonce 0 that the journal does not know',
    });
    expect((await signed(world.custody(), payment({ reference: 'w4' }), 3)).nonce).toBe(3);
    for (const transaction of [first, second, third])
      expect(await custody.fateOf(transaction)).toMatchObject({ kind: 'included' });
  });

  test('signing again after a crash before the journal uses the nonce again, so that one of both takes effect', async () => {
    const lost = await signed(world.custody(), payment());
    const again = await signed(world.custody(), payment());
    expect(again.nonce).toBe(lost.nonce);
  });

  test('what was journaled but not sent holds later payments back after a restart, until it is sent', async () => {
    const first = await signed(world.custody(), payment());
    const second = payment({ reference: 'w2' });
    const custody = world.custody();
    expect(await custody.sign(second, 1, 0n)).toMatchObject({ kind: 'refused', until: 'later' });
    await custody.send(first);
    expect((await signed(custody, second, 1)).nonce).toBe(1);
  });

  test('payments that were signed and not sent count against what the wallet has', async () => {
    const custody = world.custody();
    await signed(custody, payment({ amount: 6n * ether }));
    expect(await custody.sign(payment({ reference: 'w2', amount: 6n * ether }), 1, 0n)).toMatchObject({
      until: 'later',
    });
    const token = { contract: world.token, amount: 60n * ether };
    await signed(custody, payment({ reference: 'w3', ...token }), 1);
    expect(await custody.sign(payment({ reference: 'w4', ...token }), 2, 0n)).toMatchObject({ until: 'later' });
    expect((await signed(custody, payment({ reference: 'w5', amount: 3n * ether }), 2)).nonce).toBe(2);
  });

  test('DEC-WAL-47: a payment without a payable receiver is refused for ever', async () => {
    const custody = world.custody();
    const impossible: readonly Partial<OutgoingPayment>[] = [
      { address: '0x1234' },
      { address: '0x0000000000000000000000000000000000000000' },
      { address: receiver.replace('DeaD', 'dEAd') },
      { memo: '7' },
      { contract: 'x' },
      { amount: 0n },
      { amount: 2n ** 256n },
      { address: world.token, contract: world.token },
      { address: hotWallet },
      { address: gasWallet },
    ];
    for (const changes of impossible)
      expect(await custody.sign(payment(changes), 0, 0n), JSON.stringify(Object.keys(changes))).toMatchObject({
        kind: 'refused',
        until: 'never',
      });
  });

  test('DEC-WAL-47: what the chain, a contract or the settings forbid now may be possible later', async () => {
    const { anvil } = world;
    const refusal = async (changes: Partial<OutgoingPayment>, settings = {}) => {
      const signing = await world.custody(settings).sign(payment(changes), 0, 0n);
      return signing.kind === 'refused' ? `${signing.until}: ${signing.reason}` : signing.kind;
    };
    const feeCaps = { feePerGasMax: 10n ** 12n, priorityFeePerGasMax: 10n ** 9n, gasMax: 300_000n };
    expect(await refusal({ amount: 11n * ether })).toBe('later: the wallet has too little');
    expect(await refusal({ amount: 10n * ether })).toMatch(/^later: /);
    expect(await refusal({ contract: world.token, amount: 101n * ether })).toMatch(/^later: .*token/);
    expect(await refusal({ contract: '0x00000000000000000000000000000000000000AA' })).toMatch(/^later: .*settings/);
    expect(await refusal({}, { feeCaps: { ...feeCaps, feePerGasMax: 1n } })).toBe(
      'later: the network fee is above its cap',
    );
    expect(await refusal({ contract: world.token }, { feeCaps: { ...feeCaps, gasMax: 30_000n } })).toMatch(
      /^later: .*gas/,
    );
    // A receiver whose code reverts whatever it gets.
    await anvil.rpc('anvil_setCode', receiver, '0x60006000fd');
    expect(await refusal({})).toMatch(/^later: the network would not carry it out/);
    await anvil.rpc('anvil_setCode', receiver, '0x');
    await anvil.rpc('anvil_setBalance', hotWallet, '0x1');
    expect(await refusal({ contract: world.token })).toMatch(/^later: .*network fee/);
  });

  test('DEC-WAL-48: a payment that exceeds the limit of its coin with what was paid within the hour waits', async () => {
    const custody = world.custody({ nativeCoin: { perHourMax: 3n * ether, sweepFrom: null } });
    const second = payment({ amount: ether + 1n });
    expect(await custody.sign(second, 0, 2n * ether)).toEqual({
      kind: 'refused',
      until: 'later',
      reason: 'the hourly limit is used up',
    });
    expect(await custody.sign(payment({ amount: 3n * ether + 1n }), 0, 0n)).toMatchObject({ until: 'later' });
    expect(await custody.sign(payment(), 0, 2n * ether)).toMatchObject({ kind: 'signed' });
    expect(await custody.sign(second, 0, 2n * ether - 1n)).toMatchObject({ kind: 'signed' });
    // Each coin has a limit of its own, and this token none.
    const token = payment({ contract: world.token, amount: 50n * ether });
    expect(await custody.sign(token, 0, 1000n * ether)).toMatchObject({ kind: 'signed' });
    // What can never be paid is told at once, limit or not.
    expect(await custody.sign(payment({ address: hotWallet }), 0, 9n * ether)).toMatchObject({ until: 'never' });
  });

  test('a payment that waits too long is signed again with the same nonce and an eighth more', async () => {
    const { anvil } = world;
    const custody = world.custody();
    const transaction = await signed(custody, payment());
    expect(await custody.replacementFor(payment(), transaction)).toBeNull();
    await custody.send(transaction);
    const before = parseTransaction(transaction.raw as `0x${string}`);
    await mineWithoutRoom();
    expect(await custody.replacementFor(payment(), transaction)).toBeNull();
    await mineWithoutRoom();
    expect(await custody.fateOf(transaction)).toEqual({ kind: 'waiting' });
    const replacement = await custody.replacementFor(payment(), transaction);
    const after = parseTransaction(replacement!.raw as `0x${string}`);
    expect(replacement).toMatchObject({ nonce: transaction.nonce });
    expect(after).toMatchObject({ to: before.to, value: before.value, gas: before.gas, nonce: before.nonce });
    expect(after.maxFeePerGas! * 8n).toBeGreaterThanOrEqual(before.maxFeePerGas! * 9n);
    expect(after.maxPriorityFeePerGas! * 8n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas! * 9n);
    await world.custody().send(replacement!);
    await anvil.mine(3);
    const fate = await world.custody().fateOf(replacement!);
    expect(fate).toMatchObject({ kind: 'included', txId: replacement!.txId, confirmations: 3 });
    // Whoever asks for the replaced one learns that the payment was made.
    expect(await world.custody().fateOf(transaction)).toEqual(fate);
    expect(await world.balance(receiver)).toBe(ether);
    expect(await custody.replacementFor(payment(), transaction)).toBeNull();
  });

  test('a payment that nodes drop because fees rose is signed again with a higher fee too', async () => {
    const { anvil } = world;
    const custody = world.custody();
    const transaction = await signed(custody, payment());
    await custody.send(transaction);
    expect(await custody.replacementFor(payment(), transaction)).toBeNull();
    for (let block = 0; block < 2; block += 1) {
      await anvil.rpc('anvil_setNextBlockBaseFeePerGas', '0x200000000');
      await anvil.mine();
    }
    expect(await custody.fateOf(transaction)).toEqual({ kind: 'unknown' });
    const replacement = await custody.replacementFor(payment(), transaction);
    await custody.send(replacement!);
    await anvil.mine();
    expect(await custody.fateOf(replacement!)).toMatchObject({ kind: 'included', txId: replacement!.txId });
  });

  test('a fee is not raised above its cap', async () => {
    const feeCaps = { feePerGasMax: 2n * 10n ** 9n, priorityFeePerGasMax: 10n ** 9n, gasMax: 300_000n };
    const custody = world.custody({ feeCaps });
    const transaction = await signed(custody, payment());
    await custody.send(transaction);
    for (let block = 0; block < 5; block += 1) {
      expect(await custody.replacementFor(payment(), transaction)).toBeNull();
      await mineWithoutRoom();
    }
    expect(await custody.fateOf(transaction)).toEqual({ kind: 'waiting' });
  });

  test('a transaction that lost its nonce to another one is displaced, and named so only while that one is there', async () => {
    const { anvil } = world;
    const transaction = await signed(world.custody(), payment());
    await world.custody().send(transaction);
    const by = await takeNonce(0);
    expect(await world.custody().fateOf(transaction)).toEqual({ kind: 'unknown' });
    await anvil.mine(40);
    expect(await world.custody().fateOf(transaction)).toEqual({ kind: 'displaced', by, confirmations: 40 });
    await world.custody().send(transaction);
    await anvil.rpc('anvil_reorg', 40, []);
    await anvil.rpc('anvil_dropAllTransactions');
    expect(await world.custody().fateOf(transaction)).toEqual({ kind: 'unknown' });
    await world.custody().send(transaction);
    await anvil.mine();
    expect(await world.custody().fateOf(transaction)).toMatchObject({ kind: 'included', confirmations: 1 });
  });

  test('a replacement is told the fate of the transaction that it came too late to replace', async () => {
    const custody = world.custody();
    const token = payment({ contract: world.token });
    const transaction = await signed(custody, token);
    await custody.replacementFor(token, transaction);
    await world.anvil.mine(2);
    const replacement = await custody.replacementFor(token, transaction);
    await custody.send(transaction);
    await world.anvil.mine();
    await custody.send(replacement!);
    const fate = await world.custody().fateOf(replacement!);
    expect(fate).toMatchObject({ kind: 'included', txId: transaction.txId, confirmations: 1 });
    expect(await world.tokenBalance(receiver)).toBe(ether);
  });

  test('a transaction that the node does not take stays unknown, and the operator is told once', async () => {
    const { anvil } = world;
    const transaction = await signed(world.custody(), payment());
    await anvil.rpc('anvil_setBalance', hotWallet, '0x1');
    const custody = world.custody();
    for (let round = 0; round < 3; round += 1) await custody.send(transaction);
    expect(await custody.fateOf(transaction)).toEqual({ kind: 'unknown' });
    expect(world.notices).toEqual([expect.stringContaining(transaction.txId)]);
    await anvil.rpc('anvil_setBalance', hotWallet, `0x${(9n * ether).toString(16)}`);
    await custody.send(transaction);
    expect(await custody.fateOf(transaction)).toEqual({ kind: 'waiting' });
  });

  test('a token payment that fails in its block is reverted, and cost its fee', async () => {
    const { anvil, token } = world;
    const transaction = await signed(world.custody(), payment({ contract: token }));
    await anvil.rpc('anvil_setStorageAt', token, balanceSlot(hotWallet), `0x${'0'.repeat(64)}`);
    await world.custody().send(transaction);
    await anvil.mine();
    const fate = await world.custody().fateOf(transaction);
    expect(fate).toMatchObject({ kind: 'reverted', confirmations: 1 });
    expect(await world.tokenBalance(receiver)).toBe(0n);
  });

  test('a token that answers without moving anything has reverted, whatever its receipt says', async () => {
    const { anvil, token } = world;
    const transaction = await signed(world.custody(), payment({ contract: token }));
    await anvil.rpc('anvil_setCode', token, '0x600160005260206000f3');
    await world.custody().send(transaction);
    await anvil.mine();
    const receipt = await anvil.rpc<{ status: string }>('eth_getTransactionReceipt', transaction.txId);
    expect(receipt.status).toBe('0x1');
    expect(await world.custody().fateOf(transaction)).toMatchObject({ kind: 'reverted', confirmations: 1 });
  });

  test('a payment in a replaced block is unknown or waits, and arrives once', async () => {
    const { anvil } = world;
    const transaction = await signed(world.custody(), payment());
    await world.custody().send(transaction);
    await anvil.mine();
    expect(await world.custody().fateOf(transaction)).toMatchObject({ kind: 'included' });
    await anvil.rpc('anvil_reorg', 1, []);
    expect((await world.custody().fateOf(transaction)).kind).toMatch(/^(unknown|waiting)$/);
    await world.custody().send(transaction);
    await anvil.mine();
    expect(await world.custody().fateOf(transaction)).toMatchObject({ kind: 'included', confirmations: 1 });
    expect(await world.balance(receiver)).toBe(ether);
  });
});
