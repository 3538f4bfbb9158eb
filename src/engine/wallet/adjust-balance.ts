import { absolute } from '#base/whole-numbers.ts';
import { house, innerHouse, mayOwe, type PostingKind } from '#model/account.ts';
import { type Adjustment, adjustableHouse, type AdjustmentKind } from '#model/adjustment.ts';
import type { CommandOf } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import { hasAtMost } from '#model/text-length.ts';
import { type AccountId, as, type Balance, toAmount } from '#model/units.ts';
import { fitsCap, freeOf } from '#engine/money/free-balance.ts';
import { houseEquity } from '#engine/money/house-equity.ts';
import { canOwe, outsideTakes } from '#engine/money/outside-bounds.ts';
import { higherValue } from '#engine/money/valuation.ts';
import type { ProtectedFunction } from '#engine/protections/protected-command.ts';
import { isWalletEnabled, transferableOf, walletOf } from '#engine/wallet/transferable.ts';
import type { EngineState } from '#engine/state/state.ts';

type AdjustBalance = CommandOf<'adjustBalance'>;

/** One movement of an adjustment; both of a capitalIn for another account are of the same amount. */
interface Movement {
  readonly from: AccountId;
  readonly to: AccountId;
  readonly why: PostingKind;
}

/**
 * Changes a balance on the word of operators: both sides are posted, and no money that is held or owed is taken.
 * DEC-OPR-180 to 183.
 */
export const adjustBalance: ProtectedFunction<'adjustBalance'> = {
  refusal: (state, command) => {
    const movements = movementsOf(command);
    if (state.running.actor === null || movements === null || !isWellFormed(command)) return 'invalidConfiguration';
    return refusalOfAccount(state, command) ?? refusalOfMoney(state, command, movements);
  },
  apply: (state, command, proposal) => {
    const { kind: _, ...terms } = command;
    const { asset } = command;
    const amount = as<Balance>(absolute(command.amount));
    const worth = higherValue(state, asset, amount);
    for (const { from, to, why } of movementsOf(command)!) state.ledger.move(from, to, asset, toAmount(amount), why);
    const made: Adjustment = {
      ...terms,
      worth,
      adjustment: state.adjustments.lastAdjustment + 1,
      madeBy: state.running.actor!,
      approvedBy: proposal?.decidedBy ?? null,
      proposal: proposal?.proposal ?? null,
      idempotencyKey: proposal === null ? state.running.idempotencyKey : proposal.idempotencyKey,
      at: state.at,
    };
    state.adjustments.put(made);
    state.emit.fact({ kind: 'balanceAdjusted', adjustment: made });
  },
};

const { adjustments, capital, revenue, gas, dust } = innerHouse;
const { outside, fees } = house;
const houseAccounts: ReadonlySet<number> = new Set(Object.values(adjustableHouse));
/** Who moves on what comes in as capital. */
const fundedHouse: ReadonlySet<number> = new Set([gas, dust]);

/** What is moved: a table of kinds and accounts; `null`: they do not go together. DEC-OPR-181. */
function movementsOf({ account, wallet, type, amount }: AdjustBalance): readonly Movement[] | null {
  const named = wallet === null ? account : walletOf(account, wallet);
  const isTaking = type === 'debit' || amount < 0n;
  const one = (from: AccountId, to: AccountId, why: PostingKind): readonly Movement[] =>
    isTaking ? [{ from: to, to: from, why }] : [{ from, to, why }];
  const isHouse = wallet === null;
  const steps: Record<AdjustmentKind, () => readonly Movement[] | null> = {
    credit: () => (isHouse && account === revenue ? null : one(adjustments, named, 'adjustment')),
    debit: () => (isHouse && account === revenue ? null : one(adjustments, named, 'adjustment')),
    correction: () => {
      if (isHouse && account === capital) return one(outside, capital, 'capital');
      return isHouse && account === revenue ? one(fees, revenue, 'revenue') : one(adjustments, named, 'adjustment');
    },
    capitalIn: () => {
      if (!isHouse || (account !== capital && !fundedHouse.has(account))) return null;
      const paidIn = one(outside, capital, 'capital');
      return account === capital ? paidIn : [...paidIn, ...one(capital, account, 'capital')];
    },
    revenueOut: () => (isHouse && account === fees ? one(fees, revenue, 'revenue') : null),
  };
  return steps[type]();
}

function isWellFormed({ type, amount, reason, reference }: AdjustBalance): boolean {
  const isAmount = amount !== 0n && absolute(amount) < 1n << 62n && (amount > 0n || type === 'correction');
  const isReason = reason.length > 0 && hasAtMost(reason, engineLimits.reasonLength);
  const isReference =
    reference === null || (reference.length > 0 && hasAtMost(reference, engineLimits.referenceLength));
  return isAmount && isReason && isReference;
}

function refusalOfAccount(state: EngineState, { account, wallet, asset, type, amount }: AdjustBalance) {
  const isGiving = type !== 'debit' && amount > 0n;
  if (!state.assets.has(asset)) return 'unknownAsset';
  if (wallet === null) return houseAccounts.has(account) ? null : 'unknownAccount';
  if (!state.accounts.isUser(account)) return 'unknownAccount';
  if (state.contracts.isInsurer(account)) return 'accountNotUsable';
  if (state.accounts.isClosed(account)) return 'accountClosed';
  return isGiving && !isWalletEnabled(state, account, wallet) ? 'futuresNotEnabled' : null;
}

/** Why the money is not there, or there would be too much of it. */
function refusalOfMoney(
  state: EngineState,
  command: AdjustBalance,
  movements: readonly Movement[],
): RejectReason | null {
  const { asset, wallet, type } = command;
  const amount = absolute(command.amount);
  const { from } = movements[0]!;
  const { to } = movements.at(-1)!;
  const isCapitalTakenBack = type === 'correction' && from === capital;
  if (wallet !== null && from !== adjustments) {
    if (amount > transferableOf(state, command.account, wallet, asset)) return 'notEnoughFunds';
  } else if (from === outside || from === adjustments || isCapitalTakenBack) {
    if (!canOwe(state, from, asset, amount)) return 'houseHasTooLittle';
  } else if (amount > freeOf(state, from, asset)) return 'houseHasTooLittle';
  if (to === outside && !outsideTakes(state, asset, amount)) return 'houseHasTooLittle';
  if (to === revenue && freeOf(state, revenue, asset) + amount >= 1n << 62n) return 'houseHasTooLittle';
  const growth = growthOf(state, command, { from, to });
  if (growth > 0n && !fitsCap(state, asset, growth)) return 'aboveAssetCap';
  const isLessHouse = (wallet !== null && from === adjustments) || to === revenue;
  const isProduction = state.profile.value === 'production';
  return isProduction && isLessHouse && houseEquity(state, asset) < amount ? 'houseHasTooLittle' : null;
}

/** How much more of the asset is owned here afterwards: what is paid from below zero, less debts that are paid off. */
function growthOf(
  state: EngineState,
  { asset, amount: signed }: AdjustBalance,
  { from, to }: Pick<Movement, 'from' | 'to'>,
): bigint {
  const amount = absolute(signed);
  const within = (value: bigint): bigint => (value < 0n ? 0n : value < amount ? value : amount);
  const paidByDebt = mayOwe(from) ? amount - (from === outside ? 0n : within(freeOf(state, from, asset))) : 0n;
  const paidOff = mayOwe(to) ? (to === outside ? amount : within(-freeOf(state, to, asset))) : 0n;
  return paidByDebt - paidOff;
}
