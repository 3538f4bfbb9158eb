import type { z } from 'zod';
import type { ProblemCode } from '#operator-api/requests/problems.ts';
import type { OperatorScope } from '#operator-api/declaration/scopes.ts';

/** Methods that endpoints use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Parameters of a path or a query: text that is read as text, a whole number, true or false, or one of a list. */
export type ParameterSchema = z.ZodObject;

/**
 * Declaration of one endpoint of the operator API: data only, no handler. Routes, OpenAPI and reference loop over
 * `catalogue.ts`. An endpoint whose method is not GET is a write: it takes `Idempotency-Key`.
 */
export interface OperatorEndpoint<
  Path extends ParameterSchema,
  Query extends ParameterSchema,
  Body extends z.ZodType | null,
  Answer extends z.ZodType,
> {
  readonly method: Method;
  /** Members in braces are `parameters`: `/v1/assets/{asset}`. */
  readonly path: `/v1/${string}`;
  /** Scope that the token must have. */
  readonly scope: OperatorScope;
  /** Name that operators search for, at most five words: unique, without a full stop. */
  readonly name: string;
  /** What it does, as a sentence. */
  readonly summary: string;
  /** What an operator should know beyond the summary. */
  readonly notes?: string;
  readonly parameters: Path;
  readonly query: Query;
  /** `null`: it takes no body. */
  readonly body: Body;
  /** What it answers. */
  readonly answer: Answer;
  /** Status of a success; default 200. */
  readonly status?: 201;
  /** Whether in production it may wait for a second operator: then it answers 202 with the proposal. DEC-OPR-142. */
  readonly mayBeProposed?: true;
  /** Problems of its own; every endpoint can also answer `sharedProblems`. */
  readonly problems: readonly ProblemCode[];
  /** Part of the sandbox that it controls; it is served only where there is that part. */
  readonly sandboxOnly?: 'chains' | 'simulation' | 'time';
}

/** An endpoint whose types do not matter, for loops over the catalogue. */
export type AnyOperatorEndpoint = OperatorEndpoint<ParameterSchema, ParameterSchema, z.ZodType | null, z.ZodType>;

/** Declares an endpoint, keeping its exact types. */
export const operatorEndpoint = <
  Path extends ParameterSchema,
  Query extends ParameterSchema,
  Body extends z.ZodType | null,
  Answer extends z.ZodType,
>(
  definition: OperatorEndpoint<Path, Query, Body, Answer>,
): OperatorEndpoint<Path, Query, Body, Answer> => definition;

/** Whether it changes something. */
export const isWrite = ({ method }: Pick<AnyOperatorEndpoint, 'method'>): boolean => method !== 'GET';
