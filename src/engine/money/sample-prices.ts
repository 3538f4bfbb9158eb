import type { AssetId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { guardedPrice } from '#engine/money/guarded-price.ts';
import type { EngineState } from '#engine/state/state.ts';

const minuteMs = 60_000;
/** Minutes between two samples of every asset. */
const sampleMinutes = 5;

/**
 * Samples guarded prices once a minute, before the first command in it: of the platform token for commissions, and each
 * five minutes of every asset for the trail. DEC-WAL-142, DEC-WAL-146.
 */
export function samplePrices(state: EngineState): void {
  const { priceTrail, at } = state;
  if (at < priceTrail.dueAt) return;
  const minute = Math.floor(at / minuteMs);
  const period = Math.floor(minute / sampleMinutes);
  const lastPeriod = Math.floor((priceTrail.dueAt / minuteMs - 1) / sampleMinutes);
  priceTrail.dueAt = as<TimestampMs>((minute + 1) * minuteMs);
  refreshTokenPrice(state);
  const rules = state.walletRules.value;
  if (period !== lastPeriod && rules !== null) sampleAll(state, rules.valuedIn);
}

/** Computes the price of the platform token anew: each minute, and when what decides about it was changed. */
export function refreshTokenPrice(state: EngineState): void {
  const feeToken = state.feeToken.value;
  state.priceTrail.token =
    feeToken === null ? null : (guardedPrice(state, feeToken.token, feeToken.valuedIn)?.low ?? null);
}

function sampleAll(state: EngineState, valuedIn: AssetId): void {
  for (const { id } of state.assets.all()) {
    if (state.symbols.ofBase(id).length === 0 && state.referencePrices.find(id) === null) continue;
    const price = guardedPrice(state, id, valuedIn);
    if (price !== null) state.priceTrail.add(id, state.at, price);
  }
}
