import type { FieldCodec, RecordFields } from '#domain/codec/field-codec.ts';
import { amount, flag, integer, list, nullable, record, text } from '#domain/codec/field-codec.ts';
import { accountClass, accountStatus, assetListing, symbolListing } from '#domain/codec/record-codecs.ts';
import type { Command, CommandKind } from '#domain/command.ts';

/** Kinds that trading sends all day; they have codecs of their own in `command-codec.ts`. */
export type FrequentKind = 'placeOrder' | 'placeOrders' | 'requote' | 'cancelOrder' | 'cancelOrders';
export type SeldomKind = Exclude<CommandKind, FrequentKind>;
export type CommandOf<Kind extends CommandKind> = Extract<Command, { kind: Kind }>;

/** A kind of command in the journal. */
export interface SeldomCommand<Kind extends SeldomKind> extends FieldCodec<CommandOf<Kind>> {
  /** Its first byte. */
  readonly number: number;
}

/** The kind stands before the fields, as its number, so it is not one of them. */
function command<Kind extends SeldomKind>(
  number: number,
  kind: Kind,
  fields: RecordFields<Omit<CommandOf<Kind>, 'kind'>>,
): SeldomCommand<Kind> {
  const body = record(fields);
  return {
    number,
    write: (writer, value) => body.write(writer, value),
    read: (reader) => Object.assign({ kind }, body.read(reader)) as unknown as CommandOf<Kind>,
  };
}

/**
 * One declaration per kind: its number, and its fields in the order of their bytes. That is the format: a number once
 * given keeps its kind and layout for ever, a changed layout is a new number beside the old one, which stays readable
 * while any journal may hold it.
 */
export const seldomCommands: { readonly [Kind in SeldomKind]: SeldomCommand<Kind> } = {
  configureAsset: command(6, 'configureAsset', { asset: assetListing }),
  configureSymbol: command(7, 'configureSymbol', { symbol: symbolListing }),
  configureFeeToken: command(8, 'configureFeeToken', { token: integer(), valuedIn: integer(), discountPpm: integer() }),
  openAccount: command(9, 'openAccount', {
    uid: integer(),
    name: text(),
    master: nullable(integer()),
    class: accountClass,
    kycLevel: integer(),
    simulated: flag,
  }),
  setAccountStatus: command(10, 'setAccountStatus', { account: integer(), status: accountStatus }),
  setAccountTerms: command(11, 'setAccountTerms', {
    account: integer(),
    makerFeePpm: nullable(integer()),
    takerFeePpm: nullable(integer()),
    openOrdersMax: integer(),
  }),
  setFeeDeduction: command(12, 'setFeeDeduction', { account: integer(), enabled: flag }),
  createApiKey: command(13, 'createApiKey', {
    account: integer(),
    accessKey: text(),
    sealedSecret: text(),
    note: text(),
    permissions: integer(),
    ips: list(text()),
  }),
  deleteApiKey: command(14, 'deleteApiKey', { account: integer(), accessKey: text() }),
  creditFunds: command(15, 'creditFunds', { account: integer(), asset: integer(), amount: amount() }),
  createStpGroup: command(16, 'createStpGroup', { master: integer(), name: text() }),
  deleteStpGroup: command(17, 'deleteStpGroup', { master: integer(), group: integer() }),
  addToStpGroup: command(18, 'addToStpGroup', { master: integer(), group: integer(), members: list(integer()) }),
  removeFromStpGroup: command(19, 'removeFromStpGroup', {
    master: integer(),
    group: integer(),
    members: list(integer()),
  }),
  createListenKey: command(23, 'createListenKey', { account: integer(), keyHash: text(), sealedKey: text() }),
  renewListenKey: command(24, 'renewListenKey', { account: integer(), keyHash: text() }),
  deleteListenKey: command(25, 'deleteListenKey', { account: integer(), keyHash: text() }),
  banAddress: command(20, 'banAddress', { address: text(), until: integer(), times: integer() }),
  advanceClock: command(21, 'advanceClock', {}),
  assertDigest: command(22, 'assertDigest', { at: integer(), digest: text() }),
  activateRules: command(26, 'activateRules', { version: integer() }),
  recordQuarantine: command(27, 'recordQuarantine', {
    seq: integer(),
    lastSeq: integer(),
    account: nullable(integer()),
    commandKind: text(),
    invariant: text(),
  }),
};
