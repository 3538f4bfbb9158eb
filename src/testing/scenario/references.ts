/** `${name.member}`: what an earlier step was answered, or an account. DEC-KIT-71. */
const reference = /\$\{([^}]*)\}/g;
const referencePattern = /^[A-Za-z][\w-]*(?:\.[\w-]+)*$/;

/** Names of steps and accounts. */
export const namePattern = /^[A-Za-z][\w-]{0,31}$/;

/** Whether a value has a reference in it, so that what it is shows only when the step is made. */
export const isOpen = (value: unknown): boolean => typeof value === 'string' && value.includes(`\${`);

/** What references of a text are made of: `order.orderId` of each; `null`: one that is malformed. */
export const referencesIn = (text: string): readonly (string | null)[] =>
  [...text.matchAll(reference)].map(([, inner = '']) => (referencePattern.test(inner) ? inner : null));

/** A reference names what is not there. */
export class ReferenceUnknown extends Error {
  override readonly name = 'ReferenceUnknown';
}

/**
 * The same value with every reference replaced; a text that is one reference becomes what that is.
 * @throws ReferenceUnknown
 */
export function resolved(value: unknown, names: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') return resolvedText(value, names);
  if (Array.isArray(value)) return value.map((item) => resolved(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner, names)]));
}

function resolvedText(text: string, names: ReadonlyMap<string, unknown>): unknown {
  const [whole] = text.matchAll(reference);
  if (whole !== undefined && whole[0] === text) return referred(whole[1] as string, names);
  return text.replace(reference, (_, inner: string) => {
    const value = referred(inner, names);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}

function referred(path: string, names: ReadonlyMap<string, unknown>): unknown {
  const [name = '', ...members] = path.split('.');
  let at = names.get(name);
  for (const member of members) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, member))
      throw new ReferenceUnknown(`\${${path}}: there is no ${member}`);
    at = (at as Readonly<Record<string, unknown>>)[member];
  }
  if (at === undefined) throw new ReferenceUnknown(`\${${path}}: there is no ${name}`);
  return at;
}
