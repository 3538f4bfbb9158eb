import type { z } from 'zod';
import type { Act, Proposed } from '#operator-api/requests/act.ts';
import type { Operator } from '#operator-api/requests/authenticate.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';

/** A request as a handler gets it: its parts as the endpoint declares them, and the way to act. */
export interface HandlerRequest<Endpoint extends AnyOperatorEndpoint> {
  readonly path: z.output<Endpoint['parameters']>;
  readonly query: z.output<Endpoint['query']>;
  readonly body: Endpoint['body'] extends z.ZodType ? z.output<Endpoint['body']> : null;
  /** Who asks. */
  readonly operator: Operator;
  /** `null` without one, and for endpoints that write nothing. */
  readonly idempotencyKey: string | null;
  /** Submits commands in the name of the operator. */
  readonly act: Act;
  /** The same under no idempotency key: what is done before the last command, and found done by a repetition. */
  readonly actUnkeyed: Act;
}

/** `Proposed` only of endpoints that say so. One that streams answers its lines. */
type Answer<Endpoint extends AnyOperatorEndpoint> = Endpoint extends { readonly isStreamed: true }
  ? AsyncIterable<z.input<Endpoint['answer']>>
  : z.input<Endpoint['answer']> | Proposed;

/** Answers the requests of one endpoint; refuses with a Problem. */
export type Handler<Endpoint extends AnyOperatorEndpoint> = (
  request: HandlerRequest<Endpoint>,
) => Promise<Answer<Endpoint>> | Answer<Endpoint>;

/** A handler per endpoint: a missing or an extra handler does not compile. */
export type HandlersOf<Endpoints extends Readonly<Record<keyof Endpoints, AnyOperatorEndpoint>>> = {
  readonly [Id in keyof Endpoints]: Handler<Endpoints[Id]>;
};

/** A request whose types do not matter. */
export interface AnyRequest {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly operator: Operator;
  readonly idempotencyKey: string | null;
  readonly act: Act;
  readonly actUnkeyed: Act;
}

/** A handler as routes call it. */
export type AnyHandler = (request: AnyRequest) => unknown;
