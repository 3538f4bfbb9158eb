import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { list } from '#model/codec/field-codec.ts';
import { type OperatorToken, operatorToken } from '#model/wallet.ts';
import type { TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const tokens = list(operatorToken);

/** Tokens of operators by their hash, expired ones until the next is created. DEC-OPR-12. */
export class OperatorTokens implements StateTable {
  readonly name = 'operatorTokens';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly byHash = new Map<string, OperatorToken>();

  /** Tokens that are valid at `now`. */
  countAt(now: TimestampMs): number {
    return this.all().filter(({ expiresAt }) => expiresAt > now).length;
  }

  find(tokenHash: string): OperatorToken | null {
    return this.byHash.get(tokenHash) ?? null;
  }

  /** By hash. */
  all(): readonly OperatorToken[] {
    return [...this.byHash.values()].sort((first, second) => (first.tokenHash < second.tokenHash ? -1 : 1));
  }

  put(token: OperatorToken): void {
    this.byHash.set(token.tokenHash, token);
  }

  delete(tokenHash: string): void {
    this.byHash.delete(tokenHash);
  }

  /** Forgets the tokens that are no longer valid at `now`. */
  forgetExpired(now: TimestampMs): void {
    for (const { tokenHash, expiresAt } of this.all()) if (expiresAt <= now) this.delete(tokenHash);
  }

  write(writer: ByteWriter): void {
    tokens.write(writer, this.all());
  }

  read(reader: ByteReader): void {
    for (const token of tokens.read(reader)) this.put(token);
  }

  audit(): void {}
}
