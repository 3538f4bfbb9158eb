import { ByteWriter, type ByteReader } from '#base/bytes.ts';
import { createHash128 } from '#base/checksum.ts';
import { list, nullable, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import { encodeCommand } from '#model/command-codec.ts';
import type { Command } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

/** What an operator did under an idempotency key. */
const rememberedOperation = record({
  actor: text(),
  idempotencyKey: text(),
  /** Of the command, see `fingerprintOf`. */
  fingerprint: text(),
  /** Why the command was refused; `null`: it was not. */
  refusal: nullable(text<RejectReason>()),
  at: time(),
});
export type RememberedOperation = ValueOf<typeof rememberedOperation>;

const operations = list(rememberedOperation);

const { idempotencyKeys, idempotencyKeptMs } = engineLimits;

/**
 * What tells a command from another one: a hash of its bytes in the journal, without what custody said meanwhile, which
 * is not the operator's.
 */
export function fingerprintOf(command: Command): string {
  const writer = new ByteWriter();
  encodeCommand(writer, 'sight' in command ? { ...command, sight: null } : command);
  const hash = createHash128();
  hash.bytes(writer.written());
  return hash.digest();
}

/** Acts of operators by idempotency key, oldest first, for a day; beyond the limit the oldest goes. DEC-OPR-06. */
export class RememberedOperations implements StateTable {
  readonly name = 'rememberedOperations';
  readonly version = 1;
  readonly isInDigest = true;
  /** In the order in which they were made. */
  private readonly byKey = new Map<string, RememberedOperation>();

  /** What was done under a key, if it is remembered at `now`. */
  find(actor: string, idempotencyKey: string, now: TimestampMs): RememberedOperation | null {
    const known = this.byKey.get(nameOf(actor, idempotencyKey));
    return known === undefined || known.at + idempotencyKeptMs <= now ? null : known;
  }

  /** Remembers an act, and forgets those that are too old or too many. */
  put(operation: RememberedOperation): void {
    const name = nameOf(operation.actor, operation.idempotencyKey);
    // An old one of that name goes first, so that the order stays that of the acts.
    this.byKey.delete(name);
    this.byKey.set(name, operation);
    // stored order: acts stand in the order in which they were made
    for (const [oldest, { at }] of this.byKey) {
      if (at + idempotencyKeptMs > operation.at && this.byKey.size <= idempotencyKeys) break;
      this.byKey.delete(oldest);
    }
  }

  write(writer: ByteWriter): void {
    // stored order: acts stand in the order in which they were made
    operations.write(writer, [...this.byKey.values()]);
  }

  read(reader: ByteReader): void {
    for (const operation of operations.read(reader)) this.put(operation);
  }

  audit(faults: string[]): void {
    if (this.byKey.size > idempotencyKeys) faults.push(`${this.byKey.size} acts of operators are remembered`);
  }
}

/** Actors have no line break. */
const nameOf = (actor: string, idempotencyKey: string): string => `${actor}\n${idempotencyKey}`;
