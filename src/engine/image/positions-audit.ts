import { innerHouse } from '#model/account.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Audits that the lots of a contract sum to zero, the house's clearing is minus what all open positions cost, a
 * position has a hold of its account while it has lots, and it is known since when a fund has one.
 */
export function auditPositions(state: EngineState, faults: string[]): void {
  const { contracts, positions, marks } = state;
  const costs = new Map<number, bigint>();
  for (const { rules, insurer } of contracts.all()) {
    const isHeld = (positions.find(insurer, rules.id)?.lots ?? 0) !== 0;
    if (isHeld !== (marks.of(rules).fundSince !== 0))
      faults.push(`the fund of ${rules.name} has ${isHeld ? 'a' : 'no'} position, but not the time of one`);
    let lots = 0n;
    for (const each of positions.in(rules.id)) {
      lots += BigInt(each.lots);
      costs.set(rules.settle, (costs.get(rules.settle) ?? 0n) + each.cost);
      if (each.lots === 0) faults.push(`account ${each.account} has an open position of no lots in ${rules.name}`);
      if (Math.sign(each.lots) !== (each.cost < 0n ? -1 : 1))
        faults.push(`the position of account ${each.account} in ${rules.name} costs ${each.cost}`);
    }
    if (lots !== 0n) faults.push(`positions in ${rules.name} sum to ${lots} lots, not to zero`);
  }
  for (const { id, code } of state.assets.all()) {
    const clearing = freeOf(state, innerHouse.clearing, id);
    const cost = costs.get(id) ?? 0n;
    if (clearing !== -cost) faults.push(`clearing of ${code} is ${clearing}, and positions cost ${cost}`);
  }
  for (const each of positions.all()) {
    if ((each.hold === noHold) !== (each.lots === 0))
      faults.push(`the position of account ${each.account} in contract ${each.contract} has a wrong hold`);
  }
}
