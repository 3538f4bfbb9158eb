/**
 * A strict JSON reader (RFC 8259) for untrusted text. Unlike `JSON.parse` it keeps numbers as they were written,
 * refuses an object with two members of one name, bounds nesting, and reports the positions of the members of the
 * outermost object. One pass; time and memory are linear in the text.
 */

/** A number as it was written: no digit is rounded away. */
export class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Members in the order of the text. A map, so that no name can collide with a prototype. */
export type JsonObject = Map<string, JsonValue>;
/** Any JSON value. */
export type JsonValue = string | boolean | null | JsonNumber | JsonObject | JsonValue[];

/** Position of a member: from the opening quote of its name to the end of its value, in UTF-16 units. */
export interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A parsed text. */
export interface JsonDocument {
  readonly value: JsonValue;
  /** Members of the outermost object, in order; empty if the value is not an object. */
  readonly members: readonly JsonMember[];
}

/** Why a text was refused: its first fault. Names are compared after unescaping. */
export type JsonFault = 'malformed' | 'namedTwice' | 'tooDeep';

class Refused extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault);
    this.fault = fault;
  }
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

/** A position in a text. Every method throws `Refused` if the text does not match. */
class Cursor {
  readonly members: JsonMember[] = [];
  readonly #text: string;
  readonly #depthMax: number;
  #at = 0;

  constructor(text: string, depthMax: number) {
    this.#text = text;
    this.#depthMax = depthMax;
  }

  /** Reads the whole text as one value. */
  document(): JsonValue {
    const value = this.#value(0);
    if (this.#at < this.#text.length) throw new Refused('malformed');
    return value;
  }

  /** A value with the blanks around it. `depth`: objects and arrays that are open. */
  #value(depth: number): JsonValue {
    this.#skipBlanks();
    const value = this.#bareValue(depth);
    this.#skipBlanks();
    return value;
  }

  #bareValue(depth: number): JsonValue {
    const code = this.#text.charCodeAt(this.#at);
    if (code === quote) return this.#string();
    if (code === openBrace) return this.#object(depth + 1);
    if (code === openBracket) return this.#array(depth + 1);
    for (const [word, value] of words) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    return this.#number();
  }

  #object(depth: number): JsonObject {
    const object: JsonObject = new Map();
    if (this.#opensEmpty(depth, closeBrace)) return object;
    do {
      this.#skipBlanks();
      const start = this.#at;
      const name = this.#string();
      if (object.has(name)) throw new Refused('namedTwice');
      this.#skipBlanks();
      if (!this.#takes(colon)) throw new Refused('malformed');
      this.#skipBlanks();
      object.set(name, this.#bareValue(depth));
      if (depth === 1) this.members.push({ name, start, end: this.#at });
      this.#skipBlanks();
    } while (this.#takes(comma));
    if (!this.#takes(closeBrace)) throw new Refused('malformed');
    return object;
  }

  #array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    if (this.#opensEmpty(depth, closeBracket)) return items;
    do items.push(this.#value(depth));
    while (this.#takes(comma));
    if (!this.#takes(closeBracket)) throw new Refused('malformed');
    return items;
  }

  /** Reads an opening bracket, and the closing one if nothing is between them; returns whether it was empty. */
  #opensEmpty(depth: number, close: number): boolean {
    if (depth > this.#depthMax) throw new Refused('tooDeep');
    this.#at += 1;
    this.#skipBlanks();
    return this.#takes(close);
  }

  #string(): string {
    if (this.#text.charCodeAt(this.#at) !== quote) throw new Refused('malformed');
    const start = this.#at;
    let isEscaped = false;
    for (let end = start + 1; end < this.#text.length; end += 1) {
      const code = this.#text.charCodeAt(end);
      if (code === quote) {
        this.#at = end + 1;
        return isEscaped ? unescaped(this.#text.slice(start, end + 1)) : this.#text.slice(start + 1, end);
      }
      if (code < 0x20) break;
      if (code === backslash) {
        isEscaped = true;
        end += 1;
      }
    }
    throw new Refused('malformed');
  }

  #number(): JsonNumber {
    numberPattern.lastIndex = this.#at;
    const source = numberPattern.exec(this.#text)?.[0];
    if (source === undefined) throw new Refused('malformed');
    this.#at += source.length;
    return new JsonNumber(source);
  }

  #takes(mark: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== mark) return false;
    this.#at += 1;
    return true;
  }

  #skipBlanks(): void {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }
}

/** The text of a quoted string with escapes. */
function unescaped(source: string): string {
  try {
    return JSON.parse(source) as string;
  } catch {
    throw new Refused('malformed');
  }
}

/** Reads a text that is one JSON value nested at most `depthMax` deep: 1 for a flat object or array. */
export function readJson(text: string, depthMax: number): JsonDocument | JsonFault {
  const cursor = new Cursor(text, depthMax);
  try {
    const value = cursor.document();
    return { value, members: cursor.members };
  } catch (error) {
    if (error instanceof Refused) return error.fault;
    throw error;
  }
}
