import { z } from 'zod';
import type { Located, Method } from '#http/declared-endpoint.ts';
import type { ErrorName } from '#http/errors.ts';
import { readSymbolNames } from '#public-api/declaration/flat-json.ts';
import type { Permission } from '#model/permission.ts';

/** Class of accounts that may call, in addition to the permission of the API key. SPEC-SUB-10. */
export const callers = ['any', 'master', 'broker', 'brokerSub', 'affiliate'] as const;
export type CallerClass = (typeof callers)[number];

/** Anyone may call it. */
export interface PublicAccess {
  readonly kind: 'public';
}
/** `permission: null` where the specification states none: any key of an account of the class may call. */
export interface SignedAccess<P extends Permission | null = Permission | null, C extends CallerClass = CallerClass> {
  readonly kind: 'signed';
  readonly permission: P;
  readonly caller: C;
}
/** Who may call an endpoint. */
export type Access = PublicAccess | SignedAccess;
/** Access of endpoints without signature. */
export const isPublic: PublicAccess = { kind: 'public' };
/** Access of endpoints that need the signature of a key with `permission`, of an account of the class. SPEC-CNV-14. */
export const signed = <const P extends Permission | null, const C extends CallerClass = 'any'>(
  permission: P,
  caller?: C,
): SignedAccess<P, C> => ({ kind: 'signed', permission, caller: caller ?? ('any' as C) });

/**
 * Weight of a call. `parameter`: it costs `given` if that parameter is sent, else `omitted`. `several`: a parameter
 * that names several symbols instead; each costs `given`, all together at most `omitted`.
 */
export type Weight =
  | number
  | {
      readonly parameter: string;
      readonly several?: string;
      readonly given: number;
      readonly omitted: number;
    };

/**
 * Envelope of the response. `codeDataMsg`: code 200 and msg null; `codeDataMsgTimestamp`: code 0, msg `success` and the
 * time; `group`: as before with code 200; `broker`: code `"0"` and an empty message; `futures`: success true and code
 * 0.
 */
export const envelopes = [
  'bare',
  'codeDataMsg',
  'codeDataMsgTimestamp',
  'group',
  'broker',
  'affiliatePage',
  'futures',
] as const;
export type Envelope = (typeof envelopes)[number];

/** A rule over several parameters, checked once each of them is well formed. */
export type CombinationRule =
  /** At least one must be sent. */
  | { readonly kind: 'oneOf'; readonly parameters: readonly string[]; readonly error: ErrorName }
  /** All or none must be sent. */
  | { readonly kind: 'together'; readonly parameters: readonly string[] }
  /** The first must not be after the second. */
  | { readonly kind: 'ascending'; readonly parameters: readonly [string, string] }
  /** `parameters` must be sent when `parameter`, after parsing, is one of `values`. */
  | {
      readonly kind: 'requiredWhen';
      readonly parameter: string;
      readonly values: readonly string[];
      readonly parameters: readonly string[];
    };

/** Id of a rule in docs/rules. */
export type RuleId = `SPEC-${string}` | `DEC-${string}`;
/**
 * Declaration of one endpoint: data only, no handler, so that documents and clients can use it. Router, limits, OpenAPI
 * and reference loop over `catalogue.ts`.
 */
