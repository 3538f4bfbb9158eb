import type { z } from 'zod';
import type { Catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';

/** Members of one part of a request; a part without any adds none. */
type Members<Part> = Part extends z.ZodObject ? (keyof Part['shape'] extends never ? unknown : z.input<Part>) : unknown;

/** What a call takes: the members of path, query and body side by side, and the reason of a write. */
type Asked<Endpoint extends AnyOperatorEndpoint> = Members<Endpoint['parameters']> &
  (Endpoint extends { readonly isStreamed: true }
    ? Omit<z.input<Endpoint['query']>, 'format'>
    : Members<Endpoint['query']>) &
  Members<Endpoint['body']> & { readonly reason?: string };

/** What a call answers; of an endpoint that streams, all of its lines. */
type Answered<Endpoint extends AnyOperatorEndpoint> = Endpoint extends { readonly isStreamed: true }
  ? z.output<Endpoint['answer']>[]
  : z.output<Endpoint['answer']>;

type OperatorCall<Endpoint extends AnyOperatorEndpoint> =
  object extends Asked<Endpoint>
    ? (members?: Asked<Endpoint>) => Promise<Answered<Endpoint>>
    : (members: Asked<Endpoint>) => Promise<Answered<Endpoint>>;

/**
 * Every endpoint of the operator API as a method of its name; it throws an OperatorProblem where it is refused. The
 * package declares them anew from the same catalogue. DEC-KIT-82.
 */
export type OperatorCalls = { readonly [Id in keyof Catalogue]: OperatorCall<Catalogue[Id]> };
