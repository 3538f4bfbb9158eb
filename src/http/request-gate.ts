import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { wireLimits } from '#http/limits.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Where bytes of HTTP/1 are cut so that each piece ends at most one head: behind every blank line that follows a line
 * of text. A body in chunks ends with a blank line too. Cuts in other places do no harm.
 */
export class BlankLines {
  /** Length of the line that the bytes so far end with, and its last byte. */
  #lineLength = 0;
  #last = 0;
  /** Whether a line of text came since the last cut: blank lines before a request end nothing. */
  #hasText = false;

  /** Index behind the first blank line from `from`, or the length of the bytes. */
  next(bytes: Buffer, from: number): number {
    for (let at = from; ; ) {
      const feed = bytes.indexOf(lineFeed, at);
      if (feed < 0) {
        this.#lineLength += bytes.length - at;
        this.#last = bytes[bytes.length - 1] as number;
        return bytes.length;
      }
      const length = this.#lineLength + feed - at;
      const last = feed > at ? bytes[feed - 1] : this.#last;
      this.#lineLength = 0;
      at = feed + 1;
      if (length > 1 || (length === 1 && last !== carriageReturn)) this.#hasText = true;
      else if (this.#hasText) {
        this.#hasText = false;
        return at;
      }
    }
  }
}

/*
 * One request of a socket is served at a time, on every port. DEC-REQ-100.
 *
 * Node parses all requests that a packet holds and queues their answers: who sends many without waiting makes the
 * process keep a request and an answer for every forty bytes, what stands behind an answer that closes is parsed all
 * the same, and an upgrade takes the socket away from the answers before it. So a gate stands before the parser. It
 * hands over the bytes of one request and holds the others back until the answer is written; behind an answer that
 * closes the connection it hands over nothing. It reads no requests: it only chooses where bytes are cut, which
 * changes nothing for the parser. docs/decisions/0021.
 */

/** `shut`: an answer that closes is decided. `released`: the socket became a websocket. */
type GateState = 'open' | 'shut' | 'released';

/** Lets gates go on in turn, so many in one turn of the event loop: who sends much at once waits for the others. */
class Turns {
  #waiting: RequestGate[] = [];
  #isScheduled = false;

