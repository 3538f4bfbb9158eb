import { type AssetRules, assetRules } from '#model/asset.ts';
import type { AssetId } from '#model/units.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** Assets that are or were listed. */
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

  /** Whether the asset is listed. */
  has(id: number): boolean {
    return this.byId[id]?.isDelisted === false;
  }

  /** An asset that is listed. */
  get(id: AssetId): AssetRules | null {
    return this.has(id) ? this.at(id) : null;
  }

  /** An asset that is or was listed. */
  known(id: AssetId): AssetRules | null {
    return this.byId[id] ?? null;
  }

  /** As `known`, of an id that was given. */
  at(id: AssetId): AssetRules {
    return this.byId[id]!;
  }

  /** Also one that was delisted. */
  find(code: string): AssetRules | null {
    const id = this.byCode.get(code);
    return id === undefined ? null : this.at(id);
  }

  /** In the order of listing, which is that of ids; delisted ones too. */
  all(): readonly AssetRules[] {
    return this.byId;
  }

  put(asset: AssetRules): void {
    this.byId[asset.id] = asset;
    this.byCode.set(asset.code, asset.id);
  }
}
