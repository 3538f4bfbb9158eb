/**
 * What money can be set aside for, with the number that each kind of owner has in images: a number once given stays, a
 * new kind takes the next one. `engine/image/hold-owners.ts` tells where the owners of each kind are.
 */
export const holdOwnerNumbers = { order: 1, withdrawal: 2, position: 3 } as const;
export type HoldOwnerKind = keyof typeof holdOwnerNumbers;
/** The number of a kind of owner. */
export type HoldOwnerNumber = (typeof holdOwnerNumbers)[HoldOwnerKind];
