import type { z } from 'zod';
import type { Catalogue, EndpointId } from '#public-api/catalogue.ts';
import type { Caller, EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';

/** A result that is JSON text already, where building objects first would cost too much. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type CallerOf<E> = E extends { access: { kind: 'public' } } ? null : Caller;
type AnswerOf<Id extends EndpointId> = z.input<Catalogue[Id]['response']> | JsonText;

/**
 * A handler gets parsed parameters and an authorized caller, and returns the body without its envelope. Endpoints with
 * `drafts` get empty `parameters` and read `request.parameters` themselves.
 */
export type Handler<Id extends EndpointId> = (
  parameters: z.output<Catalogue[Id]['request']>,
  caller: CallerOf<Catalogue[Id]>,
  request: EndpointRequest,
) => Promise<AnswerOf<Id>> | AnswerOf<Id>;

/** A handler per endpoint: a missing or an extra handler does not compile. */
export type Handlers = { readonly [Id in EndpointId]: Handler<Id> };

/** A handler as the pipeline calls it. */
export type AnyHandler = (parameters: unknown, caller: Caller | null, request: EndpointRequest) => unknown;
