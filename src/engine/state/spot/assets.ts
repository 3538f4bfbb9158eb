import { type AssetRules, assetRules } from '#model/asset.ts';
import type { AssetId } from '#model/units.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** Listed assets. */
export class Assets extends RecordTable<AssetRules> {
  readonly name = 'assets';
  private readonly byId: AssetRules[] = [];
  private readonly byCode = new Map<string, AssetId>();

  constructor() {
    super(assetRules);
  }

  get count(): number {
    return this.byId.length;
  }

  has(id: number): boolean {
    return this.byId[id] !== undefined;
  }

  get(id: AssetId): AssetRules | null {
    return this.byId[id] ?? null;
  }

  /** An asset that is listed. */
  at(id: AssetId): AssetRules {
    return this.byId[id]!;
  }

  find(code: string): AssetRules | null {
    const id = this.byCode.get(code);
    return id === undefined ? null : this.at(id);
  }

  /** In the order of listing, which is that of ids. */
  all(): readonly AssetRules[] {
    return this.byId;
  }

  put(asset: AssetRules): void {
    this.byId[asset.id] = asset;
    this.byCode.set(asset.code, asset.id);
  }
}
