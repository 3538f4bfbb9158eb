import { depositAddress, hotWallet } from './evm-harness.ts';
import type { Behaviour, Tamper } from './tampering-node.ts';

const json = (text: string): Behaviour => ({
  reply: (response) => void response.setHeader('content-type', 'application/json').end(text),
});

const refusal = { code: -32_000, message: 'line\nbreak \u001b[31m and more' };
const refuseAll: Behaviour = {
  reply: (response, ids) => {
    const answers = ids.map((id) => ({ id, error: refusal }));
    response.end(JSON.stringify(answers.length > 1 ? answers : answers[0]));
  },
};

/** Nodes of which no question gets an answer that can be used. */
export const failures: Record<string, Behaviour> = {
  hangs: { reply: () => undefined },
  'answers without end': { reply: (response) => void response.write('[') },
  'cuts the connection': { reply: (response) => void response.destroy() },
  'answers a status of failure': { reply: (response) => void response.writeHead(503).end('busy') },
  'sends elsewhere': { reply: (response) => void response.writeHead(307, { location: '/elsewhere' }).end() },
  'answers nothing': json(''),
  'answers a page': json('<html>'),
  'answers null': json('null'),
  'answers deep nesting': json('['.repeat(100_000)),
  'answers no result': json('{"jsonrpc":"2.0","id":0}'),
  'answers one object': json('{"jsonrpc":"2.0","id":0,"result":"0x1"}'),
  'answers another id': json('[{"id":7,"result":"0x1"},{"id":8,"result":"0x1"}]'),
  'answers the same id twice': json('[{"id":0,"result":"0x1"},{"id":0,"result":"0x1"}]'),
  'refuses everything': refuseAll,
  'answers null to every question': { tamper: () => null },
  'answers a number to every question': { tamper: () => 7 },
  'answers an empty list to every question': { tamper: () => [] },
  'answers too long a number to every question': { tamper: () => `0x${'f'.repeat(65)}` },
  'answers half a hash to every question': { tamper: () => '0xabcd' },
  'is on another chain': { tamper: (result, { method }) => (method === 'eth_chainId' ? '0x1' : result) },
  'is still catching up': {
    tamper: (result, { method }) => (method === 'eth_syncing' ? { currentBlock: '0x1', highestBlock: '0x9' } : result),
  },
};

/** Changes the members of every object with which some methods are answered. */
export const changed =
  (methods: readonly string[], change: (each: Record<string, unknown>) => object): Tamper =>
  (result, { method }) => {
    if (!methods.includes(method) || result === null) return result;
    return Array.isArray(result)
      ? result.map((each) => ({ ...each, ...change(each) }))
      : { ...(result as object), ...change(result as Record<string, unknown>) };
  };

/** A hash of nothing that is on the chain. */
export const otherHash = `0x${'12'.repeat(32)}`;
/** Methods that answer receipts. */
export const receiptMethods = ['eth_getTransactionReceipt'];

/** Changes every full block. */
const inBlocks =
  (change: object | null): Tamper =>
  (result, { params }) =>
    params[1] === true ? change && { ...(result as object), ...change } : result;

/** Lies about blocks, receipts and logs, each about one thing. */
export const lies: Record<string, Tamper> = {
  'gives a block another parent': inBlocks({ parentHash: otherHash }),
  'begins with a block of another chain': (result, { params }) =>
    params[0] === '0x1' && params[1] === true ? { ...(result as object), parentHash: otherHash } : result,
  'gives a block another hash': inBlocks({ hash: otherHash }),
  'gives another block than was asked for': inBlocks({ number: '0x3' }),
  'lacks blocks': inBlocks(null),
  'gives receipts of another transaction': changed(receiptMethods, () => ({ transactionHash: otherHash })),
  'gives receipts of another block': changed(receiptMethods, () => ({ blockHash: otherHash })),
  'gives receipts and their logs of another block': changed(receiptMethods, ({ logs }) => ({
    blockHash: otherHash,
    logs: (logs as object[]).map((log) => ({ ...log, blockHash: otherHash })),
  })),
  'has no receipts': (result, { method }) => (receiptMethods.includes(method) ? null : result),
  'gives receipts without logs': changed(receiptMethods, () => ({ logs: [] })),
  'gives receipts without a status': changed(receiptMethods, () => ({ status: undefined })),
  'gives failed receipts for logs that it has': changed(receiptMethods, ({ logs }) => ({
    status: (logs as unknown[]).length > 0 ? '0x0' : '0x1',
  })),
  'gives logs of contracts that nobody asked for': changed(['eth_getLogs'], () => ({ address: hotWallet })),
  'gives logs that were removed': changed(['eth_getLogs'], () => ({ removed: true })),
  'gives logs of another block': changed(['eth_getLogs'], () => ({ blockHash: otherHash })),
  'gives logs of another kind': changed(['eth_getLogs'], () => ({ topics: [otherHash, otherHash, otherHash] })),
  'gives logs with another amount than its receipts': changed(['eth_getLogs'], () => ({
    data: `0x${'00'.repeat(31)}ff`,
  })),
  'gives logs with another receiver than its receipts': changed(['eth_getLogs'], ({ topics }) => ({
    topics: [...(topics as string[]).slice(0, 2), `0x${depositAddress(4).slice(2).toLowerCase().padStart(64, '0')}`],
  })),
  'gives logs of transactions that are not there': changed(['eth_getLogs'], () => ({ transactionHash: otherHash })),
};

/** Answers that fit nowhere. */
export const garbage = [null, '', 'x', '0x', '0x0', -1, {}, [], [[]], [{}], { number: '0x0' }, 'a'.repeat(1000)];