interface Declaration<A extends Access, Request extends z.ZodObject, Response extends z.ZodType> {
  /** The side of the exchange that serves it; its errors have the form of that side. */
  readonly surface: 'spot' | 'futures';
  /** Ids of the rules in docs/rules that this endpoint fulfils. */
  readonly spec: readonly RuleId[];
  /** Name that users search for, at most five words: unique, without a full stop. */
  readonly name: string;
  /** What it does, as a sentence. */
  readonly summary: string;
  /** What a user should know beyond the summary. */
  readonly notes?: string;
  readonly access: A;
  readonly envelope: Envelope;
  readonly weight: { readonly ip?: Weight; readonly uid?: Weight };
  /** Calls per second of an account, in addition to the weight. */
  readonly callsPerSecond?: number;
  /** Parameters as `Record<string, string>`, without those of signing, which the gateway checks; default none. */
  readonly request?: Request;
  readonly rules?: readonly CombinationRule[];
  /** Parameters that a JSON body may contain as an array of objects instead of as text. */
  readonly jsonArrays?: readonly string[];
  /** Lists that a JSON body may contain as an array of texts instead of as one text with commas. */
  readonly jsonLists?: readonly string[];
  /** Takes money out of a wallet: where signatures are remembered a request is accepted once. DEC-REQ-15. */
  readonly takesMoney?: true;
  /**
   * The handler reads its orders with `order-draft.ts`, because refusals of orders have their own precedence: an
   * unknown symbol comes before a malformed parameter. DEC-ORD-04.
   */
  readonly drafts?: true;
  /**
   * It answers lists or sums from history, and waits for its turn as a whole. Not so candles and merged trades, which
   * are often in memory and wait only where they are not, and lookups of one row. DEC-LIM-120.
   */
  readonly readsHistory?: true;
  /** What a handler answers, before the envelope. */
  readonly response: Response;
  /** Errors of this endpoint, default none; every endpoint can also answer those of `pipelineErrors`. */
  readonly errors?: readonly ErrorName[];
  /** A frozen account may call it, as it may call whatever only reads: it cancels. DEC-REQ-61, DEC-SUB-13. */
  readonly mayBeFrozen?: true;
  /** A GET that changes state: what protects writing endpoints protects it too. DEC-SUB-49. */
  readonly changesState?: true;
  /** What it makes opens nothing but reading: hardened too it needs the READ permission. DEC-STR-106. */
  readonly opensReading?: true;
  /** Moves money or changes keys: the setting `signatureReuse: money` protects it. DEC-REQ-15. */
  readonly money?: true;
  /** Id in the catalogue of the endpoint that this one repeats for existing client libraries. */
  readonly aliasOf?: string;
  /** Values for the example of the reference; one per required parameter. */
  readonly example?: Readonly<Record<string, string>>;
}
/** An endpoint with its method and path; parameters in braces end the path: `/depth/{symbol}`. DEC-FUT-35. */
export type Endpoint<A extends Access, Request extends z.ZodObject, Response extends z.ZodType> = Located<
  Required<Pick<Declaration<A, Request, Response>, 'request' | 'errors'>> & Declaration<A, Request, Response>
>;
/** An endpoint whose types do not matter, for loops over the catalogue. */
export type AnyEndpoint = Endpoint<Access, z.ZodObject, z.ZodType>;

const none = z.object({});
const declare =
  (method: Method) =>
  <const A extends Access, Response extends z.ZodType, Request extends z.ZodObject = typeof none>(
    path: `/api/${string}`,
    declaration: Declaration<A, Request, Response>,
  ): Endpoint<A, Request, Response> => {
    const { request = none as z.ZodObject as Request, errors = [] } = declaration;
    return { ...declaration, request, errors, method, path };
  };

/** Declares an endpoint by its method, keeping its exact types. */
export const endpoint = {
  get: declare('GET'),
  post: declare('POST'),
  put: declare('PUT'),
  delete: declare('DELETE'),
};

/** Whether requests of this endpoint change state; they must not reuse a signature of another request. */
export const isMutating = ({ method, changesState }: Pick<AnyEndpoint, 'method' | 'changesState'>): boolean =>
  method !== 'GET' || changesState === true;

/** Whether a frozen account may call it: what reads, and what says so. DEC-SUB-13. */
export const mayBeFrozen = (endpoint: Pick<AnyEndpoint, 'method' | 'changesState' | 'mayBeFrozen'>): boolean =>
  !isMutating(endpoint) || endpoint.mayBeFrozen === true;

/** Names of the parameters that stand in a path, in its order. */
export const pathParametersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);

/** Weight of one call for a budget, from the parameters as sent (empty if absent); 0 if the budget is not charged. */
export function costOf(weight: Weight | undefined, sent: (parameter: string) => string): number {
  if (weight === undefined) return 0;
  if (typeof weight === 'number') return weight;
  const { parameter, several, given, omitted } = weight;
  if (sent(parameter) !== '') return given;
  const names = several === undefined ? '' : sent(several);
  if (names === '') return omitted;
  return Math.min(omitted, given * Math.max(1, readSymbolNames(names)?.length ?? 1));
}

/** Permission with the setting `hardenedPermissions`: the WRITE variant for endpoints that change state. DEC-REQ-28. */
export function hardenedPermission(
  access: SignedAccess,
  endpoint: Pick<AnyEndpoint, 'method' | 'changesState' | 'opensReading'>,
): Permission | null {
  if (access.permission === null || !isMutating(endpoint) || endpoint.opensReading === true) return access.permission;
  return access.permission.replace(/_READ$/, '_WRITE') as Permission;
}
