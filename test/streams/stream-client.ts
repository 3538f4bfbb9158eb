import type { IncomingHttpHeaders } from 'node:http';
import { WebSocket } from 'ws';
import { readBinary, type ReadPush, readText } from './push-reader.ts';

export interface Reply {
  readonly id: number;
  readonly code: number;
  readonly msg: string;
}

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

/** How long a test waits for something that is on its way. */
const patienceMs = 20_000;

/** Waits until something is so; the claim says what was waited for. */
export async function until(claim: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`waited in vain: ${claim}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** A client that keeps all it hears, in order. Binary frames are pushes; text is a reply, or with JSON a push. */
export class StreamClient {
  readonly replies: Reply[] = [];
  readonly pushes: ReadPush[] = [];
  /** Everything in the order of its coming. */
  readonly heard: (Reply | ReadPush)[] = [];
  readonly socket: WebSocket;
  closing: Closing | null = null;
  pings = 0;
  private lastId = 0;

  private constructor(url: string, localAddress: string) {
    this.socket = new WebSocket(url, { perMessageDeflate: false, localAddress });
    this.socket.on('message', (data: Buffer, isBinary) => this.hear(data, isBinary));
    this.socket.on('ping', () => {
      this.pings += 1;
    });
    this.socket.on('close', (code, reason) => {
      this.closing = { code, reason: String(reason) };
    });
  }

  /** Connects from an address of this machine; rejects with the HTTP status when the upgrade is refused. */
  static async open(url: string, from = '127.0.0.1'): Promise<StreamClient> {
    const client = new StreamClient(url, from);
    await new Promise<void>((resolve, reject) => {
      client.socket.once('open', resolve);
      client.socket.once('unexpected-response', (_request, response) => {
        response.resume();
        reject(new Error(`refused with ${response.statusCode}`));
      });
      client.socket.once('error', reject);
    });
    client.socket.on('error', () => {});
    return client;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Sends a request with the next id and waits for its reply. */
  async ask(method: string, params?: readonly string[]): Promise<Reply> {
    this.lastId += 1;
    const id = this.lastId;
    this.send({ method, id, ...(params === undefined ? {} : { params }) });
    return this.reply(id);
  }

  async reply(id: number): Promise<Reply> {
    await until(`reply ${id}`, () => this.replies.some((reply) => reply.id === id) || this.closing !== null);
    const reply = this.replies.find((each) => each.id === id);
    if (reply === undefined) throw new Error(`closed without reply ${id}: ${JSON.stringify(this.closing)}`);
    return reply;
  }

  subscribe(...params: string[]): Promise<Reply> {
    return this.ask('SUBSCRIPTION', params);
  }

  /** Waits for `count` pushes and takes them. */
  async take(count: number): Promise<ReadPush[]> {
    await until(`${count} pushes, ${this.pushes.length} came`, () => this.pushes.length >= count);
    return this.pushes.splice(0, count);
  }

  /** Resolves once all that was sent before is here: a ping's answer comes behind it. */
  async drain(): Promise<void> {
    await this.ask('PING');
  }

  async closed(): Promise<Closing> {
    await until('the close', () => this.closing !== null);
    return this.closing as Closing;
  }

  async leave(): Promise<void> {
    this.socket.close();
    await this.closed();
  }

  private hear(data: Buffer, isBinary: boolean): void {
    const text = isBinary ? '' : String(data);
    if (!isBinary && text.startsWith('{"id":')) {
      const reply = JSON.parse(text) as Reply;
      this.replies.push(reply);
      this.heard.push(reply);
      return;
    }
    const push = isBinary ? readBinary(data) : readText(text);
    this.pushes.push(push);
    this.heard.push(push);
  }
}

/** Headers of the answer to an upgrade that is expected to be refused. */
export function refusedHeaders(url: string): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      response.on('end', () => resolve(response.headers));
    });
    socket.on('open', () => reject(new Error('the upgrade was not refused')));
    socket.on('error', reject);
  });
}

/** Opens a connection that is expected to be refused, and answers the status. */
export async function refusedStatus(url: string): Promise<number> {
  try {
    const client = await StreamClient.open(url);
    client.socket.terminate();
    return 101;
  } catch (error) {
    return Number(/refused with (\d+)/.exec((error as Error).message)?.[1] ?? Number.NaN);
  }
}
