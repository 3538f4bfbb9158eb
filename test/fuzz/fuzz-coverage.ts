import type { AccountView } from '#model/account.ts';
import { adjustmentKinds } from '#model/adjustment.ts';
import type { Command } from '#model/command.ts';
import { commandNumbers } from '#model/command-codec.ts';
import { takeoverReasons } from '#model/contract.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink, Fact } from '#model/events.ts';
import { closeReasons, orderKinds, sides } from '#model/order.ts';
import { proposalStates } from '#model/proposal.ts';
import { rebateShares } from '#model/rebate.ts';
import { rejectReasons } from '#model/rejection.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { AssetId } from '#model/units.ts';
import { contactKinds, depositStatuses, walletKinds } from '#model/wallet.ts';

/** A difference of digests stops the engine; no run is long enough to reach these numbers for sure. */
const neverRefused = ['digestMismatch', 'tooManyBans', 'tooManyRateLimits', 'tooManyInProgress'];

/** What runs must have met to count as many. */
export const wantedCells: readonly string[] = [
  ...Object.keys(commandNumbers).map((kind) => `command ${kind}`),
  ...orderKinds.flatMap((kind) => sides.map((side) => `accepted ${kind} ${side}`)),
  ...['buy', 'sell'].map((side) => `accepted market ${side} by budget`),
  ...rejectReasons.filter((reason) => !neverRefused.includes(reason)).map((reason) => `refused ${reason}`),
  ...closeReasons.map((reason) => `closed ${reason}`),
  ...['received', 'token'].flatMap((way) => ['taker', 'maker'].map((role) => `fee of ${role} in ${way}`)),
  ...depositStatuses.map((status) => `deposit ${status}`),
  ...['restricted', 'success', 'refund'].map((status) => `deposit from inside ${status}`),
  ...proposalStates.map((state) => `proposal ${state}`),
  ...adjustmentKinds.map((kind) => `adjustment ${kind}`),
  'self trade',
  'repeated order',
  ...walletKinds.map((kind) => `transfer to ${kind}`),
  'repeated transfer',
  ...walletKinds.flatMap((from) => walletKinds.map((to) => `universal transfer from ${from} to ${to}`)),
  'repeated universal transfer',
  ...contactKinds.map((kind) => `send by ${kind}`),
  'repeated send',
  'dust converted',
  ...['reached', 'left'].map((way) => `fee tier ${way}`),
  'fee tiers assigned',
  ...['taker', 'maker'].map((role) => `rebate of ${role}`),
  ...rebateShares.map((share) => `rebate by ${share}`),
  ...['deposit', 'withdrawal'].map((direction) => `${direction} of an invited account`),
  'rebates paid',
  'rebates rejected',
  'clicks recorded',
  'trade of a contract',
  'trade of a fund',
  ...takeoverReasons.map((reason) => `position taken for ${reason}`),
  'funding paid',
  'snapshot of a fund',
];

const wayOf = (paid: AssetId, received: AssetId): string => (paid === received ? 'received' : 'token');

/** Counts what runs meet; as a plain object it passes from process to process. */
export class FuzzCoverage {
  readonly counts = new Map<string, number>();
  /** By symbol, as last configured. */
  readonly #listed: SymbolRules[] = [];
  /** Accounts of insurance funds. */
  readonly #funds = new Set<number>();

