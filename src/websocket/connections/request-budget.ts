import { wireLimits } from '#http/limits.ts';
import { WeightBudget } from '#http/weight-budget.ts';

const limits = wireLimits.streams;

/**
 * What requests of websockets may cost: weight by connection and, over all its connections, by address, in fixed
 * windows. A message weighs one for each started KiB, a subscription what its channel says. DEC-STR-100.
 */
export class AddressBudgets {
  private readonly work: WeightBudget;
  private readonly upgrades: WeightBudget;

  /** `connectionsMax`: connections that an address may have; what all of them may cost follows from it. */
  constructor(connectionsMax: number) {
    const { bucketsKept: bucketsMax } = wireLimits.rate;
    const windowMs = limits.weightWindowMs;
    const limit = connectionsMax * limits.weightPerAddressConnection;
    this.work = new WeightBudget({ windowMs, limit, bucketsMax });
    this.upgrades = new WeightBudget({ windowMs, limit: connectionsMax * limits.upgradesPerConnection, bucketsMax });
  }

  /** Counts an upgrade of an address. Milliseconds that it has to wait; 0: it may go on. DEC-STR-102. */
  upgradeWaitMs(address: string, now: number): number {
    const { isAllowed, remainingMs } = this.upgrades.spend(address, 1, now);
    return isAllowed ? 0 : remainingMs;
  }

  /** False: the address has spent what it may, and nothing was charged. */
  spend(address: string, weight: number, now: number): boolean {
    return this.work.spend(address, weight, now).isAllowed;
  }
}

/** What one connection may spend. */
export class RequestBudget {
  private readonly addresses: AddressBudgets;
  private readonly address: string;
  private windowEnd = 0;
  private used = 0;
  private refused = 0;

  constructor(addresses: AddressBudgets, address: string) {
    this.addresses = addresses;
    this.address = address;
  }

  /** False: the connection or its address has spent what it may, and nothing was charged. */
  spend(weight: number, now: number): boolean {
    if (now >= this.windowEnd) {
      this.windowEnd = now + limits.weightWindowMs;
      this.used = 0;
      this.refused = 0;
    }
    if (this.used + weight > limits.weightPerConnection) return false;
    if (!this.addresses.spend(this.address, weight, now)) return false;
    this.used += weight;
    return true;
  }

  /** Counts a message beyond the budget. False: so many came in this window that the connection ends. DEC-STR-101. */
  mayGoOn(): boolean {
    this.refused += 1;
    return this.refused <= limits.refusedPerWindow;
  }
}
