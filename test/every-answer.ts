import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, afterEach } from 'vitest';
import { type HeardAnswer, watchSocket } from './watched-socket.ts';

/*
 * Every answer that a test gets over HTTP, of a server in its process or of a process that it started, is held against
 * the documents of the APIs, whichever client it uses. The configuration of the tests runs this before each file.
 */

type FaultOf = (answer: HeardAnswer) => string | null;

/** Holds answers against the documents once those are made, which tests without sockets need not wait for. */
class Watch {
  readonly #faults: string[] = [];
  readonly #early: HeardAnswer[] = [];
  #faultOf: FaultOf | null = null;
  #loading: Promise<void> | null = null;

  hear(answer: HeardAnswer): void {
    this.#loading ??= this.#load();
    if (this.#faultOf === null) this.#early.push(answer);
    else this.#check(answer, this.#faultOf);
  }

  /** @throws TypeError when an answer since the last call was none that a document has. */
  async report(): Promise<void> {
    await this.#loading;
    const found = this.#faults.splice(0);
    if (found.length > 0) throw new TypeError(`not in the document:\n${found.slice(0, 5).join('\n')}`);
  }

  async #load(): Promise<void> {
    const { faultOf } = await import('./described-answers.ts');
    this.#faultOf = faultOf;
    for (const answer of this.#early.splice(0)) this.#check(answer, faultOf);
  }

  #check(answer: HeardAnswer, faultOf: FaultOf): void {
    const fault = faultOf(answer);
    if (fault !== null) this.#faults.push(fault);
  }
}

function startWatch(): Watch {
  const watch = new Watch();
  subscribe('net.client.socket', (message) => {
    watchSocket((message as { readonly socket: Socket }).socket, (answer) => watch.hear(answer));
  });
  return watch;
}

/** One for all files that share a process. */
const key = Symbol.for('bourse: every answer of the tests');
const shared = globalThis as unknown as { [key]?: Watch };
const watch = (shared[key] ??= startWatch());

afterEach(() => watch.report());
afterAll(() => watch.report());
