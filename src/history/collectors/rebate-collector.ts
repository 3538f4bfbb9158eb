import type { Fact } from '#model/events.ts';
import { type RebateAccrual, rebateShares } from '#model/rebate.ts';
import type { AccountId, Balance, Quanta, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AddRow } from '#history/collectors/wallet-collector.ts';

/** Greatest value that is kept; what is worth more counts as this. */
const valueMost = (1n << 62n) - 1n;

/**
 * Turns rebates, what invited accounts do, and transfers of sub-accounts into rows. Of whom they are, and whether they
 * are kept, goes by who sees them: beneficiary, inviter, owner of a code, master. DEC-SUB-45.
 */
export class RebateCollector {
  readonly #add: AddRow;
  readonly #isKept: (account: AccountId) => boolean;
  #seq = 0 as Seq;
  #at = 0 as TimestampMs;

  constructor(add: AddRow, isKept: (account: AccountId) => boolean) {
    this.#add = add;
    this.#isKept = isKept;
  }

  began(seq: Seq, at: TimestampMs): void {
    this.#seq = seq;
    this.#at = at;
  }

  /** A row for each share above zero, and for the inviter's also otherwise: the turnover counts. */
  accrued(accrual: RebateAccrual): void {
    for (const [index, share] of rebateShares.entries()) {
      const account = accrual.beneficiaries[index]!;
      const amount = accrual.amounts[index]!;
      if (account === 0 || (amount === 0 && share !== 'referral') || !this.#isKept(account)) continue;
      this.#add('rebates', {
        account,
        kind: amount === 0 ? 'turnover' : share === 'kickback' ? 'kickback' : 'earned',
        at: this.#at,
        accrual: accrual.accrual,
        seq: this.#seq,
        share,
        source: accrual.source,
        code: accrual.code,
        product: accrual.product,
        symbol: accrual.symbol,
        trade: accrual.trade,
        isMaker: accrual.isMaker,
        asset: accrual.asset,
        ratePpm: accrual.ratesPpm[index]!,
        amount: as<Balance>(BigInt(amount)),
        value: worth(amount, accrual.assetValue),
        turnover: accrual.turnover,
        turnoverValue: worth(accrual.turnover, accrual.quoteValue),
        rejectedAt: null,
      });
    }
  }

  fact(fact: Fact): void {
    const at = this.#at;
    const seq = this.#seq;
    switch (fact.kind) {
      case 'inviteeMoved':
        if (this.#isKept(fact.move.inviter)) this.#add('inviteeMoves', { ...fact.move, seq });
        return;
      case 'clicksRecorded': {
        const { owner, minute, code, count } = fact;
        if (this.#isKept(owner)) this.#add('inviteClicks', { owner, at: minute, seq, code, count });
        return;
      }
      case 'rebatesSettled':
        for (const { beneficiary: account, asset, amount } of fact.payouts)
          if (this.#isKept(account)) this.#add('rebatePayouts', { account, at, seq, asset, day: fact.day, amount });
        return;
      case 'rebatesRejected': {
        const { beneficiary: account, day, source } = fact;
        if (this.#isKept(account)) this.#add('rebateRejections', { account, day, seq, source, at });
        return;
      }
      case 'universalTransferMade':
        if (this.#isKept(fact.transfer.master)) this.#add('universalTransfers', { ...fact.transfer, seq });
    }
  }
}

/** What an amount is worth where one unit is worth this fraction, rounded down; 0 without a price. */
function worth(amount: Quanta, [numerator, denominator]: readonly [number, number]): Balance {
  if (denominator === 0) return as<Balance>(0n);
  const value = (BigInt(amount) * BigInt(numerator)) / BigInt(denominator);
  return as<Balance>(value < valueMost ? value : valueMost);
}
