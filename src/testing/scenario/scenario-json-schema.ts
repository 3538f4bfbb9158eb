import { type JsonSchema, jsonSchemaOf } from '#http/documents/json-schema.ts';
import { actionNames, scenarioSchema } from '#testing/scenario/scenario-schema.ts';

/*
 * The schema of scenario files for editors: the one that reading checks, and what it cannot say by itself: amounts
 * may be written without quotes, references stand in for any value, and a step has one action.
 */

const reference = { type: 'string', pattern: '\\$\\{' };

/** `docs/reference/scenario.schema.json`. DEC-KIT-70. */
export function scenarioJsonSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Scenario of Bourse',
    ...(withReferences(jsonSchemaOf(scenarioSchema, 'input')) as JsonSchema),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences);
  if (!isObject(schema)) return schema;
  const { type, enum: words, const: only, examples: _, default: __, ...others } = schema;
  const inner = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [
      name,
      name === 'properties' && isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([member, each]) => [member, withReferences(each)]))
        : withReferences(value),
    ]),
  );
  const whole = { ...inner, ...(type === undefined ? {} : { type }), ...given('enum', words), ...given('const', only) };
  if (isStep(schema)) return { ...whole, oneOf: [...actionNames, 'repeat'].map((name) => ({ required: [name] })) };
  // Numbers are read as they are written.
  if (type === 'string' && words === undefined) return { ...whole, type: ['string', 'number'], ...orReference(inner) };
  if (type === 'integer' || type === 'boolean' || words !== undefined)
    return { anyOf: [whole, reference], ...described(inner) };
  return whole;
}

/** A pattern of text that a reference may stand in for. */
const orReference = ({ pattern }: JsonSchema): JsonSchema =>
  pattern === undefined ? {} : { pattern: `${String(pattern)}|\\$\\{` };
const given = (name: string, value: unknown): JsonSchema => (value === undefined ? {} : { [name]: value });
const described = ({ description }: JsonSchema): JsonSchema => given('description', description);
const isStep = ({ properties }: JsonSchema): boolean => isObject(properties) && 'repeat' in properties;
