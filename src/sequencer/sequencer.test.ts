import { expect, test, vi } from 'vitest';
import { ByteReader } from '#base/bytes.ts';
import { decodeCommand } from '#model/command-codec.ts';
import type { Command } from '#model/command.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { noopSink } from '#model/event-record.ts';
import { createEngine } from '#engine/create-engine.ts';
import { IngressLost, IngressRefused } from '#sequencer/command-ingress.ts';
import type { EntryBatch } from '#journal/entry-batch.ts';
import { JournalFull, JournalUnavailable, type Journal } from '#journal/journal.ts';
import { Sequencer, sequencerLimits } from '#sequencer/sequencer.ts';

const pass: Command = { kind: 'advanceClock' };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The commands of a batch as their bytes say. */
function commandsOf(batch: EntryBatch): readonly Command[] {
  const reader = new ByteReader(batch.commands());
  const commands = batch.entries.map((_, index) => {
    const command = decodeCommand(reader);
    expect(reader.position).toBe(batch.endOf(index));
    return command;
  });
  reader.finish();
  return commands;
}

/** A sequencer over a journal whose writes settle when the test says so; `story` is what happened, in order. */
function createHarness(epoch = 0) {
  const engine = createEngine();
  const story: string[] = [];
  const sizes: number[] = [];
  const epochs: number[] = [];
  const fatal: string[] = [];
  const broken: string[] = [];
  let last = 0;
  let settle: ((error?: Error) => void) | null = null;
  const journal = {
    append: (after: Seq, batch: EntryBatch): Promise<void> => {
      const { entries } = batch;
      expect(after).toBe(last);
      expect(commandsOf(batch)).toEqual(entries.map(({ command }) => command));
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => last + 1 + index));
      story.push(`write ${last + 1}`);
      sizes.push(entries.length);
      epochs.push(...entries.map((entry) => entry.epoch));
      return new Promise((resolve, reject) => {
        settle = (error) => {
          settle = null;
          if (error !== undefined) reject(error);
          else {
            last += entries.length;
            resolve();
          }
        };
      });
    },
    last: () => as<Seq>(last),
  } as unknown as Journal;
  const sequencer = new Sequencer({
    engine,
    journal,
    clock: { now: () => 1 },
    epoch: as<Epoch>(epoch),
    hasRoom: () => true,
    onBroken: (entry, error) => broken.push(`${entry.seq}: ${error.message}`),
    onFatal: (error) => fatal.push(error.message),
  });
  sequencer.subscribe({ ...noopSink, entryBegan: (seq) => story.push(`apply ${seq}`) });
  const written = async (error?: Error): Promise<void> => {
    settle?.(error);
    await turn();
  };
  return { engine, sequencer, story, sizes, epochs, fatal, broken, written };
}

const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as Error).constructor,
  );

test('nothing is applied before it is durable, and the next batch goes to the disk first', async () => {
  const { sequencer, story, written } = createHarness();
  const first = sequencer.submit(pass);
  await turn();
  const second = sequencer.post(pass);
  const third = sequencer.submit(pass);
  await turn();
  expect(story).toEqual(['write 1']);
  await written();
  expect(story).toEqual(['write 1', 'write 2', 'apply 1']);
  expect((await first).seq).toBe(1);
  await written();
  expect(story.slice(3)).toEqual(['apply 2', 'apply 3']);
  expect(await outcomeOf(second)).toBe('done');
  expect((await third).seq).toBe(3);
});

test('a batch without room on the disk is refused alone, and leaves no gap', async () => {
  const { sequencer, story, written } = createHarness();
  const first = outcomeOf(sequencer.submit(pass));
  const posted = outcomeOf(sequencer.post(pass));
  await turn();
  const second = sequencer.submit(pass);
  await written(new JournalFull('full'));
  expect([await first, await posted]).toEqual([IngressRefused, IngressRefused]);
  await written();
  expect((await second).seq).toBe(1);
  expect(story).toEqual(['write 1', 'write 1', 'apply 1']);
});

test('DEC-ORD-37: a command for which the engine has no room is refused before it is written', async () => {
  const { engine, sequencer, story, written } = createHarness();
  vi.spyOn(engine, 'hasRoomFor').mockImplementation(({ kind }) => kind !== 'advanceClock');
  expect(await outcomeOf(sequencer.submit(pass))).toBe(IngressRefused);
  const cancelled = sequencer.post({ kind: 'cancelOrders', account: as(4), symbols: [] });
  await turn();
  await written();
  await cancelled;
  expect(story).toEqual(['write 1', 'apply 1']);
});

test('a command that has no written form is refused alone, before it is written', async () => {
  const { sequencer, story, written } = createHarness();
  const good = sequencer.submit(pass);
  const bad = [
    outcomeOf(sequencer.submit({ kind: 'cancelOrders', account: as(4), symbols: [as(0), as(-1)] })),
    outcomeOf(sequencer.post({ kind: 'cancelOrders', account: as(-1), symbols: [] })),
  ];
  const next = sequencer.submit(pass);
  expect(await Promise.all(bad)).toEqual([IngressRefused, IngressRefused]);
  await turn();
  await written();
  expect((await good).seq).toBe(1);
  expect((await next).seq).toBe(2);
  expect(story).toEqual(['write 1', 'apply 1', 'apply 2']);
});

