import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import { toAmount } from '#model/units.ts';
import { greatestTicks } from '#engine/futures/bankruptcy-price.ts';
import { endPosition, profitOfClosing } from '#engine/futures/change-position.ts';
import type { Contract } from '#engine/state/futures/contracts.ts';
import { backingOf } from '#engine/futures/equity.ts';
import { dividedNearest, lesserOf } from '#base/whole-numbers.ts';
import { marksPerTick } from '#engine/state/futures/mark-price.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import { emitTakeover } from '#engine/futures/take-over.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { canOwe } from '#engine/money/outside-bounds.ts';
import type { EngineState } from '#engine/state/state.ts';

/** A position with its profit at the price of delivery. */
interface Delivered {
  readonly position: Position;
  readonly profit: bigint;
}

/** Whether the house can owe all that losers of a delivery might fail to pay. */
export function canDeliver(state: EngineState, contract: Contract): boolean {
  const losses = deliveredOf(state, contract).reduce((sum, { profit }) => (profit < 0n ? sum - profit : sum), 0n);
  return canOwe(state, innerHouse.grants, contract.rules.settle, losses);
}

/**
 * Settles every position of a contract without open orders at its fair price. Losers pay at most what is behind their
 * positions, and the insurance fund what they lack, as long as it has money. Winners get what they won, or share what
 * came in, the fund after all others. What profits that were taken before lack then, the house gives. DEC-FUT-56.
 */
export function deliver(state: EngineState, contract: Contract): void {
  const all = deliveredOf(state, contract);
  const isFund = ({ position }: Delivered): boolean => position.account === contract.insurer;
  const [funds, others] = [all.filter(isFund), all.filter((each) => !isFund(each))];
  const delivery = new Delivery(state, contract, all);
  for (const each of [...funds, ...others]) if (each.profit < 0n) delivery.takeFrom(each);
  delivery.fill();
  delivery.share(others.filter(({ profit }) => profit >= 0n));
  delivery.share(funds.filter(({ profit }) => profit >= 0n));
  delivery.round();
  state.marks.opened(contract.rules).clearFundSince();
}

/** Open positions in the order of opening. */
const deliveredOf = (state: EngineState, contract: Contract): readonly Delivered[] =>
  [...state.positions.in(contract.rules.id)].map((position) => ({
    position,
    profit: profitOfClosing(position, Math.abs(position.lots), unitOf(state, contract)),
  }));

/** The fair price, rounded to the tick; before the first one, the last price, which every position has. */
function deliveryTicks(state: EngineState, { rules }: Contract): number {
  const { fair } = state.marks.of(rules);
  const book = state.books[rules.id]!;
  if (fair === 0) return book.lastPrice;
  const ticks = dividedNearest(BigInt(fair), marksPerTick(rules.priceDecimals));
  const most = greatestTicks(book.quotePerTickLot);
  return ticks < 1n ? 1 : Number(lesserOf(ticks, most));
}

/** Settle units of one lot at the price of delivery. */
const unitOf = (state: EngineState, contract: Contract): number =>
  deliveryTicks(state, contract) * state.books[contract.rules.id]!.quotePerTickLot;

/** One delivery, while its money is with the house's clearing. */
class Delivery {
  private readonly state: EngineState;
  private readonly contract: Contract;
  private readonly price: number;
  /** What the clearing has of this contract: what profits and losses of closed lots left there, and what comes in. */
  private pot: bigint;

  constructor(state: EngineState, contract: Contract, all: readonly Delivered[]) {
    this.state = state;
    this.contract = contract;
    this.price = deliveryTicks(state, contract);
    this.pot = all.reduce((sum, { position }) => sum - position.cost, 0n);
  }

  /** A loser pays what it can; the fund pays what it lacks. */
  takeFrom({ position, profit }: Delivered): void {
    const { state, contract } = this;
    const fund = futuresWalletOf(contract.insurer);
    const paid = lesserOf(-profit, backingOf(state, position));
    const { lots } = this.close(position, -paid);
    const covered = lesserOf(-profit - paid, freeOf(state, fund, contract.rules.settle));
    if (covered > 0n) {
      state.ledger.move(fund, innerHouse.clearing, contract.rules.settle, toAmount(covered), 'insurance');
      this.pot += covered;
    }
    this.tell(position, lots, -paid, covered);
  }

  /** What was paid out for profits before, and is not there now, comes from the house. */
  fill(): void {
    if (this.pot >= 0n) return;
    const { settle } = this.contract.rules;
    this.state.ledger.move(innerHouse.grants, innerHouse.clearing, settle, toAmount(-this.pot), 'insurance');
    this.pot = 0n;
  }

  /** Winners get their profit, or their part of what there is, rounded down. */
  share(winners: readonly Delivered[]): void {
    const there = this.pot;
    const owed = winners.reduce((sum, { profit }) => sum + profit, 0n);
    for (const { position, profit } of winners) {
      const part = there < owed ? (profit * there) / owed : profit;
      const { lots } = this.close(position, part);
      this.tell(position, lots, part, 0n);
    }
  }

  /** Units that no share had go to the house's rounding. */
  round(): void {
    if (this.pot === 0n) return;
    const { settle } = this.contract.rules;
    this.state.ledger.move(innerHouse.clearing, house.rounding, settle, toAmount(this.pot), 'contractProfit');
  }

  /** Closes a position with this profit, and frees its margin; answers what it was. */
  private close(position: Position, profit: bigint): { readonly lots: number } {
    const { ledger } = this.state;
    const { settle } = this.contract.rules;
    const { lots } = position;
    this.state.positions.changeLots(position, -lots);
    position.cost = 0n;
    position.realised += profit;
    endPosition(this.state, position);
    this.pot -= profit;
    if (profit === 0n) return { lots };
    const row = ledger.balances.row(futuresWalletOf(position.account), settle);
    ledger.post(row, toAmount(profit), 'contractProfit', null);
    ledger.post(ledger.balances.row(innerHouse.clearing, settle), toAmount(-profit), 'contractProfit', null);
    return { lots };
  }

  private tell(position: Position, lots: number, realised: bigint, covered: bigint): void {
    const isFund = position.account === this.contract.insurer;
    const fromFund = isFund ? -realised : covered;
    emitTakeover(this.state, position, { reason: 'delivery', lots, price: this.price, realised, fee: 0, fromFund });
  }
}
