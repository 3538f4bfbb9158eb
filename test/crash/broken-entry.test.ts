import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { writeNote } from '#main/storage/broken-entry-note.ts';
import { isEvery } from '../every-case.ts';
import { BrokenEntryHarness, brokenQuantity, listen, place, runBourse } from './broken-entry-harness.ts';
import { plantBreak, type PlantedBuild } from './plant-break.ts';
import type { Reply, TradingClient } from './trading-client.ts';

let build: PlantedBuild;
let planted: string;
beforeAll(() => {
  build = plantBreak();
  planted = build.bourse;
});
afterAll(() => rmSync(build.folder, { recursive: true, force: true }));

let harness: BrokenEntryHarness;
beforeEach(() => {
  harness = new BrokenEntryHarness();
});
afterEach(() => harness.remove());

const isDone = (reply: Reply | null): boolean => reply?.status === 200;
const orderOf = (client: TradingClient, origClientOrderId: string): Promise<Reply | null> =>
  client.call('GET', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId });

const startArguments = (): readonly string[] => {
  const ports = ['--port', '0', '--operator-port', '0'];
  return ['start', '--data', harness.data, ...ports, '--no-simulate'];
};

/** Breaks the running exchange with one order that trades; answers the exit code. */
async function breakIt(taker: TradingClient, id: string): Promise<void> {
  expect(await place(taker, 'BUY', 50_000, brokenQuantity, id)).toBeNull();
}

