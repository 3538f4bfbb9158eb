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
export interface RiskTier {
  readonly maxLots: Lots;
  readonly maintenancePpm: number;
  readonly initialPpm: number;
  readonly maxLeverage: number;
}

/** A linear perpetual contract, in the engine's units. Rates are parts per million. */
export interface ContractRules {
  /** Its market shares the numbers of symbols. */
  readonly id: SymbolId;
  /** For example `BTC_USDT`. */
  readonly name: string;
  /** What its price is of; it need not be held to trade. */
  readonly base: AssetId;
  /** What its price is in, and what profits, fees and margins are paid in. */
  readonly settle: AssetId;
  /** Base coin of one contract, in steps of 10^-sizeDecimals. */
  readonly size: number;
  readonly sizeDecimals: number;
  /** Price tick is 10^-priceDecimals. */
  readonly priceDecimals: number;
  readonly state: ContractState;
  readonly minLots: Lots;
  readonly maxLots: Lots;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
  /** Orders must be priced within this distance of the index. DEC-FUT-07. */
  readonly bidLimitPpm: number;
  readonly askLimitPpm: number;
  /** Greatest distance of a market order's fills from the last price. */
  readonly collarPpm: number;
  /** Greatest distance of the fair price from the index. DEC-FUT-100. */
  readonly fairLimitPpm: number;
  /** Bounds of the funding rate. */
  readonly minFundingPpm: number;
  readonly maxFundingPpm: number;
  /** Hours between two fundings: a divisor of 24. */
  readonly fundingHours: number;
  readonly liquidationFeePpm: number;
  /** Ascending. */
  readonly tiers: readonly RiskTier[];
  readonly createdAt: TimestampMs;
}
/** What is asked for when a contract is listed or changed; the engine gives the rest. */
export type ContractTerms = Omit<ContractRules, 'id' | 'createdAt'>;

/** Decimals of index and fair prices; they are finer than any tick. */
export const markDecimals = 8;

/** What an account holds of a contract. Lots above zero are long, below zero short. */
export interface PositionView {
  readonly account: AccountId;
  readonly contract: SymbolId;
  readonly lots: number;
  /** What the open lots cost, with the sign of the lots, in the settle asset. */
  readonly cost: Balance;
  readonly mode: MarginMode;
  readonly leverage: number;
  /** What is held for it. */
  readonly margin: Balance;
  /** Since the position was opened. */
  readonly realised: Balance;
  readonly openedAt: TimestampMs;
  readonly updatedAt: TimestampMs;
}

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
