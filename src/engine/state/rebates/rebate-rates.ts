import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import {
  type Product,
  type RebateRates,
  type InviterRates,
  defaultRebateRates,
  products,
  rebateCapPpm,
  inviterRates,
} from '#model/rebate.ts';
import { list } from '#model/codec/field-codec.ts';
import type { AccountId } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const termsList = list(inviterRates);
const keyOf = (inviter: AccountId, product: Product): number => inviter * products.length + products.indexOf(product);

/** Rates of inviters that have their own. DEC-SUB-05. */
export class OwnRebateRates implements StateTable {
  readonly name = 'rebateRates';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly accounts: AccountTable;
  private readonly terms = new Map<number, InviterRates>();
  /** Those for spot trades, which accounts name by index + 1. */
  private readonly spot: InviterRates[] = [];

  constructor(accounts: AccountTable) {
    this.accounts = accounts;
  }

  /** Rates of an inviter: its own, or the defaults. */
  of(inviter: AccountId, product: Product): RebateRates {
    return this.terms.get(keyOf(inviter, product)) ?? defaultRebateRates;
  }

  /** Rates of an inviter for spot trades, which every commission of an invited account asks for. */
  ofSpot(inviter: AccountId): RebateRates {
    const index = this.accounts.rebateRates(inviter);
    return index === 0 ? defaultRebateRates : this.spot[index - 1]!;
  }

  put(terms: InviterRates): void {
    this.terms.set(keyOf(terms.inviter, terms.product), terms);
    if (terms.product !== 'spot') return;
    const known = this.accounts.rebateRates(terms.inviter);
    if (known === 0) this.accounts.setRebateRates(terms.inviter, this.spot.push(terms));
    else this.spot[known - 1] = terms;
  }

  write(writer: ByteWriter): void {
    const sorted = [...this.terms].sort(([first], [second]) => first - second);
    termsList.write(
      writer,
      sorted.map(([, terms]) => terms),
    );
  }

  read(reader: ByteReader): void {
    for (const terms of termsList.read(reader)) this.put(terms);
  }

  audit(faults: string[]): void {
    // any order: faults are the same in each
    for (const terms of this.terms.values()) {
      const { inviter, product } = terms;
      if (!areRatesValid(terms)) faults.push(`rates of inviter ${inviter} for ${product} are out of bounds`);
      if (product === 'spot' && this.ofSpot(inviter) !== terms)
        faults.push(`inviter ${inviter} has other rates for spot`);
    }
  }
}

/** Whether rates are from 0, the three together at most half, and the kickback at most the first. DEC-SUB-42. */
export function areRatesValid({ referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm }: RebateRates): boolean {
  const areRates = [referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm].every(
    (ppm) => Number.isSafeInteger(ppm) && ppm >= 0,
  );
  return areRates && referralPpm + subAffiliatePpm + thirdPpm <= rebateCapPpm && kickbackPpm <= referralPpm;
}
