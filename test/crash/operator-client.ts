import type { DemoFile } from '#sandbox/sandbox-files.ts';
import type { Reply } from './trading-client.ts';

/** A client of the operator's API of a sandbox. */
export class OperatorClient {
  private readonly base: string;
  private readonly token: string;

  /** `token`: of another operator than the one that the sandbox begins with. */
  constructor(demo: DemoFile, token: string = demo.operator_token) {
    this.base = demo.operator_url;
    this.token = token;
  }

  /** `null`: the connection broke before an answer. */
  async call(method: string, path: string, body?: unknown): Promise<Reply | null> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(`${this.base}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await answer.text();
    } catch {
      return null;
    }
    return { status: answer.status, body: JSON.parse(text) };
  }

  /** The answer of a call that has to succeed. */
  async must<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const reply = await this.call(method, path, body);
    if (reply !== null && reply.status < 300) return reply.body as Answer;
    throw new Error(`${method} ${path}: ${reply?.status} ${JSON.stringify(reply?.body)}`);
  }
}
