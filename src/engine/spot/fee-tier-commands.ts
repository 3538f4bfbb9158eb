import { dayMs } from '#base/calendar.ts';
import { isWhole } from '#base/whole-numbers.ts';
import { type AccountFeeTier, feeTierDayOf, feeTierFault, reachedTier } from '#model/fee-tier.ts';
import { houseAccountCount } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import { type AccountId, as, type AssetId, type Balance, type TimestampMs } from '#model/units.ts';
import { type CommandFunction, refuse } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';

const midnightAfter = (at: TimestampMs): TimestampMs => as<TimestampMs>(feeTierDayOf(at) + dayMs);

/** Sets the tiers from the next midnight on; `null`: there are none from now on. DEC-OPR-210. */
const setFeeTiers: CommandFunction<'setFeeTiers'> = (state, { table }) => {
  const { feeTiers, tradeVolumes, walletRules, feeToken, at, emit } = state;
  if (table === null) {
    feeTiers.clear();
    tradeVolumes.clear();
    emit.fact({ kind: 'feeTiersSet', table });
    return;
  }
  if (walletRules.value === null) return refuse(state, 'walletNotConfigured');
  const token = feeToken.value?.token ?? null;
  if (table.valuedIn !== walletRules.value.valuedIn || feeTierFault(table.tiers, token) !== null)
    return refuse(state, 'invalidConfiguration');
  if (feeTiers.table?.valuedIn !== table.valuedIn) tradeVolumes.clear();
  feeTiers.set(table, midnightAfter(at));
  emit.fact({ kind: 'feeTiersSet', table });
};

/** Gives the next accounts the tiers of the day that has begun, from what the state says of it. DEC-OPR-213. */
const assignFeeTiers: CommandFunction<'assignFeeTiers'> = (state, { day, count }) => {
  const { feeTiers, accounts, emit } = state;
  const current = feeTiers.day;
  if (!isWhole(count, 1, engineLimits.feeTiersPerEntry)) return refuse(state, 'invalidConfiguration');
  if (current === null || current.next === null || current.day !== day) return refuse(state, 'wrongState');
  const end = Math.min(accounts.size, current.next + count);
  for (let account: number = current.next; account < end; account += 1)
    if (accounts.isMaster(account)) assignTier(state, as<AccountId>(account));
  const next = end < accounts.size ? as<AccountId>(end) : null;
  feeTiers.goOn(next);
  emit.fact({ kind: 'feeTiersAssigned', day, next });
};

/** Commands of fee tiers. */
export const feeTierCommands = { setFeeTiers, assignFeeTiers };

function assignTier(state: EngineState, account: AccountId): void {
  const { feeTiers, tradeVolumes, emit } = state;
  const { day, tiers } = feeTiers.day!;
  const before = feeTiers.of(account);
  const tier = reachedTier(tiers, tradeVolumes.before(account, day), feeTiers.tokensOf(account));
  tradeVolumes.forgetBefore(account, day);
  const after = tier === 0 ? null : tierOf(account, { tier, day, before, ...tiers[tier - 1]! });
  if (isSame(before, after)) return;
  feeTiers.assign(account, after);
  emit.fact({ kind: 'feeTierChanged', account, tier: after });
}

interface Reached {
  readonly tier: number;
  readonly day: TimestampMs;
  readonly before: AccountFeeTier | null;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
}

function tierOf(account: AccountId, { tier, day, before, makerFeePpm, takerFeePpm }: Reached): AccountFeeTier {
  return { account, tier, makerFeePpm, takerFeePpm, since: before?.tier === tier ? before.since : day };
}

const isSame = (one: AccountFeeTier | null, other: AccountFeeTier | null): boolean =>
  one?.tier === other?.tier && one?.makerFeePpm === other?.makerFeePpm && one?.takerFeePpm === other?.takerFeePpm;

/**
 * Begins the tiers of a day before the first command in it: from then on its trades count for other days, and tokens
 * are counted as they were. DEC-OPR-213.
 */
export function beginFeeTierDay(state: EngineState): void {
  const { feeTiers, at } = state;
  if (at < feeTiers.dueAt) return;
  const { tiers } = feeTiers.table!;
  const day = feeTierDayOf(at);
  const next = as<AccountId>(houseAccountCount);
  feeTiers.begin({ day, tiers, next, tokens: tokensAtMidnight(state) }, midnightAfter(at));
}

/** What masters own of the platform token with their sub-accounts, free and held, where it leads to a tier. */
function tokensAtMidnight(state: EngineState): { account: AccountId; amount: Balance }[] {
  const { feeTiers, accounts } = state;
  const lowest = feeTiers.table!.tiers.find(({ tokens }) => tokens !== null)?.tokens ?? null;
  if (lowest === null) return [];
  const owned = new Map<AccountId, bigint>();
  for (let account: number = houseAccountCount; account < accounts.size; account += 1) {
    const amount = spotBalance(state, account, lowest.asset);
    if (amount === 0n) continue;
    const master = accounts.master(account);
    owned.set(master, (owned.get(master) ?? 0n) + amount);
  }
  const masters = [...owned.keys()].sort((one, other) => one - other);
  return masters
    .map((account) => ({ account, amount: as<Balance>(owned.get(account)!) }))
    .filter(({ amount }) => amount >= lowest.amount);
}

function spotBalance({ ledger: { balances } }: EngineState, account: number, asset: AssetId): bigint {
  const row = balances.find(account, asset);
  return row < 0 ? 0n : balances.free.get(row) + balances.held.get(row);
}

/**
 * What a master owns now with its sub-accounts of the token that tiers name, or else of the platform's. Reads all
 * accounts: for people who ask, not for trading.
 */
export function tokensOwned(state: EngineState, master: AccountId): bigint {
  const { feeTiers, accounts, feeToken } = state;
  const named = feeTiers.table?.tiers.find(({ tokens }) => tokens !== null)?.tokens ?? null;
  const asset = named?.asset ?? feeToken.value?.token ?? null;
  if (asset === null) return 0n;
  let sum = 0n;
  for (const { account, master: of } of accounts.all()) if (of === master) sum += spotBalance(state, account, asset);
  return sum;
}
