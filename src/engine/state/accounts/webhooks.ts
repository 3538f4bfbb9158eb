import { RecordTable } from '#engine/state/state-table.ts';
import { type Webhook, webhook } from '#model/webhook.ts';

/** Webhooks, by their id. DEC-OPR-238. */
export class Webhooks extends RecordTable<Webhook> {
  readonly name = 'webhooks';
  private readonly byId = new Map<string, Webhook>();

  constructor() {
    super(webhook);
  }

  get count(): number {
    return this.byId.size;
  }

  find(id: string): Webhook | null {
    return this.byId.get(id) ?? null;
  }

  /** By id. */
  all(): readonly Webhook[] {
    return [...this.byId.values()].sort((first, second) => (first.webhook < second.webhook ? -1 : 1));
  }

  put(next: Webhook): void {
    this.byId.set(next.webhook, next);
  }

  delete(id: string): void {
    this.byId.delete(id);
  }
}
