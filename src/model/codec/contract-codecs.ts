import {
  amount,
  integer,
  list,
  oneOf,
  record,
  text,
  type FieldCodec,
  type RecordFields,
} from '#model/codec/field-codec.ts';
import type {
  ContractRules,
  ContractState,
  ContractTerms,
  MarginMode,
  PositionView,
  RiskTier,
} from '#model/contract.ts';

// Records of contracts as bytes, in the journal's commands and in images. The order of fields is the format; so is
// that of the sets, which are spelled out here whatever the domain's lists do.

/** What can be done with a contract. */
export const contractState: FieldCodec<ContractState> = oneOf([
  'enabled',
  'delivery',
  'delivered',
  'offline',
  'paused',
]);
/** How the margin of a position is kept. */
export const marginMode: FieldCodec<MarginMode> = oneOf(['isolated', 'cross']);

const riskTier = record<RiskTier>({
  maxLots: integer(),
  maintenancePpm: integer(),
  initialPpm: integer(),
  maxLeverage: integer(),
});

const termFields: RecordFields<ContractTerms> = {
  name: text(),
  base: integer(),
  settle: integer(),
  size: integer(),
  sizeDecimals: integer(),
  priceDecimals: integer(),
  state: contractState,
  minLots: integer(),
  maxLots: integer(),
  makerFeePpm: integer(),
  takerFeePpm: integer(),
  bidLimitPpm: integer(),
  askLimitPpm: integer(),
  collarPpm: integer(),
  fairLimitPpm: integer(),
  minFundingPpm: integer(),
  maxFundingPpm: integer(),
  fundingHours: integer(),
  liquidationFeePpm: integer(),
  tiers: list(riskTier),
};

/** What is asked for when a contract is listed. */
export const contractTerms = record<ContractTerms>(termFields);
/** A listed contract. */
export const contractRules = record<ContractRules>({ id: integer(), ...termFields, createdAt: integer() });

/** What an account holds of a contract. */
export const position = record<PositionView>({
  account: integer(),
  contract: integer(),
  lots: integer(),
  cost: amount(),
  mode: marginMode,
  leverage: integer(),
  margin: amount(),
  realised: amount(),
  openedAt: integer(),
  updatedAt: integer(),
});
