/** How names and texts are written in Python. */

const widthMax = 112;

/** Words that no name may be. */
const keywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield self'
  ).split(' '),
);

/** Whether a member can stand as a name of its own. */
export const isName = (text: string): boolean => /^[A-Za-z][A-Za-z0-9_]*$/.test(text) && !keywords.has(text);

/** `newClientOrderId` as `new_client_order_id`; a word of the language gets an underscore at its end. */
export function snakeCase(name: string): string {
  const text = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
  return keywords.has(text) ? `${text}_` : text;
}

/** `newClientOrderId`, `flash-crash` and `PRICE_FILTER` as names of classes. */
export const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + (/[a-z]/.test(part) ? part.slice(1) : part.slice(1).toLowerCase()))
    .join('');

/** Words in lines of at most the width, each behind the indent. */
export function wrapped(text: string, indent: string, further = indent): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const isFirst = line.trim() === '';
    if (!isFirst && line.length + 1 + word.length > widthMax) {
      lines.push(line);
      line = `${further}${word}`;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");

/** A text as a docstring of one paragraph; nothing without one. */
export function docstring(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  const safe = escaped(text);
  const lines = wrapped(`"""${safe}${safe.endsWith('"') ? ' ' : ''}`, indent);
  return `${lines}"""\n`;
}

/** A docstring with a sentence, and a line for each parameter that has a description. */
export function callDocstring(
  text: string,
  parameters: readonly { readonly name: string; readonly description: string }[],
): string {
  const indent = '        ';
  const about = parameters
    .filter(({ description }) => description !== '')
    .map(({ name, description }) => wrapped(escaped(`- ${name}: ${description}`), indent, `${indent}  `));
  if (about.length === 0) return docstring(text, indent);
  return `${wrapped(`"""${escaped(text)}`, indent)}\n\n${about.join('\n')}\n${indent}"""\n`;
}
