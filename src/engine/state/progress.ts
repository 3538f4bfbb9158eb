import { assert } from '#base/assert.ts';
import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import type { Entry } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import { oldestRules } from '#model/rules.ts';
import type { Digest, Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Emitter } from '#engine/events/emitter.ts';
import type { StateTable } from '#engine/state/state-table.ts';

/**
 * How far the journal is applied: the last entry, rules in force, digests of events. Not in the digest of the business
 * state, because it changes with every entry.
 */
export class Progress implements StateTable {
  readonly name = 'position';
  readonly version = 1;
  readonly isInDigest = false;
  seq = as<Seq>(0);
  at = as<TimestampMs>(0);
  /** Epoch of the last applied entry: it rises whenever a tail of the journal was taken out. */
  epoch = as<Epoch>(0);
  /** Version of the rules in force; the journal activates later ones. */
  rules = oldestRules;
  /** Event digest after the last entry whose position is a multiple of the digest interval. */
  checkpoint: { readonly at: Seq; readonly digest: Digest } = { at: as<Seq>(0), digest: as<Digest>('') };
  private readonly emit: Emitter;

  constructor(emit: Emitter) {
    this.emit = emit;
  }

  /** Goes on to the entry that is applied now. */
  begin({ seq, at, epoch }: Entry): void {
    assert(seq === this.seq + 1, 'entries follow each other without a gap');
    assert(at >= this.at, 'engine time never decreases');
    assert(epoch >= this.epoch, 'epochs never decrease');
    this.seq = seq;
    this.at = at;
    this.epoch = epoch;
  }

  write(writer: ByteWriter): void {
    writer.varint(this.seq);
    writer.varint(this.at);
    for (const word of this.emit.save()) writer.u32(word >>> 0);
    writer.varint(this.checkpoint.at);
    writer.text(this.checkpoint.digest);
    writer.varint(this.rules);
    writer.varint(this.epoch);
  }

  read(reader: ByteReader): void {
    this.seq = as(reader.varint());
    this.at = as(reader.varint());
    this.emit.load([reader.u32() | 0, reader.u32() | 0, reader.u32() | 0, reader.u32() | 0]);
    this.checkpoint = { at: as(reader.varint()), digest: as(reader.text()) };
    this.rules = reader.varint();
    this.epoch = as(reader.varint());
  }

  audit(): void {}
}

/** What is known of the running command only; nothing of it is kept. */
export class RunningCommand {
  /** Its operator, folded by `personOf`; `null`: none. */
  actor: string | null = null;
  /** The idempotency key of that operator's request; `null`: none. */
  idempotencyKey: string | null = null;
  /** Why the command of that operator was refused; `null`: it was not. */
  refusal: RejectReason | null = null;
}
