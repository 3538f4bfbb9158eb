import { afterEach, expect, test } from 'vitest';
import { createEventRecorder } from '#model/event-record.ts';
import { CommandStream } from '../oracle/command-stream.ts';
import { SideBySide } from '../oracle/side-by-side.ts';
import { type ServedExchange, startFollowerExchange } from '../follower-exchange.ts';

/** 400 by default; more by `BOURSE_TEST_FOLLOWED`. */
const operations = Number(process.env['BOURSE_TEST_FOLLOWED'] ?? 400);

let exchange: ServedExchange | null = null;
afterEach(async () => {
  await exchange?.close();
  exchange = null;
});

test(
  'DEC-CLU-24: random commands of a node that follows come to what a naive model of the rules says',
  async () => {
    exchange = await startFollowerExchange();
    const { clock, engine, sequencer, submit } = exchange;
    const both = new SideBySide();
    both.engine = engine;
    const stream = new CommandStream(77, 0.002);
    const recorder = createEventRecorder();
    sequencer.subscribe(recorder);
    for (let step = 1; step <= operations; step += 1) {
      const next = stream.next();
      clock.time = next.at;
      recorder.events = [];
      const { seq, at, events } = await submit(next.command);
      expect({ seq, at }).toEqual({ seq: next.seq, at: next.at });
      // What came back over the link is what happened.
      const told = [...events];
      for (const event of recorder.events) {
        if (told[0]?.kind !== event.kind) continue;
        expect(told.shift()).toEqual(event);
      }
      expect(told).toEqual([]);
      both.compare(next, recorder.events);
      stream.observe(recorder.events);
      if (step % 100 === 0) both.compareStates();
    }
    both.compareStates();
    expect(exchange.faults()).toEqual([]);
  },
  30_000 + operations * 20,
);
