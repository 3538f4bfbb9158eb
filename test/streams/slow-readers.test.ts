import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { wireLimits } from '#http/limits.ts';
import { as } from '#model/units.ts';
import { startTestGateway } from '../api/gateway-harness.ts';
import { StreamClient, until } from './stream-client.ts';
import { people, startStreamHarness } from './stream-harness.ts';

const kernelTable = '/proc/net/tcp';

/** Bytes that the kernel holds for whoever connected to a port of this machine and does not read; Linux only. */
function heldByKernel(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(kernelTable, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(local))
    .reduce((sum, fields) => sum + Number.parseInt(fields[4]?.split(':')[0] ?? '0', 16), 0);
}

test.runIf(existsSync(kernelTable))(
  'what the kernel held for a websocket that was cut is dropped with it',
  async () => {
    const harness = await startStreamHarness();
    const channels = ['5', '10', '20'].map((levels) => `spot@public.limit.depth.v3.api.pb@BTCUSDT@${levels}`);
    const slow = await StreamClient.open(`${harness.url}?encoding=json`);
    await slow.subscribe(...channels);
    slow.socket.pause();
    for (let step = 0; step < 40_000 && harness.counted.slow === 0; step += 1) {
      await harness.order(people.alice, { side: 'sell', price: as(10_000 + (step % 25)), quantity: as(1 + step) });
      harness.timers.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
      if (step % 400 === 399)
        await harness.exchange.submit({ kind: 'cancelOrders', account: people.alice, symbols: [as(0)] });
    }
    expect(harness.counted.slow).toBe(1);
    expect(heldByKernel(harness.port)).toBeGreaterThan(100_000);
    harness.timers.advance(wireLimits.streams.closeMs);
    await until('the connection is gone', () => harness.streams.counts().connections === 0);
    await until('the kernel holds nothing', () => heldByKernel(harness.port) === 0);
    slow.socket.terminate();
    await harness.close();
  },
  60_000,
);

test.runIf(existsSync(kernelTable))(
  'a client that does not take its answers is cut, and what waits for it dropped',
  async () => {
    const gate = await startTestGateway({ settings: { rateLimits: false } });
    const served: Socket[] = [];
    gate.server.on('connection', (socket) => served.push(socket));
    const slow = connect(gate.port, '127.0.0.1');
    await once(slow, 'connect');
    slow.on('error', () => {});
    slow.pause();
    slow.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
    await until('an answer waits', () => (served[0]?.writableLength ?? 0) > 0);
    await until('the kernel holds a part of it', () => heldByKernel(gate.port) > 100_000);
    await new Promise((resolve) => setTimeout(resolve, 2 * wireLimits.connection.unreadCheckMs));
    expect(served[0]?.destroyed).toBe(false);
    gate.monotonic.time += wireLimits.connection.unreadTimeoutMs;
    await until('the kernel holds nothing', () => heldByKernel(gate.port) === 0);
    slow.destroy();
    await gate.close();
  },
);
