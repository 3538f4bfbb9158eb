import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import {
  type ClaimVerdict,
  claimVerdicts,
  type SignatureClaim,
  type SignatureUse,
} from '#sequencer/signature-authority.ts';

/** Bytes of a signature. */
const signatureBytes = 32;

function writeUse(writer: ByteWriter, { signature, route }: SignatureUse): void {
  if (signature.length !== signatureBytes) throw new MalformedBytes(`a signature of ${signature.length} bytes`);
  writer.raw(signature);
  writer.text(route);
}

const readUse = (reader: ByteReader): SignatureUse => ({
  signature: reader.raw(signatureBytes).slice(),
  route: reader.text(linkLimits.routeBytes),
});

/** Writes a claim. @throws MalformedBytes for what is none */
export function writeClaim(writer: ByteWriter, claim: SignatureClaim): void {
  writeUse(writer, claim);
  writer.u8(claim.isOnce ? 1 : 0);
  writer.varint(claim.madeAt);
}

/** @throws MalformedBytes */
export function readClaim(reader: ByteReader): SignatureClaim {
  const claim = { ...readUse(reader), isOnce: reader.u8() === 1, madeAt: reader.varint() };
  reader.finish();
  return claim;
}

/** Writes what was decided; `null`: nobody can decide here. */
export const writeVerdict = (writer: ByteWriter, verdict: ClaimVerdict | null): void =>
  writer.u8(verdict === null ? 0 : claimVerdicts.indexOf(verdict) + 1);

/** @throws MalformedBytes */
export function readVerdict(reader: ByteReader): ClaimVerdict | null {
  const index = reader.u8();
  reader.finish();
  const verdict = claimVerdicts[index - 1];
  if (index !== 0 && verdict === undefined) throw new MalformedBytes(`verdict ${index}, which there is not`);
  return verdict ?? null;
}

/** Writes signatures of requests that were served. */
export function writeSeen(writer: ByteWriter, uses: readonly SignatureUse[]): void {
  writer.varint(uses.length);
  for (const use of uses) writeUse(writer, use);
}

/** @throws MalformedBytes */
export function readSeen(reader: ByteReader): readonly SignatureUse[] {
  const count = reader.varint();
  if (count > linkLimits.seenAtOnce) throw new MalformedBytes(`${count} signatures at once`);
  const uses = Array.from({ length: count }, () => readUse(reader));
  reader.finish();
  return uses;
}
