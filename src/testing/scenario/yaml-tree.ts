import type { LineCounter, Node } from 'yaml';
import type { ScenarioFault } from '#testing/scenario-run.ts';

/** Where something stands in a file. Both count from 1. */
type Place = Pick<ScenarioFault, 'line' | 'column'>;

/** The values of a file, with where each of them stands. */
export interface YamlTree {
  readonly value: unknown;
  /** Where the member of a path stands, or what is nearest around it. */
  placeOf(path: readonly PropertyKey[]): Place;
  /** A number as it was written; `null`: there is none at that path. */
  writtenNumber(path: readonly PropertyKey[]): string | null;
}

/** Most levels of a file. */
const depthMax = 40;

/** `steps[2].order.price`. */
export const memberText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text === '' ? '' : `${text}.`}${String(part)}`),
    '',
  );

/** Open brackets at a time, those in quoted text included; and lists that begin within each other in a line. */
const bracketsMax = 200;
const dashes = /^(?:[ \t]*[-?][ \t]){50}/m;

function bracketsDeep(text: string): number {
  let [open, deepest] = [0, 0];
  for (const sign of text) {
    if (sign === '[' || sign === '{') deepest = Math.max(deepest, (open += 1));
    else if (sign === ']' || sign === '}') open -= 1;
  }
  return deepest;
}

const keyOf = (path: readonly PropertyKey[]): string => JSON.stringify(path);

/**
 * Reads a file of one document without aliases, anchors and tags, in which no name stands twice. The package is loaded
 * here alone: whoever runs no scenario does without.
 */
export async function readYaml(text: string): Promise<YamlTree | readonly ScenarioFault[]> {
  const { LineCounter: Lines, parseDocument, isMap, isScalar, isSeq } = await import('yaml');
  const lines: LineCounter = new Lines();
  // The parser goes down as deep as the text does: its stack would end first.
  if (bracketsDeep(text) > bracketsMax || dashes.test(text))
    return [{ line: 1, column: 1, member: '', detail: `must not be more than ${depthMax} deep` }];
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const faults: ScenarioFault[] = [...document.errors, ...document.warnings].map(({ pos: [from], message }) => ({
    ...placeAt(from),
    member: '',
    detail: message,
  }));
  const places = new Map<string, number>();
  const numbers = new Map<string, string>();
  const refuse = (offset: number, path: readonly PropertyKey[], detail: string): null => {
    faults.push({ ...placeAt(offset), member: memberText(path), detail });
    return null;
  };
  const read = (node: Node | null, path: readonly PropertyKey[], offset: number): unknown => {
    if (!places.has(keyOf(path))) places.set(keyOf(path), offset);
    if (node === null) return null;
    const at = node.range?.[0] ?? offset;
    if (path.length > depthMax) return refuse(at, path, `must not be more than ${depthMax} deep`);
    if (node.tag?.startsWith('!') === true || ('anchor' in node && node.anchor))
      return refuse(at, path, 'must have no tag and no anchor');
    if (isScalar(node)) {
      if (typeof node.value !== 'number') return node.value;
      const source = node.source ?? String(node.value);
      numbers.set(keyOf(path), source);
      // What a number would not keep, such as trailing zeros of an amount, stays as it was written.
      return Number.isInteger(node.value) || String(node.value) === source ? node.value : source;
    }
    if (isSeq(node))
      return node.items.map((item, index) => read(item as Node | null, [...path, index], rangeOf(item, at)));
    if (!isMap(node)) return refuse(at, path, 'must be no alias');
    return Object.fromEntries(
      node.items.map(({ key, value }) => {
        const name = isScalar(key) ? String(key.value) : '';
        const keyAt = rangeOf(key, at);
        if (!isScalar(key)) refuse(keyAt, path, 'must have names that are text');
        places.set(keyOf([...path, name]), keyAt);
        return [name, read(value as Node | null, [...path, name], keyAt)];
      }),
    );
  };
  const value = faults.length > 0 ? null : read(document.contents, [], 0);
  if (faults.length > 0) return faults;
  return {
    value,
    placeOf: (path) => {
      for (let length = path.length; length >= 0; length -= 1) {
        const offset = places.get(keyOf(path.slice(0, length)));
        if (offset !== undefined) return placeAt(offset);
      }
      return placeAt(0);
    },
    writtenNumber: (path) => numbers.get(keyOf(path)) ?? null,
  };
}

const rangeOf = (node: unknown, otherwise: number): number =>
  (node as { readonly range?: readonly number[] } | null)?.range?.[0] ?? otherwise;
