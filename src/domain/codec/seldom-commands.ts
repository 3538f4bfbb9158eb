import type { FieldCodec, RecordFields } from '#domain/codec/field-codec.ts';
import { amount, flag, integer, list, nullable, record, text } from '#domain/codec/field-codec.ts';
import { accountClass, accountStatus, assetListing, symbolListing } from '#domain/codec/record-codecs.ts';
import type { Command, CommandKind } from '#domain/command.ts';

/** Kinds that trading sends all day; they have codecs of their own in `command-codec.ts`. */
export type FrequentKind = 'placeOrder' | 'placeOrders' | 'requote' | 'cancelOrder' | 'cancelOrders';
export type SeldomKind = Exclude<CommandKind, FrequentKind>;
export type CommandOf<Kind extends CommandKind> = Extract<Command, { kind: Kind }>;

/** The kind stands before the fields, as its number, so it is not one of them. */
function command<Kind extends SeldomKind>(
  kind: Kind,
  fields: RecordFields<Omit<CommandOf<Kind>, 'kind'>>,
): FieldCodec<CommandOf<Kind>> {
  const body = record(fields);
  return {
    write: (writer, value) => body.write(writer, value),
    read: (reader) => Object.assign({ kind }, body.read(reader)) as unknown as CommandOf<Kind>,
  };
}

/**
 * One codec per kind, fields in the order of their bytes. That order is the format: a changed layout is a new number
 * in `commandNumbers` beside the old one, which stays readable while any journal may hold it.
 */
export const seldomCodecs: { readonly [Kind in SeldomKind]: FieldCodec<CommandOf<Kind>> } = {
  configureAsset: command('configureAsset', { asset: assetListing }),
  configureSymbol: command('configureSymbol', { symbol: symbolListing }),
  configureFeeToken: command('configureFeeToken', { token: integer(), valuedIn: integer(), discountPpm: integer() }),
  openAccount: command('openAccount', {
    uid: integer(),
    name: text(),
    master: nullable(integer()),
    class: accountClass,
    kycLevel: integer(),
    simulated: flag,
  }),
  setAccountStatus: command('setAccountStatus', { account: integer(), status: accountStatus }),
  setAccountTerms: command('setAccountTerms', {
    account: integer(),
    makerFeePpm: nullable(integer()),
    takerFeePpm: nullable(integer()),
    openOrdersMax: integer(),
  }),
  setFeeDeduction: command('setFeeDeduction', { account: integer(), enabled: flag }),
  createApiKey: command('createApiKey', {
    account: integer(),
    accessKey: text(),
    sealedSecret: text(),
    note: text(),
    permissions: integer(),
    ips: list(text()),
  }),
  deleteApiKey: command('deleteApiKey', { account: integer(), accessKey: text() }),
  creditFunds: command('creditFunds', { account: integer(), asset: integer(), amount: amount() }),
  createStpGroup: command('createStpGroup', { master: integer(), name: text() }),
  deleteStpGroup: command('deleteStpGroup', { master: integer(), group: integer() }),
  addToStpGroup: command('addToStpGroup', { master: integer(), group: integer(), members: list(integer()) }),
  removeFromStpGroup: command('removeFromStpGroup', { master: integer(), group: integer(), members: list(integer()) }),
  createListenKey: command('createListenKey', { account: integer(), keyHash: text(), sealedKey: text() }),
  renewListenKey: command('renewListenKey', { account: integer(), keyHash: text() }),
  deleteListenKey: command('deleteListenKey', { account: integer(), keyHash: text() }),
  banAddress: command('banAddress', { address: text(), until: integer(), times: integer() }),
  advanceClock: command('advanceClock', {}),
  assertDigest: command('assertDigest', { at: integer(), digest: text() }),
  activateRules: command('activateRules', { version: integer() }),
  recordQuarantine: command('recordQuarantine', {
    seq: integer(),
    lastSeq: integer(),
    account: nullable(integer()),
    commandKind: text(),
    invariant: text(),
  }),
};
