import { futuresWalletOf, innerHouse } from '#model/account.ts';
import { as } from '#model/units.ts';
import { openOrdersOf } from '#engine/queries/engine-queries.ts';
import type { EngineState } from '#engine/state/state.ts';
import { viewOfPosition } from '#engine/futures/position-margin.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { markView } from '#engine/futures/index-commands.ts';

/**
 * What is not true of an engine's contracts though it must be; empty: all is well. I31, I32; cost has the sign of the
 * lots; I2, I3: nobody owes, and what a futures wallet holds is for its open orders and positions.
 */
export function brokenContracts(state: EngineState): string[] {
  const faults: string[] = [];
  const costs = new Map<number, bigint>();
  for (const contract of state.contracts.all()) {
    const { id, settle, state: phase } = contract.rules;
    const positions = [...state.positions.in(id)].map((position) => viewOfPosition(state, position));
    const sum = positions.reduce((total, { lots }) => total + BigInt(lots), 0n);
    if (sum !== 0n) faults.push(`I31: contract ${id} has ${sum} more long than short`);
    const both = positions.reduce((total, { lots }) => total + BigInt(Math.abs(lots)), 0n);
    const { openInterest } = markView(state, contract);
    if (BigInt(openInterest) * 2n !== both) faults.push(`I31: contract ${id} tells ${openInterest} open of ${both}`);
    const isOver = phase === 'delivered' || phase === 'offline';
    if (isOver && positions.length > 0) faults.push(`I31: contract ${id} is ${phase} with positions`);
    for (const { account, lots, cost, margin } of positions) {
      costs.set(settle, (costs.get(settle) ?? 0n) + cost);
      const isMalformed = lots === 0 || Math.sign(lots) !== (cost > 0n ? 1 : -1) || margin < 0n;
      if (isMalformed) faults.push(`position of ${account} in ${id} has ${lots} lots for ${cost}, margin ${margin}`);
    }
  }
  for (const settle of state.assets.all().keys()) {
    const clearing = freeOf(state, innerHouse.clearing, as(settle));
    const cost = costs.get(settle) ?? 0n;
    if (clearing !== -cost) faults.push(`I32: the clearing has ${clearing} of ${settle}, positions cost ${cost}`);
  }
  return [...faults, ...brokenWallets(state)];
}

/** Futures wallets whose holds are not those of open orders and positions, or that owe. */
function brokenWallets(state: EngineState): string[] {
  const faults: string[] = [];
  const { balances } = state.ledger;
  for (const { account } of state.accounts.records) {
    const wallet = futuresWalletOf(account);
    for (let row = balances.first(wallet); row >= 0; row = balances.next(row)) {
      const [free, held] = [balances.free.get(row), balances.held.get(row)];
      const wanted = heldFor(state, account, balances.assetOf(row));
      if (free < 0n || held !== wanted)
        faults.push(`I3: futures wallet of ${account} has ${free} free, ${held} held of ${wanted}`);
    }
  }
  return faults;
}

/** Margin of positions and holds of open orders in an asset, by their owners. */
function heldFor(state: EngineState, account: number, asset: number): bigint {
  const isIn = (contract: number): boolean => state.contracts.get(as(contract))?.rules.settle === asset;
  const margins = state.positions.of(as(account)).filter(({ contract }) => isIn(contract));
  const orders = openOrdersOf(state, as(account), null).filter(({ symbol }) => isIn(symbol));
  const held = orders.map(({ order }) => {
    const slot = state.tables.numbers.lookup(order);
    const hold = state.tables.orders.hold(slot);
    return state.holds.order(hold) === order ? BigInt(state.holds.amount(hold)) : -1n;
  });
  return [...margins.map((position) => viewOfPosition(state, position).margin), ...held].reduce(
    (total, each) => total + each,
    0n,
  );
}
