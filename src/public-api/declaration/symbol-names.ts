import { readJson } from '#base/json-reader.ts';

/**
 * Parses several symbol names: separated by commas with optional blanks, or as a JSON array of texts. Each once, in
 * order; `null` for a malformed array. DEC-MKT-11.
 */
export function readSymbolNames(text: string): readonly string[] | null {
  const names = text.trimStart().startsWith('[') ? readArray(text) : text.split(',').map((name) => name.trim());
  return names === null ? null : [...new Set(names)];
}

function readArray(text: string): readonly string[] | null {
  const read = readJson(text, 1);
  if (typeof read === 'string' || !Array.isArray(read.value)) return null;
  const names = read.value;
  return names.every((name) => typeof name === 'string') ? names : null;
}
