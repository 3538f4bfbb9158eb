import { closeSync, openSync, writeSync } from 'node:fs';
import type { Clock, Repeat } from '#base/clock.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';

interface Repeated {
  readonly everyMs: number;
  readonly run: () => void;
  dueAt: number;
}

/** A machine whose time passes when told, and whose disk acknowledges at once. */
export class VirtualMachine implements Clock {
  #now: number;
  #repeated: Repeated[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  readonly repeat: Repeat = (everyMs, run) => {
    const repeated = { everyMs, run, dueAt: this.#now + everyMs };
    this.#repeated.push(repeated);
    return () => {
      this.#repeated = this.#repeated.filter((other) => other !== repeated);
    };
  };

  /** Lets time pass and runs what became due. */
  pass(ms: number): void {
    this.#now += ms;
    for (const repeated of this.#repeated) {
      if (repeated.dueAt > this.#now) continue;
      repeated.dueAt += repeated.everyMs;
      repeated.run();
    }
  }

  /** As the machine's own, but a write that others wait for returns when the system has it, not the disk. */
  readonly files: FileOperations = {
    ...nodeFileOperations,
    open: async (path, purpose) => {
      const file = await nodeFileOperations.open(path, purpose);
      if (purpose !== 'durable') return file;
      const descriptor = openSync(path, 'r+');
      return {
        ...file,
        writeThrough: async (bytes, position) => {
          let written = 0;
          while (written < bytes.length) {
            written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
          }
        },
        close: async () => {
          closeSync(descriptor);
          await file.close();
        },
      };
    },
  };
}
