import { z } from 'zod';
import type { Located, Method } from '#http/declared-endpoint.ts';
import { text } from '#operator-api/declaration/fields.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import type { ProblemCode } from '#operator-api/requests/problems.ts';

/** What an operator's token may allow. DEC-OPR-03. */
export const operatorScopes = [
  'assets:read',
  'assets:write',
  'pairs:read',
  'pairs:write',
  'deposits:read',
  'deposits:review',
  'withdrawals:read',
  'withdrawals:review',
  'proposals:review',
  'accounts:read',
  'accounts:write',
  'keys:write',
  'bans:read',
  'bans:write',
  'limits:read',
  'limits:write',
  'rebates:read',
  'rebates:write',
  'contracts:read',
  'contracts:write',
  'ledger:read',
  'adjustments:write',
  'liabilities:write',
  'chain:control',
  'market:control',
  'acts:read',
  'backups:read',
  'backups:write',
  'webhooks:read',
  'webhooks:write',
  'tokens:write',
] as const;
export type OperatorScope = (typeof operatorScopes)[number];

/** Parameters of a path or a query: text that is read as text, a whole number, true or false, or one of a list. */
export type ParameterSchema = z.ZodObject;

/** What an endpoint takes and may answer besides; without it nothing. */
interface Parts<Path extends ParameterSchema, Query extends ParameterSchema, Body extends z.ZodType | null> {
  /** Members of the path. */
  readonly parameters: Path;
  readonly query: Query;
  /** `null`: it takes no body. */
  readonly body: Body;
  /** Where it takes the reason of the act, which its handler does not see; `null`: it declares one itself, or reads. */
  readonly reasonIn: 'body' | 'query' | null;
  /** Problems of its own; every endpoint can also answer `sharedProblems`. */
  readonly problems: readonly ProblemCode[];
}

/** Members of a body that the words of a command fix. */
export type FixedMembers = Readonly<Record<string, string | boolean>>;

/**
 * Declaration of one endpoint of the operator API: data only, no handler. Routes, OpenAPI and reference loop over
 * `catalogue.ts`. An endpoint whose method is not GET is a write: it takes `Idempotency-Key`.
 */
interface Declaration<Answer extends z.ZodType> {
  /** Scope that the token must have; `null`: every token may. */
  readonly scope: OperatorScope | null;
  /** Name that operators search for, at most five words: unique, without a full stop. */
  readonly name: string;
  /** What it does, as a sentence. */
  readonly summary: string;
  /** What an operator should know beyond the summary. */
  readonly notes?: string;
  /**
   * Words of `bourse op` for it: a group and a verb, or one word alone. A record has words for each choice of an act,
   * with the members of the body that they fix. DEC-OPR-260.
   */
  readonly command: string | Readonly<Record<string, FixedMembers>>;
  /**
   * Of an act that moves money, or stops or takes away something: the command asks before it. `true`: always, a record:
   * where a member of the body has one of these values. DEC-OPR-263.
   */
  readonly asksFirst?: true | Readonly<Record<string, readonly (string | boolean)[]>>;
  /** What it answers; of one that streams, one line of it. */
  readonly answer: Answer;
  /** Set by `endpoint.stream`. */
  readonly isStreamed?: true;
  /** Status of a success; default 200. */
  readonly status?: 201;
  /** Whether in production it may wait for a second operator: then it answers 202 with the proposal. DEC-OPR-142. */
  readonly mayBeProposed?: true;
  /**
   * Of a write: the id of the GET endpoint that shows the thing it edits. It takes `If-Match`, edits take turns, and
   * that endpoint answers an `ETag`. DEC-OPR-165.
   */
  readonly edits?: string;
  /** Members of the answer that move without an edit: its `ETag` does not cover them. */
  readonly untagged?: readonly string[];
  /** Part of the sandbox that it controls; it is served only where there is that part. */
  readonly sandboxOnly?: 'chains' | 'simulation' | 'time' | 'faults' | 'requestLog' | 'states' | 'faucet';
  /** Its body may hold a list as long as a batch: `wireLimits.request.batchBodyBytes`, and members in proportion. */
  readonly longBody?: true;
  /** Its body holds a long text: it may have so many bytes. Only of what an operator gives a sandbox. */
  readonly bodyBytes?: number;
}

