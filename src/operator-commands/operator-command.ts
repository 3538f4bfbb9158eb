import { descriptionOf } from '#http/declared-endpoint.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import { type AnyOperatorEndpoint, commandsOf, type FixedMembers } from '#operator-api/declaration/endpoint.ts';
import { requestReader } from '#operator-api/requests/read-request.ts';
import { memberValue } from '#operator-commands/flag-values.ts';
import type { Member } from '#operator-commands/member-flags.ts';

/** A command of `bourse op` that asks one endpoint. */
export interface OperatorCommand {
  /** `pairs list`, or one word. */
  readonly words: string;
  readonly fixed: FixedMembers;
  readonly endpoint: AnyOperatorEndpoint;
}

/** Every one, in the order of the catalogue. DEC-OPR-260. */
export const operatorCommands = (): readonly OperatorCommand[] =>
  Object.values<AnyOperatorEndpoint>(catalogue).flatMap((endpoint) =>
    commandsOf(endpoint).map(({ words, fixed }) => ({ words, fixed, endpoint })),
  );

/** What a command does, in sentences: what its words fix first. */
export function sentencesOf({ endpoint, fixed }: OperatorCommand): string {
  const said = Object.entries(fixed).map(([name, value]) => `With ${name} ${value}: `);
  return `${said.join('')}${descriptionOf(endpoint)}`;
}

/** What was written behind the words of a command. */
export interface Given {
  readonly members: readonly (readonly [Member, string | boolean])[];
  /** The body that a file holds; flags go before it. `undefined`: no file was named. */
  readonly body: unknown;
}

/** A request as its parts. */
export interface RequestParts {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** `null`: the endpoint takes none. */
  readonly body: unknown;
}

type Tree = { [name: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy of a tree with a value at a path. */
function withMember(tree: Tree, [name, ...rest]: readonly string[], value: unknown): Tree {
  if (name === undefined) return tree;
  const inner = Object.hasOwn(tree, name) ? tree[name] : {};
  return { ...tree, [name]: rest.length === 0 ? value : withMember(isTree(inner) ? inner : {}, rest, value) };
}

/** The parts of the request that a command makes. A body that is no object is left to the check. */
export function requestOf({ endpoint, fixed }: OperatorCommand, { members, body }: Given): RequestParts {
  const parts = { path: {} as Tree, query: {} as Tree, body: { ...(isTree(body) ? body : {}), ...fixed } as Tree };
  for (const [member, given] of members)
    parts[member.place] = withMember(parts[member.place], member.path, memberValue(member, given));
  const isUsable = body === undefined || isTree(body);
  return { ...parts, body: endpoint.body === null ? null : isUsable ? parts.body : body };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
const textsOf = (values: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] =>
  Object.entries(values).map(([name, value]) => [name, textOf(value)]);

/** Query as it is sent. A plus sign would be one: blanks are `%20`. */
export const queryText = (query: Readonly<Record<string, unknown>>): string =>
  textsOf(query)
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join('&');

/** Path and query as they are sent. */
export function targetOf({ path }: AnyOperatorEndpoint, parts: Pick<RequestParts, 'path' | 'query'>): string {
  const members = Object.fromEntries(textsOf(parts.path));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(members[name] ?? ''));
  const query = queryText(parts.query);
  return query === '' ? filled : `${filled}?${query}`;
}

/**
 * Looks at a request as the exchange would.
 * @throws Problem with every part at fault.
 */
export function checkRequest(endpoint: AnyOperatorEndpoint, { path, query, body }: RequestParts): void {
  requestReader(endpoint)({
    path: Object.fromEntries(textsOf(path)),
    query: queryText(query),
    body: body === null ? undefined : new TextEncoder().encode(JSON.stringify(body)),
  });
}
