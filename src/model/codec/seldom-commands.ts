import { accountCommands } from '#model/codec/account-commands.ts';
import { contractCommands } from '#model/codec/contract-commands.ts';
import { amount, flag, integer, list, nullable, oneOf, text } from '#model/codec/field-codec.ts';
import { accountClass, accountStatus, assetListing, symbolListing } from '#model/codec/record-codecs.ts';
import { safetyCommands } from '#model/codec/safety-codecs.ts';
import { command, type SeldomCommand, type SeldomKind } from '#model/codec/seldom-command.ts';
import { priceCommands } from '#model/codec/price-commands.ts';
import { proposalCommands } from '#model/codec/proposal-commands.ts';
import { walletCommands } from '#model/codec/wallet-commands.ts';

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
    unboundLifeMs: nullable(integer()),
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
  createListenKey: command(23, 'createListenKey', {
    account: integer(),
    accessKey: text(),
    keyHash: text(),
    sealedKey: text(),
  }),
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
  recordIdKey: command(94, 'recordIdKey', { sealedKey: text() }),
  cancelFrozenOrders: command(90, 'cancelFrozenOrders', {}),
  endApiKeys: command(91, 'endApiKeys', {}),
  recordProfile: command(75, 'recordProfile', { profile: oneOf(['sandbox', 'production']) }),
  ...walletCommands,
  ...safetyCommands,
  ...priceCommands,
  ...proposalCommands,
  ...accountCommands,
  ...contractCommands,
};
