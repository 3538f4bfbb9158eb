import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import type { ContractListing } from '#model/contract.ts';
import { markDecimals } from '#model/contract.ts';
import type { OrderRequest } from '#model/order.ts';
import { as, type AccountId, type AssetId, type Balance, type SymbolId } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';
import { asset, firstUser, openingSymbols } from '../oracle/opening.ts';

const traders = Array.from({ length: 6 }, (_, index) => as<AccountId>(firstUser + index));
const settle = as<AssetId>(asset.usdt);
const priceDecimals = 1;
/** Price in ticks from which the index goes its way. */
const home = 5000;

const terms = (name: string, base: number): ContractListing => ({
  name,
  base: as<AssetId>(base),
  settle,
  size: 1,
  sizeDecimals: 4,
  priceDecimals,
  state: 'enabled',
  minLots: as(1),
  maxLots: as(1000),
  makerFeePpm: 100,
  takerFeePpm: 400,
  fairLimitPpm: 10_000,
  bidLimitPpm: 500_000,
  askLimitPpm: 500_000,
  collarPpm: 500_000,
  minFundingPpm: 1000,
  maxFundingPpm: 1800,
  fundingHours: 8,
  liquidationFeePpm: 400,
  tiers: [
    { maxLots: as(300), maintenancePpm: 5_000, initialPpm: 10_000, maxLeverage: 100 },
    { maxLots: as(1000), maintenancePpm: 20_000, initialPpm: 50_000, maxLeverage: 20 },
  ],
});

/** Ids of the contracts, which come after the pairs. */
const contracts = [0, 1].map((index) => as<SymbolId>(openingSymbols.length + index));

const pricesOf = (ticks: readonly number[]): Command => ({
  kind: 'updateIndices',
  prices: contracts.map((contract, index) => ({
    contract,
    price: ticks[index]! * 10 ** (markDecimals - priceDecimals),
  })),
});

/** Lists two contracts and gives six accounts some money for them; the settle coin can be transferred by then. */
export const contractOpening: readonly Command[] = [
  { kind: 'configureContract', contract: terms('BTC_USDT', asset.btc) },
  { kind: 'configureContract', contract: terms('ETH_USDT', asset.eth) },
  ...traders.map(
    (account): Command => ({
      ...{ kind: 'transferFunds', account, from: 'spot', to: 'futures', asset: settle, clientTranId: null },
      amount: as<Balance>(3_000_000n),
    }),
  ),
  ...contracts.map((contract): Command => ({ kind: 'fundInsurance', contract, amount: as<Balance>(100_000n) })),
  pricesOf([home, home]),
];

const pick = <Value>(prng: Prng, values: readonly Value[]): Value => values[prng.below(values.length)] as Value;

/** Something about contracts: prices, orders that stake much, settings. Not all of it is accepted. */
export function contractCommand(state: EngineState, prng: Prng): Command {
  const roll = prng.below(100);
  if (roll < 30) return pricesOf(contracts.map((contract) => movedPrice(state, prng, contract)));
  const account = pick(prng, traders);
  const contract = pick(prng, contracts);
  if (roll < 38) {
    const mode = pick(prng, ['isolated', 'cross'] as const);
    return { kind: 'setLeverage', account, contract, mode, leverage: pick(prng, [10, 50, 100]) };
  }
  if (roll < 90) return { kind: 'placeOrder', account, order: orderOf(state, prng, { account, contract }) };
  const position = state.positions.of(account)[0];
  if (position === undefined) return { kind: 'fundInsurance', contract, amount: as<Balance>(1000n) };
  const order = orderOf(state, prng, position);
  const side = position.lots > 0 ? 'sell' : 'buy';
  return { kind: 'reducePosition', account, order: { ...order, side, kind: 'immediateOrCancel' } };
}

const ticksOf = (state: EngineState, contract: SymbolId): number =>
  Math.round(state.marks.indexOf(contract) / 10 ** (markDecimals - priceDecimals)) || home;

/** Within a tenth and ten times of the price at the start, now and then far off the last one. */
function movedPrice(state: EngineState, prng: Prng, contract: SymbolId): number {
  const moves = [0, 1, -1, 5, -5, 10, -10, 150, -150];
  const wanted = Math.round(ticksOf(state, contract) * (1 + pick(prng, moves) / 1000));
  return Math.max(home / 10, Math.min(home * 10, wanted));
}

/** A limit order near the index, on the side to which its account is given. */
function orderOf(
  state: EngineState,
  prng: Prng,
  { account, contract }: { readonly account: AccountId; readonly contract: SymbolId },
): OrderRequest {
  const ticks = ticksOf(state, contract);
  const side = (account % 2 === 0) === prng.below(4) > 0 ? 'buy' : 'sell';
  return {
    symbol: contract,
    side,
    kind: pick(prng, ['limit', 'limit', 'limit', 'immediateOrCancel'] as const),
    price: as(Math.max(1, ticks + prng.below(5) - 2)),
    quantity: as(1 + prng.below(pick(prng, [5, 60, 400]))),
    budget: null,
    clientOrderId: null,
    stpMode: 'none',
  };
}
