import { readJson } from '#base/json-reader.ts';

/**
 * Names of pairs as clients write several of them: separated by commas with blanks around them allowed, or as a JSON
 * array of texts. Each once, in the order of their first coming; `null` for an array that is none. DEC-MKT-11.
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
