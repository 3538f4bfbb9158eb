import type { Side } from '#model/order.ts';

/** What the simulated traders do in one market while it is not left to itself. Factors are multiples of the usual. */
export interface MarketCondition {
  /** `still`: they leave their orders and do nothing. `off`: they have no orders either. */
  readonly agents: (typeof agentStates)[number];
  /** Whose orders they let rest: with `buy` alone nobody of them sells to those who buy. */
  readonly sides: (typeof bookSides)[number];
  readonly spread: number;
  /** Worth of each level of their ladders. */
  readonly depth: number;
  /** How often those trade who trade at random. */
  readonly trades: number;
  /** On the clock of the exchange; `null`: it has no end. */
  readonly endsAt: number | null;
}
/** What agents may be told to do. */
export const agentStates = ['on', 'still', 'off'] as const;
/** Sides that a book may be told to have. */
export const bookSides = ['both', 'buy', 'sell'] as const;

/** A market that is left to itself. */
export const usualCondition: MarketCondition = {
  agents: 'on',
  sides: 'both',
  spread: 1,
  depth: 1,
  trades: 1,
  endsAt: null,
};

/** Whether the traders let orders of a side rest under a condition. */
export const mayRest = ({ agents, sides }: MarketCondition, side: Side): boolean =>
  agents !== 'off' && (sides === 'both' || sides === side);

/** The conditions of all markets, by name. They are of this process, and end with it. DEC-KIT-60. */
export class MarketConditions {
  readonly #unusual = new Map<string, MarketCondition>();
  readonly #changed = new Set<string>();

  of(market: string): MarketCondition {
    return this.#unusual.get(market) ?? usualCondition;
  }

  /** Holds from the next step of the traders on. */
  set(market: string, condition: MarketCondition): void {
    this.#unusual.set(market, condition);
    this.#changed.add(market);
  }

  /** Leaves every market to itself; answers how many were not. */
  clear(): number {
    const { size } = this.#unusual;
    for (const market of this.#unusual.keys()) this.#changed.add(market);
    this.#unusual.clear();
    return size;
  }

  /** Ends what is over at this moment, and answers the markets that changed since it was asked last. */
  takeChanged(now: number): readonly string[] {
    for (const [market, { endsAt }] of this.#unusual) {
      if (endsAt === null || now < endsAt) continue;
      this.#unusual.delete(market);
      this.#changed.add(market);
    }
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }
}
