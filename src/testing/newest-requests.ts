import { isoTime } from '#base/clock.ts';
import type { OperatorCalls } from '#testing/operator-calls.ts';
import type { TestAccount } from '#testing/test-exchange.ts';

/** Requests that are told at most, and characters of one part of a line. */
const bounds = { requests: 20, text: 160 };

/** Whose log is told, and the accounts that have names. */
interface Logged {
  readonly operator: OperatorCalls;
  readonly accounts: Iterable<TestAccount>;
}

/** A request as a line needs it. */
interface Request {
  readonly id: number;
  readonly at: number;
  readonly method: string | null;
  readonly path: string | null;
  readonly account: number | null;
  readonly status: number | null;
  readonly refusal: string | null;
  readonly fault: string | null;
}

/** Number of the newest request of the log; 0 where there is none. */
export async function newestRequest(operator: OperatorCalls): Promise<number> {
  const { items } = await operator.listRequests({ kind: 'request', limit: 1 });
  return items[0]?.id ?? 0;
}

/**
 * The newest requests behind one, the oldest first, a line each: moment on the exchange's clock, method, path, status,
 * code and reason of a refusal, whose key it was, and the fault that touched it. DEC-KIT-35.
 * @throws OperatorProblem, or what `fetch` does
 */
export async function newestRequests(logged: Logged, after: number): Promise<readonly string[]> {
  const { items } = await logged.operator.listRequests({ kind: 'request', after, limit: bounds.requests });
  return Promise.all(items.reverse().map((request) => lineOf(logged, request)));
}

async function lineOf({ operator, accounts }: Logged, request: Request): Promise<string> {
  const { at, method, path, status, fault, account } = request;
  const parts = [isoTime(at), `${method} ${cut(path ?? '')}`, status ?? 'cut'];
  if (status === null || status >= 400 || request.refusal !== null) parts.push(await reasonOf(operator, request));
  const who = [...accounts].find(({ uid }) => uid === account)?.name ?? account;
  if (who !== null) parts.push(`(${who})`);
  if (fault !== null) parts.push(`[fault ${fault}]`);
  return parts.filter((part) => part !== '').join('  ');
}

/** Code and sentence of a refusal. */
async function reasonOf(operator: OperatorCalls, { id, refusal }: Request): Promise<string> {
  const { answer } = await operator.getRequest({ id });
  const { code, msg, message } = membersOf(answer ?? '');
  const said = [code, msg ?? message ?? refusal].filter((part) => part !== undefined && part !== null);
  return cut(said.length > 0 ? said.join(' ') : (answer ?? ''));
}

function membersOf(answer: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(answer);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > bounds.text ? `${line.slice(0, bounds.text)}…` : line;
}
