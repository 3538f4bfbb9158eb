import type { Repeat } from '#base/clock.ts';
import type { SeenSignatures } from '#cluster/signatures/seen-signatures.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import type { ClaimVerdict, SignatureAuthority, SignatureClaim, SignatureUse } from '#sequencer/signature-authority.ts';

/** The way to the leader's memory, where it is another node's. */
export interface SignatureLink {
  /** Whether the leader is connected. */
  readonly isConnected: boolean;
  /** @throws IngressRefused */
  claim(claim: SignatureClaim): Promise<ClaimVerdict>;
  tellSeen(uses: readonly SignatureUse[]): void;
}

/** How soon the leader is told what was served without its leave. */
const tellMs = 100;
/** Signatures that wait to be told; the oldest go first. */
const untoldMax = 50_000;

/** Signatures at this node: the leader decides, this one or another. DEC-CLU-20. */
export class ClusterSignatures implements SignatureAuthority {
  private readonly toLeader: SignatureLink;
  private own: SeenSignatures | null = null;
  private untold: SignatureUse[] = [];

  constructor(toLeader: SignatureLink) {
    this.toLeader = toLeader;
  }

  /** From now on this node decides. */
  lead(seen: SeenSignatures): void {
    this.own = seen;
    this.tell();
  }

  async claim(claim: SignatureClaim): Promise<ClaimVerdict> {
    return this.own === null ? this.toLeader.claim(claim) : this.own.claim(claim);
  }

  seen(use: SignatureUse): void {
    if (this.own !== null) this.own.see(use);
    else this.untold.push(use);
    if (this.untold.length > 2 * untoldMax) this.untold = this.untold.slice(-untoldMax);
  }

  /** Tells the leader again and again what it has to know. Answers what ends it. */
  start(repeat: Repeat): () => void {
    return repeat(tellMs, () => this.tell());
  }

  private tell(): void {
    if (this.untold.length === 0) return;
    if (this.own === null && !this.toLeader.isConnected) return;
    const { untold } = this;
    this.untold = [];
    if (this.own !== null) for (const use of untold) this.own.see(use);
    else
      for (let at = 0; at < untold.length; at += linkLimits.seenAtOnce)
        this.toLeader.tellSeen(untold.slice(at, at + linkLimits.seenAtOnce));
  }
}
