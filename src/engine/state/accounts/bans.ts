import { type BanView, ban } from '#model/ban.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** Bans by address, in the order in which they were made. */
export class Bans extends RecordTable<BanView> {
  readonly name = 'bans';
  private readonly byAddress = new Map<string, BanView>();

  constructor() {
    super(ban);
  }

  get count(): number {
    return this.byAddress.size;
  }

  all(): readonly BanView[] {
    // stored order: bans stand in the order in which they were made
    return [...this.byAddress.values()];
  }

  find(address: string): BanView | null {
    return this.byAddress.get(address) ?? null;
  }

  put(each: BanView): void {
    this.byAddress.set(each.address, each);
  }

  delete(address: string): void {
    this.byAddress.delete(address);
  }
}