test('what waits is bounded in bytes too, and a batch ends where it is long enough', async () => {
  const { sequencer, sizes, written } = createHarness();
  const long = (mebibytes: number): Command => ({
    kind: 'createListenKey',
    account: as(4),
    accessKey: '',
    keyHash: '',
    sealedKey: 'x'.repeat(mebibytes << 20),
  });
  const taken = [long(9), pass, long(8), pass].map((command) => outcomeOf(sequencer.post(command)));
  expect(await taken[3]).toBe(IngressRefused);
  await turn();
  await written();
  await written();
  expect(await Promise.all(taken.slice(0, 3))).toEqual(['done', 'done', 'done']);
  expect(sizes).toEqual([1, 2]);
  expect(sequencer.queued).toBe(0);
});

test('after a failed write the batch is lost, what waits is refused, and nothing is applied', async () => {
  const { sequencer, story, fatal, written } = createHarness();
  const handedOver = outcomeOf(sequencer.post(pass));
  await turn();
  const waiting = outcomeOf(sequencer.submit(pass));
  await written(new JournalUnavailable('gone'));
  expect([await handedOver, await waiting]).toEqual([IngressLost, IngressRefused]);
  expect(await outcomeOf(sequencer.submit(pass))).toBe(IngressRefused);
  expect(fatal).toEqual(['gone']);
  expect(story).toEqual(['write 1']);
  await sequencer.close();
});

test('entries are stamped with the epoch that the sequencer was given, and the engine keeps it', async () => {
  const { engine, sequencer, epochs, written } = createHarness(4);
  const first = sequencer.submit(pass);
  const second = sequencer.submit(pass);
  await turn();
  await written();
  await Promise.all([first, second]);
  expect(epochs).toEqual([4, 4]);
  expect(engine.state.progress.epoch).toBe(4);
});

test('a fault of the engine loses the batch that is being written too, and is told once', async () => {
  const { engine, sequencer, story, fatal, broken, written } = createHarness();
  const first = outcomeOf(sequencer.post(pass));
  await turn();
  const second = outcomeOf(sequencer.post(pass));
  vi.spyOn(engine, 'apply').mockImplementation(() => {
    throw new Error('broken');
  });
  await written();
  const third = outcomeOf(sequencer.post(pass));
  await written();
  expect([await first, await second, await third]).toEqual([IngressLost, IngressLost, IngressRefused]);
  expect(fatal).toEqual(['broken']);
  expect(broken).toEqual(['1: broken']);
  expect(story).toEqual(['write 1', 'write 2']);
  await sequencer.close();
});

test('a batch has a maximum, and closing finishes all that was taken', async () => {
  const { sequencer, sizes, written } = createHarness();
  const count = sequencerLimits.batch + 2;
  const posts = Array.from({ length: count }, () => sequencer.post(pass));
  expect(sequencer.queued).toBe(count);
  const closed = outcomeOf(sequencer.close());
  expect(await outcomeOf(sequencer.post(pass))).toBe(IngressRefused);
  await turn();
  await written();
  await written();
  expect(sizes).toEqual([sequencerLimits.batch, 2]);
  expect(await closed).toBe('done');
  await Promise.all(posts);
});

test('who is told of a broken entry hears it inside its apply, before anybody is answered behind it', async () => {
  const { engine, sequencer, story, broken, written } = createHarness();
  const apply = engine.apply;
  vi.spyOn(engine, 'apply').mockImplementation((entry, sink) => {
    apply(entry, sink);
    if (entry.seq === 2) throw new Error('planted');
  });
  const answers: string[] = [];
  const told = ['first', 'second', 'third'].map((name) =>
    sequencer.submit(pass).then(
      () => answers.push(`${name} done`),
      (error: Error) => answers.push(`${name} ${error.constructor.name}, broken ${broken.length}`),
    ),
  );
  await turn();
  await written();
  await Promise.all(told);
  expect(story).toEqual(['write 1', 'apply 1', 'apply 2']);
  expect(broken).toEqual(['2: planted']);
  expect(answers).toEqual(['first done', 'second IngressLost, broken 1', 'third IngressLost, broken 1']);
});

test('DEC-KIT-11: while it is held nothing is written, what is durable is applied before, and what comes waits', async () => {
  const { engine, sequencer, story, written } = createHarness();
  const first = sequencer.submit(pass);
  await turn();
  let release = (): void => {};
  const held = sequencer.hold(async () => {
    story.push(`held at ${engine.seq}`);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return 'copied';
  });
  const second = sequencer.submit(pass);
  await written();
  expect((await first).seq).toBe(1);
  await turn();
  let isClosed = false;
  const closed = sequencer.close().then(() => {
    isClosed = true;
  });
  await turn();
  expect([story, isClosed]).toEqual([['write 1', 'apply 1', 'held at 1'], false]);
  release();
  expect(await held).toBe('copied');
  await turn();
  await written();
  expect((await second).seq).toBe(2);
  await closed;
  expect(story.slice(3)).toEqual(['write 2', 'apply 2']);
});

test('DEC-KIT-11: one that is idle is held at once, and goes on when the work fails', async () => {
  const { sequencer, written } = createHarness();
  await expect(sequencer.hold(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  const first = sequencer.submit(pass);
  await turn();
  await written();
  expect((await first).seq).toBe(1);
});
