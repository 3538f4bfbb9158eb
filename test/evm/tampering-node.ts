import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a node is asked. */
interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The answer to one question, made of the true one. */
export type Tamper = (result: unknown, call: Asked) => unknown;

/**
 * What the node in between does: `reply` takes the place of the whole HTTP answer, `tamper` of single results. Where
 * `keeps` says so, calls go no further and have no answer.
 */
export interface Behaviour {
  readonly keeps?: (calls: readonly Asked[]) => boolean;
  readonly tamper?: Tamper;
  readonly reply?: (response: ServerResponse, ids: readonly number[]) => void;
}

/** A node in front of the true one, which lies as it is told. */
export interface TamperingNode {
  readonly url: string;
  behaviour: Behaviour;
  /** Calls that came, by method. */
  readonly asked: Map<string, number>;
  stop(): Promise<void>;
}

interface Question extends Asked {
  readonly id: number;
}

/** Starts a node on a free port of the loopback interface that passes calls on to `url`. */
export async function startTamperingNode(url: string): Promise<TamperingNode> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const node: TamperingNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviour: {},
    asked: new Map(),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const parsed = JSON.parse(body) as Question | Question[];
    const { keeps, tamper, reply } = node.behaviour;
    const calls = [parsed].flat();
    for (const { method } of calls) node.asked.set(method, (node.asked.get(method) ?? 0) + 1);
    if (keeps?.(calls) === true) return;
    if (reply !== undefined)
      return reply(
        response,
        calls.map(({ id }) => id),
      );
    const passedOn = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answers = [(await passedOn.json()) as { id: number; result?: unknown }].flat();
    if (tamper !== undefined)
      for (const each of answers) {
        const call = calls.find(({ id }) => id === each.id)!;
        if ('result' in each) each.result = tamper(each.result, call);
      }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]));
  }
  return node;
}
