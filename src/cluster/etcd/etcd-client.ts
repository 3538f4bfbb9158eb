import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { machineTimer } from '#base/clock.ts';
import { LogUnreachable } from '#cluster/command-log.ts';
import { AnswerTooLarge, etcdCodes, EtcdRefusal, failureOf, hasNotBeenSent } from '#cluster/etcd/etcd-failures.ts';

/** Where an etcd is reached, and how. */
export interface EtcdAccess {
  /** URLs of its members, such as `http://10.0.0.1:2379`; at least one. */
  readonly endpoints: readonly string[];
  /** PEM texts for `https`: whom to trust, and who one is. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly user?: { readonly name: string; readonly password: string };
  /** A member that is silent for so long counts as gone; a second by default. */
  readonly silenceMs?: number;
}

/** How long one request may take. */
export interface Patience {
  /** Without a byte. */
  readonly silenceMs: number;
  readonly totalMs: number;
}

/** Receives a stream of answers. */
export interface AnswerStream {
  /** One answer, not parsed. */
  line(text: string): void;
  /** Told once, unless the stream was closed by its reader. */
  ended(error: Error): void;
}

const answerBytesMax = 8 << 20;
const socketsPerEndpoint = 16;
const silenceMs = 1000;
const totalMs = 5000;

interface Endpoint {
  readonly url: URL;
  readonly agent: HttpAgent;
}

/**
 * Asks etcd by its JSON API. It stays with one member for as long as that answers. A call whose outcome is unknown is
 * repeated with another member only where that is safe.
 */
export class EtcdClient {
  /** How long a request may take unless its call says otherwise. */
  readonly patience: Patience;
  private readonly endpoints: readonly Endpoint[];
  private readonly user: EtcdAccess['user'];
  private current = 0;
  private token: Promise<string> | null = null;
  private isClosed = false;

  constructor(access: EtcdAccess) {
    this.patience = { silenceMs: access.silenceMs ?? silenceMs, totalMs: Math.max(totalMs, access.silenceMs ?? 0) };
    this.user = access.user;
    this.endpoints = access.endpoints.map((text) => {
      const url = new URL(text);
      const options = { keepAlive: true, maxSockets: socketsPerEndpoint };
      const agent = url.protocol === 'https:' ? new HttpsAgent({ ...options, ...access.tls }) : new HttpAgent(options);
      return { url, agent };
    });
  }

  /** Number of members that it knows. */
  get endpointCount(): number {
    return this.endpoints.length;
  }

  /** Index of the member that answered last. */
  get preferred(): number {
    return this.current;
  }

  /**
   * Asks one member, once.
   * @throws LogUnreachable when nobody can say whether it was done
   * @throws LogFull, EtcdRefusal when it was not
   */
  ask(path: string, body: unknown): Promise<unknown> {
    const text = JSON.stringify(body);
    return this.tryEach((endpoint) => this.askAt(endpoint, path, text), hasNotBeenSent);
  }

  /** As `ask`, for what may be done twice: each member is tried. */
  askSafely(path: string, body: unknown, patience: Patience = this.patience): Promise<unknown> {
    const text = JSON.stringify(body);
    return this.tryEach(
      (endpoint) => this.askAt(endpoint, path, text, patience),
      (error) => error instanceof LogUnreachable,
    );
  }

  /** Asks this member and no other, once; `text` is JSON. */
  async askAt(endpoint: number, path: string, text: string, patience: Patience = this.patience): Promise<unknown> {
    try {
      return await this.send(endpoint, path, text, patience);
    } catch (error) {
      if (!this.mustRenewToken(error)) throw error;
      return await this.send(endpoint, path, text, patience);
    }
  }

  /** Opens a stream of answers of this member. Answers what closes it. */
  openStream(endpoint: number, path: string, body: unknown, stream: AnswerStream): () => void {
    let request: ClientRequest | null = null;
    let hasEnded = false;
    const end = (error: unknown): void => {
      if (hasEnded) return;
      hasEnded = true;
      request?.destroy();
      this.mustRenewToken(error);
      stream.ended(error instanceof Error ? error : new Error(String(error)));
    };
    const open = async (): Promise<void> => {
      const token = await this.currentToken(endpoint);
      if (hasEnded) return;
      request = this.request(endpoint, path, JSON.stringify(body), token, this.agentOf(endpoint));
      request.on('error', end);
      request.on('response', (response) => {
        response.on('error', end);
        response.on('close', () => end(new LogUnreachable('the stream was closed')));
        if (response.statusCode === 200) readLines(response, (line) => !hasEnded && stream.line(line), end);
        else readAll(response).then((answer) => end(failureOf(response.statusCode ?? 0, answer)), end);
      });
    };
    open().catch(end);
    return () => {
      hasEnded = true;
      request?.destroy();
    };
  }

