import { expect, test } from 'vitest';
import { createEventRecorder, noopSink } from '#model/event-record.ts';
import { eventNames, eventParts } from '#model/events.ts';
import { as } from '#model/units.ts';
import { createFanOut } from '#sequencer/event-feed.ts';

/** Parts of an event that tell what they are: texts, where no object is looked into. */
const partsOf = (name: (typeof eventNames)[number]): never[] =>
  eventParts[name].map((part) => `its ${part}`) as never[];

test('each event reaches all that listen to it, whole, in the order of their subscription', () => {
  const told: unknown[] = [];
  const feed = createFanOut();
  feed.subscribe({ ...noopSink, posted: (...parts) => told.push(['first', ...parts]) });
  feed.subscribe(noopSink);
  for (const name of eventNames) feed.subscribe({ [name]: (...parts: unknown[]) => told.push([name, ...parts]) });
  for (const name of eventNames) {
    (feed[name] as (...parts: never[]) => void)(...partsOf(name));
    const whole = [...partsOf(name), ...Array(7)].slice(0, 7);
    const expected =
      name === 'posted'
        ? [
            ['first', ...partsOf(name)],
            [name, ...whole],
          ]
        : [[name, ...whole]];
    expect(told.splice(0)).toEqual(expected);
  }
});

test('methods keep their object; a feed in a feed hears later subscribers; whoever left hears nothing', () => {
  class Counter {
    entries = 0;
    entryBegan(): void {
      this.entries += 1;
    }
  }
  const [inner, outer, counter] = [createFanOut(), createFanOut(), new Counter()];
  outer.subscribe(inner);
  const leave = inner.subscribe(counter);
  outer.entryBegan(as(1), as(1));
  leave();
  outer.entryBegan(as(2), as(2));
  expect(counter.entries).toBe(1);
});

test('a record has its kind and every part under its name; objects that the engine reuses are copied', () => {
  const recorder = createEventRecorder();
  const order = { order: 7, account: 20 };
  recorder.orderFilled(order as never, as(5), as(6));
  recorder.posted(as(20), as(0), as(-5), as(5), 'orderHold', as(7), as(9));
  order.account = 21;
  expect(recorder.events).toMatchObject([
    { kind: 'orderFilled', order: { order: 7, account: 20 }, lots: 5, price: 6 },
    { kind: 'posted', account: 20, asset: 0, free: -5, held: 5, why: 'orderHold', order: 7, balance: 9 },
  ]);
});