/** An endpoint with its method and path. Members of the path in braces are `parameters`: `/v1/assets/{asset}`. */
export type OperatorEndpoint<
  Path extends ParameterSchema,
  Query extends ParameterSchema,
  Body extends z.ZodType | null,
  Answer extends z.ZodType,
> = Located<Declaration<Answer> & Parts<Path, Query, Body>>;

/** An endpoint whose types do not matter, for loops over the catalogue. */
export type AnyOperatorEndpoint = OperatorEndpoint<ParameterSchema, ParameterSchema, z.ZodType | null, z.ZodType>;

const none = z.strictObject({});
type None = typeof none;

/** Why an operator acts: kept with the act. DEC-OPR-191. */
export const reason = () => text('Why; kept, and shown to operators only.', operatorLimits.reasonLengthMax);

/** The same members, and the reason that may be given. */
const withReason = (members: z.ZodObject): z.ZodObject =>
  members.safeExtend({ reason: reason().optional() }).meta(members.meta() ?? {});

/** A write takes a reason in its body, or in its query where it has no body, unless it declares its own. */
function takingReason(method: Method, { query, body }: Takes): Takes & Pick<AnyOperatorEndpoint, 'reasonIn'> {
  if (!isWrite({ method }) || 'reason' in query.shape) return { query, body, reasonIn: null };
  if (body === null) return { query: withReason(query), body, reasonIn: 'query' };
  if (!(body instanceof z.ZodObject)) throw new TypeError('the body of a write is an object');
  if ('reason' in body.shape) return { query, body, reasonIn: null };
  return { query, body: withReason(body), reasonIn: 'body' };
}
type Takes = Pick<AnyOperatorEndpoint, 'query' | 'body'>;

const declare =
  (method: Method) =>
  <
    Answer extends z.ZodType,
    Path extends ParameterSchema = None,
    Query extends ParameterSchema = None,
    Body extends z.ZodType | null = null,
  >(
    path: `/v1/${string}`,
    declaration: Declaration<Answer> & Partial<Omit<Parts<Path, Query, Body>, 'reasonIn'>>,
  ): OperatorEndpoint<Path, Query, Body, Answer> => {
    const taken = takingReason(method, { query: declaration.query ?? none, body: declaration.body ?? null });
    return {
      ...declaration,
      parameters: declaration.parameters ?? (none as ParameterSchema as Path),
      // What handlers get is what was declared.
      query: taken.query as Query,
      body: taken.body as Body,
      reasonIn: taken.reasonIn,
      problems: declaration.problems ?? [],
      method,
      path,
    };
  };

/**
 * Declares an endpoint that streams lines, as many as there are: JSON objects, or CSV where the query says
 * `format=csv`. Its lines are flat, and its query has `...field.streamed`. DEC-OPR-227.
 */
const declareStream = <
  Answer extends z.ZodType,
  Path extends ParameterSchema = None,
  Query extends ParameterSchema = None,
>(
  path: `/v1/${string}`,
  declaration: Declaration<Answer> & Partial<Omit<Parts<Path, Query, null>, 'reasonIn'>>,
) => ({ ...declare('GET')<Answer, Path, Query>(path, declaration), isStreamed: true as const });

/** Declares an endpoint by its method, keeping its exact types. */
export const endpoint = {
  stream: declareStream,
  get: declare('GET'),
  post: declare('POST'),
  put: declare('PUT'),
  patch: declare('PATCH'),
  delete: declare('DELETE'),
};

/** Whether it changes something. */
export const isWrite = ({ method }: Pick<AnyOperatorEndpoint, 'method'>): boolean => method !== 'GET';

/** A command of `bourse op`, by its words and what they fix. */
export interface CommandWords {
  readonly words: string;
  readonly fixed: FixedMembers;
}

/** The commands of an endpoint, at least one. */
export const commandsOf = ({ command }: Pick<AnyOperatorEndpoint, 'command'>): readonly CommandWords[] =>
  typeof command === 'string'
    ? [{ words: command, fixed: {} }]
    : Object.entries(command).map(([words, fixed]) => ({ words, fixed }));
