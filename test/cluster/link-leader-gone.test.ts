import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { frameKinds } from '#cluster/link/frame.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import type { LeaderLink } from '#cluster/link/leader-link.ts';
import { createSecureServer } from '#cluster/link/link-tls.ts';
import { writeOutcome } from '#cluster/link/outcome-codec.ts';
import { as } from '#model/units.ts';
import { type CommandIngress, IngressLost, IngressRefused, type Outcome } from '#sequencer/command-ingress.ts';
import {
  command,
  endAll,
  ends,
  epoch,
  follow,
  frame,
  hello,
  host,
  isUp,
  key,
  playLeader,
  serve,
  soon,
  submit,
} from './link-harness.ts';

afterEach(endAll);

describe('DEC-CLU-08: a leader that goes', () => {
  const pending: CommandIngress = { submit: () => new Promise(() => {}), post: () => new Promise(() => {}) };

  test('its connection breaks: what is on its way is lost, what comes is refused, and the link connects again', async () => {
    const { server, taken } = await serve();
    const between = await playLeader(server);
    const link = follow(between.port);
    await isUp(link);
    server.lead({ epoch, ingress: pending });
    const lost = Promise.allSettled([link.submit(command), link.post(command)]);
    await new Promise<void>((resolve) => void setImmediate(resolve));
    for (const socket of between.pairs) socket.destroy();
    for (const one of await lost) expect(one).toMatchObject({ reason: { name: 'IngressLost' } });
    await expect(link.submit(command)).rejects.toThrow(IngressRefused);
    await isUp(link);
    expect(taken).toEqual([]);
  });

  test('it is frozen: after a time of silence commands are lost, and new ones refused', async () => {
    const { server } = await serve();
    const between = await playLeader(server);
    let tick: () => unknown = () => {};
    const link = follow(between.port, {
      repeat: (_everyMs, run) => {
        tick = run;
        return () => {};
      },
    });
    await isUp(link);
    between.stop();
    const lost = link.submit(command).catch((error: unknown) => error);
    for (let passed = 0; passed < linkLimits.silentMs; passed += linkLimits.tickMs) tick();
    expect(link.isConnected).toBe(true);
    tick();
    expect(await lost).toBeInstanceOf(IngressLost);
    expect(link.isConnected).toBe(false);
    await expect(link.submit(command)).rejects.toThrow(IngressRefused);
  });

  test('beats of either side keep an idle connection; a frozen follower is disconnected', async () => {
    const { server, tick, troubles } = await serve();
    let own: () => unknown = () => {};
    const link = follow(server.port, {
      repeat: (_everyMs, run) => {
        own = run;
        return () => {};
      },
    });
    await isUp(link);
    await expect.poll(() => server.counts.connected, soon).toBe(1);
    for (let count = 0; count < 40; count += 1) {
      tick();
      own();
      // What either side wrote is read by the other one before the next tick.
      await link.submit(command);
    }
    expect(troubles).toEqual([]);
    for (let passed = 0; passed <= linkLimits.silentMs; passed += linkLimits.tickMs) tick();
    expect(server.counts.connected).toBe(0);
    expect(troubles).toEqual([expect.stringMatching(/node b at .* silent for 1500 ms/)]);
  });

  test('another node leads: what the first one has is lost, and the link is connected to the second at once', async () => {
    const first = await serve();
    const second = await serve();
    const link = follow(first.server.port, { setTimer: () => () => {} });
    await isUp(link);
    first.server.lead({ epoch, ingress: pending });
    const lost = link.submit(command).catch((error: unknown) => error);
    link.follow(`${host}:${second.server.port}`);
    expect(link.isConnected).toBe(false);
    expect(await lost).toBeInstanceOf(IngressLost);
    await isUp(link);
    await link.submit(command);
    expect(second.taken).toHaveLength(1);
    await expect.poll(() => first.server.counts.connected, soon).toBe(0);
    expect(first.troubles).toEqual([]);
  });

  test('it stops in good order: everything that it answered arrives', async () => {
    const { server } = await serve();
    const answers: ((outcome: Outcome) => void)[] = [];
    server.lead({ epoch, ingress: { ...pending, submit: () => new Promise((resolve) => answers.push(resolve)) } });
    const link = follow(server.port);
    await isUp(link);
    const callers = Promise.all(Array.from({ length: 2000 }, () => link.submit(command)));
    await expect.poll(() => answers.length, soon).toBe(2000);
    for (const [at, answer] of answers.entries()) answer({ seq: as(at + 1), at: as(1), events: [] });
    await Promise.resolve();
    await server.close();
    expect((await callers).map(({ seq }) => seq)).toEqual(Array.from({ length: 2000 }, (_, at) => at + 1));
  });

  test('pauses between tries grow from 50 ms to a second, and trouble of one kind is told once', async () => {
    const { server } = await serve();
    const { port } = server;
    await server.close();
    const pauses: number[] = [];
    const told: string[] = [];
    follow(port, {
      setTimer: (delayMs, run) => {
        if (delayMs !== linkLimits.proveMs) {
          pauses.push(delayMs);
          setImmediate(run);
        }
        return () => {};
      },
      onTrouble: (what) => told.push(what),
    });
    await expect.poll(() => pauses.length, soon).toBeGreaterThan(7);
    expect(pauses.slice(0, 7)).toEqual([50, 100, 200, 400, 800, 1000, 1000]);
    expect(told).toEqual([`connecting to the leader at ${host}:${port}`]);
  });

  const leads = (epochOfLeader: number) =>
    frame(frameKinds.applied, 0, (writer) => {
      writer.varint(epochOfLeader);
      writer.varint(0);
    });
  const answered = frame(frameKinds.outcome, 1, (writer) =>
    writeOutcome(writer, { seq: as(1), at: as(1), events: [] }),
  );

  /** The link to a leader that the test plays, which writes this once it gets a command. */
  async function linkTo(...answers: readonly Uint8Array[]): Promise<LeaderLink> {
    const secure = createSecureServer(key);
    const leader = createServer((socket) => secure.emit('connection', socket));
    secure.on('secureConnection', (socket) => {
      let got = 0;
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        if (got === 0) socket.write(hello());
        got += bytes.length;
        if (got > hello().length) socket.write(Buffer.concat(answers));
      });
    });
    await new Promise<void>((resolve) => void leader.listen(0, host, () => resolve()));
    ends.push(() => leader.close());
    const link = follow((leader.address() as { port: number }).port, { setTimer: () => () => {} });
    await isUp(link);
    return link;
  }

  test.each([
    ['an answer that was not asked for', [leads(4), frame(frameKinds.done, 99, (writer) => writer.varint(1))]],
    ['an answer of another kind', [leads(4), frame(frameKinds.done, 1, (writer) => writer.varint(1))]],
    [
      'an outcome that makes no sense',
      [leads(4), frame(frameKinds.outcome, 1, (writer) => writer.raw(Uint8Array.of(1, 2, 1, 9)))],
    ],
    ['a command', [leads(4), submit(1)]],
    ['a goodbye', [frame(frameKinds.goodbye, 0, (writer) => writer.text('the node stops'))]],
    ['DEC-CLU-27: an answer of a node that has not told its epoch', [answered]],
    ['DEC-CLU-27: another epoch', [leads(4), leads(5), answered]],
  ])('%s ends the connection, and what is on its way is lost', async (_what, answers) => {
    const link = await linkTo(...answers);
    await expect(link.submit(command)).rejects.toStrictEqual(new IngressLost('the connection to the leader has ended'));
    expect(link.isConnected).toBe(false);
  });

  test('an answer after the epoch was told is one', async () => {
    const link = await linkTo(leads(4), answered);
    expect(await link.submit(command)).toEqual({ seq: 1, at: 1, events: [] });
  });
});
