/** A member of the outermost object of a JSON text, by position: from the quote of its name to behind its value. */
export interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** What the marks of a JSON text tell before it is parsed. */
export interface JsonSurvey {
  /** Deepest nesting; 1 for a flat object. */
  readonly depth: number;
  /** Whether any object names a member twice, however its names are escaped. */
  readonly hasDuplicates: boolean;
  /** Members of the outermost object, in order. */
  readonly members: readonly JsonMember[];
}

const quote = 0x22;
const backslash = 0x5c;

/** Position behind the string that opens at `at`; the end of the text where it does not close. */
export function stringEnd(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === backslash) end += 1;
    else if (code === quote) return end + 1;
  }
  return text.length;
}

function nameOf(source: string): string {
  if (!source.includes('\\')) return source.slice(1, -1);
  try {
    return JSON.parse(source) as string;
  } catch {
    // A broken escape: the parser that follows refuses the text.
    return source;
  }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

/** One object or array that is open while the text is walked. */
interface OpenValue {
  readonly names: Set<string> | null;
  expectsName: boolean;
}

/**
 * Walks over a text that is to be JSON and notes where members stand. Says nothing about its grammar: on a text that is
 * no JSON the answer means nothing. Works on characters or on bytes as characters alike.
 */
export function surveyJson(text: string, depthMax: number): JsonSurvey {
  const open: OpenValue[] = [];
  const members: { name: string; start: number; end: number }[] = [];
  let depth = 0;
  let hasDuplicates = false;
  let valueEnd = 0;
  for (let at = 0; at < text.length && open.length <= depthMax; at += 1) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) continue;
    const inside = open.at(-1);
    if (code === quote) {
      const end = stringEnd(text, at);
      if (inside?.expectsName === true && inside.names !== null) {
        const name = nameOf(text.slice(at, end));
        hasDuplicates ||= inside.names.has(name);
        inside.names.add(name);
        inside.expectsName = false;
        if (open.length === 1) members.push({ name, start: at, end });
      }
      at = end - 1;
      valueEnd = end;
    } else if (code === 0x7b || code === 0x5b) {
      open.push({ names: code === 0x7b ? new Set() : null, expectsName: code === 0x7b });
      depth = Math.max(depth, open.length);
    } else if (code === 0x7d || code === 0x5d || code === 0x2c) {
      const last = members.at(-1);
      if (open.length === 1 && last !== undefined) last.end = valueEnd;
      if (code === 0x2c && inside !== undefined) inside.expectsName = inside.names !== null;
      else open.pop();
      valueEnd = at + 1;
    } else valueEnd = at + 1;
  }
  return { depth, hasDuplicates, members };
}

/**
 * The text without its member at `index`: cut out with the comma and blanks before it, a first member with those after
 * it. decisions.md section 1, "What is signed".
 */
export function withoutMember(text: string, members: readonly JsonMember[], index: number): string {
  const member = members[index] as JsonMember;
  const before = members[index - 1];
  if (before !== undefined) {
    const comma = text.indexOf(',', before.end);
    return text.slice(0, comma) + text.slice(member.end);
  }
  const next = members[index + 1];
  if (next !== undefined) return text.slice(0, member.start) + text.slice(next.start);
  let end = member.end;
  while (isBlank(text.charCodeAt(end))) end += 1;
  return text.slice(0, member.start) + text.slice(end);
}
