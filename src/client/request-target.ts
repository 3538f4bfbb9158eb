import type { EndpointCalls } from '#client/endpoint-calls.ts';
import { endpointTable } from '#client/endpoint-table.ts';

/** Name of an endpoint. */
export type EndpointId = keyof EndpointCalls;

/** Members of a call by name. */
export type CallMembers = Readonly<Record<string, unknown>>;

/** What the client knows of an endpoint. */
export interface KnownEndpoint {
  readonly id: EndpointId;
  readonly method: string;
  readonly path: string;
  readonly isSigned: boolean;
  /** Served at the address of contracts. */
  readonly isFutures: boolean;
  /** The answer is the member `data` of an envelope. */
  readonly isWrapped: boolean;
  /** Sending it twice does no harm. */
  readonly isRepeatable: boolean;
  /** Names of parameters, and whether each is required. */
  readonly parameters: ReadonlyMap<string, boolean>;
}

/** Every endpoint by its id. */
export const endpoints: ReadonlyMap<string, KnownEndpoint> = new Map(
  Object.entries(endpointTable).map(([id, [method, path, traits, names]]) => [
    id,
    {
      id: id as EndpointId,
      method,
      path,
      isSigned: traits.includes('signed'),
      isFutures: traits.includes('futures'),
      isWrapped: traits.includes('data'),
      isRepeatable: traits.includes('repeatable'),
      parameters: new Map(
        names
          .split(' ')
          .filter((name) => name !== '')
          .map((name) => [name.replace('!', ''), name.endsWith('!')]),
      ),
    },
  ]),
);

/** Path and query of a request. */
export interface RequestTarget {
  readonly path: string;
  /** Parameters, percent-encoded. */
  readonly query: string;
}

/**
 * What is asked for with these members. Decimals are text, because text is exact. DEC-KIT-84.
 * @throws TypeError by the name of a member that is unknown, missing or of another kind
 */
export function targetOf({ id, path, parameters }: KnownEndpoint, members: CallMembers): RequestTarget {
  const unknown = Object.keys(members).find((name) => !parameters.has(name));
  if (unknown !== undefined) throw new TypeError(`${id}: it takes no ${unknown}`);
  const texts = new Map<string, string>();
  for (const [name, isRequired] of parameters) {
    const value = members[name];
    if (value !== undefined) texts.set(name, textOf(id, name, value));
    else if (isRequired) throw new TypeError(`${id}: ${name} is missing`);
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = texts.get(name) ?? '';
    texts.delete(name);
    if (text === '') throw new TypeError(`${id}: ${name} is missing`);
    return encodeURIComponent(text);
  });
  return { path: filled, query: pairsText([...texts]) };
}

/** Pairs as a query has them. */
export const pairsText = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&');

function textOf(id: string, name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'number') throw new TypeError(`${id}: ${name} must be text or whole: numbers are not exact`);
  if (!Array.isArray(value)) throw new TypeError(`${id}: ${name} must be text, a whole number, true, false or a list`);
  if (value.every((item) => typeof item === 'string')) return value.join(',');
  return JSON.stringify(value.map((item: unknown) => itemOf(id, name, item)));
}

/** An object of a list with its members as texts. */
function itemOf(id: string, name: string, item: unknown): Record<string, string> {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new TypeError(`${id}: ${name} must be a list of texts or of objects`);
  const members = Object.entries(item).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([member, value]) => [member, textOf(id, `${name}.${member}`, value)]));
}
