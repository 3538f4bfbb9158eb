/** Metrics of streams. Numbers are changes; the implementation sums them up. */
export interface StreamMetrics {
  /** Connections opened less those closed. */
  connections(change: number): void;
  /** Channels joined less those left, over all connections. */
  subscriptions(change: number): void;
  /** Frames and bytes handed to a socket. */
  sent(frames: number, bytes: number): void;
  slowReaderClosed(): void;
}
