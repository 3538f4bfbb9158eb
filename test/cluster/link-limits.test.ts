import { afterEach, expect, test } from 'vitest';
import type { ByteWriter } from '#base/bytes.ts';
import { ClusterLimits } from '#cluster/limits/cluster-limits.ts';
import { readCounts, writeCounts } from '#cluster/limits/count-codec.ts';
import { frameKinds } from '#cluster/link/frame.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { type SharedCount, sharedWindowMs } from '#model/shared-limits.ts';
import { closed, endAll, follow, frame, hello, isUp, peer, serve, soon } from './link-harness.ts';

afterEach(endAll);

const count: SharedCount = { limit: 'accountWeight', key: 'GET /order 7', amount: 12, leftMs: 9000 };
const clock = { now: () => 0 };

/** The limits of the node that leads, which counts what it is told. */
function leading() {
  const added: SharedCount[] = [];
  const limits = new ClusterLimits({ isConnected: false, tellCounts: () => {} }, clock);
  limits.share({ isUrgent: false, take: () => [], add: (counts) => void added.push(...counts) });
  limits.lead();
  const turns: (() => unknown)[] = [];
  limits.start((_everyMs, run) => {
    turns.push(run);
    return () => {};
  });
  return { limits, added, turn: () => turns.map((run) => run()) };
}

test('DEC-CLU-22: the leader adds what a node counted, and tells it to the others alone', async () => {
  const { limits, added, turn } = leading();
  const { server } = await serve({ limits });
  const heard: (readonly SharedCount[])[] = [[], []];
  const links = [0, 1].map((index) =>
    follow(server.port, { limits: { heard: (content) => void (heard[index] = readCounts(content)) } }),
  );
  for (const link of links) await isUp(link);
  links[0]!.tellCounts([count]);
  await expect.poll(() => added, soon).toEqual([count]);
  turn();
  await expect.poll(() => heard[1], soon).toEqual([count]);
  expect(heard[0]).toEqual([]);
});

test('a node that is told more than it may hear at once hears the rest later, and of what is too much nothing', async () => {
  const { limits, turn } = leading();
  const { server } = await serve({ limits });
  let heard = 0;
  const teller = follow(server.port);
  const listener = follow(server.port, { limits: { heard: (content) => void (heard += readCounts(content).length) } });
  await isUp(teller);
  await isUp(listener);
  const frames = 2 + linkLimits.countsWaiting / linkLimits.countsAtOnce;
  for (let told = 0; told < frames; told += 1)
    teller.tellCounts(Array.from({ length: linkLimits.countsAtOnce }, () => count));
  // Answered after all that was told before.
  await teller.submit({ kind: 'cancelOrders', account: 3 as never, symbols: [] });
  turn();
  await expect.poll(() => heard, soon).toBe(linkLimits.countsAtOnce);
  for (let more = 0; more < 2 * frames; more += 1) turn();
  await expect.poll(() => heard, soon).toBe(linkLimits.countsWaiting);
  expect(teller.isConnected).toBe(true);
});

const raw = (limit: number, key: string, amount: number, leftMs: number) => (writer: ByteWriter) => {
  writer.varint(1);
  writer.u8(limit);
  writer.text(key);
  writer.varint(amount);
  writer.varint(leftMs);
};

const behind = (writer: ByteWriter): void => {
  writeCounts(writer, [count]);
  writer.u8(1);
};

test.each([
  ['of a limit that there is not', raw(200, 'a', 1, 1)],
  ['of a client with a long name', raw(0, 'a'.repeat(linkLimits.countKeyBytes + 1), 1, 1)],
  ['that is too large', raw(0, 'a', linkLimits.countMax + 1, 1)],
  ['of a window that is too long', raw(0, 'a', 1, sharedWindowMs + 1)],
  ['with something behind it', behind],
  ['among too many', (writer: ByteWriter) => writer.varint(linkLimits.countsAtOnce + 1)],
])('DEC-CLU-22: a count %s ends the connection, and counts nothing', async (_, content) => {
  const { limits, added } = leading();
  const { server, troubles } = await serve({ limits });
  const socket = await peer(server.port);
  socket.write(hello());
  socket.write(frame(frameKinds.counted, 0, content));
  await closed(socket);
  await expect.poll(() => troubles.length, soon).toBe(1);
  expect(added).toEqual([]);
});

test('what a node counts for a client with a long name stays with that node', async () => {
  const { limits, added } = leading();
  const { server } = await serve({ limits });
  const link = follow(server.port);
  await isUp(link);
  link.tellCounts([{ ...count, key: 'é'.repeat(200) }, count]);
  await expect.poll(() => added, soon).toEqual([count]);
});
