import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import type { MarginMode } from '#model/contract.ts';
import type { Side } from '#model/order.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { isEarly, nothing, pauseOf } from '#sandbox/agents/agent.ts';
import type { ContractPair } from '#sandbox/agents/contract-pair.ts';
import { orderOf } from '#sandbox/agents/market-pair.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';

/** Account and state of a gambler. */
export interface GamblerPorts {
  readonly account: AccountId;
  /** Contracts that it chooses from. */
  readonly pairs: readonly ContractPair[];
  readonly fold: ParticipantFold;
  readonly prng: Prng;
  /** What stakes are in, and its smallest units in a coin. */
  readonly settle: { readonly asset: AssetId; readonly quantaPerCoin: number };
}

/** A bet that is on. */
interface Bet {
  readonly pair: ContractPair;
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
  let dueAt = 0;

  const coinsFree = (): number => fold.futuresFree(account, settle.asset) / settle.quantaPerCoin;
  const exponential = (meanMs: number): number => -meanMs * Math.log(1 - prng.next());
  const drawStake = (): number =>
    Math.min(stake.mostUsd, Math.max(stake.leastUsd, stake.usd * Math.exp(stake.spread * prng.gaussian())));
  const transfer = (usd: number, from: 'spot' | 'futures', to: 'spot' | 'futures'): readonly Command[] => {
    const amount = as<Balance>(BigInt(Math.floor(usd)) * BigInt(settle.quantaPerCoin));
    return [{ kind: 'transferFunds', account, from, to, asset: settle.asset, amount, clientTranId: null }];
  };
  const priceOf = (pair: ContractPair, side: Side): number =>
    Math.max(1, Math.round(pair.fairTicks() * (side === 'buy' ? 1 + slippage : 1 - slippage)));

  const close = (pair: ContractPair, lots: number): readonly Command[] => {
    const side = lots > 0 ? 'sell' : 'buy';
    const order = orderOf(pair, side, 'immediateOrCancel', { price: priceOf(pair, side), lots: Math.abs(lots) });
    return [{ kind: 'reducePosition', account, order }];
  };
  const open = (moment: Moment): readonly Command[] => {
    const choices = ports.pairs.filter((pair) => pair.open);
    const pair = choices[prng.below(Math.max(1, choices.length))];
    const wanted = leverages[prng.below(leverages.length)]!;
    const mode: MarginMode = prng.next() < 0.5 ? 'isolated' : 'cross';
    const choice = prng.next();
    const share = 0.5 + 0.45 * prng.next();
    if (pair === undefined) return nothing;
    const side: Side = choice < 0.5 + withCrowd * pair.wish ? 'buy' : 'sell';
    const tiers = pair.contract.tiers;
    const leverage = Math.min(wanted, tiers[0]!.maxLeverage);
    const lotsMost = tiers.reduce((most, tier) => (tier.maxLeverage >= leverage ? tier.maxLots : most), 0);
    const fees = pair.contract.takerFeePpm / 1e6 + slippage;
    const usd = Math.min(mostUsd, (coinsFree() * share) / (1 / leverage + fees));
    const price = priceOf(pair, side);
    const lots = Math.min(pair.lotsWorth(usd, price), Math.floor(lotsMost / 2));
    if (lots === 0) return nothing;
    bet = {
      pair,
      entryTicks: pair.fairTicks() * (side === 'buy' ? 1 : -1),
      leverage,
      target: 0.5 + prng.next(),
      endsAt: moment.now + exponential(meanBetMs),
    };
    const order = orderOf(pair, side, 'immediateOrCancel', { price, lots });
    return [
      { kind: 'setLeverage', account, contract: pair.rules.id, mode, leverage },
      { kind: 'placeOrder', account, order },
    ];
  };
  const begin = (moment: Moment): readonly Command[] => {
    if (moment.now < pausedUntil) return nothing;
    const coins = coinsFree();
    if (coins < stake.leastUsd) return transfer(drawStake(), 'spot', 'futures');
    const home = coins - stakesKept * stake.mostUsd;
    return home > 0 ? transfer(home, 'futures', 'spot') : open(moment);
  };
  const isOver = ({ pair, entryTicks, leverage, target, endsAt }: Bet, now: number): boolean =>
    now >= endsAt ||
    (Math.sign(entryTicks) * pair.fairTicks() - entryTicks) * leverage >= target * Math.abs(entryTicks);
  const act = (moment: Moment): readonly Command[] => {
    const everyMs = pauseOf(decideEveryMs, moment);
    if (isEarly(moment.now, dueAt, everyMs)) return nothing;
    dueAt = moment.now + everyMs;
    const held = ports.pairs.find((pair) => fold.lots(account, pair.rules.id) !== 0);
    if (held === undefined) {
      if (bet !== null) {
        bet = null;
        pausedUntil = moment.now + exponential(meanPauseMs);
      }
      return begin(moment);
    }
    // A bet from before a restart gets a new end.
    bet ??= { pair: held, entryTicks: 0, leverage: 1, target: 1, endsAt: moment.now + exponential(meanBetMs) };
    if (!held.open || (bet.entryTicks === 0 ? moment.now < bet.endsAt : !isOver(bet, moment.now))) return nothing;
    return close(held, fold.lots(account, held.rules.id));
  };
  return { act };
}
