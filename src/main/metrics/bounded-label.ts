/** Values of a label that have series of their own; the value of all further ones is `other`. */
export const labelValuesMax = { pairs: 300, networks: 50, assets: 300 } as const;

/** The value of a label for everything that is beyond its bound. */
export const otherValue = 'other';

/**
 * How a label with many possible values is written: the first `most` of the names, in their order, as they are, all
 * others as `other`. Whatever is listed, there are never more series than that.
 */
export function boundedLabel(names: readonly string[], most: number): (name: string) => string {
  const own = new Set([...new Set(names)].slice(0, most));
  return (name) => (own.has(name) ? name : otherValue);
}
