/** Schema of a member, as the document of the operator API has it. */
export interface MemberSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly MemberSchema[];
  readonly oneOf?: readonly MemberSchema[];
  readonly const?: string;
  readonly items?: MemberSchema;
  readonly properties?: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly maxLength?: number;
}

/** How an endpoint of the operator API is asked. */
export interface Operation {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** With members in braces. */
  readonly path: string;
  /** Scope that a token needs; `null`: none. */
  readonly scope: string | null;
  /** Members of the path and of the query by name. */
  readonly parameters: ReadonlyMap<string, MemberSchema>;
  readonly query: ReadonlyMap<string, MemberSchema>;
  /** Members of the body; `null`: it takes none. */
  readonly body: MemberSchema | null;
  /** Whether it takes the tag of what it edits. */
  readonly takesTag: boolean;
}

interface DocumentedParameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly schema?: MemberSchema;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly 'x-scope'?: string;
  readonly parameters: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: MemberSchema } } };
}

/** What is read of the document at `/openapi.json`. */
export interface OperatorDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

function operationOf(path: string, method: string, documented: DocumentedOperation): Operation {
  const { summary, description, parameters, requestBody } = documented;
  const membersIn = (place: string): ReadonlyMap<string, MemberSchema> =>
    new Map(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name = '', schema, description: about }) => [name, withAbout(schema, about)]),
    );
  return {
    name: summary,
    description: description.replace(/ Needs the scope `[^`]*`\.$/, ''),
    method: method.toUpperCase(),
    path,
    scope: documented['x-scope'] ?? null,
    parameters: membersIn('path'),
    query: membersIn('query'),
    body: requestBody?.content['application/json'].schema ?? null,
    takesTag: parameters.some(({ $ref }) => $ref?.endsWith('/ifMatch')),
  };
}

const withAbout = (schema: MemberSchema = {}, description: string | undefined): MemberSchema =>
  description === undefined ? schema : { ...schema, description };

/** The operations of a document by their ids. */
export function operationsOf({ paths }: OperatorDocument): ReadonlyMap<string, Operation> {
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, documented]) => [documented.operationId, operationOf(path, method, documented)] as const,
      ),
    ),
  );
}

/** A request for an operation: where it goes, and its body. */
export interface TargetedRequest {
  readonly target: string;
  readonly body: object | undefined;
}

/**
 * Where members of a request go: to the path, the query or the body. What is `undefined` is left out.
 * @throws TypeError naming a member that it does not take, or a part of the path that is missing.
 */
export function requestOf(operation: Operation, members: Readonly<Record<string, unknown>>): TargetedRequest {
  const { path, parameters, query, body, name: of } = operation;
  const search = new URLSearchParams();
  const sent: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || parameters.has(name)) continue;
    if (query.has(name)) search.append(name, String(value));
    else if (body !== null) sent[name] = value;
    else throw new TypeError(`${of}: it takes no ${name}.`);
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = members[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`${of}: ${name} is missing.`);
    return encodeURIComponent(String(value));
  });
  // A plus is a plus there, and no blank as in forms.
  const target = search.size === 0 ? filled : `${filled}?${search.toString().replaceAll('+', '%20')}`;
  return { target, body: body === null ? undefined : sent };
}

let asked: Promise<ReadonlyMap<string, Operation>> | null = null;

async function readOperations(): Promise<ReadonlyMap<string, Operation>> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error('The exchange does not answer.');
  return operationsOf((await response.json()) as OperatorDocument);
}

/** The operations that this exchange serves, read once. @throws Error while it does not answer */
export function operations(): Promise<ReadonlyMap<string, Operation>> {
  asked ??= readOperations();
  asked.catch(() => {
    asked = null;
  });
  return asked;
}
