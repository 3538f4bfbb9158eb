/** A pattern of a path or of a channel's name. */
export interface NamePattern {
  matches(name: string): boolean;
  /** Whether a name could match that is made of a template, whose parts in braces may be anything. */
  mayMatch(template: string): boolean;
}

const isOpenPart = (part: string): boolean => part === '*' || part.startsWith('{');

/**
 * Reads a pattern whose parts stand between separators: `*`, or a part in braces, is any part, and a last `*` all parts
 * that follow, at least one. DEC-KIT-22.
 */
export function namePattern(text: string, separator: '/' | '@'): NamePattern {
  const parts = text.split(separator);
  const isOpenEnded = parts.at(-1) === '*';
  const fits = (name: string, isSame: (given: string, part: string) => boolean): boolean => {
    const given = name.split(separator);
    if (isOpenEnded ? given.length < parts.length : given.length !== parts.length) return false;
    return parts.every((part, at) => isOpenPart(part) || isSame(given[at] as string, part));
  };
  return {
    matches: (name) => fits(name, (given, part) => given === part),
    mayMatch: (template) => fits(template, (given, part) => given === part || given.startsWith('{')),
  };
}
