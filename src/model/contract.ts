import { type ValueOf, amount, integer, list, omit, oneOf, record, text, time } from '#model/codec/field-codec.ts';
import type { AccountId, AssetId, Balance, Lots, PriceTicks, Quanta, SymbolId, TimestampMs } from '#model/units.ts';

/** In the order of the numbers on the wire, which count from 0. SPEC-FUT-05. */
export const contractStates = ['enabled', 'delivery', 'delivered', 'offline', 'paused'] as const;
export type ContractState = (typeof contractStates)[number];
/** Whether a contract in this state has neither orders nor positions, for good. DEC-FUT-09. */
export const hasEnded = (state: ContractState): boolean => state === 'delivered' || state === 'offline';

/** How the margin of a position is kept: apart from all else, or together with the whole futures wallet. */
export const marginModes = ['isolated', 'cross'] as const;
export type MarginMode = (typeof marginModes)[number];

/** A tier of risk: positions up to `maxLots` need these margins. Rates are parts per million. DEC-FUT-08. */
export const riskTier = record({
  maxLots: integer<Lots>(),
  maintenancePpm: integer(),
  initialPpm: integer(),
  maxLeverage: integer(),
});
export type RiskTier = ValueOf<typeof riskTier>;

/** A linear perpetual contract, in the engine's units. Rates are parts per million. */
export const contractRules = record({
  /** Its market shares the numbers of symbols. */
  id: integer<SymbolId>(),
  /** For example `BTC_USDT`. */
  name: text(),
  /** What its price is of; it need not be held to trade. */
  base: integer<AssetId>(),
  /** What its price is in, and what profits, fees and margins are paid in. */
  settle: integer<AssetId>(),
  /** Base coin of one contract, in steps of 10^-sizeDecimals. */
  size: integer(),
  sizeDecimals: integer(),
  /** Price tick is 10^-priceDecimals. */
  priceDecimals: integer(),
  state: oneOf(contractStates),
  minLots: integer<Lots>(),
  maxLots: integer<Lots>(),
  makerFeePpm: integer(),
  takerFeePpm: integer(),
  /** Orders must be priced within this distance of the index. DEC-FUT-07. */
  bidLimitPpm: integer(),
  askLimitPpm: integer(),
  /** Greatest distance of a market order's fills from the last price. */
  collarPpm: integer(),
  /** Greatest distance of the fair price from the index. DEC-FUT-100. */
  fairLimitPpm: integer(),
  /** Bounds of the funding rate. */
  minFundingPpm: integer(),
  maxFundingPpm: integer(),
  /** Hours between two fundings: a divisor of 24. */
  fundingHours: integer(),
  liquidationFeePpm: integer(),
  /** Ascending. */
  tiers: list(riskTier),
  createdAt: time(),
});
export type ContractRules = ValueOf<typeof contractRules>;
/** What is asked for when a contract is listed or changed; the engine gives the rest. */
export const contractListing = record(omit(contractRules, 'id', 'createdAt'));
export type ContractListing = ValueOf<typeof contractListing>;

/** Decimals of index and fair prices; they are finer than any tick. */
export const markDecimals = 8;

/** What an account holds of a contract. Lots above zero are long, below zero short. */
export const position = record({
  account: integer<AccountId>(),
  contract: integer<SymbolId>(),
  lots: integer(),
  /** What the open lots cost, with the sign of the lots, in the settle asset. */
  cost: amount(),
  mode: oneOf(marginModes),
  leverage: integer(),
  /** What is held for it. */
  margin: amount(),
  /** Since the position was opened. */
  realised: amount(),
  openedAt: time(),
  updatedAt: time(),
});
export type PositionView = ValueOf<typeof position>;

/** Prices of a contract as the engine has them now, in steps of 10^-markDecimals; 0: not known. */
export interface MarkView {
  readonly contract: SymbolId;
  readonly index: number;
  readonly fair: number;
  /** Of the last funding, in parts per 10^8. */
  readonly fundingRate: number;
  /** What the rate would be if the cycle ended now. */
  readonly predictedRate: number;
  readonly nextFundingAt: TimestampMs;
  /** Long positions of all accounts, in lots. */
  readonly openInterest: number;
  /** Balance of the insurance fund. */
  readonly fund: Balance;
  readonly at: TimestampMs;
}

/** A funding that was settled. DEC-FUT-14. */
export interface FundingSettlement {
  readonly contract: SymbolId;
  readonly at: TimestampMs;
  /** In parts per 10^8: longs pay it to shorts; below zero shorts pay. */
  readonly rate: number;
  readonly fair: number;
  /** What payers paid, and what receivers received; the rest of rounding went to the house. */
  readonly paid: Balance;
  readonly received: Balance;
}

/** How a position came to change without an order of its account. */
export const takeoverReasons = ['liquidation', 'deleveraging', 'delivery'] as const;
export type TakeoverReason = (typeof takeoverReasons)[number];

/** A position, or a part of it, that was taken from an account. */
export interface Takeover {
  readonly reason: TakeoverReason;
  readonly contract: SymbolId;
  readonly account: AccountId;
  readonly lots: number;
  /** Bankruptcy price, or the fair price of a delivery, in ticks. */
  readonly price: PriceTicks;
  readonly realised: Balance;
  readonly fee: Quanta;
  /** Paid by the insurance fund, below zero to it. */
  readonly fromFund: Balance;
  readonly at: TimestampMs;
}

/** What happened to contracts and positions, each with the whole record as it is now. */
export type ContractFact =
  | { readonly kind: 'contractConfigured'; readonly contract: ContractRules }
  /** Once per contract and second. */
  | { readonly kind: 'markUpdated'; readonly mark: MarkView }
  | { readonly kind: 'fundingSettled'; readonly funding: FundingSettlement }
  | { readonly kind: 'positionTaken'; readonly takeover: Takeover }
  /** Every four hours. DEC-FUT-17. */
  | {
      readonly kind: 'fundSnapshot';
      readonly contract: SymbolId;
      readonly available: Balance;
      readonly at: TimestampMs;
    };
