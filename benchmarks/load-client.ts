import { connect, type Socket } from 'node:net';

/** What the client is asked to do; it runs in a process of its own, so that its work is not the server's. */
export interface LoadTask {
  readonly port: number;
  /** Requests as they go over the wire, sent in turn, over and over. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly durationMs: number;
  /** Ends it earlier, once so many answers came: then each load is the same work, however busy the machine is. */
  readonly answersMax?: number;
  /** Requests per second whatever the server does; `null`: as many as it answers. */
  readonly rate: number | null;
  /** Whether requests without an answer at the end count with the time they have waited; default: they do not. */
  readonly countsUnanswered?: boolean;
}

export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  /** Answers that were neither 200 nor 201, and the first of them. */
  readonly failures: number;
  readonly firstFailure: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Line {
  readonly socket: Socket;
  pending: string;
  askedAt: number;
  isBusy: boolean;
}

/** Length of the first whole answer in the text, 0 while it is not whole. */
function wholeAnswer(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head + 2))?.[1];
  if (length === undefined) throw new Error(`an answer without length: ${text.slice(0, head)}`);
  const size = head + 4 + Number(length);
  return text.length >= size ? size : 0;
}

/** Keeps so many connections busy, one request at a time each, and measures every answer. */
class Load {
  readonly #task: LoadTask;
  readonly #lines: Line[] = [];
  readonly #tookMs: number[] = [];
  /** Moments at which requests fell due and nobody was free, oldest first. */
  readonly #due: number[] = [];
  #next = 0;
  #turn = 0;
  #failures = 0;
  #firstFailure = '';
  #isOver = false;
  #end: () => void = () => {};

  constructor(task: LoadTask) {
    this.#task = task;
  }

  async run(): Promise<LoadResult> {
    const { connections, durationMs, rate, countsUnanswered = false } = this.#task;
    for (let index = 0; index < connections; index += 1) this.#lines.push(await this.#open());
    const began = performance.now();
    if (rate === null) for (const line of this.#lines) this.#ask(line, performance.now());
    else this.#pace(began, rate);
    await new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, durationMs);
      this.#end = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
    this.#isOver = true;
    const endedAt = performance.now();
    const seconds = (endedAt - began) / 1000;
    if (countsUnanswered) {
      const asked = this.#lines.filter(({ isBusy }) => isBusy).map(({ askedAt }) => askedAt);
      this.#tookMs.push(...[...asked, ...this.#due].map((since) => endedAt - since));
    }
    const sorted = Float64Array.from(this.#tookMs).sort();
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
    for (const { socket } of this.#lines) socket.destroy();
    return {
      answers: sorted.length,
      seconds,
      failures: this.#failures,
      firstFailure: this.#firstFailure,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    };
  }

  #open(): Promise<Line> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#task.port, '127.0.0.1');
      const line: Line = { socket, pending: '', askedAt: 0, isBusy: false };
      socket.setNoDelay(true);
      socket.setEncoding('latin1');
      socket.once('connect', () => resolve(line));
      socket.once('error', reject);
      socket.on('data', (chunk) => this.#heard(line, chunk.toString()));
      socket.once('close', () => {
        if (!this.#isOver) this.#fail('the server closed the connection');
      });
    });
  }

  /** Latency counts from the moment a request fell due: a server that stalls pays for all it kept waiting. */
  #pace(began: number, rate: number): void {
    let sent = 0;
    const tick = (): void => {
      if (this.#isOver) return;
      const due = Math.floor(((performance.now() - began) / 1000) * rate);
      for (; sent < due; sent += 1) this.#due.push(began + ((sent + 1) / rate) * 1000);
      // Lines take turns: one that had nothing to ask for 10 s would be hung up on.
      for (let asked = 0; asked < this.#lines.length && this.#due.length > 0; asked += 1) {
        const line = this.#lines[this.#turn]!;
        this.#turn = (this.#turn + 1) % this.#lines.length;
        if (!line.isBusy) this.#ask(line, this.#due.shift()!);
      }
      setTimeout(tick, 1);
    };
    tick();
  }

  #ask(line: Line, since: number): void {
    const { requests } = this.#task;
    line.isBusy = true;
    line.askedAt = since;
    line.socket.write(requests[this.#next]!, 'latin1');
    this.#next = (this.#next + 1) % requests.length;
  }

  #heard(line: Line, chunk: string): void {
    line.pending = line.pending === '' ? chunk : line.pending + chunk;
    const size = wholeAnswer(line.pending);
    if (size === 0 || this.#isOver) return;
    if (!/^HTTP\/1.1 20[01] /.test(line.pending)) this.#fail(line.pending);
    line.pending = line.pending.slice(size);
    const now = performance.now();
    this.#tookMs.push(now - line.askedAt);
    line.isBusy = false;
    if (this.#tookMs.length === this.#task.answersMax) {
      this.#isOver = true;
      this.#end();
      return;
    }
    if (this.#task.rate === null) this.#ask(line, now);
    else if (this.#due.length > 0) this.#ask(line, this.#due.shift()!);
  }

  #fail(answer: string): void {
    this.#failures += 1;
    if (this.#failures === 1) this.#firstFailure = answer.slice(0, 600);
  }
}

process.on('message', async (task: LoadTask) => {
  process.send?.(await new Load(task).run());
});
