import type { AssetRules } from '#model/asset.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import { feeToLedger } from '#custody/settlement/chain-amounts.ts';
import { settle, type SettlementParts } from '#custody/settlement/network-settlement.ts';

/** A position without a sweep is recorded this often: a restart reads the blocks of an hour at most once more. */
const recordEveryMs = 3_600_000;

/**
 * Has deposit addresses swept, and records what sweeps cost: they move money within custody, and their fees leave it.
 * DEC-WAL-51.
 */
export class SweepFollower {
  private readonly parts: SettlementParts;
  /** Where the next question starts; `null`: where the journal says. */
  private since: string | null = null;
  private recordedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: SettlementParts) {
    this.parts = parts;
  }

  /** Sweeps some addresses, and records what became final since the last poll. */
  async run(networks: readonly AssetNetwork[], assets: readonly AssetRules[]): Promise<void> {
    const { custody, queries, monotonic } = this.parts;
    const { network } = custody;
    const chain = await queries.wallet.chain(network);
    if (chain === null) return;
    const since = this.since ?? chain.sweepPosition;
    const { position, sweeps } = await custody.sweepsSince(since, chain.addressCount);
    const native = networks.find(({ contract }) => contract === null);
    for (const { txId, networkFee } of sweeps) {
      if (native === undefined) break;
      const fee = feeToLedger(networkFee, native.scale, assets[native.asset]!.scale);
      await settle(this.parts, { kind: 'recordSweep', network, txId, networkFee: fee });
    }
    this.since = position;
    // The first position counts too: what is swept from now on is searched for behind it, also after a restart.
    const isDue = sweeps.length > 0 || monotonic.now() - this.recordedAt >= recordEveryMs;
    if (position !== chain.sweepPosition && isDue) {
      await settle(this.parts, {
        kind: 'recordChainPosition',
        network,
        position: null,
        height: null,
        sweepPosition: position,
      });
      this.recordedAt = monotonic.now();
    }
    await custody.sweep(chain.addressCount);
  }
}
