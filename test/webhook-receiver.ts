import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver does with a request. */
export type Answer = 'take' | 'fail' | 'redirect' | 'hang' | 'die';

/** An event as it was received. */
export interface ReceivedEvent {
  readonly id: string;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: contents are looked at, member by member, by tests
  readonly data: any;
  readonly answer: Answer;
  readonly path: string;
  readonly isSigned: boolean;
}

/** Whether a request is from the exchange: as the guide to webhooks says it. */
export function isGenuine(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const timestamp = String(headers['bourse-timestamp']);
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest();
  const given = Buffer.from(String(headers['bourse-signature']), 'hex');
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}

/** A server that receives webhooks: what it got, and what it does next. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: ReceivedEvent[];
  secret: string;
  /** Answers to come; then everything is taken. */
  plan: Answer[];
  close(): Promise<void>;
}

const answers: Readonly<Record<Answer, (response: ServerResponse) => void>> = {
  take: (response) => void response.writeHead(204).end(),
  fail: (response) => void response.writeHead(500).end('x'.repeat(100_000)),
  redirect: (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  hang: () => {},
  die: (response) => void response.destroy(),
};

/** Starts a receiver on a free port of this machine. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, kind, data } = JSON.parse(body);
      const answer = receiver.plan.shift() ?? 'take';
      const isSigned = isGenuine(receiver.secret, request.headers, body) && request.headers['bourse-event'] === id;
      receiver.received.push({ id, kind, data, answer, path: request.url ?? '', isSigned });
      answers[answer](response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bourse`,
    received: [],
    secret: '',
    plan: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
