import type { AssetId } from '#model/units.ts';
import { type AssetNetwork, assetNetwork } from '#model/wallet.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** Assets on networks, in the order in which they were configured first. */
export class AssetNetworks extends RecordTable<AssetNetwork> {
  readonly name = 'assetNetworks';
  private networks: AssetNetwork[] = [];
  private readonly places = new Map<string, number>();

  constructor() {
    super(assetNetwork);
  }

  get(asset: AssetId, network: string): AssetNetwork | null {
    const place = this.places.get(`${asset}/${network}`);
    return place === undefined ? null : this.networks[place]!;
  }

  /** The network's native coin; `null` where it is not listed. */
  nativeOf(network: string): AssetNetwork | null {
    return this.networks.find((each) => each.network === network && each.contract === null) ?? null;
  }

  /** Whether any asset is on the network. */
  has(network: string): boolean {
    return this.networks.some((each) => each.network === network);
  }

  all(): readonly AssetNetwork[] {
    return this.networks;
  }

  put(network: AssetNetwork): void {
    const key = `${network.asset}/${network.network}`;
    const place = this.places.get(key) ?? this.networks.length;
    this.places.set(key, place);
    this.networks[place] = network;
  }

  /** Takes an asset off every network. */
  removeOf(asset: AssetId): void {
    const left = this.networks.filter((network) => network.asset !== asset);
    this.networks = [];
    this.places.clear();
    for (const network of left) this.put(network);
  }
}
