import { Counter, Gauge, Registry } from 'prom-client';
import type { StreamMetrics } from '#websocket/connections/connection.ts';

/** Counters of streams, and their text for GET /metrics. */
export function createStreamCounters(): { readonly metrics: StreamMetrics; readonly text: () => Promise<string> } {
  const registry = new Registry();
  const registers = [registry];
  const connections = new Gauge({ name: 'bourse_stream_connections', help: 'Open websockets.', registers });
  const subscriptions = new Gauge({
    name: 'bourse_stream_subscriptions',
    help: 'Channels listened to, over all websockets.',
    registers,
  });
  const frames = new Counter({ name: 'bourse_stream_frames_total', help: 'Frames sent.', registers });
  const bytes = new Counter({ name: 'bourse_stream_bytes_total', help: 'Bytes of frames sent.', registers });
  const slow = new Counter({
    name: 'bourse_stream_slow_readers_total',
    help: 'Websockets closed because their reader fell behind.',
    registers,
  });
  return {
    metrics: {
      connections: (change) => connections.inc(change),
      subscriptions: (change) => subscriptions.inc(change),
      sent: (count, size) => {
        frames.inc(count);
        bytes.inc(size);
      },
      slowReaderClosed: () => slow.inc(),
    },
    text: () => registry.metrics(),
  };
}
