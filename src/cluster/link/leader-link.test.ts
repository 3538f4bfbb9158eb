import { afterEach, expect, test } from 'vitest';
import { type LeaderLink, type LeaderLinkOptions, openLeaderLink } from '#cluster/link/leader-link.ts';
import { type LedHere, type LinkServer, openLinkServer } from '#cluster/link/link-server.ts';
import type { Command } from '#model/command.ts';
import type { AccountId, Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { IngressLost, IngressRefused, OrderEntryStopped, type Outcome } from '#sequencer/command-ingress.ts';

/** How long what the machine does may take, however busy it is. */
const soon = { timeout: 20_000 };
const key = new Uint8Array(32).fill(7);
const command: Command = { kind: 'cancelOrders', account: as<AccountId>(3), symbols: [] };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(): Promise<LinkServer> {
  const server = await openLinkServer({
    host: '127.0.0.1',
    port: 0,
    key,
    own: { node: 'a', build: '1' },
    onTrouble: () => {},
  });
  ends.push(() => server.close());
  return server;
}

function link(options: Partial<LeaderLinkOptions> = {}): LeaderLink {
  const opened = openLeaderLink({
    key,
    own: { node: 'b', build: '1' },
    whenApplied: () => Promise.resolve(),
    onApplied: () => {},
    onTrouble: () => {},
    ...options,
  });
  ends.push(() => opened.close());
  return opened;
}

async function connected(server: LinkServer, options: Partial<LeaderLinkOptions> = {}): Promise<LeaderLink> {
  const opened = link(options);
  opened.follow(`127.0.0.1:${server.port}`);
  await expect.poll(() => opened.isConnected, soon).toBe(true);
  return opened;
}

/** Takes commands and answers as it is told. */
const led = (submit: (command: Command) => Promise<Outcome>): LedHere => ({
  epoch: as<Epoch>(3),
  ingress: { submit, post: async (posted) => void (await submit(posted)) },
});
const outcome = (seq: number): Outcome => ({
  seq: as<Seq>(seq),
  at: as<TimestampMs>(1_800_000_000_000 + seq),
  events: [{ kind: 'commandRefused', reason: 'unknownAccount' }],
});

test('DEC-CLU-07: a command of a follower is done by the leader, and answered with its position, time and events', async () => {
  const server = await serve();
  const taken: Command[] = [];
  server.lead(
    led((one) => {
      taken.push(one);
      return Promise.resolve(outcome(taken.length));
    }),
  );
  const follower = await connected(server);
  expect(await follower.submit(command)).toStrictEqual(outcome(1));
  expect(await follower.post(command)).toBeUndefined();
  expect(taken).toStrictEqual([command, command]);
});

test('DEC-CLU-07: a caller is answered once the own replica has applied what the leader told before', async () => {
  const server = await serve();
  server.lead(led(() => Promise.resolve(outcome(9))));
  const told: (readonly [number, number])[] = [];
  let apply: () => void = () => {};
  const applied = new Promise<void>((resolve) => {
    apply = resolve;
  });
  const follower = await connected(server, {
    whenApplied: (seq) => (seq === 9 ? applied : Promise.resolve()),
    onApplied: (upTo, epoch) => told.push([upTo, epoch]),
  });
  let isAnswered = false;
  const answers = Promise.all([follower.submit(command), follower.post(command)]).then(() => {
    isAnswered = true;
  });
  await expect
    .poll(() => told, soon)
    .toStrictEqual([
      [0, 3],
      [9, 3],
    ]);
  server.applied(as<Seq>(10));
  server.applied(as<Seq>(12));
  await expect
    .poll(() => told, soon)
    .toStrictEqual([
      [0, 3],
      [9, 3],
      [12, 3],
    ]);
  expect(isAnswered).toBe(false);
  apply();
  await answers;
});

test('what the leader refuses or loses comes back as its class and its words', async () => {
  const server = await serve();
  const errors = [new IngressRefused('no room'), new OrderEntryStopped('halted'), new IngressLost('fenced')];
  let next = 0;
  server.lead(led(() => Promise.reject(errors[next++]!)));
  const follower = await connected(server);
  for (const error of errors) {
    const got: unknown = await follower.submit(command).catch((thrown: unknown) => thrown);
    expect(got).toStrictEqual(error);
    expect((got as object).constructor).toBe(error.constructor);
  }
});

test('without a leader that is connected commands are refused: nothing happened', async () => {
  const server = await serve();
  const follower = link();
  await expect(follower.submit(command)).rejects.toStrictEqual(new IngressRefused('no node leads now'));
  follower.follow(`127.0.0.1:${server.port}`);
  await expect(follower.post(command)).rejects.toThrow(IngressRefused);
  await expect.poll(() => follower.isConnected, soon).toBe(true);
  await expect(follower.submit(command)).rejects.toStrictEqual(new IngressRefused('the node does not lead'));
});
