import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { NetworkUnavailable } from '#custody/custody.ts';
import { createRpc } from '#custody/evm/rpc.ts';

const call = { method: 'eth_chainId', params: [] };

test('an access key in the address of a node shows in no error', async () => {
  for (const url of ['http://127.0.0.1:1/secret', 'http://user:secret@127.0.0.1:1/']) {
    const error = await createRpc({ network: 'ETH', url, timeoutMs: 5_000 })([call]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkUnavailable);
    expect(String(error)).toContain('ETH: eth_chainId: ');
    expect(String(error)).not.toContain('secret');
  }
  for (const url of ['secret', 'ftp://secret', 'file:///secret']) {
    const open = () => createRpc({ network: 'ETH', url, timeoutMs: 5_000 });
    expect(open).toThrow(TypeError);
    expect(open).not.toThrow('secret');
  }
});

test('a user and password in the address are sent as basic authorization', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end('{"jsonrpc":"2.0","id":0,"result":"0x1"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const rpc = createRpc({ network: 'ETH', url: `http://me:p%40ss@127.0.0.1:${port}/`, timeoutMs: 5_000 });
  expect(await rpc([call])).toEqual([{ result: '0x1' }]);
  expect(seen).toEqual([`Basic ${Buffer.from('me:p@ss').toString('base64')}`]);
  server.closeAllConnections();
  server.close();
});

test('many questions go out in bounded batches, and answers come back in their order', async () => {
  const sizes: number[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const asked = JSON.parse(body) as { id: number; params: number[] }[];
    sizes.push(asked.length);
    response.end(JSON.stringify(asked.map(({ id, params }) => ({ id, result: params[0] })).reverse()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const rpc = createRpc({ network: 'ETH', url: `http://127.0.0.1:${port}/`, timeoutMs: 5_000 });
  const numbers = Array.from({ length: 120 }, (_, index) => index);
  const answers = await rpc(numbers.map((number) => ({ method: 'echo', params: [number] })));
  expect(answers).toEqual(numbers.map((result) => ({ result })));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(50);
  server.closeAllConnections();
  server.close();
});
