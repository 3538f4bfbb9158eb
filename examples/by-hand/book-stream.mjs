import { setTimeout as sleep } from 'node:timers/promises';
import { LocalBook } from './local-book.mjs';
import { openStream } from './stream.mjs';

const snapshotLevels = 5000;

/**
 * Keeps the book of a pair. `onChange` is called whenever it changed, also when it is no longer ready. `onUpdate` gets
 * every push, before the book does.
 */
export function followBook({ rest, wsUrl, symbol, onChange = () => {}, onUpdate = () => {} }) {
  const book = new LocalBook();
  const counted = { pushes: 0, snapshots: 0, gaps: 0, connections: 0 };
  let round = 0;

  /** Asks for snapshots until one joins what was pushed. A later call, or a lost connection, ends this one. */
  async function start() {
    round += 1;
    const own = round;
    while (own === round) {
      try {
        const snapshot = await rest.get('/api/v3/depth', { symbol, limit: snapshotLevels });
        if (own !== round) return;
        counted.snapshots += 1;
        if (book.start(snapshot)) return onChange();
      } catch (error) {
        console.error(`No snapshot of ${symbol}: ${error.message}`);
      }
      await sleep(200);
    }
  }

  const stream = openStream({
    url: async () => `${wsUrl}?encoding=json`,
    channels: [`spot@public.aggre.depth.v3.api.pb@10ms@${symbol}`],
    // Pushes first, then the snapshot: so that nothing is missing in between.
    onSubscribed: () => {
      counted.connections += 1;
      book.reset();
      void start();
    },
    onPush: ({ publicAggreDepths: update }) => {
      counted.pushes += 1;
      onUpdate(update);
      const wasReady = book.isReady;
      const isReady = book.take(update);
      if (wasReady && !isReady) {
        counted.gaps += 1;
        void start();
      }
      if (wasReady) onChange();
    },
    onLost: () => {
      round += 1;
      book.reset();
      onChange();
    },
  });
  return { book, stream, counted, close: () => stream.close() };
}
