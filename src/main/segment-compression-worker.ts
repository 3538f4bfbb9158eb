import { workerData } from 'node:worker_threads';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { compressHere, type CompressionTask } from '#journal/sealed-segment.ts';

/** Compresses one full segment on its own thread, because that makes hundreds of megabytes of garbage. */
await compressHere(nodeFileOperations)(workerData as CompressionTask, new AbortController().signal);
