import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { integer, list, record, text } from '#model/codec/field-codec.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const freeNonce = record({
  network: text(),
  nonce: integer(),
});

const freeNonces = list(freeNonce);

/**
 * Hot-wallet nonces of withdrawals that were signed and failed before they were broadcast. A chain waits for each
 * nonce in turn, so another withdrawal has to use them. DEC-WAL-59.
 */
export class FreeNonces implements StateTable {
  readonly name = 'freeNonces';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly byNetwork = new Map<string, Set<number>>();

  /** Free nonces of a network, ascending. */
  of(network: string): readonly number[] {
    return [...(this.byNetwork.get(network) ?? [])].sort((first, second) => first - second);
  }

  countOf(network: string): number {
    return this.byNetwork.get(network)?.size ?? 0;
  }

  has(network: string, nonce: number): boolean {
    return this.byNetwork.get(network)?.has(nonce) ?? false;
  }

  add(network: string, nonce: number): void {
    const nonces = this.byNetwork.get(network) ?? new Set();
    this.byNetwork.set(network, nonces.add(nonce));
  }

  /** Removes a nonce that the chain has seen. */
  remove(network: string, nonce: number): void {
    this.byNetwork.get(network)?.delete(nonce);
  }

  /**
   * Removes a nonce that is signed again, and those below: the least is always asked for first, so a greater one is
   * signed where the chain has seen the others.
   */
  take(network: string, nonce: number): void {
    for (const each of this.of(network)) if (each <= nonce) this.byNetwork.get(network)?.delete(each);
  }

  write(writer: ByteWriter): void {
    const networks = [...this.byNetwork.keys()].sort();
    freeNonces.write(
      writer,
      networks.flatMap((network) => this.of(network).map((nonce) => ({ network, nonce }))),
    );
  }

  read(reader: ByteReader): void {
    for (const { network, nonce } of freeNonces.read(reader)) this.add(network, nonce);
  }

  audit(): void {}
}
