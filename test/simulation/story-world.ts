import { OperatorClient } from '../crash/operator-client.ts';
import type { ServerProcess } from '../crash/server-process.ts';
import type { Reply, TradingClient } from '../crash/trading-client.ts';

/** How long something may take that the exchange does by itself. */
const patienceMs = 20_000;

/** Parameters of a call. */
export type Parameters = Readonly<Record<string, string>>;

/** An exchange in a process of its own that a story is told about, with clients by name. */
export class StoryWorld {
  readonly data: string;
  readonly server: ServerProcess;
  readonly operator: OperatorClient;
  protected readonly clients = new Map<string, TradingClient>();

  protected constructor(data: string, server: ServerProcess) {
    this.data = data;
    this.server = server;
    this.operator = new OperatorClient(server.demo);
  }

  /** Whatever a signed call is answered. */
  async call(who: string, method: string, path: string, parameters: Parameters = {}): Promise<Reply> {
    const reply = await this.clients.get(who)!.call(method, `/api/v3/${path}`, parameters);
    if (reply === null) throw new Error(`${path} was not answered: ${this.server.output()}`);
    return reply;
  }

  /** The answer of a signed call that has to succeed. */
  async must<Answer>(who: string, method: string, path: string, parameters: Parameters = {}): Promise<Answer> {
    const { status, body } = await this.call(who, method, path, parameters);
    if (status === 200) return body as Answer;
    throw new Error(`${method} ${path} of ${who}: ${status} ${JSON.stringify(body)}`);
  }

  uidOf(name: string): string {
    return this.server.demo.accounts.find((account) => account.name === name)!.uid;
  }

  /** Asks until the answer is as it has to be; answers it. */
  async until<Answer>(claim: string, ask: () => Promise<Answer>, isSo: (answer: Answer) => boolean): Promise<Answer> {
    const end = performance.now() + patienceMs;
    for (;;) {
      const answer = await ask();
      if (isSo(answer)) return answer;
      if (performance.now() > end) throw new Error(`waited in vain: ${claim}; last ${JSON.stringify(answer)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
