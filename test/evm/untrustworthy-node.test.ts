import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NetworkCustody, SignedTransaction } from '#custody/custody.ts';
import { NetworkUnavailable } from '#custody/custody.ts';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import {
  addressCount,
  createEvmWorld,
  depositAddress,
  ether,
  gasWallet,
  hotWallet,
  observeAll,
} from './evm-harness.ts';
import { changed, failures, garbage, lies, otherHash, receiptMethods } from './node-faults.ts';
import type { TamperingNode } from './tampering-node.ts';
import { startTamperingNode } from './tampering-node.ts';
import { confirmationsOf } from '../chain-sight.ts';

describe.skipIf(!hasAnvil)('a node of an EVM chain that cannot be relied on', () => {
  let world: EvmWorld;
  let snapshot: string;
  let node: TamperingNode;
  let sent: SignedTransaction;
  const payment = { reference: 'w1', address: depositAddress(99), memo: null, contract: null, amount: 5n };
  const custody = (requestTimeoutMs = 10_000) => world.custody({ rpcUrl: node.url, requestTimeoutMs });

  beforeAll(async () => {
    world = await createEvmWorld();
    await world.pay(hotWallet, ether);
    await world.pay(gasWallet, ether);
    await world.anvil.mine();
    const signing = await world.custody().sign(payment, 0, 0n);
    if (signing.kind === 'refused') throw new Error(signing.reason);
    sent = signing.transaction;
    await world.custody().send(sent);
    await world.pay(depositAddress(0), 5n);
    await world.payToken(depositAddress(1), 7n);
    await world.payToken(depositAddress(2), 20n * ether);
    await world.anvil.mine(2);
    snapshot = await world.anvil.rpc('evm_snapshot');
  });
  beforeEach(async () => {
    node = await startTamperingNode(world.anvil.url);
  });
  afterEach(async () => {
    await node.stop();
    // The chain as it was, with nothing waiting.
    await world.anvil.rpc('anvil_dropAllTransactions');
    await world.anvil.rpc('evm_revert', snapshot);
    snapshot = await world.anvil.rpc('evm_snapshot');
  });
  afterAll(() => world?.anvil.stop());

  /** Everything that can be asked, each of a new instance, with whatever the node does. */
  const questions: Record<string, (custody: NetworkCustody) => Promise<unknown>> = {
    observe: (asked) => asked.observe({ since: null, addressCount }),
    placesOf: (asked) => confirmationsOf(asked, [{ txId: sent.txId, output: 0 }]),
    sign: (asked) => asked.sign({ ...payment, contract: world.token, address: world.stranger }, 1, 0n),
    send: (asked) => asked.send(sent),
    fateOf: (asked) => asked.fateOf(sent),
    replacementFor: (asked) => asked.replacementFor(payment, sent),
    sweep: (asked) => asked.sweep(addressCount),
    sweepsSince: (asked) => asked.sweepsSince(null, addressCount),
    holdings: (asked) => asked.holdings([world.token], addressCount),
  };

  test.each(Object.keys(failures))('a node that %s is unavailable, whatever is asked', async (name) => {
    node.behaviour = failures[name]!;
    // Sending asks for nothing before: a signed transaction names its chain, and whoever is behind passes it on.
    const besides = name.startsWith('is ') ? ['send'] : [];
    const timeoutMs = ['hangs', 'answers without end'].includes(name) ? 300 : 10_000;
    for (const [question, ask] of Object.entries(questions)) {
      if (besides.includes(question)) continue;
      const error = await ask(custody(timeoutMs)).then(
        (answer) => `${question}: ${JSON.stringify(answer, (_, value) => String(value))}`,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(NetworkUnavailable);
      expect((error as Error).message).toMatch(/^ETH: [\x20-\x7e]+$/);
      expect((error as Error).message).not.toContain(node.url);
    }
    node.behaviour = {};
    for (const ask of Object.values(questions)) await ask(custody());
  });

  test.each(Object.keys(lies))('no deposit is seen of a node that %s', async (name) => {
    node.behaviour = { tamper: lies[name]! };
    await expect(custody().observe({ since: null, addressCount })).rejects.toThrow(NetworkUnavailable);
    node.behaviour = {};
    const { payments } = await custody().observe({ since: null, addressCount });
    expect(payments.map(({ amount }) => amount)).toEqual([5n, 7n, 20n * ether]);
  });

  test('no deposit is seen and none is removed while a node is behind what was read', async () => {
    const asked = custody();
    const { position, payments } = await asked.observe({ since: null, addressCount });
    node.behaviour = {
      tamper: (result, { params }) => (params[0] === 'latest' ? { ...(result as object), number: '0x1' } : result),
    };
    await expect(asked.observe({ since: position, addressCount })).rejects.toThrow('behind');
    await expect(confirmationsOf(asked, payments)).rejects.toThrow('behind');
    await expect(custody().observe({ since: position, addressCount })).rejects.toThrow('behind');
    // A block that is too new is not believed either, and does no lasting harm.
    node.behaviour = {
      tamper: (result, { params }) => (params[0] === 'latest' ? { ...(result as object), number: '0xffffff' } : result),
    };
    await expect(asked.observe({ since: position, addressCount })).rejects.toThrow(NetworkUnavailable);
    node.behaviour = {};
    expect((await asked.observe({ since: position, addressCount })).payments).toEqual([]);
    expect(await confirmationsOf(asked, payments)).toEqual([2, 2, 2]);
  });

  test('receipts that are not of the chain prove nothing about payments or withdrawals', async () => {
    for (const change of [{ blockHash: otherHash }, { blockNumber: '0xffff' }, { transactionHash: otherHash }]) {
      node.behaviour = { tamper: changed(receiptMethods, () => change) };
      await expect(confirmationsOf(custody(), [{ txId: sent.txId, output: 0 }])).rejects.toThrow(NetworkUnavailable);
      await expect(custody().fateOf(sent)).rejects.toThrow(NetworkUnavailable);
    }
  });

  test('a withdrawal in a block is not called displaced by a node that lost its receipt', async () => {
    node.behaviour = { tamper: (result, { method }) => (receiptMethods.includes(method) ? null : result) };
    await expect(custody().fateOf(sent)).rejects.toThrow('not by another transaction');
  });

  test('a node that names a sent transaction otherwise is not believed to have sent it', async () => {
    node.behaviour = { tamper: (result, { method }) => (method === 'eth_sendRawTransaction' ? otherHash : result) };
    const signing = await custody().sign({ ...payment, reference: 'w2' }, 1, 0n);
    if (signing.kind === 'refused') throw new Error(signing.reason);
    await expect(custody().send(signing.transaction)).rejects.toThrow(NetworkUnavailable);
  });

  test('whatever single answer is garbage, nothing but unavailability or the truth comes out', async () => {
    const truth = JSON.stringify((await observeAll(world)).payments, (_, value) => String(value));
    await custody().observe({ since: null, addressCount });
    for (const method of node.asked.keys())
      for (const value of garbage) {
        node.behaviour = { tamper: (result, call) => (call.method === method ? value : result) };
        const seen = await custody()
          .observe({ since: null, addressCount })
          .catch((error: unknown) => error);
        if (seen instanceof NetworkUnavailable) continue;
        const { payments } = seen as { payments: unknown };
        const isEmpty = method === 'eth_getLogs' && JSON.stringify(value) === '[]';
        // A node that keeps logs to itself cannot be told from one without any.
        if (!isEmpty)
          expect(
            JSON.stringify(payments, (_, each) => String(each)),
            method,
          ).toBe(truth);
      }
  });

  test('a position of another kind is refused and nothing is read', async () => {
    for (const since of ['', '7', 'height:7', '99999999999:', `1:${'g'.repeat(40)}`])
      await expect(custody().observe({ since, addressCount })).rejects.toThrow(NetworkUnavailable);
    await expect(custody().sweepsSince('7', addressCount)).rejects.toThrow(NetworkUnavailable);
  });
});
