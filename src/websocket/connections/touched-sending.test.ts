import { expect, test } from 'vitest';
import { TouchedSending } from '#websocket/connections/touched-sending.ts';
import type { Push } from '#websocket/pushes/push.ts';

const pushOf = (bytes: number) => ({ channel: 'c', symbol: null, frame: () => Buffer.alloc(bytes) }) as unknown as Push;

/** Sends of which the first push stalls all; what became of them. */
function stalledSending(heldBytesMax: number) {
  const done: string[] = [];
  let isStalled = false;
  const sending = new TouchedSending(
    { number: 1, account: null, accessKey: null, client: { text: 'here' }, encoding: 'json' },
    {
      heldBytesMax,
      enqueue: (frame) => void done.push(`sent ${frame.length}`),
      endWith: (code) => void done.push(`closed ${code}`),
      endSlow: () => {
        done.push('slow');
        sending.stop();
      },
    },
    {
      interceptor: {
        isArmed: true,
        ignoresPing: () => false,
        refusesUpgrade: () => null,
        whenTakenAway: () => () => {},
        touch: () => {
          if (isStalled) return null;
          isStalled = true;
          return { fault: 'f1', touch: { kind: 'stall', ms: 1000 } };
        },
      },
      monotonic: { now: () => 0 },
      setTimer: () => () => void done.push('canceled'),
    },
  );
  return { sending, done };
}

test('DEC-KIT-32: what is held back is bounded: more ends the connection as one that is read too slowly', () => {
  const { sending, done } = stalledSending(100);
  for (let count = 0; count < 10; count += 1) sending.push(pushOf(10));
  expect(done).toEqual([]);
  sending.push(pushOf(1));
  expect(done).toEqual(['slow', 'canceled']);
  sending.push(pushOf(1));
  sending.reply('late', Buffer.alloc(1));
  expect(done).toEqual(['slow', 'canceled']);
});
