import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { DemoFile } from '#sandbox/sandbox-files.ts';

/** What a request came to: an answer, or nothing, in which case it may or may not have happened. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** A key of the API. */
export interface KeyPair {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** A client that signs; one keep-alive connection per request in flight. */
export class TradingClient {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly base: URL;
  private readonly key: KeyPair;
  private readonly now: () => number;

  /** `key`: its name in the demo file, or itself; `now`: time of the exchange. */
  constructor(demo: DemoFile, key: string | KeyPair, now: () => number = Date.now) {
    this.base = new URL(demo.base_url);
    this.key = typeof key === 'string' ? demo.accounts.find(({ name }) => name === key)! : key;
    this.now = now;
  }

  /** A signed call with everything in the query. `null`: the connection broke before an answer. */
  call(method: string, path: string, parameters: Readonly<Record<string, string>>): Promise<Reply | null> {
    const query = new URLSearchParams({ ...parameters, timestamp: String(this.now()) }).toString();
    const signature = createHmac('sha256', this.key.secretKey).update(query).digest('hex');
    const target = `${path}?${query}&signature=${signature}`;
    return new Promise((resolve) => {
      const outgoing = request(
        {
          host: this.base.hostname,
          port: this.base.port,
          agent: this.agent,
          method,
          path: target,
          headers: { 'X-SVC-APIKEY': this.key.apiKey },
        },
        (incoming) => {
          let text = '';
          incoming.on('data', (chunk) => {
            text += chunk;
          });
          incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) }));
          incoming.on('error', () => resolve(null));
        },
      );
      outgoing.on('error', () => resolve(null));
      outgoing.end();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
