import { house } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import type { Product, RebatePayout } from '#model/rebate.ts';
import { as, toAmount } from '#model/units.ts';
import { ofPpm, roundedDown, times, whole } from './fraction.ts';
import { type Fee, worthOf } from './naive-fees.ts';
import { post } from './naive-settlement.ts';
import type { NaiveAccount, NaiveOrder, NaivePending, NaiveState, NaiveSymbol } from './naive-state.ts';
import { notionalOf } from './naive-state.ts';

type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

const dayMs = 24 * 60 * 60 * 1000;
const half = 500_000;
/** Rates of an inviter that has none of its own: 20 %, 5 % and 2 %, nothing given back. DEC-SUB-05. */
const defaults = { referralPpm: 200_000, subAffiliatePpm: 50_000, thirdPpm: 20_000, kickbackPpm: 0 };

const accountOf = (state: NaiveState, id: number): NaiveAccount => state.accounts[id] as NaiveAccount;
const ratesOf = (state: NaiveState, inviter: number, product: Product) =>
  state.rates.get(`${inviter}/${product}`) ?? defaults;

/** Whose commission it is: the payer's master's, unless that is the broker that the payer belongs to. DEC-SUB-29. */
function sourceOf(state: NaiveState, payer: number): NaiveAccount {
  const account = accountOf(state, payer);
  return account.isOfBroker ? account : accountOf(state, account.master);
}

/** Inviters of a source from its own upwards, at most three. */
function invitersOf(state: NaiveState, source: NaiveAccount): number[] {
  const inviters: number[] = [];
  for (let next = source.inviter; next !== null && inviters.length < 3; next = accountOf(state, next).inviter)
    inviters.push(next);
  return inviters;
}

interface NaiveShare {
  readonly beneficiary: number;
  readonly ppm: number;
  readonly amount: bigint;
}
const nobody: NaiveShare = { beneficiary: 0, ppm: 0, amount: 0n };

/** What each gets of a commission: referral, sub-affiliate, third, kickback. */
function sharesOf(state: NaiveState, source: NaiveAccount, commission: bigint, product: Product): NaiveShare[] {
  const rates = (of: number) => ratesOf(state, of, product);
  const [inviter, above, farthest] = invitersOf(state, source) as [number, number?, number?];
  const of = (ppm: number): bigint => roundedDown(times(whole(commission), ofPpm(ppm)));
  const { referralPpm, kickbackPpm } = rates(inviter);
  // What would go beyond half of the commission is taken from the farthest level first.
  const second = above === undefined ? 0 : Math.min(rates(above).subAffiliatePpm, half - referralPpm);
  const third = farthest === undefined ? 0 : Math.min(rates(farthest).thirdPpm, half - referralPpm - second);
  if (farthest !== undefined && third < rates(farthest).thirdPpm) state.meet('rebate of the third level cut');
  if (farthest !== undefined) state.meet('rebate of three levels');
  if (above !== undefined && of(second) === 0n && commission > 0n) state.meet('rebate rounded to nothing');
  if (kickbackPpm > 0 && of(kickbackPpm) > 0n) state.meet('rebate with a kickback');
  return [
    { beneficiary: inviter, ppm: referralPpm - kickbackPpm, amount: of(referralPpm) - of(kickbackPpm) },
    above === undefined ? nobody : { beneficiary: above, ppm: second, amount: of(second) },
    farthest === undefined ? nobody : { beneficiary: farthest, ppm: third, amount: of(third) },
    kickbackPpm === 0 ? nobody : { beneficiary: source.id, ppm: kickbackPpm, amount: of(kickbackPpm) },
  ];
}

/** A unit's worth in what the wallet is valued in; the trade's price is the last one by now. */
function unitWorth(state: NaiveState, asset: number): [number, number] {
  const worth = state.valuedIn === null ? null : worthOf(state, asset, state.valuedIn);
  return worth === null ? [0, 0] : [Number(worth.over), Number(worth.under)];
}

/** One side of a trade, and what it paid. */
export interface NaivePaidSide {
  readonly product: Product;
  readonly symbol: number;
  readonly trade: number;
  readonly account: number;
  readonly order: number;
  readonly isMaker: boolean;
  readonly fee: Fee;
  /** What was traded, in the quote or settle asset. */
  readonly turnover: bigint;
  readonly quote: number;
}

/** Gives the inviters of one side of the last trade of a pair their shares of its fee. */
export function accrue(state: NaiveState, order: NaiveOrder, fill: { fee: Fee; lots: number; isMaker: boolean }): void {
  const { fee, lots, isMaker } = fill;
  const symbol = state.symbols[order.request.symbol] as NaiveSymbol;
  const { id, lastTrade: trade, lastPrice, listing } = symbol;
  const turnover = notionalOf(state, symbol, lastPrice as number, lots);
  const { account, number } = order;
  const of = { product: 'spot', symbol: id, trade, account, order: number, isMaker } as const;
  accrueSide(state, { ...of, fee, turnover, quote: listing.quote });
}

