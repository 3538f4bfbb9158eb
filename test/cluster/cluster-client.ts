import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { KeyPair } from '../crash/trading-client.ts';

/** A signed request of one of many customers. */
export interface SignedCall {
  readonly key: KeyPair;
  /** Address that the customer's proxy reports: each has a budget of its own. */
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What one node said: an answer for sure, that it is not there or takes nothing, or nothing, so that nobody knows. */
export type Attempt =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'notHere'; readonly status: 503 | null }
  | { readonly kind: 'mustWait'; readonly ms: number }
  | { readonly kind: 'unknown' };

/** The answer to a request, and how it came. */
export interface Settled {
  readonly status: number;
  readonly body: unknown;
  /** How many attempts before it nobody knows the outcome of. */
  readonly unknowns: number;
}

/** Without an answer for so long, another node is asked. */
const silenceMs = 2000;
/** A node that did not answer is asked last for so long. */
const avoidedMs = 1500;
/** Pause after all nodes were asked in vain. */
const pauseMs = 60;

/**
 * A client of all nodes: it stays with the node that answers, and asks the others in turn otherwise. What may have
 * happened is asked again as it was, with the same client order id, until some node answers.
 */
export class ClusterClient {
  private readonly agents: readonly Agent[];
  private readonly urls: readonly URL[];
  private readonly avoidedUntil: number[];
  private preferred = 0;

  constructor(urls: readonly string[]) {
    this.urls = urls.map((url) => new URL(url));
    this.agents = urls.map(() => new Agent({ keepAlive: true }));
    this.avoidedUntil = urls.map(() => 0);
  }

  /** Asks until a node answers. `null`: `isOver` before one did. */
  async settle(call: SignedCall, isOver: () => boolean): Promise<Settled | null> {
    let unknowns = 0;
    let refusals = 0;
    while (!isOver()) {
      const node = this.choose(refusals);
      const attempt = await this.attempt(node, call);
      if (attempt.kind === 'answered') {
        this.preferred = node;
        return { status: attempt.status, body: attempt.body, unknowns };
      }
      if (attempt.kind === 'mustWait') await setTimeout(attempt.ms);
      else if (attempt.kind === 'unknown') {
        unknowns += 1;
        this.avoidedUntil[node] = performance.now() + avoidedMs;
      }
      refusals += 1;
      if (refusals % this.urls.length === 0) await setTimeout(pauseMs);
    }
    return null;
  }

  /** The node that answered last, then the others in turn; those that were silent lately only when all were. */
  private choose(refusals: number): number {
    const { length } = this.urls;
    const now = performance.now();
    const turn = Array.from({ length }, (_, step) => (this.preferred + refusals + step) % length);
    return turn.find((node) => this.avoidedUntil[node]! <= now) ?? turn[0]!;
  }

  /** Asks this node, once. */
  attempt(node: number, { key, address, method, path, parameters }: SignedCall): Promise<Attempt> {
    const query = new URLSearchParams({ ...parameters, timestamp: String(Date.now()) }).toString();
    const signature = createHmac('sha256', key.secretKey).update(query).digest('hex');
    const { hostname, port } = this.urls[node]!;
    const options = {
      ...{ hostname, port, method, agent: this.agents[node]!, path: `${path}?${query}&signature=${signature}` },
      headers: { 'X-SVC-APIKEY': key.apiKey, 'X-Forwarded-For': address },
    };
    return new Promise((resolve) => {
      const outgoing = request(options, (incoming) => {
        let text = '';
        incoming.on('data', (chunk) => (text += chunk));
        incoming.on('end', () => resolve(attemptOf(incoming.statusCode ?? 0, text, incoming.headers['retry-after'])));
        incoming.on('error', () => resolve({ kind: 'unknown' }));
      });
      outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error('silent')));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code === 'ECONNREFUSED' ? { kind: 'notHere', status: null } : { kind: 'unknown' });
      });
      outgoing.end();
    });
  }

  close(): void {
    for (const agent of this.agents) agent.destroy();
  }
}

/** Signed before the leader began, or longer ago than recvWindow: it did not happen, and is signed anew. DEC-CLU-20. */
const signedTooEarly = 700_003;

function attemptOf(status: number, text: string, retryAfter: string | undefined): Attempt {
  if (status === 503) return { kind: 'notHere', status };
  if (status === 429) return { kind: 'mustWait', ms: Number(retryAfter ?? 1) * 1000 };
  if (status >= 500) return { kind: 'unknown' };
  try {
    const body = JSON.parse(text) as { readonly code?: number };
    return body.code === signedTooEarly ? { kind: 'notHere', status: null } : { kind: 'answered', status, body };
  } catch {
    return { kind: 'unknown' };
  }
}
