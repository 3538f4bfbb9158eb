import { z } from 'zod';
import type { ErrorName } from '#http/errors.ts';
import { described, wellFormed } from '#public-api/declaration/fields.ts';
import { engineLimits } from '#model/limits.ts';
import { longPermission, type Permission, permissions } from '#model/permission.ts';
import { isSubAccountName } from '#model/sub-account.ts';

/* Fields of sub-accounts and of their API keys, with the error codes of their own. DEC-SUB-01, DEC-SUB-10. */

/** Name of a sub-account that is to be opened: 730600 without it, 730601 if it is malformed. */
export const newSubAccountName = () =>
  described(z.string().refine(isSubAccountName, { error: 'must be 8 to 32 letters and digits, not digits alone' }), {
    type: 'string',
    description: 'Name of the sub-account: 8 to 32 letters and digits, not digits alone.',
    missing: 'subAccountNameRequired',
    malformed: 'subAccountNameMalformed',
    example: 'marketmaker1',
  });

/** Name of a sub-account of the caller: 730600 without it; a malformed one is as unknown as any other, 140001. */
export const subAccountName = (description = 'Name of a sub-account.') =>
  described(z.string().max(254, 'nobody has it'), {
    type: 'string',
    description,
    missing: 'subAccountNameRequired',
    malformed: 'unknownSubAccount',
    example: 'marketmaker1',
  });

/** A note about a sub-account, or about a key. */
export const note = (missing: Extract<ErrorName, 'subAccountNoteRequired' | 'apiKeyNoteRequired'>) =>
  described(wellFormed(engineLimits.subAccountNoteLength), {
    type: 'string',
    description: 'A note for yourself.',
    missing,
    example: 'first desk',
  });

/** Permissions that a key of a master's sub-account may have. SPEC-SUB-03. */
export const subAccountPermissions: readonly Permission[] = permissions.filter(
  (name) => !name.startsWith('SPOT_WITHDRAW') && !name.startsWith('SPOT_DEPOSIT'),
);
/** Permissions that a key of a broker's sub-account may have. DEC-SUB-18. */
export const brokerPermissions: readonly Permission[] = permissions;

/** Permissions separated by commas, each of `allowed`: 730701 without any, 730702 for another one. */
export const permissionList = (allowed: readonly Permission[]) =>
  described(
    z
      .string()
      .transform((text) => [...new Set(text.split(',').map((name) => longPermission(name.trim())))])
      .refine((names): names is Permission[] => names.every((name) => allowed.includes(name as Permission)), {
        error: `must be of ${allowed.join(', ')}, separated by commas`,
      }),
    {
      type: 'list',
      description: `What the key may do, separated by commas: ${allowed.join(', ')}.`,
      missing: 'apiKeyPermissionRequired',
      malformed: 'unknownPermission',
      example: 'SPOT_DEAL_READ,SPOT_DEAL_WRITE',
    },
  );

/** Addresses that a key is bound to, separated by commas. Their number and form are judged by the handler. */
export const boundAddresses = (max: number) =>
  described(z.string(), {
    type: 'list',
    description: `Addresses or CIDR ranges that may use the key, separated by commas, at most ${max}.`,
    max,
    example: '203.0.113.7',
  });

/** What can be set as a password; nothing else can be one. */
export const newPasswordForm = /^[0-9A-Fa-f]{32}$/;
/**
 * The password of a new sub-account of a broker: an MD5 sum that the broker made of it, for us a secret like any other.
 * Both cases of its digits are one. DEC-SUB-56.
 */
export const newPassword = () =>
  described(
    z
      .string()
      .regex(newPasswordForm, 'must be an MD5 sum of 32 hexadecimal digits')
      .transform((text) => text.toLowerCase()),
    {
      type: 'string',
      description: 'MD5 sum of a password, 32 hexadecimal digits; withdrawals of the sub-account then ask for it.',
    },
  );

/** The password of a sub-account; a malformed one is as wrong as any other: the handler checks it. DEC-SUB-16. */
export const password = () =>
  described(z.string(), {
    type: 'string',
    description: 'MD5 sum of the password, where the sub-account has one.',
  });

/** An access key: 730707 without it; a malformed one is as unknown as any other, 730706. */
export const accessKey = () =>
  described(z.string().regex(/^[A-Za-z0-9]{10,64}$/, 'no key has it'), {
    type: 'string',
    description: 'The access key.',
    missing: 'accessKeyRequired',
    malformed: 'unknownApiKey',
    example: 'mx0vglBqhzhnd7hVQM',
  });

/** The caller's own id of a transfer: exactly 32 letters and digits. DEC-SUB-11. */
export const clientTranId = (description: string) =>
  described(z.string().regex(/^[A-Za-z0-9]{32}$/, 'must be 32 letters and digits'), {
    type: 'string',
    description,
    example: 'a'.repeat(32),
  });
