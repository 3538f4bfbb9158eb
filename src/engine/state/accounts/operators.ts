import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { flag, list, nullable, text } from '#model/codec/field-codec.ts';
import { type Proposal, proposal as proposalCodec } from '#model/proposal.ts';
import { engineLimits } from '#model/limits.ts';
import type { TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const firstActor = nullable(text());
const proposals = list(proposalCodec);

/** Whether one operator runs the exchange alone, whether several ever acted, and what waits for a second one. */
export class Operators implements StateTable {
  readonly name = 'operators';
  readonly version = 1;
  readonly isInDigest = true;
  isAlone = false;
  lastProposal = 0;
  /** Who acted first, folded; `null`: nobody yet. */
  private first: string | null = null;
  /** Whether two persons have ever acted. */
  private areSeveral = false;
  /** By number, in the order in which they were made. */
  private readonly byNumber = new Map<number, Proposal>();

  /** Whether nobody else than this person ever acted. */
  isOnly(actor: string): boolean {
    return !this.areSeveral && (this.first ?? actor) === actor;
  }

  /** Notes who acted, folded. */
  noteActor(actor: string): void {
    this.areSeveral = !this.isOnly(actor);
    this.first ??= actor;
  }

  /** Proposals that are remembered, the first made first. */
  all(): readonly Proposal[] {
    // stored order: proposals stand in the order of their numbers
    return [...this.byNumber.values()];
  }

  find(proposal: number): Proposal | null {
    return this.byNumber.get(proposal) ?? null;
  }

  open(): readonly Proposal[] {
    return this.all().filter(({ state }) => state === 'open');
  }

  /** Open ones whose time is over at `now`, the first made first. */
  ended(now: TimestampMs): readonly Proposal[] {
    return this.open().filter(({ endsAt }) => endsAt <= now);
  }

  /** Adds a proposal or replaces it in its place; beyond the limit the oldest that is decided is forgotten. */
  put(proposal: Proposal): void {
    this.byNumber.set(proposal.proposal, proposal);
    this.lastProposal = Math.max(this.lastProposal, proposal.proposal);
    if (this.byNumber.size <= engineLimits.proposalsKept) return;
    const oldest = this.all().find(({ state }) => state !== 'open');
    if (oldest !== undefined) this.byNumber.delete(oldest.proposal);
  }

  write(writer: ByteWriter): void {
    flag.write(writer, this.isAlone);
    flag.write(writer, this.areSeveral);
    firstActor.write(writer, this.first);
    writer.varint(this.lastProposal);
    proposals.write(writer, this.all());
  }

  read(reader: ByteReader): void {
    this.isAlone = flag.read(reader);
    this.areSeveral = flag.read(reader);
    this.first = firstActor.read(reader);
    this.lastProposal = reader.varint();
    for (const proposal of proposals.read(reader)) this.byNumber.set(proposal.proposal, proposal);
  }

  audit(faults: string[]): void {
    const open = this.open().length;
    if (open > engineLimits.proposalsOpen) faults.push(`${open} proposals are open`);
    if (this.byNumber.size > engineLimits.proposalsKept) faults.push(`${this.byNumber.size} proposals are kept`);
  }
}
