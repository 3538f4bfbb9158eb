import type { z } from 'zod';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import type { Caller, EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';

/** A result that is JSON text already, where building objects first would cost too much. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type CallerOf<E> = E extends { access: { kind: 'public' } } ? null : Caller;
type AnswerOf<E extends AnyEndpoint> = z.input<E['response']> | JsonText;

/**
 * A handler gets parsed parameters and an authorized caller, and returns the body without its envelope. Endpoints with
 * `drafts` get empty `parameters` and read `request.parameters` themselves.
 */
type Handler<E extends AnyEndpoint> = (
  parameters: z.output<E['request']>,
  caller: CallerOf<E>,
  request: EndpointRequest,
) => Promise<AnswerOf<E>> | AnswerOf<E>;

/** A handler per endpoint: a missing or an extra handler does not compile. */
export type HandlersOf<Endpoints extends Readonly<Record<keyof Endpoints, AnyEndpoint>>> = {
  readonly [Id in keyof Endpoints]: Handler<Endpoints[Id]>;
};

/** A handler as the pipeline calls it. */
export type AnyHandler = (parameters: unknown, caller: Caller | null, request: EndpointRequest) => unknown;
