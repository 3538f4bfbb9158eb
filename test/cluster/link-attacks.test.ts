import { afterEach, describe, expect, test } from 'vitest';
import { ByteWriter } from '#base/bytes.ts';
import { frameKinds, writeFrame } from '#cluster/link/frame.ts';
import { linkVersion } from '#cluster/link/hello.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { encodeCommand } from '#model/command-codec.ts';
import { as } from '#model/units.ts';
import type { Command } from '#model/command.ts';
import { IngressLost, IngressRefused, type Outcome } from '#sequencer/command-ingress.ts';
import {
  closed,
  command,
  endAll,
  epoch,
  follow,
  frame,
  hello,
  isUp,
  otherKey,
  peer,
  serve,
  soon,
  stranger,
  submit,
} from './link-harness.ts';

afterEach(endAll);

describe('DEC-CLU-08: strangers', () => {
  test('another key is refused by both sides, told once by each, and counted', async () => {
    const { server, troubles, taken } = await serve();
    const told: string[] = [];
    const link = follow(server.port, { key: otherKey, onTrouble: (what) => told.push(what) });
    await expect.poll(() => server.counts.wrongKey, soon).toBeGreaterThan(2);
    expect(link.isConnected).toBe(false);
    await expect(link.submit(command)).rejects.toThrow(IngressRefused);
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toMatch(/master key is not that of this node/);
    expect(told).toEqual([expect.stringMatching(/master key is not that of this node/)]);
    expect(taken).toEqual([]);
  });

  test('bytes that are no TLS end their connection, and nothing is told', async () => {
    const { server, troubles } = await serve();
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\u0000'.repeat(5000), 'x'.repeat(100_000)]) {
      const socket = stranger(server.port);
      const end = closed(socket);
      socket.write(bytes);
      await end;
    }
    await isUp(follow(server.port));
    expect(troubles).toEqual([]);
    await expect.poll(() => server.counts.unproven, soon).toBe(3);
  });

  test('who says nothing, or stops within the handshake, has to go in time', async () => {
    const { server, elapse } = await serve();
    const silent = stranger(server.port);
    const half = stranger(server.port);
    // The head of a handshake's record, which announces more.
    half.write(Uint8Array.of(22, 3, 1, 1, 0, 1));
    const greetless = await peer(server.port);
    const all = Promise.all([silent, half, greetless].map(closed));
    const link = follow(server.port);
    await isUp(link);
    elapse();
    await all;
    await expect.poll(() => server.counts, soon).toMatchObject({ connected: 1, unproven: 3 });
    expect(link.isConnected).toBe(true);
  });

  test('many half-open connections keep no node out: the oldest of them are ended', async () => {
    const { server } = await serve();
    const many = Array.from({ length: linkLimits.unproven + 40 }, () => stranger(server.port));
    let gone = 0;
    for (const socket of many) void closed(socket).then(() => (gone += 1));
    await expect.poll(() => gone, soon).toBe(40);
    await isUp(follow(server.port));
  });

  test('churn leaves nothing behind', async () => {
    const { server, taken } = await serve();
    const link = follow(server.port);
    await isUp(link);
    for (let round = 0; round < 20; round += 1) {
      const sockets = Array.from({ length: 10 }, () => stranger(server.port));
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
      for (const socket of sockets) socket.destroy();
      await link.submit(command);
    }
    await expect.poll(() => server.counts.unproven, soon).toBe(200);
    expect(server.counts.connected).toBe(1);
    expect(taken).toHaveLength(20);
  });
});

