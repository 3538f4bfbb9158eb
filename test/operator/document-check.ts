import type { OperatorReply } from './operator-harness.ts';

/** A JSON Schema or any part of the document. */
// biome-ignore lint/suspicious/noExplicitAny: the document is read as its readers get it
type Json = any;

const typeOf = (value: Json): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

/** What is wrong with a value by a schema of the kind that the document has; empty when nothing is. */
export function schemaFaults(schema: Json, value: Json, path = ''): string[] {
  if (schema.anyOf !== undefined) {
    const attempts: string[][] = schema.anyOf.map((each: Json) => schemaFaults(each, value, path));
    return attempts.some((faults) => faults.length === 0) ? [] : attempts.flat();
  }
  const types = [schema.type ?? []].flat();
  if (types.includes('number')) types.push('integer');
  if (schema.const !== undefined && schema.const !== value) return [`${path} is not ${schema.const}`];
  if (types.length > 0 && !types.includes(typeOf(value))) return [`${path} is no ${types.join(' or ')}`];
  if (value === null) return [];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${path} is none of ${schema.enum}`];
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    return [`${path} is not ${schema.pattern}`];
  if (schema.minimum !== undefined && value < schema.minimum) return [`${path} is below ${schema.minimum}`];
  if (schema.maximum !== undefined && value > schema.maximum) return [`${path} is above ${schema.maximum}`];
  if (schema.type === 'array') {
    return value.flatMap((item: Json, at: number) => schemaFaults(schema.items, item, `${path}/${at}`));
  }
  if (schema.type !== 'object') return [];
  const members = schema.properties ?? {};
  return [
    ...(schema.required ?? [])
      .filter((name: string) => !Object.hasOwn(value, name))
      .map((name: string) => `${path}/${name} is missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      if (Object.hasOwn(members, name)) return schemaFaults(members[name], member, `${path}/${name}`);
      return schema.additionalProperties === false ? [`${path}/${name} is not in the document`] : [];
    }),
  ];
}

/** The operation of the document that a request is for; `undefined`: the document has none. */
export function operationOf(document: Json, method: string, path: string): Json {
  const [bare] = path.split('?');
  const template = Object.keys(document.paths).find((each) =>
    new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare as string),
  );
  return template === undefined ? undefined : document.paths[template][method.toLowerCase()];
}

/** Codes that any request may be answered before its endpoint is looked at. */
const anywhere = ['banned', 'tooManyRequests', 'headersTooLarge', 'addressTooLong'];

/** What an answer says that the document does not allow; empty when nothing does. */
export function answerFaults(document: Json, operation: Json, { status, headers, body }: OperatorReply): string[] {
  const type = headers.get('content-type')?.split(';')[0] ?? 'none';
  const response = operation.responses[status];
  if (status >= 400 && anywhere.includes(body.code)) return [];
  const content = response?.content[type];
  if (content === undefined) return [`${operation.operationId} has no answer ${status} of the type ${type}`];
  if (status < 400) return schemaFaults(content.schema, body);
  const codes = Object.keys(content.examples);
  return [
    ...schemaFaults(document.components.schemas.Problem, body),
    ...(codes.includes(body.code) ? [] : [`${operation.operationId} answers ${body.code}, not one of ${codes}`]),
    ...(body.status === status ? [] : [`the problem says ${body.status}, the answer ${status}`]),
  ];
}
