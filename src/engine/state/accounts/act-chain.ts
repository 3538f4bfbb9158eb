import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { type Act, type ActHead, hashOfAct, noActs } from '#model/act.ts';
import { integer, record, text } from '#model/codec/field-codec.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const actHead = record({ count: integer(), hash: text() });

/**
 * The head of the chain of acts, from the first act of the exchange on; the acts themselves stand in the journal and in
 * history. It does not count in the digest of the business state: a refused act changes nothing of that. DEC-OPR-193.
 */
export class ActChain implements StateTable {
  readonly name = 'actChain';
  readonly version = 1;
  readonly isInDigest = false;
  head: ActHead = noActs;

  /** The next act, linked to the ones before. */
  link(act: Omit<Act, 'number' | 'hash'>): Act {
    const numbered = { ...act, number: this.head.count + 1 };
    const linked = { ...numbered, hash: hashOfAct(this.head.hash, numbered) };
    this.head = { count: linked.number, hash: linked.hash };
    return linked;
  }

  write(writer: ByteWriter): void {
    actHead.write(writer, this.head);
  }

  read(reader: ByteReader): void {
    this.head = actHead.read(reader);
  }

  audit(faults: string[]): void {
    const { count, hash } = this.head;
    if (!/^[0-9a-f]{64}$/.test(hash) || (count === 0) !== (hash === noActs.hash))
      faults.push(`the chain of ${count} acts has the head ${hash}`);
  }
}