  close(): void {
    this.isClosed = true;
    for (const { agent } of this.endpoints) agent.destroy();
  }

  private agentOf(endpoint: number): HttpAgent {
    return this.endpoints[endpoint]!.agent;
  }

  /** Tries the members from the current one on, while what failed may be tried again. */
  private async tryEach<Answer>(
    attempt: (endpoint: number) => Promise<Answer>,
    mayTryAgain: (error: unknown) => boolean,
  ): Promise<Answer> {
    for (let left = this.endpoints.length; ; left -= 1) {
      const endpoint = this.current;
      try {
        return await attempt(endpoint);
      } catch (error) {
        const isGone = error instanceof LogUnreachable;
        if (isGone && this.current === endpoint) this.current = (endpoint + 1) % this.endpoints.length;
        if (this.isClosed || left <= 1 || !mayTryAgain(error)) throw error;
      }
    }
  }

  private async send(endpoint: number, path: string, text: string, patience: Patience): Promise<unknown> {
    return this.exchange(endpoint, path, text, await this.currentToken(endpoint), patience);
  }

  private exchange(
    endpoint: number,
    path: string,
    text: string,
    token: string | null,
    patience: Patience,
  ): Promise<unknown> {
    if (this.isClosed) return Promise.reject(new LogUnreachable('the connection to etcd was closed'));
    return new Promise((resolve, reject) => {
      const request = this.request(endpoint, path, text, token, this.agentOf(endpoint));
      const stopTimer = machineTimer(patience.totalMs, () => request.destroy(new Error('the answer took too long')));
      const fail = (error: unknown): void => {
        stopTimer();
        request.destroy();
        reject(this.told(endpoint, error));
      };
      request.setTimeout(patience.silenceMs, () => fail(new Error(`silent for ${patience.silenceMs} ms`)));
      request.on('error', fail);
      request.on('response', (response) => {
        readAll(response).then((answer) => {
          stopTimer();
          const status = response.statusCode ?? 0;
          if (status !== 200) return reject(failureOf(status, answer));
          try {
            resolve(JSON.parse(answer));
          } catch {
            reject(new LogUnreachable('etcd answered what is not JSON'));
          }
        }, fail);
      });
    });
  }

  /** What happened on the way, named for people; whether the request was sent is kept as its cause. */
  private told(endpoint: number, error: unknown): Error {
    if (error instanceof AnswerTooLarge) return error;
    const { host } = this.endpoints[endpoint]!.url;
    return new LogUnreachable(`etcd at ${host}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }

  private request(endpoint: number, path: string, text: string, token: string | null, agent: HttpAgent): ClientRequest {
    const { url } = this.endpoints[endpoint]!;
    const make = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers: Record<string, string | number> = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    if (token !== null) headers['authorization'] = token;
    const request = make(new URL(`/v3/${path}`, url), { method: 'POST', agent, headers });
    request.end(text);
    return request;
  }

  private currentToken(endpoint: number): Promise<string> | null {
    if (this.user === undefined) return null;
    const token = (this.token ??= this.authenticate(endpoint, this.user));
    token.catch(() => {
      if (this.token === token) this.token = null;
    });
    return token;
  }

  private async authenticate(endpoint: number, user: { readonly name: string }): Promise<string> {
    const answer = await this.exchange(endpoint, 'auth/authenticate', JSON.stringify(user), null, this.patience);
    const token = (answer as { readonly token?: unknown } | null)?.token;
    if (typeof token !== 'string') throw new LogUnreachable('etcd answered no token');
    return token;
  }

  /** Whether a request failed only because its token has run out; the next one gets a new one. */
  private mustRenewToken(error: unknown): boolean {
    if (this.user === undefined || !(error instanceof EtcdRefusal)) return false;
    const isOld = error.code === etcdCodes.unauthenticated || error.message.includes('revision of auth store is old');
    if (isOld) this.token = null;
    return isOld;
  }
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > answerBytesMax) throw new AnswerTooLarge(`etcd's answer has more than ${answerBytesMax} bytes`);
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error('the answer was cut short');
  return Buffer.concat(chunks).toString('utf8');
}

function readLines(response: IncomingMessage, line: (text: string) => void, end: (error: Error) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      chunks.push(chunk.subarray(start, at));
      const text = Buffer.concat(chunks).toString('utf8');
      [chunks, size, start] = [[], 0, at + 1];
      line(text);
    }
    if (start === chunk.length) return;
    chunks.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > answerBytesMax) end(new AnswerTooLarge(`one change has more than ${answerBytesMax} bytes`));
  });
}
