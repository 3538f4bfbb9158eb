import type { AccountClass, AccountStatus, AccountView, ApiKeyView, ListenKeyView } from '#model/account.ts';
import type { AssetListing, AssetRules } from '#model/asset.ts';
import type { BanView } from '#model/ban.ts';
import type { FieldCodec, RecordFields } from '#model/codec/field-codec.ts';
import { amount, flag, integer, list, nullable, oneOf, record, text } from '#model/codec/field-codec.ts';
import type { OrderKind } from '#model/order.ts';
import type { SymbolListing, SymbolRules, SymbolStatus, TradeSideType } from '#model/symbol.ts';

// Records as bytes, in the journal's seldom commands and in images. The order of fields is the format; so is that of
// the sets below, which are spelled out here whatever the domain's lists do.

/** What an account may do. */
export const accountStatus: FieldCodec<AccountStatus> = oneOf(['normal', 'frozen', 'abnormal']);
/** What an account may call besides what its keys permit. */
export const accountClass: FieldCodec<AccountClass> = oneOf(['user', 'broker', 'affiliate']);
const symbolStatus: FieldCodec<SymbolStatus> = oneOf(['online', 'paused', 'offline']);
const tradeSideType: FieldCodec<TradeSideType> = oneOf(['all', 'buyOnly', 'sellOnly', 'closed']);
const orderKind: FieldCodec<OrderKind> = oneOf(['limit', 'postOnly', 'immediateOrCancel', 'fillOrKill', 'market']);

const assetFields: RecordFields<AssetListing> = {
  code: text(),
  fullName: text(),
  scale: integer(),
  cap: amount(),
  coinId: text(),
};

/** What is asked for when an asset is listed. */
export const assetListing = record<AssetListing>(assetFields);
/** A listed asset. */
export const assetRules = record<AssetRules>({ id: integer(), ...assetFields });

const symbolFields: RecordFields<SymbolListing> = {
  name: text(),
  base: integer(),
  quote: integer(),
  priceDecimals: integer(),
  quantityDecimals: integer(),
  status: symbolStatus,
  tradeSideType,
  orderKinds: list(orderKind),
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
};

/** What is asked for when a symbol is listed. */
export const symbolListing = record<SymbolListing>(symbolFields);
/** A listed symbol. */
export const symbolRules = record<SymbolRules>({ id: integer(), ...symbolFields });

/** An account. */
export const account = record<AccountView>({
  account: integer(),
  uid: integer(),
  name: text(),
  master: integer(),
  class: accountClass,
  status: accountStatus,
  kycLevel: integer(),
  simulated: flag,
  feeDeduction: flag,
  makerFeePpm: nullable(integer()),
  takerFeePpm: nullable(integer()),
  openOrdersMax: integer(),
  openedAt: integer(),
});

/** A key by which an account signs. */
export const apiKey = record<ApiKeyView>({
  accessKey: text(),
  account: integer(),
  note: text(),
  permissions: integer(),
  ips: list(text()),
  sealedSecret: text(),
  createdAt: integer(),
  endsAt: nullable(integer()),
});

/** A token that stands for an account's pushes. */
export const listenKey = record<ListenKeyView>({
  keyHash: text(),
  account: integer(),
  accessKey: text(),
  sealedKey: text(),
  createdAt: integer(),
  expiresAt: integer(),
});

/** An address that may not call. */
export const ban = record<BanView>({ address: text(), until: integer(), times: integer() });
