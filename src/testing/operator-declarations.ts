import { descriptionOf } from '#http/declared-endpoint.ts';
import { jsonSchemaOf } from '#http/documents/json-schema.ts';
import { commentText, membersText, typeText } from '#http/documents/type-text.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';

/*
 * The declarations of `OperatorCalls` as the package has them: written out from the catalogue, so that who installs it
 * needs no further types, and reads what each call is about where it is typed.
 */

/** `operator-calls.d.ts` of the package. DEC-KIT-83. */
export function operatorDeclarations(): string {
  const methods = Object.entries<AnyOperatorEndpoint>(catalogue).map(([id, endpoint]) => {
    const described = commentText(descriptionOf(endpoint));
    return `${described}  ${id}(${asked(endpoint)}): Promise<${answered(endpoint)}>;\n`;
  });
  const head = '/** Every endpoint of the operator API as a method. */\nexport interface OperatorCalls {\n';
  return `${head}${methods.join('')}}\n`;
}

function asked({ parameters, query, body, isStreamed }: AnyOperatorEndpoint): string {
  const parts = [
    parameters,
    isStreamed === true ? query.omit({ format: true }) : query,
    ...(body === null ? [] : [body]),
  ];
  const schemas = parts.map((part) => jsonSchemaOf(part, 'input'));
  const isOptional = schemas.every(({ required }) => required === undefined || (required as string[]).length === 0);
  const all = schemas.map(membersText).join('');
  return all === '' ? '' : `members${isOptional ? '?' : ''}: {\n${all}}`;
}

function answered({ answer, isStreamed }: AnyOperatorEndpoint): string {
  const type = typeText(jsonSchemaOf(answer));
  return isStreamed === true ? `Array<${type}>` : type;
}
