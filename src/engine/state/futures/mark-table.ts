import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { readCount } from '#model/codec/field-codec.ts';
import type { ContractRules } from '#model/contract.ts';
import type { SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { ContractMark } from '#engine/state/futures/contract-mark.ts';
import { fundingCycleMs } from '#engine/state/futures/funding-rate.ts';
import type { StateTable } from '#engine/state/state-table.ts';

type MarkedRules = Pick<ContractRules, 'id' | 'createdAt' | 'fundingHours'>;

/** Prices of all contracts that had an update. */
export class MarkTable implements StateTable {
  readonly name = 'contractMarks';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly marks = new Map<SymbolId, ContractMark>();

  /** Prices of a listed contract. Before its first update they are none, and what is returned is not kept. */
  of(rules: MarkedRules): ContractMark {
    return this.marks.get(rules.id) ?? new ContractMark(rules.id, rules.createdAt, fundingCycleMs(rules));
  }

  /** Last index price of a contract, in steps of 10^-markDecimals; 0: not known yet. */
  indexOf(contract: SymbolId): number {
    return this.marks.get(contract)?.index ?? 0;
  }

  /** Prices of a listed contract, to update. */
  opened(rules: MarkedRules): ContractMark {
    const mark = this.of(rules);
    this.marks.set(rules.id, mark);
    return mark;
  }

  write(writer: ByteWriter): void {
    const sorted = [...this.marks.values()].sort((first, second) => first.contract - second.contract);
    writer.varint(sorted.length);
    for (const mark of sorted) {
      writer.varint(mark.contract);
      mark.write(writer);
    }
  }

  read(reader: ByteReader): void {
    for (let left = readCount(reader); left > 0; left -= 1) {
      const contract = as<SymbolId>(reader.varint());
      // all that depends on the time of listing is read
      const mark = new ContractMark(contract, as(0), 1);
      mark.read(reader);
      this.marks.set(contract, mark);
    }
  }

  audit(faults: string[]): void {
    // any order: faults are the same in each
    for (const mark of this.marks.values()) mark.audit(faults);
  }
}