describe('an entry that breaks the engine while it serves', () => {
  test('ends the process within the entry, and nobody hears of it; the next start goes on without it, by a note that fits', async () => {
    const server = await harness.start(planted);
    const alice = harness.client('alice');
    const bob = harness.client('bob');
    const heard = await listen(server, alice);
    const heardByMaker = await listen(server, bob);
    expect(isDone(await place(bob, 'SELL', 50_000, '0.01', 'maker'))).toBe(true);
    expect(isDone(await place(alice, 'BUY', 50_000, '0.001', 'before'))).toBe(true);
    await breakIt(alice, 'broken');
    expect(await server.ended).toBe(1);
    const note = harness.note()!;
    expect(note).toMatchObject({ epoch: 0, commandKind: 'placeOrder', invariant: 'a planted claim holds' });
    expect(server.output()).toContain(`entry ${note.seq} of `);
    const frames = [...heard(), ...heardByMaker()].join('\n');
    expect(frames).toContain('before');
    expect(frames).not.toContain('broken');
    expect(frames).not.toContain(brokenQuantity);
    expect(harness.history().watermark).toBeLessThan(note.seq);
    expect(harness.history().tellsOfBroken).toBe(false);

    // A note that does not fit the journal is set aside, and nothing is moved.
    writeNote(harness.directory, { ...note, at: as<TimestampMs>(note.at + 1) });
    const refused = await runBourse(startArguments(), planted);
    expect(refused.code).toBe(3);
    expect(refused.text).toContain('does not fit this journal');
    expect(existsSync(harness.directory.quarantine)).toBe(false);
    expect(existsSync(`${harness.directory.brokenEntry}.unfit`)).toBe(true);

    writeNote(harness.directory, note);
    const again = await harness.start(planted);
    expect(again.output()).toContain('a planted claim holds');
    expect(again.output()).toContain('None of it was ever answered.');
    const [tail] = harness.tails();
    expect(again.output()).toContain(tail!.folder);
    expect(tail!.entries).toMatchObject([{ seq: note.seq, kind: 'placeOrder', clientOrderIds: ['broken'] }]);
    expect(harness.note()).toBeNull();
    expect(await harness.metric('bourse_quarantined_tails_total')).toBe(1);
    expect(await harness.metric('bourse_quarantined_entries_total')).toBe(1);
    const client = harness.client('alice');
    expect((await orderOf(client, 'before'))?.status).toBe(200);
    expect((await orderOf(client, 'broken'))?.body).toMatchObject({ code: -2011 });
    expect(isDone(await place(client, 'BUY', 50_000, '0.002', 'after'))).toBe(true);
    expect(await harness.stop()).toBe(0);
    expect((await runBourse(['verify', harness.data])).text).toContain('All sound.');

    // As after a crash between the record and the end of the note: it is not recorded twice.
    writeNote(harness.directory, note);
    await harness.start(planted);
    expect(harness.note()).toBeNull();
    expect(harness.tails()).toHaveLength(1);
    expect(await harness.metric('bourse_quarantined_tails_total')).toBe(1);
    expect((await orderOf(harness.client('alice'), 'after'))?.status).toBe(200);
  }, 90_000);

  test('under load, in a batch with others and beside snapshots: what was answered stays, the rest is listed', async () => {
    const server = await harness.start(planted, ['--snapshot-every-seconds', '1', '--snapshot-every-commands', '1000']);
    const clients = [harness.client('alice'), harness.client('bob')];
    const heard = await listen(server, clients[0]!);
    const answered: { readonly client: number; readonly id: string }[] = [];
    const unanswered: { readonly client: number; readonly id: string }[] = [];
    let isOver = false;
    const lane = async (number: number): Promise<void> => {
      for (let step = 0; !isOver; step += 1) {
        const [client, id] = [number % 2, `lane-${number}-${step}`];
        const reply = await place(clients[client]!, client === 0 ? 'BUY' : 'SELL', 50_000, '0.001', id);
        if (isDone(reply)) answered.push({ client, id });
        else if (reply === null) {
          unanswered.push({ client, id });
          return;
        }
      }
    };
    const lanes = Array.from({ length: 24 }, (_, number) => lane(number));
    // Some snapshots are made before, and one is due any second.
    while (harness.snapshots().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    const volley = Array.from({ length: 40 }, (_, index) =>
      place(clients[0]!, 'BUY', 49_000, index === 20 ? brokenQuantity : '0.001', `volley-${index}`),
    );
    expect(await server.ended).toBe(1);
    isOver = true;
    const replies = await Promise.all(volley);
    await Promise.all(lanes);
    expect(replies[20]).toBeNull();
    replies.forEach((reply, index) => {
      if (isDone(reply)) answered.push({ client: 0, id: `volley-${index}` });
      else unanswered.push({ client: 0, id: `volley-${index}` });
    });
    const note = harness.note()!;
    expect(heard().join('\n')).not.toContain(brokenQuantity);
    expect(harness.history().watermark).toBeLessThan(note.seq);
    expect(Math.max(...harness.snapshots().filter(Number.isFinite))).toBeLessThan(note.seq);

    await harness.start(planted);
    const [tail] = harness.tails();
    const listed = new Set(tail!.entries.flatMap(({ clientOrderIds }) => clientOrderIds));
    expect(tail!.entries.map(({ seq }) => seq)).toEqual(tail!.entries.map((_, index) => note.seq + index));
    expect([...listed][0]).toBe('volley-20');
    expect(answered.filter(({ id }) => listed.has(id))).toEqual([]);
    const after = [harness.client('alice'), harness.client('bob')];
    for (const { client, id } of answered.slice(-60)) expect((await orderOf(after[client]!, id))?.status, id).toBe(200);
    for (const { client, id } of unanswered.filter((order) => listed.has(order.id))) {
      expect((await orderOf(after[client]!, id))?.body, id).toMatchObject({ code: -2011 });
    }
    expect(await harness.metric('bourse_quarantined_entries_total')).toBe(tail!.entries.length);
    expect(await harness.stop()).toBe(0);
    expect((await runBourse(['verify', harness.data])).text).toContain('All sound.');
    expect(harness.history().tellsOfBroken).toBe(false);
  }, 90_000);

  test.runIf(isEvery)(
    'three times within an hour makes the account abnormal; the exchange runs on',
    async () => {
      for (const round of [1, 2]) {
        const server = await harness.start(planted);
        await breakIt(harness.client('alice'), `broken-${round}`);
        expect(await server.ended).toBe(1);
      }
      const noted = await runBourse(['verify', harness.data], planted);
      expect(noted.text).toContain('the next start takes the journal back to before entry');
      const server = await harness.start(planted);
      const items = ['0.001', brokenQuantity, '0.001'].map((quantity, index) => {
        const terms = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', price: '50000', quantity };
        return { ...terms, newClientOrderId: `item-${index}` };
      });
      const batch = { batchOrders: JSON.stringify(items) };
      expect(await harness.client('alice').call('POST', '/api/v3/batchOrders', batch)).toBeNull();
      expect(await server.ended).toBe(1);
      await harness.start(planted);
      expect(harness.tails().map(({ entries }) => entries[0]!.epoch)).toEqual([0, 1, 2]);
      expect(harness.tails()[2]!.entries[0]!.clientOrderIds).toEqual(['item-0', 'item-1', 'item-2']);
      expect((await place(harness.client('alice'), 'BUY', 50_000, '0.001', 'no'))?.body).toMatchObject({ code: 60005 });
      expect(isDone(await place(harness.client('bob'), 'BUY', 50_000, '0.001', 'yes'))).toBe(true);
      expect(await harness.metric('bourse_quarantined_tails_total')).toBe(3);
      expect(await harness.stop()).toBe(0);
      expect((await runBourse(['verify', harness.data])).text).toContain('All sound.');
    },
    90_000,
  );
});

describe('an entry that an older build applied and this one cannot', () => {
  async function answerByOlderBuild(): Promise<void> {
    await harness.start();
    const [alice, bob] = [harness.client('alice'), harness.client('bob')];
    expect(isDone(await place(bob, 'SELL', 50_000, '0.01', 'maker'))).toBe(true);
    expect(isDone(await place(alice, 'BUY', 50_000, '0.001', 'before'))).toBe(true);
    expect(isDone(await place(alice, 'BUY', 50_000, brokenQuantity, 'broken'))).toBe(true);
    expect(isDone(await place(bob, 'SELL', 51_000, '0.001', 'behind'))).toBe(true);
    expect(await harness.stop()).toBe(0);
  }

  test.runIf(isEvery)(
    'refuses the start, verify and rebuild-history name it, and bourse quarantine is the way out',
    async () => {
      await answerByOlderBuild();
      expect(harness.history().tellsOfBroken).toBe(true);
      const told = readFileSync(harness.directory.history);
      const refused = await runBourse(startArguments(), planted);
      expect(refused.code).toBe(3);
      expect(refused.text).toMatch(
        /entry \d+ \(placeOrder of account \d+\) breaks an invariant: a planted claim holds/,
      );
      expect(refused.text).toContain('bourse quarantine');
      expect(harness.note()).toBeNull();
      // A replay into an empty history tells it of nothing from the entry on either.
      rmSync(harness.directory.history);
      expect((await runBourse(startArguments(), planted)).code).toBe(3);
      expect(harness.history().tellsOfBroken).toBe(false);

      const verified = await runBourse(['verify', harness.data], planted);
      expect(verified.code).toBe(3);
      expect(verified.text).toContain('1 faults:');
      expect(verified.text).toContain('a planted claim holds');
      const rebuilt = await runBourse(['rebuild-history', harness.data], planted);
      expect(rebuilt.code).toBe(3);
      expect(rebuilt.text).toContain('a planted claim holds');
      expect(harness.history().tellsOfBroken).toBe(false);
      expect(harness.history().watermark).toBeGreaterThan(0);

      const unconfirmed = await runBourse(['quarantine', harness.data], planted);
      expect(unconfirmed.code).toBe(2);
      expect(unconfirmed.text).toContain('Behind it stand 1 entries of 1 accounts');
      expect(unconfirmed.text).toContain('--yes');
      expect(harness.note()).toBeNull();

      rmSync(`${harness.directory.history}-wal`, { force: true });
      writeFileSync(harness.directory.history, told);
      expect(harness.history().tellsOfBroken).toBe(true);
      const done = await runBourse(['quarantine', harness.data, '--yes'], planted);
      expect(done.code).toBe(0);
      expect(done.text).toContain('An older build may have answered some of it.');
      expect(harness.tails()[0]!.entries.map(({ clientOrderIds }) => clientOrderIds)).toEqual([['broken'], ['behind']]);
      await harness.start(planted);
      const alice = harness.client('alice');
      expect((await orderOf(alice, 'before'))?.status).toBe(200);
      expect((await orderOf(alice, 'broken'))?.body).toMatchObject({ code: -2011 });
      // History that told of it tells of it no more.
      const fills = await alice.call('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' });
      expect((fills!.body as { qty: string }[]).map(({ qty }) => qty)).toEqual(['0.001']);
      expect(await harness.stop()).toBe(0);
      expect((await runBourse(['verify', harness.data], planted)).text).toContain('All sound.');
      expect(harness.history().tellsOfBroken).toBe(false);
      const nothing = await runBourse(['quarantine', harness.data], planted);
      expect(nothing).toMatchObject({ code: 0, text: expect.stringContaining('Nothing to do') });
    },
    90_000,
  );
});
