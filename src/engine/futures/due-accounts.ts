import { million } from '#base/whole-numbers.ts';
import { futuresWalletOf } from '#model/account.ts';
import type { ContractRules } from '#model/contract.ts';
import type { AccountId, AssetId, SymbolId } from '#model/units.ts';
import { tierOf } from '#engine/futures/equity.ts';
import { marksPerTick } from '#engine/state/futures/mark-price.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import { activeContracts } from '#engine/futures/waiting-contract.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { EngineState } from '#engine/state/state.ts';

/** What the positions of a contract are counted with. */
interface Counted {
  readonly rules: ContractRules;
  /** Settle units of one lot at the fair price; 0: there is none. */
  readonly lotWorth: number;
  readonly isActive: boolean;
}

/**
 * Part of all amounts that entered a sum by which it may be wrong: a sum of n positions takes fewer than 16 × n steps,
 * each wrong by at most 2^-53 of them, and no account has 2^16 positions.
 */
const tolerance = 2 ** -30;
/** Units by which the exact profit and the exact maintenance of one position differ from fractions. */
const roundingUnits = 2;

/**
 * Accounts of which a position may be due for liquidation, ascending: all that are, and hardly any other. It reads
 * every open position once, with numbers instead of bigints: only who is above maintenance by more than such a sum can
 * be wrong is left out, the others are judged exactly. Funds are never among them. DEC-FUT-47.
 */
export function accountsMaybeDue(state: EngineState): readonly AccountId[] {
  const search = new DueSearch(state);
  const found = new Set<AccountId>();
  for (const { rules, insurer } of activeContracts(state))
    for (const position of state.positions.in(rules.id))
      if (position.account !== insurer && search.mayBeDue(position)) found.add(position.account);
  return [...found].sort((first, second) => first - second);
}

class DueSearch {
  private readonly state: EngineState;
  private readonly counted = new Map<SymbolId, Counted>();
  /** Equity above maintenance of the positions added so far, and the sum of all amounts in it. */
  private surplus = 0;
  private amounts = 0;
  private added = 0;

  constructor(state: EngineState) {
    this.state = state;
    const active = new Set(activeContracts(state).map(({ rules }) => rules.id));
    for (const { rules } of state.contracts.all()) {
      const { quotePerTickLot } = state.books[rules.id]!;
      const marks = Number(marksPerTick(rules.priceDecimals));
      const lotWorth = (state.marks.of(rules).fair / marks) * quotePerTickLot;
      this.counted.set(rules.id, { rules, lotWorth, isActive: active.has(rules.id) });
    }
  }

  mayBeDue(position: Position): boolean {
    const { rules } = this.counted.get(position.contract)!;
    this.surplus = 0;
    this.amounts = 0;
    this.added = 0;
    if (position.mode === 'isolated') {
      this.add(position);
      return this.isClose();
    }
    // All cross positions of an account count together: they are looked at with its first one.
    let isFirst = true;
    for (const each of this.state.positions.recordsOf(position.account)) {
      if (each.mode !== 'cross' || each.lots === 0) continue;
      const { rules: other, isActive } = this.counted.get(each.contract)!;
      if (other.settle !== rules.settle) continue;
      if (isActive && isFirst) {
        if (each !== position) return false;
        isFirst = false;
      }
      this.add(each);
    }
    // What is free can only help, so that it is read for few.
    return this.isClose() && this.isCloseWith(position.account, rules.settle);
  }

  private isCloseWith(account: AccountId, settle: AssetId): boolean {
    const { balances } = this.state.ledger;
    const row = balances.find(futuresWalletOf(account), settle);
    const free = row < 0 ? 0 : balances.free.near(row);
    this.surplus += free;
    this.amounts += free;
    return this.isClose();
  }

  private isClose(): boolean {
    return this.surplus <= this.amounts * tolerance + this.added * roundingUnits;
  }

  private add({ contract, lots, cost, hold }: Position): void {
    const { rules, lotWorth } = this.counted.get(contract)!;
    const margin = hold === noHold ? 0 : this.state.holds.near(hold);
    this.amounts += margin;
    this.surplus += margin;
    this.added += 1;
    if (lotWorth === 0) return;
    const worth = lots * lotWorth;
    const paid = Number(cost);
    const size = Math.abs(worth);
    this.surplus += worth - paid - (size * tierOf(rules, lots).maintenancePpm) / million;
    this.amounts += 2 * size + Math.abs(paid);
  }
}
