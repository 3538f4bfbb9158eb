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
const pendingMax = 50_000;

/** Signatures at this node: the leader decides, this one or another. DEC-CLU-20. */
export class ClusterSignatures implements SignatureAuthority {
  private readonly toLeader: SignatureLink;
  private own: SeenSignatures | null = null;
  private pending: SignatureUse[] = [];

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
    else this.pending.push(use);
    if (this.pending.length > 2 * pendingMax) this.pending = this.pending.slice(-pendingMax);
  }

  /** Tells the leader again and again what it has to know. Answers what ends it. */
  start(repeat: Repeat): () => void {
    return repeat(tellMs, () => this.tell());
  }

  private tell(): void {
    if (this.pending.length === 0) return;
    if (this.own === null && !this.toLeader.isConnected) return;
    const { pending } = this;
    this.pending = [];
    if (this.own !== null) for (const use of pending) this.own.see(use);
    else
      for (let at = 0; at < pending.length; at += linkLimits.seenAtOnce)
        this.toLeader.tellSeen(pending.slice(at, at + linkLimits.seenAtOnce));
  }
}
