/** One JSON object of scalars as text: numbers keep their source digits, exponents are written out, null is absent. */
export type FlatObject = Readonly<Record<string, string>>;

/** A JSON number's exponent beyond this many zeros is left as it is, and then refused as no decimal. */
const exponentMax = 40;
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const exponentPattern = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/;
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const blankPattern = /[ \t\n\r]*/y;
const wordPattern = /true|false|null/y;

/** `1e-7` is `0.0000001`, exactly; what has no exponent, or an absurd one, stays as it is. DEC-REQ-24, DEC-REQ-58. */
export function expandExponent(source: string): string {
  const match = exponentPattern.exec(source);
  if (match === null) return source;
  const [, sign = '', whole = '', fraction = '', power = ''] = match;
  const shift = Number(power);
  if (Math.abs(shift) > exponentMax) return source;
  const point = whole.length + shift;
  const digits = whole + fraction;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const split = Math.max(point, 1);
  const left = padded.slice(0, split).replace(/^0+(?=\d)/, '');
  const right = padded.slice(split);
  return right === '' ? sign + left : `${sign}${left}.${right}`;
}

class MalformedJson extends Error {}

/** Reads tokens of one text; every method throws `MalformedJson` where the text is not what it expects. */
class Tokens {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at = pattern.lastIndex;
    return match[0];
  }

  /** Takes `mark` if it comes next, blanks aside. */
  takes(mark: string): boolean {
    this.#take(blankPattern);
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  expect(mark: string): void {
    if (!this.takes(mark)) throw new MalformedJson();
  }

  ends(): boolean {
    this.#take(blankPattern);
    return this.#at === this.#text.length;
  }

  string(): string {
    this.#take(blankPattern);
    const source = this.#take(stringPattern);
    if (source === null) throw new MalformedJson();
    return JSON.parse(source) as string;
  }

  /** Text of a scalar; `null` for null. */
  scalar(): string | null {
    this.#take(blankPattern);
    if (this.#text[this.#at] === '"') return this.string();
    const word = this.#take(wordPattern);
    if (word !== null) return word === 'null' ? null : word;
    const number = this.#take(numberPattern);
    if (number === null) throw new MalformedJson();
    return expandExponent(number);
  }
}

function readObject(tokens: Tokens): FlatObject {
  const members: Record<string, string> = Object.create(null);
  const seen = new Set<string>();
  tokens.expect('{');
  if (tokens.takes('}')) return members;
  do {
    const name = tokens.string();
    if (seen.has(name)) throw new MalformedJson();
    seen.add(name);
    tokens.expect(':');
    const value = tokens.scalar();
    if (value !== null) members[name] = value;
  } while (tokens.takes(','));
  tokens.expect('}');
  return members;
}

/**
 * Items of a JSON array of flat objects, at most `max + 1` of them read; `null` for any other text, a member named
 * twice and nested values included. Names may be anything: the records have no prototype.
 */
export function readFlatObjects(text: string, max: number): readonly FlatObject[] | null {
  const tokens = new Tokens(text);
  const items: FlatObject[] = [];
  try {
    tokens.expect('[');
    if (!tokens.takes(']')) {
      do {
        items.push(readObject(tokens));
        if (items.length > max) return items;
      } while (tokens.takes(','));
      tokens.expect(']');
    }
    return tokens.ends() ? items : null;
  } catch (error) {
    if (error instanceof MalformedJson) return null;
    throw error;
  }
}