  /** Hears events. */
  readonly sink: EventSink = {
    ...noopSink,
    orderAccepted: ({ kind, side, budget }) => {
      this.hit(`accepted ${kind} ${side}`);
      if (budget !== null) this.hit(`accepted market ${side} by budget`);
    },
    orderRepeated: () => this.hit('repeated order'),
    orderRefused: (_account, _symbol, reason) => this.hit(`refused ${reason}`),
    cancelRefused: (_account, _symbol, reason) => this.hit(`refused ${reason}`),
    orderClosed: ({ closeReason }) => this.hit(`closed ${closeReason}`),
    tradeExecuted: (trade) => {
      this.hit('trade');
      if (trade.takerAccount === trade.makerAccount) this.hit('self trade');
      const listed = this.#listed[trade.symbol];
      if (listed === undefined) {
        this.hit(this.#funds.has(trade.takerAccount) ? 'trade of a fund' : 'trade of a contract');
        return;
      }
      const { base, quote } = listed;
      const isBuy = trade.takerSide === 'buy';
      if (trade.takerFee > 0) this.hit(`fee of taker in ${wayOf(trade.takerFeeAsset, isBuy ? base : quote)}`);
      if (trade.makerFee > 0) this.hit(`fee of maker in ${wayOf(trade.makerFeeAsset, isBuy ? quote : base)}`);
    },
    rebateAccrued: ({ isMaker, amounts }) => {
      this.hit(`rebate of ${isMaker ? 'maker' : 'taker'}`);
      for (const [at, share] of rebateShares.entries()) if (amounts[at]! > 0) this.hit(`rebate by ${share}`);
    },
    fact: (fact) => {
      if (fact.kind === 'accountOpened') this.#opened(fact.account);
      if (fact.kind === 'contractConfigured') delete this.#listed[fact.contract.id];
      if (fact.kind === 'positionTaken') this.hit(`position taken for ${fact.takeover.reason}`);
      if (fact.kind === 'fundingSettled' && fact.funding.paid > 0n) this.hit('funding paid');
      if (fact.kind === 'fundSnapshot') this.hit('snapshot of a fund');
      if (fact.kind === 'symbolConfigured') this.#listed[fact.symbol.id] = fact.symbol;
      if (fact.kind === 'depositChanged' || fact.kind === 'depositLost') this.hit(`deposit ${fact.deposit.status}`);
      if (fact.kind === 'depositChanged' && fact.deposit.isInside)
        this.hit(`deposit from inside ${fact.deposit.status}`);
      if (fact.kind === 'proposalChanged') this.hit(`proposal ${fact.proposal.state}`);
      if (fact.kind === 'balanceAdjusted') this.hit(`adjustment ${fact.adjustment.type}`);
      if (fact.kind === 'commandRefused') this.hit(`refused ${fact.reason}`);
      if (fact.kind === 'feeTiersAssigned') this.hit('fee tiers assigned');
      if (fact.kind === 'feeTierChanged') this.hit(`fee tier ${fact.tier === null ? 'left' : 'reached'}`);
      if (fact.kind === 'inviteeMoved') this.hit(`${fact.move.direction} of an invited account`);
      if (fact.kind === 'rebatesSettled' && fact.payouts.length > 0) this.hit('rebates paid');
      if (fact.kind === 'rebatesRejected') this.hit('rebates rejected');
      if (fact.kind === 'clicksRecorded') this.hit('clicks recorded');
      if (fact.kind === 'fundsTransferred') this.hit(`transfer to ${fact.transfer.to}`);
      if (fact.kind === 'transferRepeated') this.hit('repeated transfer');
      if (fact.kind === 'universalTransferMade')
        this.hit(`universal transfer from ${fact.transfer.fromWallet} to ${fact.transfer.toWallet}`);
      if (fact.kind === 'universalTransferRepeated') this.hit('repeated universal transfer');
      if (fact.kind === 'sendRepeated') this.hit('repeated send');
      if (fact.kind === 'fundsSent') this.hit(`send by ${fact.send.targetKind}`);
      if (fact.kind === 'dustConverted') this.#dust(fact);
    },
  };

  /** Runs follow each other: an account may have been a fund in the one before. */
  #opened({ account, name }: AccountView): void {
    if (name.startsWith('insurance:')) this.#funds.add(account);
    else this.#funds.delete(account);
  }

  #dust({ conversion, refused }: Extract<Fact, { kind: 'dustConverted' }>): void {
    if (conversion !== null) this.hit('dust converted');
    for (const { reason } of refused) this.hit(`refused ${reason}`);
  }

  hit(cell: string, times = 1): void {
    this.counts.set(cell, (this.counts.get(cell) ?? 0) + times);
  }

  command(command: Command): void {
    this.hit(`command ${command.kind}`);
  }

  /** Adds what another one counted. */
  add(counts: Iterable<readonly [string, number]>): void {
    for (const [cell, times] of counts) this.hit(cell, times);
  }

  /** Wanted cells that were never met. */
  missing(): string[] {
    return wantedCells.filter((cell) => !this.counts.has(cell));
  }
}
