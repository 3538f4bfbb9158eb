/** A signature of a request, as it is told between nodes. */
export interface SignatureUse {
  /** 32 bytes. */
  readonly signature: Uint8Array;
  /** Method and path. */
  readonly route: string;
}

/** A request that changes something, and may do so once. */
export interface SignatureClaim extends SignatureUse {
  /** Whether the same request may not take effect twice; else it may, at the same method and path. */
  readonly isOnce: boolean;
  /** Its timestamp. */
  readonly madeAt: number;
}

/**
 * What is decided of a claim: it may take effect; its signature was used before; it was signed before the time that is
 * remembered; that time has not passed yet, and it may be sent again a moment later.
 */
export const claimVerdicts = ['granted', 'used', 'fromBefore', 'tooSoon'] as const;
/** One of them. */
export type ClaimVerdict = (typeof claimVerdicts)[number];

/**
 * Who decides in a cluster whether a signed request may take effect: the leader, for all nodes. A process by itself
 * decides alone, and has none. DEC-CLU-20.
 */
export interface SignatureAuthority {
  /**
   * Takes the signature for a request that is about to be served.
   * @throws IngressRefused where nobody can decide: nothing happened
   */
  claim(claim: SignatureClaim): Promise<ClaimVerdict>;
  /** A request with this signature is served, which needs no leave: the leader is told a moment later. */
  seen(use: SignatureUse): void;
}
