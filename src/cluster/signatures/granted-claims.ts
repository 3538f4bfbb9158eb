import type { ByteReader } from '#base/bytes.ts';
import { frameKinds } from '#cluster/link/frame.ts';
import type { LinkChannel } from '#cluster/link/link-channel.ts';
import { readClaim, readSeen, writeVerdict } from '#cluster/signatures/claim-codec.ts';
import type { SeenSignatures } from '#cluster/signatures/seen-signatures.ts';

/** Whether a frame is about signatures. */
export const isAboutSignatures = (kind: number): boolean => kind === frameKinds.claim || kind === frameKinds.seen;

/** Signatures of one connected node, on the side of the leader. */
export class GrantedClaims {
  private readonly memory: () => SeenSignatures | null;
  private readonly send: LinkChannel['send'];

  /** `memory`: what this node remembers; `null`: it does not lead. */
  constructor(memory: () => SeenSignatures | null, send: LinkChannel['send']) {
    this.memory = memory;
    this.send = send;
  }

  /** Takes a frame that is about signatures. @throws MalformedBytes for what no node sends */
  receive(kind: number, ref: number, content: ByteReader): void {
    if (kind === frameKinds.claim) {
      const claim = readClaim(content);
      const verdict = this.memory()?.claim(claim) ?? null;
      this.send(frameKinds.claimed, ref, (writer) => writeVerdict(writer, verdict));
      return;
    }
    const uses = readSeen(content);
    for (const use of uses) this.memory()?.see(use);
  }
}
