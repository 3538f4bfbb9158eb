import type { z } from 'zod';
import type { Catalogue, EndpointId } from '#api/catalogue.ts';
import type { Caller, EndpointRequest } from '#gateway/endpoint-request.ts';

/** An answer that was written as JSON already, where building objects first would cost too much. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type CallerOf<E> = E extends { access: { kind: 'public' } } ? null : Caller;
type AnswerOf<Id extends EndpointId> = z.input<Catalogue[Id]['response']> | JsonText;

/**
 * A handler receives parsed parameters and an authorised caller and returns the body before its envelope. Endpoints
 * that draft orders read `request.parameters` themselves; what they get as `parameters` was not parsed and is empty.
 */
export type Handler<Id extends EndpointId> = (
  parameters: z.output<Catalogue[Id]['request']>,
  caller: CallerOf<Catalogue[Id]>,
  request: EndpointRequest,
) => Promise<AnswerOf<Id>> | AnswerOf<Id>;

/** Total by construction: an endpoint without a handler, or a handler without an endpoint, does not compile. */
export type Handlers = { readonly [Id in EndpointId]: Handler<Id> };

/** A handler as the pipeline calls it. */
export type AnyHandler = (parameters: unknown, caller: Caller | null, request: EndpointRequest) => unknown;
