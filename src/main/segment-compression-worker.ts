import { workerData } from 'node:worker_threads';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { compressHere, type CompressionTask } from '#journal/sealed-segment.ts';

/** Compresses one full segment of the journal. That leaves hundreds of megabytes of garbage, none with the engine. */
await compressHere(nodeFileOperations)(workerData as CompressionTask, new AbortController().signal);
