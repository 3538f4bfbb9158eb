import type { Event } from '#model/event-record.ts';
import type { RejectReason } from '#model/rejection.ts';
import { sides } from '#model/order.ts';

const refusals: readonly RejectReason[] = [
  'contractNotTradable',
  'kindNotAllowed',
  'belowMinimumQuantity',
  'aboveMaximumAmount',
  'priceOutsideBand',
  'wouldTakeLiquidity',
  'noOpposingOrder',
  'aboveRiskLimit',
  'notEnoughMargin',
  'noPosition',
  'notEnoughFunds',
  'wrongLeverage',
  'hasPosition',
  'wrongState',
];
const contractKinds = ['limit', 'postOnly', 'immediateOrCancel', 'market'] as const;

/** Everything that a long random run of contracts must have met; what the model alone can tell is in its words. */
export const wantedContractCells: readonly string[] = [
  ...contractKinds.flatMap((kind) => sides.map((side) => `accepted ${kind} ${side}`)),
  ...refusals.map((reason) => `refused ${reason}`),
  ...['filled', 'byUser', 'stp', 'unfilledRest', 'collar', 'byExchange'].map((reason) => `closed ${reason}`),
  'trade',
  'self trade',
  'trade of a fund',
  'an order of a fund',
  ...['liquidation', 'deleveraging', 'delivery'].flatMap((reason) => [
    `${reason} of all`,
    `${reason} of a cross position`,
    `${reason} of a isolated position`,
    `${reason}, the fund gets`,
    `${reason}, the fund is even`,
  ]),
  'liquidation of a part',
  'deleveraging of a part',
  'liquidation, the fund pays',
  'delivery, the fund pays',
  'the house gives for a delivery',
  'a takeover that waits',
  'a funding that somebody cannot pay',
  'snapshot of a fund',
];

/** Counts what random runs of contracts have met. */
export class ContractCoverage {
  readonly counts = new Map<string, number>();

  /** `firstFund`: the accounts from there on are funds. */
  observe(events: readonly Event[], firstFund: number): void {
    for (const event of events) this.#observeOne(event, firstFund);
  }

  /** Adds what the model has met. */
  add(cells: Iterable<string>): void {
    for (const cell of cells) this.#hit(cell);
  }

  /** Wanted cells that were never met. */
  missing(): string[] {
    return wantedContractCells.filter((cell) => !this.counts.has(cell));
  }

  #hit(cell: string): void {
    this.counts.set(cell, (this.counts.get(cell) ?? 0) + 1);
  }

  #observeOne(event: Event, firstFund: number): void {
    if (event.kind === 'orderAccepted') this.#hit(`accepted ${event.order.kind} ${event.order.side}`);
    else if (event.kind === 'orderRefused' || event.kind === 'commandRefused') this.#hit(`refused ${event.reason}`);
    else if (event.kind === 'orderClosed') this.#hit(`closed ${event.order.closeReason}`);
    else if (event.kind === 'fundSnapshot') this.#hit('snapshot of a fund');
    else if (event.kind === 'tradeExecuted') {
      const { takerAccount, makerAccount } = event.trade;
      this.#hit(takerAccount === makerAccount ? 'self trade' : 'trade');
      if (takerAccount >= firstFund) this.#hit('trade of a fund');
    }
  }
}
