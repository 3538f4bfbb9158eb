/** Every key permission of the API, in a fixed order; a key holds a subset as a bit set over this list. */
export const permissions = [
  'SPOT_ACCOUNT_READ',
  'SPOT_ACCOUNT_WRITE',
  'SPOT_DEAL_READ',
  'SPOT_DEAL_WRITE',
  'SPOT_TRANSFER_READ',
  'SPOT_TRANSFER_WRITE',
  'SPOT_WITHDRAW_READ',
  'SPOT_WITHDRAW_WRITE',
  'SPOT_DEPOSIT_READ',
  'SPOT_DEPOSIT_WRITE',
  'CONTRACT_ACCOUNT_READ',
  'CONTRACT_ACCOUNT_WRITE',
  'CONTRACT_DEAL_READ',
  'CONTRACT_DEAL_WRITE',
] as const;
export type Permission = (typeof permissions)[number];
/** Short forms of the names: `_R` and `_W` at the end mean `_READ` and `_WRITE`. SPEC-CNV-14. */
export const shortPermissions: readonly string[] = permissions.map((name) => name.replace(/(_[RW])[A-Z]+$/, '$1'));
/** The long form of a name; one that has none stays as it is. SPEC-CNV-14. */
export const longPermission = (name: string): string => name.replace(/_R$/, '_READ').replace(/_W$/, '_WRITE');
/** Bit `i` stands for `permissions[i]`. */
export type PermissionSet = number;

/** The set that holds these names. */
export const permissionSet = (names: readonly Permission[]): PermissionSet =>
  names.reduce((set, name) => set | (1 << permissions.indexOf(name)), 0);
/** Whether the set holds the name. */
export const permits = (set: PermissionSet, name: Permission): boolean =>
  (set & (1 << permissions.indexOf(name))) !== 0;
/** Names that the set holds, in that order. */
export const permissionNames = (set: PermissionSet): readonly Permission[] =>
  permissions.filter((name) => permits(set, name));
/** Every permission there is. */
export const allPermissions: PermissionSet = permissionSet(permissions);
