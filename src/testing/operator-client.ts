import { catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { problemOf } from '#operator-commands/operator-client.ts';
import type { OperatorCalls } from '#testing/operator-calls.ts';
import { OperatorProblem } from '#testing/operator-problem.ts';

/** Where the operator API is, and what opens it. */
interface OperatorAddress {
  readonly url: string;
  readonly token: string;
}

type AskedMembers = Readonly<Record<string, unknown>>;

/** The operator API as methods, from the catalogue: members go to the path, the query or the body. DEC-KIT-82. */
export const operatorCalls = (address: OperatorAddress): OperatorCalls =>
  Object.fromEntries(
    Object.entries<AnyOperatorEndpoint>(catalogue).map(([id, endpoint]) => [
      id,
      (members: AskedMembers = {}) => call(address, id, endpoint, members),
    ]),
  ) as unknown as OperatorCalls;

async function call(
  { url, token }: OperatorAddress,
  id: string,
  endpoint: AnyOperatorEndpoint,
  members: AskedMembers,
): Promise<unknown> {
  const { target, body } = requestOf(id, endpoint, members);
  const response = await fetch(url + target, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    body,
  });
  const text = await response.text();
  if (!response.ok) {
    const { code, detail, errors } = problemOf(text) ?? { code: '', detail: `status ${response.status}`, errors: [] };
    throw new OperatorProblem(id, response.status, code, detail, errors);
  }
  if (endpoint.isStreamed !== true) return JSON.parse(text);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
}

/** The request of a call. No two parts of an endpoint have members of the same name. @throws TypeError */
function requestOf(id: string, endpoint: AnyOperatorEndpoint, members: AskedMembers) {
  const { path, parameters, query, body, isStreamed } = endpoint;
  const search = new URLSearchParams();
  const sent: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || Object.hasOwn(parameters.shape, name)) continue;
    // Lines are read as JSON.
    if (Object.hasOwn(query.shape, name) && !(isStreamed === true && name === 'format'))
      search.append(name, textOf(id, name, value));
    else if (body !== null) sent[name] = value;
    else throw new TypeError(`${id}: it takes no ${name}`);
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(id, name, members[name])));
  // A plus is a plus there, and no blank as in forms.
  const target = search.size === 0 ? filled : `${filled}?${search.toString().replaceAll('+', '%20')}`;
  return { target, body: body === null ? null : JSON.stringify(sent) };
}

/** A member of a path or a query as text. @throws TypeError */
function textOf(id: string, name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`${id}: ${name} must be text, a number, true or false`);
}
