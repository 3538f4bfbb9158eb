import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import type { MarginMode } from '#model/contract.ts';
import type { OrderRequest, Side } from '#model/order.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { dueEvery, nothing } from '#sandbox/agents/agent.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { orderOf, type TradedContract, worstPrice } from '#sandbox/agents/traded-market.ts';

/** Account and state of a gambler. */
export interface GamblerPorts {
  readonly account: AccountId;
  /** That it chooses from. */
  readonly contracts: readonly TradedContract[];
  readonly fold: ParticipantFold;
  readonly prng: Prng;
  /** What stakes are in, and its smallest units in a coin. */
  readonly settle: { readonly asset: AssetId; readonly quantaPerCoin: number };
}

/** A bet that is on. */
interface Bet {
  readonly contract: TradedContract;
  readonly entryTicks: number;
  readonly leverage: number;
  /** Profit on the margin at which it is taken home. */
  readonly target: number;
  readonly endsAt: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const decideEveryMs = 5_000;
const meanBetMs = 4 * hourMs;
const meanPauseMs = hourMs;
/** Median stake and the standard deviation of its logarithm. */
const stake = { usd: 2_500, spread: 0.8, leastUsd: 400, mostUsd: 12_000 } as const;
const leverages = [10, 20, 20, 50, 50, 100, 200] as const;
/** No bet is worth more. */
const mostUsd = 150_000;
/** How far the wish of the crowd moves the chance to be long. */
const withCrowd = 0.35;
/** Greatest distance from the fair price at which it trades. */
const slippage = 0.003;
/** Beyond so many stakes, the rest goes home. */
const stakesKept = 4;

/** Bets on one contract at a time with much leverage, and waits for a profit, for an end, or for the liquidation. */
export function createGambler(ports: GamblerPorts): Agent {
  const { account, fold, prng, settle } = ports;
  let bet: Bet | null = null;
  let pausedUntil = 0;
  const isDue = dueEvery(decideEveryMs);

  const coinsFree = (): number => fold.futuresFree(account, settle.asset) / settle.quantaPerCoin;
  const exponential = (meanMs: number): number => -meanMs * Math.log(1 - prng.next());
  const drawStake = (): number =>
    Math.min(stake.mostUsd, Math.max(stake.leastUsd, stake.usd * Math.exp(stake.spread * prng.gaussian())));
  const transfer = (usd: number, from: 'spot' | 'futures', to: 'spot' | 'futures'): readonly Command[] => {
    const amount = as<Balance>(BigInt(Math.floor(usd)) * BigInt(settle.quantaPerCoin));
    return [{ kind: 'transferFunds', account, from, to, asset: settle.asset, amount, clientTranId: null }];
  };
  const order = (contract: TradedContract, side: Side, price: number, lots: number): OrderRequest =>
    orderOf(contract, side, 'immediateOrCancel', { price, lots });
  const priceOf = (contract: TradedContract, side: Side): number => worstPrice(contract.fairTicks(), side, slippage);

  const close = (contract: TradedContract, lots: number): readonly Command[] => {
    const side = lots > 0 ? 'sell' : 'buy';
    return [{ kind: 'reducePosition', account, order: order(contract, side, priceOf(contract, side), Math.abs(lots)) }];
  };
  const open = (moment: Moment): readonly Command[] => {
    const choices = ports.contracts.filter((contract) => contract.open);
    const contract = choices[prng.below(Math.max(1, choices.length))];
    const wanted = leverages[prng.below(leverages.length)]!;
    const mode: MarginMode = prng.next() < 0.5 ? 'isolated' : 'cross';
    const choice = prng.next();
    const share = 0.5 + 0.45 * prng.next();
    if (contract === undefined) return nothing;
    const side: Side = choice < 0.5 + withCrowd * contract.wish ? 'buy' : 'sell';
    const { tiers, takerFeePpm } = contract.contractRules;
    const leverage = Math.min(wanted, tiers[0]!.maxLeverage);
    const lotsMost = tiers.reduce((most, tier) => (tier.maxLeverage >= leverage ? tier.maxLots : most), 0);
    const fees = takerFeePpm / 1e6 + slippage;
    const usd = Math.min(mostUsd, (coinsFree() * share) / (1 / leverage + fees));
    const price = priceOf(contract, side);
    const lots = Math.min(contract.lotsWorth(usd, price), Math.floor(lotsMost / 2));
    if (lots === 0) return nothing;
    bet = {
      contract,
      entryTicks: contract.fairTicks() * (side === 'buy' ? 1 : -1),
      leverage,
      target: 0.5 + prng.next(),
      endsAt: moment.now + exponential(meanBetMs),
    };
    return [
      { kind: 'setLeverage', account, contract: contract.rules.id, mode, leverage },
      { kind: 'placeOrder', account, order: order(contract, side, price, lots) },
    ];
  };
  const begin = (moment: Moment): readonly Command[] => {
    if (moment.now < pausedUntil) return nothing;
    const coins = coinsFree();
    if (coins < stake.leastUsd) return transfer(drawStake(), 'spot', 'futures');
    const home = coins - stakesKept * stake.mostUsd;
    return home > 0 ? transfer(home, 'futures', 'spot') : open(moment);
  };
  const isOver = ({ contract, entryTicks, leverage, target, endsAt }: Bet, now: number): boolean =>
    now >= endsAt ||
    (Math.sign(entryTicks) * contract.fairTicks() - entryTicks) * leverage >= target * Math.abs(entryTicks);
  const act = (moment: Moment): readonly Command[] => {
    if (!isDue(moment)) return nothing;
    const held = ports.contracts.find((contract) => fold.lots(account, contract.rules.id) !== 0);
    if (held === undefined) {
      if (bet !== null) {
        bet = null;
        pausedUntil = moment.now + exponential(meanPauseMs);
      }
      return begin(moment);
    }
    // A bet from before a restart gets a new end.
    bet ??= { contract: held, entryTicks: 0, leverage: 1, target: 1, endsAt: moment.now + exponential(meanBetMs) };
    if (!held.open || (bet.entryTicks === 0 ? moment.now < bet.endsAt : !isOver(bet, moment.now))) return nothing;
    return close(held, fold.lots(account, held.rules.id));
  };
  return { act };
}
