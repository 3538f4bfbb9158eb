import { type ChainProgress, chainProgress } from '#model/wallet.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** How far each network is followed. */
export class Chains extends RecordTable<ChainProgress> {
  readonly name = 'chains';
  private readonly byNetwork = new Map<string, ChainProgress>();

  constructor() {
    super(chainProgress);
  }

  has(network: string): boolean {
    return this.byNetwork.has(network);
  }

  get(network: string): ChainProgress | null {
    return this.byNetwork.get(network) ?? null;
  }

  /** A network that is known. */
  at(network: string): ChainProgress {
    return this.byNetwork.get(network)!;
  }

  /** By network. */
  all(): readonly ChainProgress[] {
    return [...this.byNetwork.values()].sort((first, second) => (first.network < second.network ? -1 : 1));
  }

  put(chain: ChainProgress): void {
    this.byNetwork.set(chain.network, chain);
  }
}
