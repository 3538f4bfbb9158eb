import type { NetworkCustody } from '#custody/custody.ts';

/** Custody of a network of which some answers are otherwise. */
export function changedCustody(custody: NetworkCustody, changes: Partial<NetworkCustody>): NetworkCustody {
  return new Proxy(custody, {
    get: (own, name) => {
      const value: unknown = Reflect.get(changes, name) ?? Reflect.get(own, name, own);
      return typeof value === 'function' && !Object.hasOwn(changes, name) ? value.bind(own) : value;
    },
  });
}