  add(gate: RequestGate): void {
    this.#waiting.push(gate);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      for (const gate of this.#waiting.splice(0, wireLimits.connection.heldPerTurn)) gate.proceed();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

/**
 * The gate of a socket. As long as its client waits for each answer, packets go to the parser as they come. When bytes
 * come too early the gate reads the socket only when it can use them: then the kernel holds the rest back.
 */
class RequestGate {
  readonly #socket: Socket;
  readonly #parse: (bytes: Buffer) => void;
  readonly #turns: Turns;
  readonly #blankLines = new BlankLines();
  #state: GateState = 'open';
  /** Being received or answered. */
  #request: IncomingMessage | null = null;
  #isAnswered = false;
  /** What is not received yet of a body of announced length. */
  #bodyLeft = 0;
  /** Whether bytes came too early once: from then on the gate reads the socket when it can use what it reads. */
  #isEarly = false;
  #isWaiting = false;
  /** Bytes read behind the last answer. */
  #dropped = 0;

  constructor(socket: Socket, parse: (bytes: Buffer) => void, turns: Turns) {
    this.#socket = socket;
    this.#parse = parse;
    this.#turns = turns;
    socket.on('data', this.#receive);
  }

  get isShut(): boolean {
    return this.#state === 'shut';
  }

  /** Whether the request whose body is being read has its answer already. */
  get isAnswered(): boolean {
    return this.#request !== null && this.#isAnswered;
  }

  /** A request was parsed up to the end of its head. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    this.#request = request;
    this.#isAnswered = false;
    this.#bodyLeft = coding === undefined && length !== undefined ? Number(length) : 0;
    response.on('finish', this.#answered);
  }

  /** Nothing is parsed any more: the answer being sent is the last. */
  shut(): void {
    if (this.#state !== 'open') return;
    this.#state = 'shut';
    if (this.#isEarly) this.#wake();
  }

  /** Leaves the socket, with what was not handed over, to whoever took it. */
  release(): void {
    this.#state = 'released';
    this.#stopReading();
  }

  /** Hands over the next request of what waits, if it may. */
  proceed(): void {
    this.#isWaiting = false;
    while (this.#mayParse() && !this.#mustWait()) {
      const bytes = this.#nextPiece();
      if (bytes === null) return;
      this.#parseFrom(bytes);
    }
  }

  /** A small piece of what waits: each request puts back what it left of it. `null`: nothing is there. */
  #nextPiece(): Buffer | null {
    const { readableLength } = this.#socket;
    const size = Math.min(readableLength, wireLimits.connection.pieceBytes);
    return this.#socket.read(size === 0 ? undefined : size) as Buffer | null;
  }

  readonly #receive = (bytes: Buffer): void => {
    if (!this.#mayParse()) this.#drop(bytes);
    else if (this.#mustWait()) this.#putBack(bytes);
    else this.#parseFrom(bytes);
  };

  readonly #wake = (): void => {
    if (this.#state === 'shut') this.#drop(this.#socket.read() as Buffer | null);
    if (this.#isWaiting || this.#state !== 'open') return;
    this.#isWaiting = true;
    this.#turns.add(this);
  };

  readonly #answered = (): void => {
    this.#isAnswered = true;
    // An idle connection keeps nothing of its last request.
    if (this.#request?.complete === true) this.#request = null;
    if (this.#isEarly) this.#wake();
  };

  /** Whether anything is parsed any more: the parser of a closed socket serves another one. */
  #mayParse(): boolean {
    if (this.#state === 'open' && !this.#socket.writable) this.#state = 'shut';
    return this.#state === 'open';
  }

  /** Whether what comes next has to wait: the last answer, or what was written of it, is not gone yet. */
  #mustWait(): boolean {
    if (this.#request !== null) {
      if (!this.#request.complete) return false;
      if (!this.#isAnswered) return true;
      this.#request = null;
    }
    return this.#socket.writableNeedDrain;
  }

  #parseFrom(bytes: Buffer): void {
    let at = 0;
    do {
      const end = this.#endOfCut(bytes, at);
      this.#parse(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
      at = end;
    } while (at < bytes.length && this.#mayParse() && !this.#mustWait());
    if (at === bytes.length) return;
    if (this.#state === 'shut') this.#drop(bytes);
    else this.#putBack(bytes.subarray(at));
  }

  /** Up to where the parser may have the bytes: there ends a head or a body, or all that came. */
  #endOfCut(bytes: Buffer, from: number): number {
    if (this.#bodyLeft === 0) return this.#blankLines.next(bytes, from);
    const end = Math.min(bytes.length, from + this.#bodyLeft);
    this.#bodyLeft -= end - from;
    return end;
  }

  /** Keeps bytes that came too early in the socket, where later ones follow until the kernel has to hold them back. */
  #putBack(bytes: Buffer): void {
    const socket = this.#socket;
    if (!this.#isEarly && this.#state === 'open') {
      this.#isEarly = true;
      socket.off('data', this.#receive);
      socket.on('readable', this.#wake);
      socket.on('drain', this.#wake);
    }
    socket.unshift(bytes);
  }

  /**
   * Reads what stands behind the last answer, to a bound: the kernel resets a connection that is closed with unread
   * bytes, and its peer may then miss the answer.
   */
  #drop(bytes: Buffer | null): void {
    this.#dropped += bytes?.length ?? 0;
    if (this.#dropped <= wireLimits.connection.droppedBytes) return;
    this.#stopReading();
    this.#socket.pause();
  }

  #stopReading(): void {
    this.#socket.off('data', this.#receive);
    this.#socket.off('readable', this.#wake);
    this.#socket.off('drain', this.#wake);
  }
}

/** Gates by their sockets. */
const gates = new WeakMap<Socket, RequestGate>();

/** Marks a socket that closes after the answer being sent: nothing more of it is read. */
export function closesAfterAnswer(socket: Socket): void {
  gates.get(socket)?.shut();
}

/** Whether an answer that closes the socket is decided. */
export const isClosing = (socket: Socket): boolean => gates.get(socket)?.isShut === true;

/** Whether the request of a socket whose body is being read has its answer already. */
export const isAnswered = (socket: Socket): boolean => gates.get(socket)?.isAnswered === true;

/** Leaves a socket, with what was not parsed of it, to whoever takes it: call it before listening to the socket. */
export function releaseSocket(socket: Socket): void {
  gates.get(socket)?.release();
}

/** Tells the gate of a socket that a request of it begins. */
export function beginRequest(request: IncomingMessage, response: ServerResponse): void {
  gates.get(request.socket)?.begin(request, response);
}

/** Sets a gate before the parser of every connection of a server. Each of its requests is told to `beginRequest`. */
export function gateRequests(server: Server): void {
  const turns = new Turns();
  server.on('connection', (socket: Socket) => {
    const [parse, ...others] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (parse === undefined || others.length > 0) throw new Error('this version of Node reads requests in another way');
    socket.off('data', parse);
    gates.set(socket, new RequestGate(socket, parse, turns));
  });
}
