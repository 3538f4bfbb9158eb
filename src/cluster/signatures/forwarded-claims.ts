import { type ByteReader, MalformedBytes } from '#base/bytes.ts';
import { frameKinds } from '#cluster/link/frame.ts';
import type { LinkChannel } from '#cluster/link/link-channel.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { readVerdict, writeClaim } from '#cluster/signatures/claim-codec.ts';
import { IngressRefused } from '#sequencer/command-ingress.ts';
import type { ClaimVerdict, SignatureClaim } from '#sequencer/signature-authority.ts';

interface Waiting {
  readonly resolve: (verdict: ClaimVerdict) => void;
  readonly reject: (error: Error) => void;
}

/** Claims of this node that the leader has not answered yet. A claim does nothing, so one that is lost is refused. */
export class ForwardedClaims {
  private readonly waiting = new Map<number, Waiting>();
  private lastRef = 0;

  /** Sends a claim over the connection to the leader. @throws IngressRefused, MalformedBytes */
  send(channel: Pick<LinkChannel, 'send'>, claim: SignatureClaim): Promise<ClaimVerdict> {
    return new Promise((resolve, reject) => {
      if (this.waiting.size >= linkLimits.claims) {
        reject(new IngressRefused('too many signatures wait for the leader'));
        return;
      }
      const ref = (this.lastRef + 1) >>> 0;
      channel.send(frameKinds.claim, ref, (writer) => writeClaim(writer, claim));
      this.lastRef = ref;
      this.waiting.set(ref, { resolve, reject });
    });
  }

  /** Takes the leader's answer. @throws MalformedBytes for one that was not asked for */
  receive(ref: number, content: ByteReader): void {
    const claim = this.waiting.get(ref);
    if (claim === undefined) throw new MalformedBytes(`an answer to claim ${ref}, which was not made`);
    const verdict = readVerdict(content);
    this.waiting.delete(ref);
    if (verdict === null) claim.reject(new IngressRefused('the node does not lead'));
    else claim.resolve(verdict);
  }

  /** The connection has ended. */
  lose(): void {
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of lost) reject(new IngressRefused('the connection to the leader has ended'));
  }
}
