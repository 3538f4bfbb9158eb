import { NetworkUnavailable, type NetworkStatus } from '#custody/custody.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import type { SettlementParts } from '#custody/settlement/network-settlement.ts';

/** How often a network is asked how it stands. */
const askedEveryMs = 15_000;

/** How a network was seen last; times are of the monotonic clock that settlement looks at. */
export interface NetworkSight {
  /** `null`: it has not answered since the start. */
  readonly status: NetworkStatus | null;
  /** Milliseconds since it answered, or since the start. */
  readonly answerAgeMs: number;
  /** Milliseconds since a poll went all the way, or since the start. */
  readonly settlementAgeMs: number;
  /** Number of the newest block that was read for deposits; `null`: none since the start. */
  readonly followedHeight: number | null;
}

/**
 * Asks a network now and then how it stands. This is for people: whatever comes of it, deposits and withdrawals are
 * settled all the same.
 */
export class NetworkWatch {
  private readonly parts: SettlementParts;
  private status: NetworkStatus | null = null;
  private answeredAt: number;
  private settledAt: number;

  constructor(parts: SettlementParts) {
    this.parts = parts;
    this.answeredAt = this.settledAt = parts.monotonic.now();
  }

  /** Asks where it is due: a network that did not answer is asked again each time. */
  async look(networks: readonly AssetNetwork[]): Promise<void> {
    const { custody, monotonic, onTrouble } = this.parts;
    if (this.status !== null && monotonic.now() - this.answeredAt < askedEveryMs) return;
    const contracts = networks.flatMap(({ contract }) => (contract === null ? [] : [contract]));
    try {
      this.status = await custody.status(contracts);
      this.answeredAt = monotonic.now();
    } catch (error) {
      if (!(error instanceof NetworkUnavailable)) onTrouble(`asking how ${custody.network} stands`, error);
    }
  }

  /** A poll went all the way. */
  completed(): void {
    this.settledAt = this.parts.monotonic.now();
  }

  sight(followedHeight: number | null): NetworkSight {
    const now = this.parts.monotonic.now();
    return {
      status: this.status,
      answerAgeMs: now - this.answeredAt,
      settlementAgeMs: now - this.settledAt,
      followedHeight,
    };
  }
}
