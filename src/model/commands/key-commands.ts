import { command } from '#model/commands/command-declaration.ts';
import { integer, list, nullable, text } from '#model/codec/field-codec.ts';
import type { PermissionSet } from '#model/permission.ts';
import type { AccountId } from '#model/units.ts';

/** Commands about keys, listen keys, and groups that prevent self-trades. */
export const keyCommands = {
  /** A new key of an account. The secret comes sealed: it never enters the journal in clear. */
  createApiKey: command(13, {
    account: integer<AccountId>(),
    accessKey: text(),
    sealedSecret: text(),
    note: text(),
    permissions: integer<PermissionSet>(),
    ips: list(text()),
    /** How long it lives where it is bound to no address; `null`: without an end. DEC-REQ-147. */
    unboundLifeMs: nullable(integer()),
  }),
  /** Deletes keys whose time is over, a bounded number. */
  endApiKeys: command(91, {}),
  deleteApiKey: command(14, {
    account: integer<AccountId>(),
    accessKey: text(),
  }),
  /** A token for pushes, named by its hash; the token itself comes sealed. */
  createListenKey: command(23, {
    account: integer<AccountId>(),
    accessKey: text(),
    keyHash: text(),
    sealedKey: text(),
  }),
  /** Valid again for its whole life, counted from now. */
  renewListenKey: command(24, {
    account: integer<AccountId>(),
    keyHash: text(),
  }),
  deleteListenKey: command(25, {
    account: integer<AccountId>(),
    keyHash: text(),
  }),
  createStpGroup: command(16, {
    master: integer<AccountId>(),
    name: text(),
  }),
  deleteStpGroup: command(17, {
    master: integer<AccountId>(),
    group: integer(),
  }),
  addToStpGroup: command(18, {
    master: integer<AccountId>(),
    group: integer(),
    members: list(integer<AccountId>()),
  }),
  removeFromStpGroup: command(19, {
    master: integer<AccountId>(),
    group: integer(),
    members: list(integer<AccountId>()),
  }),
};
