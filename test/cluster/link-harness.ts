import { connect, createServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'vitest';
import { ByteWriter } from '#base/bytes.ts';
import { type FrameKind, frameKinds, writeFrame } from '#cluster/link/frame.ts';
import { writeHello } from '#cluster/link/hello.ts';
import { type LeaderLink, type LeaderLinkOptions, openLeaderLink } from '#cluster/link/leader-link.ts';
import { type LinkServer, type LinkServerOptions, openLinkServer } from '#cluster/link/link-server.ts';
import { connectSecurely } from '#cluster/link/link-tls.ts';
import { encodeCommand } from '#model/command-codec.ts';
import type { Command } from '#model/command.ts';
import type { Epoch } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandIngress, Outcome } from '#sequencer/command-ingress.ts';

/** How long what the machine does may take, however busy it is. */
export const soon = { timeout: 20_000 };
export const host = '127.0.0.1';
export const key = new Uint8Array(32).fill(7);
export const otherKey = new Uint8Array(32).fill(8);
/** In which the server leads. */
export const epoch = as<Epoch>(4);
export const own = { node: 'b', build: '1' };
export const command: Command = { kind: 'cancelOrders', account: as(3), symbols: [] };
export const ends: (() => unknown)[] = [];
/** Ends what a test has opened; for the `afterEach` of each file, because files share this module. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

/** A server whose time the test makes pass, with what it tells and what it was given to do. */
export async function serve(options: Partial<LinkServerOptions> = {}) {
  const troubles: string[] = [];
  const taken: Command[] = [];
  const timers = new Set<() => void>();
  let tick: () => unknown = () => {};
  const server = await openLinkServer({
    ...{ host, port: 0, key, own: { node: 'a', build: '1' } },
    repeat: (_everyMs, run) => {
      tick = run;
      return () => {};
    },
    setTimer: (_delayMs, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
    onTrouble: (what, error) => troubles.push(`${what}: ${(error as Error).message}`),
    ...options,
  });
  ends.push(() => {
    const closed = server.close();
    for (const run of timers) run();
    return closed;
  });
  const answering: CommandIngress = {
    submit: (one) => {
      taken.push(one);
      return Promise.resolve<Outcome>({ seq: as(taken.length), at: as(1), events: [] });
    },
    post: () => Promise.resolve(),
  };
  server.lead({ epoch, ingress: answering });
  const elapse = (): void => {
    for (const run of timers) run();
  };
  return { server, troubles, taken, elapse, tick: () => void tick() };
}

export function follow(port: number, options: Partial<LeaderLinkOptions> = {}): LeaderLink {
  const link = openLeaderLink({
    ...{ key, own, whenApplied: () => Promise.resolve(), onApplied: () => {}, onTrouble: () => {} },
    ...options,
  });
  ends.push(() => link.close());
  link.follow(`${host}:${port}`);
  return link;
}
export const isUp = (link: LeaderLink) => expect.poll(() => link.isConnected, soon).toBe(true);
export const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.resume();
    socket.on('close', () => resolve());
  });

/** Somebody who reaches the port and has no key. */
export function stranger(port: number): Socket {
  const socket = connect(port, host);
  socket.on('error', () => {});
  ends.push(() => socket.destroy());
  return socket;
}

/** A peer that has the key and sends what it likes. */
export async function peer(port: number): Promise<TLSSocket> {
  const socket = connectSecurely(key, { host, port });
  socket.on('error', () => {});
  ends.push(() => socket.destroy());
  await new Promise<void>((resolve) => void socket.once('secureConnect', () => resolve()));
  return socket;
}
export function frame(kind: number, ref: number, content?: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter(64);
  writeFrame(writer, kind as FrameKind, ref, content);
  return writer.take();
}
export const hello = (version?: number) => frame(frameKinds.hello, 0, (writer) => writeHello(writer, own, version));
export const submit = (ref: number) => frame(frameKinds.submit, ref, (writer) => encodeCommand(writer, command));

/** A leader that the test plays: it says hello if asked to, and nothing else. */
export async function playLeader(server: LinkServer): Promise<{ port: number; stop: () => void; pairs: Socket[] }> {
  const pairs: Socket[] = [];
  let isStopped = false;
  const between: Server = createServer((near) => {
    const far = connect(server.port, host);
    pairs.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (!isStopped) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => void between.listen(0, host, () => resolve()));
  ends.push(() => {
    between.close();
    for (const socket of pairs) socket.destroy();
  });
  const port = (between.address() as { port: number }).port;
  return { port, pairs, stop: () => void (isStopped = true) };
}
