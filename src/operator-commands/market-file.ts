import { catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { usedWrongly } from '#operator-commands/exit-codes.ts';
import { checkRequest, type RequestParts } from '#operator-commands/operator-command.ts';
import { answeredForm, toldRefusal } from '#operator-commands/told-refusal.ts';

/*
 * What a market file asks for: a section for each kind of thing, and in it a member for each thing, named as the path
 * of its endpoint names it. Bodies are those of the endpoints. DEC-OPR-272.
 */

const endpoints = catalogue as Readonly<Record<string, AnyOperatorEndpoint>>;

/** A kind of thing that can be declared. */
export interface Section {
  /** Endpoint that makes or replaces one. */
  readonly put: string;
  /** Members that another endpoint changes, because the first one does not take them. */
  readonly rest?: { readonly change: string; readonly members: readonly string[] };
  /** What proposals call a change of it. */
  readonly proposed?: string;
  /** Member of the answer that says whether it counts now; what counts no longer is put again. */
  readonly counts?: string;
}

/** Sections in the order in which they are applied: what stands further down needs what stands above. */
const sections = {
  alone: { put: 'putAlone', proposed: 'alone' },
  assets: { put: 'putAsset' },
  walletRules: { put: 'putWalletRules', proposed: 'walletRules' },
  prices: { put: 'putReferencePrice', proposed: 'referencePrice', counts: 'isInForce' },
  networks: { put: 'putAssetNetwork', proposed: 'assetNetwork' },
  pairs: { put: 'putPair', rest: { change: 'changePair', members: ['status', 'openAt'] } },
  platformToken: { put: 'putPlatformToken' },
  feeTiers: { put: 'putFeeTiers' },
} as const satisfies Readonly<Record<string, Section>>;
const operatorsSection = 'operators';
const sectionNames = Object.keys(sections) as readonly (keyof typeof sections)[];

/** Members of an object in JSON. */
export type Tree = Readonly<Record<string, unknown>>;
/** Whether a value is an object in JSON. */
export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A request that a declared thing may need. */
export interface DeclaredRequest {
  readonly endpoint: AnyOperatorEndpoint;
  readonly parts: RequestParts & { readonly body: Tree };
}

/** A thing as the file wants it. */
export interface Declared {
  /** `pairs.ETHUSDT`: where it stands in the file. */
  readonly name: string;
  readonly section: Section;
  readonly path: RequestParts['path'];
  /** What makes it, then what changes the rest. */
  readonly requests: readonly DeclaredRequest[];
}

/** An operator who is to have a token. */
export interface DeclaredOperator {
  readonly name: string;
  /** File that gets the token. */
  readonly tokenFile: string;
  readonly request: DeclaredRequest & { readonly parts: { readonly body: { readonly actor: string } } };
}

/** What a market file says. */
export interface MarketFile {
  /** In the order in which they are applied. */
  readonly things: readonly Declared[];
  /** Last, so that they find everything there. */
  readonly operators: readonly DeclaredOperator[];
}

/**
 * Reads a market file, every part checked as its endpoint would.
 * @throws CommandFailed that names what is malformed.
 */
export function readMarketFile(value: unknown): MarketFile {
  if (!isTree(value)) throw usedWrongly('the file must hold one JSON object');
  const names = [...sectionNames, operatorsSection];
  const unknown = Object.keys(value).find((name) => !(names as readonly string[]).includes(name));
  if (unknown !== undefined) throw usedWrongly(`there is no section ${unknown}; there are: ${names.join(', ')}`);
  const things = sectionNames.flatMap((name) => {
    const section: Section = sections[name];
    const members = Object.keys(endpoints[section.put]!.parameters.shape);
    return name in value ? thingsOf({ name, section, members, path: {} }, value[name]) : [];
  });
  const operators = operatorsOf(value[operatorsSection] ?? {});
  const faults = [...things, ...operators.map(({ name, request }) => ({ name, requests: [request] }))].flatMap(
    faultsOf,
  );
  if (faults.length > 0) throw usedWrongly(faults.join('\n'));
  return { things, operators };
}

interface Place {
  readonly name: string;
  readonly section: Section;
  /** Members of the path that are still to be named. */
  readonly members: readonly string[];
  readonly path: RequestParts['path'];
}

function thingsOf({ name, section, members, path }: Place, value: unknown): readonly Declared[] {
  if (!isTree(value)) throw usedWrongly(`${name} must be an object`);
  const [member, ...rest] = members;
  if (member === undefined) return [{ name, section, path, requests: requestsOf(section, path, value) }];
  return Object.entries(value).flatMap(([key, inner]) =>
    thingsOf({ name: `${name}.${key}`, section, members: rest, path: { ...path, [member]: key } }, inner),
  );
}

function requestsOf(section: Section, path: RequestParts['path'], wanted: Tree): readonly DeclaredRequest[] {
  const { put, rest } = section;
  const later: readonly string[] = rest?.members ?? [];
  const request = (id: string, isLater: boolean): DeclaredRequest => {
    const members = Object.entries(wanted).filter(([name]) => later.includes(name) === isLater);
    return { endpoint: endpoints[id]!, parts: { path, query: {}, body: Object.fromEntries(members) } };
  };
  const first = request(put, false);
  const second = rest === undefined ? null : request(rest.change, true);
  return second === null || Object.keys(second.parts.body).length === 0 ? [first] : [first, second];
}

function operatorsOf(value: unknown): readonly DeclaredOperator[] {
  if (!isTree(value)) throw usedWrongly(`${operatorsSection} must be an object`);
  return Object.entries(value).map(([actor, inner]) => {
    const name = `${operatorsSection}.${actor}`;
    if (!isTree(inner)) throw usedWrongly(`${name} must be an object`);
    const { tokenFile, ...body } = inner;
    if (typeof tokenFile !== 'string' || tokenFile === '')
      throw usedWrongly(`${name}: tokenFile must name the file that gets the token`);
    const parts = { path: {}, query: {}, body: { ...body, actor } };
    return { name, tokenFile, request: { endpoint: catalogue.createToken, parts } };
  });
}

function faultsOf({ name, requests }: Pick<Declared, 'name' | 'requests'>): readonly string[] {
  return requests.flatMap(({ endpoint, parts }) => {
    try {
      checkRequest(endpoint, parts);
      return [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const told = toldRefusal(answeredForm(error), []);
      return told.split('\n').map((line) => `${name}: ${line}`);
    }
  });
}
