import { isDeepStrictEqual } from 'node:util';
import { wallClock } from '#base/clock.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import { CommandFailed, exitCodes } from '#operator-commands/exit-codes.ts';
import {
  type Declared,
  type DeclaredOperator,
  type DeclaredRequest,
  isTree,
  type MarketFile,
  type Tree,
} from '#operator-commands/market-file.ts';
import { type Answer, ask, type ExchangeAddress, problemOf } from '#operator-commands/operator-client.ts';
import { targetOf } from '#operator-commands/operator-command.ts';
import { exitOfStatus, toldRefusal } from '#operator-commands/told-refusal.ts';

/*
 * A market file compared with what an exchange has. DEC-OPR-273.
 */

/** A member that is not as it is wanted. `before` is `undefined` where nothing is there. */
export interface Difference {
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** One write that brings a thing nearer to what is wanted. */
export interface Step {
  readonly request: DeclaredRequest;
  /** Tag of what was compared; `null`: it was not there, or another step comes before. */
  readonly ifMatch: string | null;
  /** Where the answer's token goes; `null`: it has none. */
  readonly tokenFile: string | null;
}

/** A thing, and what is to be done about it: nothing, because it is as wanted or waits for a second operator. */
export interface Planned {
  readonly name: string;
  readonly state: 'as wanted' | 'waits' | 'make' | 'change';
  readonly differences: readonly Difference[];
  readonly steps: readonly Step[];
}

/** Compares a market file with an exchange. @throws CommandFailed where that cannot be read. */
export async function planOf({ things, operators }: MarketFile, address: ExchangeAddress): Promise<readonly Planned[]> {
  const mayWait = things.some(({ section }) => section.proposed !== undefined);
  const proposals = mayWait ? await itemsOf(catalogue.listProposals, { state: 'open' }, 'proposals', address) : [];
  const tokens = operators.length === 0 ? [] : await itemsOf(catalogue.listTokens, {}, 'operators', address);
  const planned: Planned[] = [];
  for (const each of things) planned.push(await planThing(each, proposals, address));
  return [...planned, ...operators.map((operator) => planOperator(operator, tokens))];
}

async function planThing(declared: Declared, proposals: readonly Tree[], address: ExchangeAddress): Promise<Planned> {
  const { name, section, requests } = declared;
  if (proposals.some((proposal) => isFor(proposal, declared)))
    return { name, state: 'waits', differences: [], steps: [] };
  const present = await presentOf(declared, address);
  const hasEnded = section.counts !== undefined && present?.thing[section.counts] === false;
  const compared = requests.map((request, index) => {
    const differences = differencesOf(present?.thing ?? {}, request.parts.body, present === null);
    return {
      request,
      differences,
      isNeeded: differences.length > 0 || (index === 0 && (present === null || hasEnded)),
    };
  });
  const needed = compared.filter(({ isNeeded }) => isNeeded);
  const steps = needed.map(
    ({ request }, index): Step => ({
      request,
      ifMatch: index === 0 ? (present?.entityTag ?? null) : null,
      tokenFile: null,
    }),
  );
  const state = steps.length === 0 ? 'as wanted' : present === null ? 'make' : 'change';
  return { name, state, differences: needed.flatMap(({ differences }) => differences), steps };
}

/** A person who has a token with these scopes has what is wanted, wherever he keeps it. Names are ASCII. */
function planOperator({ name, tokenFile, request }: DeclaredOperator, tokens: readonly Tree[]): Planned {
  const { actor, scopes } = request.parts.body as { readonly actor: string; readonly scopes: readonly string[] };
  const hasToken = tokens.some(
    (token) =>
      String(token['actor']).toLowerCase() === actor.toLowerCase() &&
      Number(token['expiresAt']) > wallClock.now() &&
      isDeepStrictEqual(new Set(token['scopes'] as readonly string[]), new Set(scopes)),
  );
  if (hasToken) return { name, state: 'as wanted', differences: [], steps: [] };
  const differences = [{ member: 'scopes', before: undefined, after: scopes }];
  return { name, state: 'make', differences, steps: [{ request, ifMatch: null, tokenFile }] };
}

/** Members that are not as wanted. What an answer does not show, such as a reason, counts as wanted. */
const differencesOf = (thing: Tree, wanted: Tree, isNew: boolean): readonly Difference[] =>
  Object.entries(wanted)
    .filter(([member, after]) => (isNew ? true : Object.hasOwn(thing, member) && !isSame(thing[member], after)))
    .map(([member, after]) => ({ member, before: thing[member], after }));

/** Whether two values mean the same: amounts may end in zeros, addresses of EVM chains be in any case. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  if (isTree(one) && isTree(other)) {
    const names = Object.keys(one);
    return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
  }
  if (typeof one === 'string' && typeof other === 'string') return normal(one) === normal(other);
  return isDeepStrictEqual(one, other);
}

function normal(text: string): string {
  if (/^-?\d+\.\d+$/.test(text)) return text.replace(/\.?0+$/, '');
  return /^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : text;
}

/** What there is of a thing. */
interface Present {
  readonly thing: Tree;
  readonly entityTag: string | null;
}

/** The thing as it is; `null`: there is none. */
async function presentOf({ name, path, requests }: Declared, address: ExchangeAddress): Promise<Present | null> {
  const all = catalogue as Readonly<Record<string, AnyOperatorEndpoint>>;
  const showing = all[requests[0]!.endpoint.edits!]!;
  const { status, text, entityTag } = await get(address, targetOf(showing, { path, query: {} }));
  if (status === 200 && text !== null) return { thing: JSON.parse(text) as Tree, entityTag };
  const code = problemOf(text)?.code;
  if (code !== undefined && (showing.problems as readonly string[]).includes(code)) return null;
  throw refusedAt(name, status, text);
}

/** All items of a list. `name`: of the section that it is read for. */
async function itemsOf(
  endpoint: AnyOperatorEndpoint,
  query: Tree,
  name: string,
  address: ExchangeAddress,
): Promise<readonly Tree[]> {
  const items: Tree[] = [];
  const limit = operatorLimits.pageItemsMax;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Tree = cursor === undefined ? { ...query, limit } : { ...query, limit, cursor };
    const { status, text } = await get(address, targetOf(endpoint, { path: {}, query: page }));
    if (status !== 200 || text === null) throw refusedAt(name, status, text);
    const answer = JSON.parse(text) as { readonly items: readonly Tree[]; readonly nextCursor: string | null };
    items.push(...answer.items);
    cursor = answer.nextCursor;
  }
  return items;
}

/** Whether an open proposal would make a thing as it is wanted. */
function isFor({ changes, asset, network, change }: Tree, { section, path, requests }: Declared): boolean {
  if (section.proposed === undefined || changes !== section.proposed || !isTree(change)) return false;
  const isSameThing = (path['asset'] ?? null) === asset && (path['network'] ?? null) === network;
  return isSameThing && differencesOf(change, requests[0]!.parts.body, false).length === 0;
}

const get = (address: ExchangeAddress, target: string): Promise<Answer> =>
  ask(address, { method: 'GET', target, body: null, idempotencyKey: null, ifMatch: null });

/** A refusal, named by the thing that it is about. */
export function refusedAt(name: string, status: number, text: string | null, isWrite = false): CommandFailed {
  const problem = problemOf(text);
  if (problem === null) return new CommandFailed(exitCodes.notReached, `${name}: the exchange answers ${status}`);
  const lines = toldRefusal(problem, []).split('\n');
  return new CommandFailed(exitOfStatus(status, isWrite), lines.map((line) => `${name}: ${line}`).join('\n'));
}
