/**
 * Whether this process knows everything that was acknowledged, at whichever node of a cluster. By itself it does; then
 * there is none of these.
 */
export interface CurrentReads {
  /** Whether public data may be too old to be shown. */
  readonly isStale: boolean;
  /** Resolves once everything acknowledged before the call is known here; rejects where that takes too long. */
  current(): Promise<void>;
}
