import { afterEach, expect, test } from 'vitest';
import { ClockOffset } from '#cluster/clock/clock-offset.ts';
import { frameKinds } from '#cluster/link/frame.ts';
import { closed, endAll, follow, frame, hello, isUp, peer, serve, soon } from './link-harness.ts';

afterEach(endAll);

test('DEC-CLU-19: a node measures its clock against the leader over the link, from the beginning and again', async () => {
  let leaderAt = 1_700_000_005_000;
  const { server } = await serve({ wall: { now: () => leaderAt } });
  const offset = new ClockOffset({ wall: { now: () => 1_700_000_000_000 }, now: () => 0 });
  const ticks: (() => unknown)[] = [];
  const link = follow(server.port, {
    clock: offset,
    repeat: (_everyMs, run) => {
      ticks.push(run);
      return () => {};
    },
  });
  await isUp(link);
  await expect.poll(() => offset.ms, soon).toBe(-4999);
  leaderAt -= 4000;
  for (let count = 0; count < 16; count += 1) {
    for (const tick of ticks) tick();
    // So that the leader hears of it before the next tick.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await expect.poll(() => offset.ms, soon).toBe(-999);
  expect(link.isConnected).toBe(true);
});

test('a question about the clock that says more is garbage', async () => {
  const { server, troubles } = await serve();
  const socket = await peer(server.port);
  socket.write(hello());
  socket.write(frame(frameKinds.clock, 1, (writer) => writer.u8(1)));
  await closed(socket);
  await expect.poll(() => troubles.length, soon).toBe(1);
});
