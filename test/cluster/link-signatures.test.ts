import { afterEach, expect, test } from 'vitest';
import { frameKinds } from '#cluster/link/frame.ts';
import { SeenSignatures } from '#cluster/signatures/seen-signatures.ts';
import type { SignatureClaim } from '#sequencer/signature-authority.ts';
import { closed, endAll, epoch, follow, frame, hello, isUp, peer, serve, soon } from './link-harness.ts';

afterEach(endAll);

const memory = () => new SeenSignatures({ clock: { now: () => 0 }, keepMs: 1000, since: 0, onceSince: 0 });
const ingress = { submit: () => Promise.reject(new Error('none')), post: () => Promise.resolve() };
const claim: SignatureClaim = {
  ...{ signature: new Uint8Array(32).fill(4), route: 'POST /withdraw', isOnce: true, madeAt: 5 },
};

test('DEC-CLU-20: a request that is sent to two nodes at once is granted to one of them', async () => {
  const { server } = await serve();
  server.lead({ epoch, ingress, signatures: memory() });
  const links = [follow(server.port), follow(server.port)];
  for (const link of links) await isUp(link);
  const verdicts = await Promise.all([...links, ...links].map((link) => link.claim(claim)));
  expect(verdicts.sort()).toEqual(['granted', 'used', 'used', 'used']);
});

test('DEC-CLU-20: a read served by one node cannot be sent to another one as something else', async () => {
  const { server } = await serve();
  server.lead({ epoch, ingress, signatures: memory() });
  const [reader, writer] = [follow(server.port), follow(server.port)];
  await isUp(reader);
  await isUp(writer);
  reader.tellSeen([{ signature: claim.signature, route: 'GET /account' }]);
  // Frames of one connection keep their order.
  expect(await reader.claim({ ...claim, signature: new Uint8Array(32) })).toBe('granted');
  expect(await writer.claim(claim)).toBe('used');
});

test('a node that does not lead, or that is not connected, grants nothing', async () => {
  const { server } = await serve();
  const link = follow(server.port);
  await isUp(link);
  await expect(link.claim(claim)).rejects.toThrow('the node does not lead');
  await link.close();
  await expect(link.claim(claim)).rejects.toThrow('no node leads now');
});

test('claims on their way are refused when the connection ends', async () => {
  const { server } = await serve();
  const link = follow(server.port);
  await isUp(link);
  const asked = link.claim(claim);
  const ended = link.close();
  await expect(asked).rejects.toThrow(/the connection to the leader has ended|the node does not lead/);
  await ended;
});

test.each([
  ['a claim', frameKinds.claim],
  ['signatures', frameKinds.seen],
])('garbage as %s ends the connection', async (_, kind) => {
  const { server, troubles } = await serve();
  const socket = await peer(server.port);
  socket.write(hello());
  socket.write(frame(kind, 1, (writer) => writer.text('nothing of that kind')));
  await closed(socket);
  await expect.poll(() => troubles.length, soon).toBe(1);
});
