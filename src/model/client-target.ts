/** How operators name whom a ban or a rate limit of theirs is about. DEC-OPR-175, DEC-OPR-179. */
export const clientKinds = ['address', 'account', 'key'] as const;
export type ClientKind = (typeof clientKinds)[number];
