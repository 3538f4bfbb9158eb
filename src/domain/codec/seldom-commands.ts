import type { AccountClass, AccountStatus } from '#domain/account.ts';
import type { AssetListing } from '#domain/asset.ts';
import type { FieldCodec, RecordFields } from '#domain/codec/field-codec.ts';
import { amount, flag, integer, list, nullable, oneOf, record, text } from '#domain/codec/field-codec.ts';
import type { Command, CommandKind } from '#domain/command.ts';
import type { OrderKind } from '#domain/order.ts';
import type { SymbolListing, SymbolStatus, TradeSideType } from '#domain/symbol.ts';

/** Kinds that trading sends all day; they have codecs of their own in `command-codec.ts`. */
export type FrequentKind = 'placeOrder' | 'placeOrders' | 'requote' | 'cancelOrder' | 'cancelOrders';
export type SeldomKind = Exclude<CommandKind, FrequentKind>;
export type CommandOf<Kind extends CommandKind> = Extract<Command, { kind: Kind }>;

// The sets below are spelled out here because their order is that of the bytes on disk, whatever the domain's lists do.
const statuses: FieldCodec<AccountStatus> = oneOf(['normal', 'frozen', 'abnormal']);
const classes: FieldCodec<AccountClass> = oneOf(['user', 'broker', 'affiliate']);
const symbolStatuses: FieldCodec<SymbolStatus> = oneOf(['online', 'paused', 'offline']);
const tradeSideTypes: FieldCodec<TradeSideType> = oneOf(['all', 'buyOnly', 'sellOnly', 'closed']);
const orderKinds: FieldCodec<OrderKind> = oneOf(['limit', 'postOnly', 'immediateOrCancel', 'fillOrKill', 'market']);

const asset = record<AssetListing>({ code: text(), fullName: text(), scale: integer(), cap: amount(), coinId: text() });

const symbol = record<SymbolListing>({
  name: text(),
  base: integer(),
  quote: integer(),
  priceDecimals: integer(),
  quantityDecimals: integer(),
  status: symbolStatuses,
  tradeSideType: tradeSideTypes,
  orderKinds: list(orderKinds),
  apiTradingAllowed: flag,
  minLots: integer(),
  minNotional: integer(),
  minNotionalMarket: integer(),
  maxNotional: integer(),
  maxNotionalMarket: integer(),
  makerFeePpm: integer(),
  takerFeePpm: integer(),
  bidMultiplierUpPpm: nullable(integer()),
  askMultiplierDownPpm: nullable(integer()),
  collarPpm: integer(),
  fullName: text(),
  contractAddress: text(),
  specialTreatment: flag,
});

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
  configureAsset: command('configureAsset', { asset }),
  configureSymbol: command('configureSymbol', { symbol }),
  configureFeeToken: command('configureFeeToken', { token: integer(), valuedIn: integer(), discountPpm: integer() }),
  openAccount: command('openAccount', {
    uid: integer(),
    name: text(),
    master: nullable(integer()),
    class: classes,
    kycLevel: integer(),
    simulated: flag,
  }),
  setAccountStatus: command('setAccountStatus', { account: integer(), status: statuses }),
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
