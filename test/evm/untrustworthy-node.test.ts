import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
import type { Behaviour, Tamper, TamperingNode } from './tampering-node.ts';
import { startTamperingNode } from './tampering-node.ts';

describe.skipIf(!hasAnvil)('a node of an EVM chain that cannot be relied on', () => {
  let world: EvmWorld;
  let node: TamperingNode;
  let sent: SignedTransaction;
  const payment = { reference: 'w1', address: depositAddress(99), memo: null, contract: null, amount: 5n };
  const custody = () => world.custody({ rpcUrl: node.url, requestTimeoutMs: 400 });

  beforeEach(async () => {
    world = await createEvmWorld();
    node = await startTamperingNode(world.anvil.url);
    await world.pay(hotWallet, ether);
    await world.pay(gasWallet, ether);
    await world.anvil.mine();
    const signing = await world.custody().sign(payment, 0);
    if (signing.kind === 'refused') throw new Error(signing.reason);
    sent = signing.transaction;
    await world.custody().send(sent);
    await world.pay(depositAddress(0), 5n);
    await world.payToken(depositAddress(1), 7n);
    await world.payToken(depositAddress(2), 20n * ether);
    await world.anvil.mine(2);
  });
  afterEach(async () => {
    await node.stop();
    await world.anvil.stop();
  });

  /** Everything that can be asked, each of a new instance, with whatever the node does. */
  const questions: Record<string, (custody: NetworkCustody) => Promise<unknown>> = {
    observe: (asked) => asked.observe({ since: null, addressCount }),
    confirmationsOf: (asked) => asked.confirmationsOf([{ txId: sent.txId, output: 0 }]),
    sign: (asked) => asked.sign({ ...payment, contract: world.token, address: world.stranger }, 1),
    send: (asked) => asked.send(sent),
    fateOf: (asked) => asked.fateOf(sent),
    replacementFor: (asked) => asked.replacementFor(payment, sent),
    sweep: (asked) => asked.sweep!(addressCount),
    sweepsSince: (asked) => asked.sweepsSince(null, addressCount),
    holdings: (asked) => asked.holdings([world.token], addressCount),
  };

  const json = (text: string): Behaviour => ({
    reply: (response) => void response.setHeader('content-type', 'application/json').end(text),
  });
  const refusal = { code: -32_000, message: 'line\nbreak \u001b[31m and more' };
  const failures: Record<string, Behaviour> = {
    hangs: { reply: () => undefined },
    'answers without end': { reply: (response) => void response.write('[') },
    'cuts the connection': { reply: (response) => void response.destroy() },
    'answers a status of failure': { reply: (response) => void response.writeHead(503).end('busy') },
    'sends elsewhere': { reply: (response) => void response.writeHead(307, { location: world.anvil.url }).end() },
    'answers nothing': json(''),
    'answers a page': json('<html>'),
    'answers null': json('null'),
    'answers deep nesting': json('['.repeat(100_000)),
    'answers no result': json('{"jsonrpc":"2.0","id":0}'),
    'answers one object': json('{"jsonrpc":"2.0","id":0,"result":"0x1"}'),
    'answers another id': json('[{"id":7,"result":"0x1"},{"id":8,"result":"0x1"}]'),
    'answers the same id twice': json('[{"id":0,"result":"0x1"},{"id":0,"result":"0x1"}]'),
    'refuses everything': {
      reply: (response, isBatch) => {
        const answers = Array.from({ length: isBatch ? 2 : 1 }, (_, id) => ({ id, error: refusal }));
        response.end(JSON.stringify(isBatch ? answers : answers[0]));
      },
    },
    'answers null to every call': { tamper: () => null },
    'answers a number to every call': { tamper: () => 7 },
    'answers an empty list to every call': { tamper: () => [] },
    'answers too long a number to every call': { tamper: () => `0x${'f'.repeat(65)}` },
    'answers half a hash to every call': { tamper: () => '0xabcd' },
    'is on another chain': { tamper: (result, { method }) => (method === 'eth_chainId' ? '0x1' : result) },
  };

  test.each(Object.keys(failures))('a node that %s is unavailable, whatever is asked', async (name) => {
    node.behaviour = failures[name]!;
    // A signed transaction names its chain, so that another one refuses it.
    const besides = name === 'is on another chain' ? ['send'] : [];
    for (const [question, ask] of Object.entries(questions)) {
      if (besides.includes(question)) continue;
      const error = await ask(custody()).then(
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

  /** Changes the members of every object with which a call is answered. */
  const changed =
    (methods: readonly string[], change: (each: Record<string, unknown>) => object): Tamper =>
    (result, { method }) => {
      if (!methods.includes(method)) return result;
      return Array.isArray(result)
        ? result.map((each) => ({ ...each, ...change(each) }))
        : { ...(result as object), ...change(result as Record<string, unknown>) };
    };
  const other = `0x${'12'.repeat(32)}`;
  const isFull = (call: { readonly params: readonly unknown[] }) => call.params[1] === true;
  const inReceipt = ['eth_getTransactionReceipt'];
  const lies: Record<string, Tamper> = {
    'gives a block another parent': (result, call) =>
      isFull(call) ? { ...(result as object), parentHash: other } : result,
    'gives a block another hash': (result, call) => (isFull(call) ? { ...(result as object), hash: other } : result),
    'gives another block than was asked for': (result, call) =>
      isFull(call) ? { ...(result as object), number: '0x3' } : result,
    'lacks blocks': (result, call) => (isFull(call) ? null : result),
    'gives receipts of another transaction': changed(inReceipt, () => ({ transactionHash: other })),
    'gives receipts of another block': changed(inReceipt, () => ({ blockHash: other })),
    'has no receipts': (result, { method }) => (inReceipt.includes(method) ? null : result),
    'gives receipts without logs': changed(inReceipt, () => ({ logs: [] })),
    'gives receipts without a status': changed(inReceipt, () => ({ status: undefined })),
    'gives failed receipts for logs that it has': changed(inReceipt, ({ logs }) => ({
      status: (logs as unknown[]).length > 0 ? '0x0' : '0x1',
    })),
    'gives logs of contracts that nobody asked for': changed(['eth_getLogs'], () => ({ address: hotWallet })),
    'gives logs that were removed': changed(['eth_getLogs'], () => ({ removed: true })),
    'gives logs of another block': changed(['eth_getLogs'], () => ({ blockHash: other })),
    'gives logs of another kind': changed(['eth_getLogs'], () => ({ topics: [other, other, other] })),
    'gives logs with another amount than its receipts': changed(['eth_getLogs'], () => ({
      data: `0x${'00'.repeat(31)}ff`,
    })),
    'gives logs with another receiver than its receipts': changed(['eth_getLogs'], ({ topics }) => ({
      topics: [...(topics as string[]).slice(0, 2), `0x${depositAddress(4).slice(2).padStart(64, '0')}`],
    })),
    'gives logs of transactions that are not there': changed(['eth_getLogs'], () => ({ transactionHash: other })),
    'is behind itself': (() => {
      let calls = 0;
      return (result, call) => {
        if (call.params[0] !== 'latest' || (calls += 1) < 2) return result;
        return { ...(result as object), number: '0x1' };
      };
    })(),
  };

  test.each(Object.keys(lies))('no deposit is seen of a node that %s', async (name) => {
    node.behaviour = { tamper: lies[name]! };
    const asked = custody();
    const seen = (async () => {
      await asked.observe({ since: null, addressCount });
      await asked.observe({ since: null, addressCount });
    })();
    await expect(seen).rejects.toThrow(NetworkUnavailable);
    node.behaviour = {};
    const { payments } = await custody().observe({ since: null, addressCount });
    expect(payments.map(({ amount }) => amount)).toEqual([5n, 7n, 20n * ether]);
  });

  test('receipts that are not of the chain prove nothing about payments or withdrawals', async () => {
    for (const change of [{ blockHash: other }, { blockNumber: '0xffff' }, { transactionHash: other }]) {
      node.behaviour = { tamper: changed(inReceipt, () => change) };
      await expect(custody().confirmationsOf([{ txId: sent.txId, output: 0 }])).rejects.toThrow(NetworkUnavailable);
      await expect(custody().fateOf(sent)).rejects.toThrow(NetworkUnavailable);
    }
  });

  test('a withdrawal in a block is not called displaced by a node that lost its receipt', async () => {
    node.behaviour = { tamper: (result, { method }) => (inReceipt.includes(method) ? null : result) };
    await expect(custody().fateOf(sent)).rejects.toThrow('not by another transaction');
  });

  test('a node that names a sent transaction otherwise is not believed to have sent it', async () => {
    node.behaviour = { tamper: (result, { method }) => (method === 'eth_sendRawTransaction' ? other : result) };
    const signing = await custody().sign({ ...payment, reference: 'w2' }, 1);
    if (signing.kind === 'refused') throw new Error(signing.reason);
    await expect(custody().send(signing.transaction)).rejects.toThrow(NetworkUnavailable);
  });

  test('whatever single answer is garbage, nothing but unavailability or the truth comes out', async () => {
    const truth = JSON.stringify((await observeAll(world)).payments, (_, value) => String(value));
    await custody().observe({ since: null, addressCount });
    const garbage = [null, '', 'x', '0x', '0x0', -1, {}, [], [[]], [{}], { number: '0x0' }, 'a'.repeat(1000)];
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