describe('DEC-CLU-08: nodes that misbehave', () => {
  const breaches: readonly [string, readonly Uint8Array[]][] = [
    ['a frame before hello', [submit(1)]],
    ['a hello that is too large', [frame(frameKinds.hello, 0, (writer) => writer.raw(new Uint8Array(5000)))]],
    ['a second hello', [hello(), hello()]],
    ['a frame larger than may be', [hello(), Uint8Array.of(255, 255, 255, 255)]],
    ['an answer', [hello(), frame(frameKinds.done, 1, (writer) => writer.varint(1))]],
    ['a frame of no kind', [hello(), frame(99, 1)]],
    ['a number that was left out', [hello(), submit(2)]],
    ['bytes by chance', [hello(), Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251)]],
  ];
  test.each(breaches)('%s: it is disconnected, and nothing is done', async (_what, frames) => {
    const { server, taken } = await serve();
    const socket = await peer(server.port);
    const end = closed(socket);
    socket.write(Buffer.concat(frames));
    await end;
    expect(taken).toEqual([]);
    expect(server.counts.connected).toBe(0);
  });

  test('a frame that comes again is not done again', async () => {
    const { server, taken } = await serve();
    const socket = await peer(server.port);
    const end = closed(socket);
    socket.write(Buffer.concat([hello(), submit(1), submit(2), submit(2), submit(3)]));
    await end;
    expect(taken).toHaveLength(2);
  });

  test('a command that the leader does not know is refused, and the connection goes on', async () => {
    const { server, taken } = await serve();
    const socket = await peer(server.port);
    const got: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => got.push(bytes));
    const unknown = frame(frameKinds.submit, 1, (writer) => writer.u8(254));
    const longer = frame(frameKinds.submit, 2, (writer) => {
      encodeCommand(writer, command);
      writer.u8(0);
    });
    socket.write(Buffer.concat([hello(), unknown, longer, submit(3)]));
    await expect.poll(() => taken.length, soon).toBe(1);
    await expect
      .poll(() => Buffer.concat(got).toString('latin1'), soon)
      .toMatch(/no known kind: 254.*1 bytes too many/s);
    expect(server.counts.connected).toBe(1);
  });

  test('another version of the link: both sides say so in plain words', async () => {
    const { server, troubles } = await serve();
    const socket = await peer(server.port);
    const got: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => got.push(bytes));
    const end = closed(socket);
    socket.write(hello(linkVersion + 1));
    await end;
    const why = `it speaks version ${linkVersion + 1} of the link, this node version ${linkVersion}`;
    expect(Buffer.concat(got).toString('latin1')).toContain(why);
    await expect.poll(() => troubles, soon).toEqual([`a node that connects: ${why}`]);
  });

  test('more commands at a time than a node may have: it is disconnected', async () => {
    const { server, taken } = await serve();
    let held = 0;
    const ingress = {
      submit: () => {
        held += 1;
        return new Promise<Outcome>(() => {});
      },
      post: () => Promise.resolve(),
    };
    server.lead({ epoch, ingress });
    const socket = await peer(server.port);
    const end = closed(socket);
    const writer = new ByteWriter(1 << 20);
    writer.raw(hello());
    for (let ref = 1; ref <= linkLimits.inFlight + 1; ref += 1)
      writeFrame(writer, frameKinds.submit, ref, () => encodeCommand(writer, command));
    socket.write(writer.take());
    await end;
    expect(held).toBe(linkLimits.inFlight);
    expect(taken).toEqual([]);
  });

  test('a node that does not read its answers is disconnected; another one is not held up', async () => {
    const { server, taken } = await serve();
    const large = Array.from(
      { length: 40 },
      () => ({ kind: 'idKeyRecorded', sealedKey: 'x'.repeat(100_000) }) as const,
    );
    const ingress = {
      submit: (one: Command) => {
        taken.push(one);
        return Promise.resolve<Outcome>({ seq: as(1), at: as(1), events: large });
      },
      post: () => Promise.resolve(),
    };
    server.lead({ epoch, ingress });
    const other = follow(server.port);
    await isUp(other);
    const deaf = await peer(server.port);
    deaf.pause();
    const wanted = 30;
    deaf.write(Buffer.concat([hello(), ...Array.from({ length: wanted }, (_, at) => submit(at + 1))]));
    await expect.poll(() => taken.length, soon).toBe(wanted);
    await expect.poll(() => server.counts.connected, soon).toBe(1);
    expect((await other.submit(command)).events).toStrictEqual(large);
  });

  test('an outcome that is too large to be told is lost, and the connection goes on', async () => {
    const { server } = await serve();
    const events = Array.from(
      { length: 40 },
      () => ({ kind: 'idKeyRecorded', sealedKey: 'x'.repeat(1 << 20) }) as const,
    );
    const submit = () => Promise.resolve<Outcome>({ seq: as(1), at: as(1), events });
    server.lead({ epoch, ingress: { submit, post: () => Promise.resolve() } });
    const link = follow(server.port);
    await isUp(link);
    await expect(link.submit(command)).rejects.toStrictEqual(new IngressLost('its outcome is too large'));
    await link.post(command);
  });
});
