import type { StreamMetrics } from '#websocket/connections/connection.ts';
import { counter, declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';

/** Metrics of websockets. */
export const streamMetrics = declareMetrics(
  'Websockets',
  {},
  {
    bourse_stream_connections: gauge('Open websockets.'),
    bourse_stream_subscriptions: gauge('Channels listened to, over all websockets.'),
    bourse_stream_frames_total: counter('Frames sent.'),
    bourse_stream_bytes_total: counter('Bytes of frames sent.'),
    bourse_stream_slow_readers_total: counter('Websockets closed because their reader fell behind.'),
  },
);

/** What counts websockets, and the source of its metrics. */
export function createStreamMetrics(): { readonly counts: StreamMetrics; readonly source: MetricSource } {
  let connections = 0;
  let subscriptions = 0;
  let frames = 0;
  let bytes = 0;
  let slowReaders = 0;
  return {
    counts: {
      connections: (change) => {
        connections += change;
      },
      subscriptions: (change) => {
        subscriptions += change;
      },
      sent: (count, size) => {
        frames += count;
        bytes += size;
      },
      slowReaderClosed: () => {
        slowReaders += 1;
      },
    },
    source: sourceOf(streamMetrics, () => ({
      bourse_stream_connections: connections,
      bourse_stream_subscriptions: subscriptions,
      bourse_stream_frames_total: frames,
      bourse_stream_bytes_total: bytes,
      bourse_stream_slow_readers_total: slowReaders,
    })),
  };
}
