import { bigMillion, dividedUp } from '#base/whole-numbers.ts';
import type { RejectReason } from '#model/rejection.ts';
import { innerHouse } from '#model/account.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { dividedBy, itself, type UnitValue } from '#engine/state/prices/unit-value.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { isInDoubt } from '#engine/money/network-forks.ts';
import { higherUnitValue, lowerUnitValue } from '#engine/money/valuation.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Terms of dust conversion as they are now. */
export interface DustTerms {
  /** The platform token, which dust becomes. */
  readonly token: AssetId;
  /** What assets are valued in. */
  readonly valuedIn: AssetId;
  /** What is worth less is dust. */
  readonly below: Balance;
  readonly feePpm: number;
}

/** What converting all that is free of an asset would give. Amounts in the smallest unit of each asset. */
export interface DustQuote {
  readonly asset: AssetId;
  /** What would be converted. */
  readonly amount: Balance;
  /** Worth in what the wallet is valued in, rounded down; 0 without a price. */
  readonly value: Balance;
  /** Platform token after the fee. */
  readonly converted: Balance;
  readonly fee: Balance;
  /** Why it cannot be converted; `null`: it can. */
  readonly refusal: RejectReason | null;
}

const nothing = as<Balance>(0n);

/** Terms of dust conversion; `null` before the wallet and the platform token are configured. */
export function dustTerms(state: EngineState): DustTerms | null {
  const rules = state.walletRules.value;
  const feeToken = state.feeToken.value;
  if (rules === null || feeToken === null) return null;
  const { valuedIn, dustBelow, dustFeePpm } = rules;
  return { token: feeToken.token, valuedIn, below: dustBelow, feePpm: dustFeePpm };
}

/**
 * Whether all that is free of an asset can be converted now, and what it gives: the asset at the lower of its guarded
 * price and that of an hour ago, the token at the higher; the worth rounded down, less the fee rounded up, so that
 * nobody gains by converting in small pieces. DEC-WAL-07, DEC-WAL-35, DEC-WAL-64, DEC-WAL-145.
 */
export function dustQuote(state: EngineState, terms: DustTerms, account: AccountId, asset: AssetId): DustQuote {
  const { token, valuedIn, below, feePpm } = terms;
  if (!state.assets.has(asset)) return unpriced(asset, nothing, 'unknownAsset');
  const amount = freeOf(state, account, asset) as Balance;
  const price = asset === token || !isOnline(state, asset, valuedIn) ? null : lowerUnitValue(state, asset);
  const tokenPrice = tokenPriceOf(state, terms);
  if (price === null || tokenPrice === null) return unpriced(asset, amount, 'notConvertible');
  const value = worth(amount, price);
  const gross = worth(amount, dividedBy(price, tokenPrice));
  const fee = as<Balance>(dividedUp(gross * BigInt(feePpm), bigMillion));
  const converted = as<Balance>(gross - fee);
  const quote = { asset, amount, value, converted, fee };
  if (value >= below) return { ...quote, refusal: 'notConvertible' };
  if (converted <= 0n) return { ...quote, refusal: 'nothingLeft' };
  return { ...quote, refusal: gross > freeOf(state, innerHouse.dust, token) ? 'houseHasTooLittle' : null };
}

/** Why an account converts nothing now, whatever it has; `null`: no such reason. DEC-WAL-07, DEC-WAL-102. */
export function refusalOfAll(state: EngineState, account: AccountId): RejectReason | null {
  if (!state.accounts.isUser(account)) return 'unknownAccount';
  if (state.accounts.isUnusable(account)) return 'accountNotUsable';
  if (state.accounts.isOff(account, 'trade')) return 'tradingOffForAccount';
  if (isInDoubt(state, account)) return 'depositInDoubt';
  return state.conversions.areUsedUp(account, state.at) ? 'tooManyConversions' : null;
}

/**
 * Quotes of every asset of which the account has something free, but the platform token, by asset. One that a
 * conversion would not take now has a refusal. DEC-WAL-177.
 */
export function dustQuotes(state: EngineState, account: AccountId): DustQuote[] {
  const terms = dustTerms(state);
  if (terms === null || !state.accounts.isUser(account)) return [];
  const ofAll = refusalOfAll(state, account);
  const most = state.walletRules.value!.dustCallMax;
  return state.assets
    .all()
    .filter(({ id }) => id !== terms.token && freeOf(state, account, id) > 0n)
    .map(({ id }) => {
      const quote = dustQuote(state, terms, account, id);
      return { ...quote, refusal: quote.refusal ?? ofAll ?? (quote.value > most ? 'tooMuchDust' : null) };
    });
}

const unpriced = (asset: AssetId, amount: Balance, refusal: RejectReason): DustQuote => ({
  asset,
  amount,
  value: nothing,
  converted: nothing,
  fee: nothing,
  refusal,
});

/** What the house pays with: the token at the higher of its prices. */
function tokenPriceOf(state: EngineState, { token, valuedIn }: DustTerms): UnitValue | null {
  if (token === valuedIn) return itself;
  return isOnline(state, token, valuedIn) ? higherUnitValue(state, token) : null;
}

/** Whether the direct pair is online: what nobody can trade is not bought. */
const isOnline = (state: EngineState, asset: AssetId, valuedIn: AssetId): boolean =>
  state.symbols.ofAssets(asset, valuedIn)?.rules.status === 'online';

/** Rounded down. */
const worth = (amount: bigint, { numerator, denominator }: UnitValue): Balance =>
  as<Balance>((amount * numerator) / denominator);