/** Gives the inviters of one side of a trade their shares of its fee. DEC-SUB-05, DEC-SUB-21, DEC-FUT-73. */
export function accrueSide(state: NaiveState, side: NaivePaidSide): void {
  const { product, account, isMaker, fee } = side;
  const source = sourceOf(state, account);
  if (source.inviter === null) return;
  const shares = sharesOf(state, source, fee.amount, product);
  const sum = shares.reduce((total, { amount }) => total + amount, 0n);
  const leg = { asset: fee.asset, why: 'rebate', order: side.order } as const;
  post(state, { ...leg, account: house.fees, free: -sum });
  post(state, { ...leg, account: house.rebates, free: sum });
  const day = state.at - (state.at % dayMs);
  for (const { beneficiary, amount } of shares)
    if (amount > 0n) state.pending.push({ day, beneficiary, source: source.id, asset: fee.asset, amount });
  state.lastAccrual += 1;
  if (isMaker) state.meet('rebate of a maker');
  if (source.id !== account) state.meet('rebate of a sub-account');
  if (source.isOfBroker) state.meet('rebate of a broker');
  if (fee.asset === state.feeToken?.token && fee.amount > 0n) state.meet('rebate in the token');
  if (fee.amount === 0n) state.meet('rebate of nothing');
  state.events.push({
    kind: 'rebateAccrued',
    accrual: {
      accrual: state.lastAccrual,
      product,
      symbol: as(side.symbol),
      trade: as(side.trade),
      payer: as(account),
      source: as(source.id),
      code: source.code,
      isMaker,
      asset: as(fee.asset),
      commission: as(Number(fee.amount)),
      turnover: as(Number(side.turnover)),
      beneficiaries: shares.map(({ beneficiary }) => as(beneficiary)),
      ratesPpm: shares.map(({ ppm }) => ppm),
      amounts: shares.map(({ amount }) => as(Number(amount))),
      assetValue: unitWorth(state, fee.asset),
      quoteValue: unitWorth(state, side.quote),
    },
  });
}

/** Sums of what is pending, by beneficiary, then asset. */
function sumsOf(pending: readonly NaivePending[]): RebatePayout[] {
  const sums = new Map<string, RebatePayout>();
  for (const { beneficiary, asset, amount } of pending) {
    const key = `${beneficiary}/${asset}`;
    const sum = (sums.get(key)?.amount ?? 0n) + amount;
    sums.set(key, { beneficiary: as(beneficiary), asset: as(asset), amount: as(sum) });
  }
  return [...sums.values()].sort(
    (first, second) => first.beneficiary - second.beneficiary || first.asset - second.asset,
  );
}

/** Pays all of a day that is over, unless an older one waits; few enough here for one command. DEC-SUB-22. */
export function settle(state: NaiveState, { day }: CommandOf<'settleRebates'>): void {
  const isOver = day % dayMs === 0 && day + dayMs <= state.at;
  if (!isOver || state.pending.some((each) => each.day < day)) {
    state.meet('settlement refused');
    return;
  }
  const payouts = sumsOf(state.pending.filter((each) => each.day === day));
  state.pending = state.pending.filter((each) => each.day !== day);
  state.meet(payouts.length === 0 ? 'settlement of nothing' : 'settlement');
  for (const { beneficiary, asset, amount } of payouts) {
    const leg = { asset, why: 'rebate', order: null } as const;
    post(state, { ...leg, account: house.rebates, free: -amount });
    post(state, { ...leg, account: beneficiary, free: amount });
  }
  state.events.push({ kind: 'rebatesSettled', day, payouts, isDone: true });
}

/** Gives back to fees what waits for a beneficiary on a day, from one source or from all. DEC-SUB-22. */
export function reject(state: NaiveState, { beneficiary, source, day }: CommandOf<'rejectRebates'>): void {
  const isRejected = (each: NaivePending): boolean =>
    each.beneficiary === beneficiary && each.day === day && (source === null || each.source === source);
  const sums = sumsOf(state.pending.filter(isRejected));
  if (sums.length === 0) {
    state.meet('rejection of nothing');
    return;
  }
  state.meet(source === null ? 'rejection of all' : 'rejection of one source');
  state.pending = state.pending.filter((each) => !isRejected(each));
  for (const { asset, amount } of sums) {
    const leg = { asset, why: 'rebate', order: null } as const;
    post(state, { ...leg, account: house.rebates, free: -amount });
    post(state, { ...leg, account: house.fees, free: amount });
  }
  const amounts = sums.map(({ asset, amount }) => ({ asset, amount: toAmount(amount) }));
  state.events.push({ kind: 'rebatesRejected', beneficiary, source, day, amounts });
}
