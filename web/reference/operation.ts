import type { Schema } from '#web/reference/schema-rows.ts';

/** Where a parameter of a request goes. */
export type Place = 'path' | 'query' | 'header';

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly place: Place;
  readonly isRequired: boolean;
  readonly about: string;
  readonly schema: Schema;
  /** A value that fits; empty: none is known. */
  readonly example: string;
  /** Whether a form begins with the example. */
  readonly isGiven: boolean;
}

/** A refusal that an operation may answer. */
export interface Refusal {
  readonly name: string;
  readonly status: number;
  /** A number of the public API, a word of the operator API. */
  readonly code: string;
  readonly text: string;
  /** When to try again; empty: the document does not say. */
  readonly retry: string;
}

/** How requests for an operation are proved. */
export type Access = 'public' | 'signed' | 'token';

/** An endpoint, as the document of its port tells it. */
export interface Operation {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly about: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Address of its server, without a slash at the end. */
  readonly server: string;
  readonly access: Access;
  readonly parameters: readonly Parameter[];
  /** What a JSON body has; `null`: everything goes into the address. */
  readonly body: { readonly schema: Schema; readonly example: unknown } | null;
  readonly answer: { readonly schema: Schema; readonly example: unknown } | null;
  readonly refusals: readonly Refusal[];
  /** Limits and rights by their names. */
  readonly terms: readonly (readonly [name: string, value: string])[];
  /** Operation that it is another path of. */
  readonly aliasOf: string | null;
}

/** Operations of one kind. */
export interface OperationGroup {
  readonly name: string;
  readonly about: string;
  readonly operations: readonly Operation[];
}

interface Described {
  readonly value?: unknown;
  readonly 'x-disabled'?: boolean;
}
interface DocumentedParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: Place;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly examples?: { readonly default?: Described };
}
interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
/** A number, or one that depends on which parameters are given. */
type Weight =
  | number
  | { readonly parameter: string; readonly several: string; readonly given: number; readonly omitted: number };
interface Documented {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly servers?: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly DocumentedParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
  readonly 'x-weight'?: Readonly<Record<string, Weight>>;
  readonly 'x-calls-per-second'?: number;
  readonly 'x-permission'?: string;
  readonly 'x-caller'?: string;
  readonly 'x-frozen-accounts'?: boolean;
  readonly 'x-scope'?: string;
  readonly 'x-alias-of'?: string;
  readonly 'x-errors'?: readonly { readonly name: string; readonly code: number; readonly retry: string }[];
}

/** What is read of `/openapi.json`. */
export interface ApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, DocumentedParameter>> };
}

/** The page dates requests itself. */
const madeByPage = ['timestamp', 'signature'];

function parametersOf(documented: Documented, { components }: ApiDocument): readonly Parameter[] {
  return documented.parameters
    .map((parameter) => {
      const name = parameter.$ref?.split('/').at(-1);
      return name === undefined ? parameter : (components.parameters?.[name] as DocumentedParameter);
    })
    .filter(({ name }) => !madeByPage.includes(name))
    .map(({ name, in: place, required = false, description = '', schema, examples }) => {
      const told = examples?.default;
      const value = told === undefined ? schema.examples?.[0] : told.value;
      const example = value === undefined || value === null ? '' : String(value);
      const isGiven = example !== '' && (told === undefined ? required : told['x-disabled'] !== true);
      return { name, place, isRequired: required, about: description, schema, example, isGiven };
    });
}

/** The answer of a success, and refusals that come with its status. */
function answerOf(responses: Documented['responses']): Operation['answer'] {
  const status = Object.keys(responses).find((each) => each.startsWith('2'));
  const [content] = Object.values((status === undefined ? undefined : responses[status]?.content) ?? {});
  if (content === undefined) return null;
  const { schema, example, examples } = content;
  // A contract's answers of status 200 may be refusals: their own schema is the first one.
  if (examples?.['success'] === undefined) return { schema, example };
  return { schema: schema.anyOf?.[0] ?? schema, example: examples['success'].value };
}

function refusalsOf({ responses, 'x-errors': known = [] }: Documented): readonly Refusal[] {
  const retryOf = new Map(known.map(({ name, retry }) => [name, retry]));
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap(({ examples = {} }) =>
      Object.entries(examples)
        .filter(([name]) => name !== 'success')
        .map(([name, { value }]) => {
          const { code, msg, message, title } = value as Readonly<Record<string, unknown>>;
          const text = String(msg ?? message ?? title ?? '');
          return { name, status: Number(status), code: String(code ?? ''), text, retry: retryOf.get(name) ?? '' };
        }),
    ),
  );
}

const retries: Readonly<Record<string, string>> = {
  afterFixing: 'after a change',
  afterWaiting: 'later',
  never: 'never',
  unknown: 'after looking whether it happened',
};

/** In words, when to try again. */
export const retryText = (retry: string): string => retries[retry] ?? retry;

const weightText = (weight: Weight | undefined): string | undefined =>
  typeof weight === 'object'
    ? `${weight.given} with ${weight.parameter}, ${weight.omitted} without`
    : weight?.toString();

function termsOf(documented: Documented): Operation['terms'] {
  const { 'x-weight': weight = {}, 'x-calls-per-second': calls, 'x-scope': scope } = documented;
  const { 'x-permission': permission, 'x-caller': caller, 'x-frozen-accounts': frozen } = documented;
  const terms: readonly (readonly [string, string | undefined])[] = [
    ['Weight of the address', weightText(weight['ip'])],
    ['Weight of the account', weightText(weight['uid'])],
    ['Calls a second', calls?.toString()],
    ['Permission', permission],
    ['Who may call', caller === 'any' ? undefined : caller],
    ['Frozen accounts', frozen === undefined ? undefined : frozen ? 'may call' : 'may not call'],
    ['Scope', scope],
  ];
  return terms.filter((term): term is readonly [string, string] => term[1] !== undefined && term[1] !== '0');
}

function accessOf({ security }: Documented): Access {
  const [first] = security;
  if (first === undefined) return 'public';
  return Object.hasOwn(first, 'bearer') ? 'token' : 'signed';
}

function operationOf(path: string, method: string, documented: Documented, document: PlacedDocument): Operation {
  const { operationId, tags, summary, description, servers, requestBody, responses } = documented;
  const [{ url } = { url: '/' }] = servers ?? document.servers;
  // Where a body may repeat the parameters, the address has them all.
  const body = requestBody?.required === true ? requestBody.content['application/json'] : undefined;
  return {
    id: operationId,
    group: tags[0] ?? '',
    name: summary,
    about: description,
    method: method.toUpperCase(),
    path,
    server: new URL(url, document.origin).href.replace(/\/$/, ''),
    access: accessOf(documented),
    parameters: parametersOf(documented, document),
    body: body === undefined ? null : { schema: body.schema, example: body.example },
    answer: answerOf(responses),
    refusals: refusalsOf(documented),
    terms: termsOf(documented),
    aliasOf: documented['x-alias-of'] ?? null,
  };
}

/** A document with the address that it came from. */
type PlacedDocument = ApiDocument & { readonly origin: string };

/** The operations of a document from an address, in the order of its groups. DEC-WEB-70. */
export function groupsOf(read: ApiDocument, origin: string): readonly OperationGroup[] {
  const document = { ...read, origin };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => operationOf(path, method, documented, document)),
  );
  return document.tags
    .map(({ name, description }) => ({
      name,
      about: description,
      operations: operations.filter(({ group }) => group === name),
    }))
    .filter((group) => group.operations.length > 0);
}
