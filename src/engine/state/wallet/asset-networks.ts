import type { AssetId } from '#model/units.ts';
import type { AssetNetwork } from '#model/wallet.ts';

/** Assets on networks, in the order in which they were configured first. */
export class AssetNetworks {
  readonly all: AssetNetwork[] = [];
  private readonly places = new Map<string, number>();

  get(asset: AssetId, network: string): AssetNetwork | null {
    const place = this.places.get(`${asset}/${network}`);
    return place === undefined ? null : this.all[place]!;
  }

  /** The network's native coin; `null` where it is not listed. */
  nativeOf(network: string): AssetNetwork | null {
    return this.all.find((each) => each.network === network && each.contract === null) ?? null;
  }

  /** Whether any asset is on the network. */
  has(network: string): boolean {
    return this.all.some((each) => each.network === network);
  }

  put(network: AssetNetwork): void {
    const key = `${network.asset}/${network.network}`;
    const place = this.places.get(key) ?? this.all.length;
    this.places.set(key, place);
    this.all[place] = network;
  }
}
