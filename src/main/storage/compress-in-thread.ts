import type { CompressSegment } from '#journal/sealed-segment.ts';
import { runInThread } from '#main/task-thread.ts';

/** Compresses segments away from the engine, each on a thread of its own. */
export const compressInThread: CompressSegment = async (task, signal) => {
  await runInThread('segment-compression', task, () => {}, signal);
  return !signal.aborted;
};
