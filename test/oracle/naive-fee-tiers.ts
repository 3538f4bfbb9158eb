// Fee tiers as the rules DEC-OPR-210 to DEC-OPR-214 say, from the list of all trades and nothing that the engine keeps.

export interface NaiveTier {
  readonly volume: bigint | null;
  readonly tokens: bigint | null;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
}

interface NaiveTrade {
  readonly at: number;
  readonly parties: readonly [taker: number, maker: number];
  readonly worth: bigint;
}

interface Running {
  readonly midnight: number;
  readonly tiers: readonly NaiveTier[];
  readonly tokens: ReadonlyMap<number, bigint>;
  next: number;
}

type Rates = { readonly maker: number | null; readonly taker: number | null };

const day = 24 * 3_600_000;
const none: Rates = { maker: null, taker: null };

/** A model of all tiers. Accounts are numbers; those below `first` are the house's. */
export class NaiveFeeTiers {
  tiers: readonly NaiveTier[] | null = null;
  /** Who is whose, every account. */
  readonly masterOf = new Map<number, number>();
  readonly own = new Map<number, Rates>();
  #trades: NaiveTrade[] = [];
  readonly #reached = new Map<number, Rates>();
  #midnight = Number.POSITIVE_INFINITY;
  #running: Running | null = null;
  readonly #first: number;

  constructor(first: number) {
    this.#first = first;
  }

  set(tiers: readonly NaiveTier[] | null, at: number): void {
    this.tiers = tiers;
    this.#midnight = tiers === null ? Number.POSITIVE_INFINITY : (Math.floor(at / day) + 1) * day;
    if (tiers !== null) return;
    this.#trades = [];
    this.#reached.clear();
    this.#running = null;
  }

  /** Before whatever happens at `at`; `balanceOf`: tokens of an account then. */
  pass(at: number, balanceOf: (account: number) => bigint): void {
    if (at < this.#midnight) return;
    const tokens = new Map<number, bigint>();
    for (const [account, master] of this.masterOf) tokens.set(master, (tokens.get(master) ?? 0n) + balanceOf(account));
    const midnight = Math.floor(at / day) * day;
    this.#running = { midnight, tiers: this.tiers!, tokens, next: this.#first };
    this.#midnight = midnight + day;
  }

  trade(at: number, taker: number, maker: number, worth: bigint): void {
    if (this.tiers !== null && taker !== maker) this.#trades.push({ at, parties: [taker, maker], worth });
  }

  /** What can still be assigned: the day; `null`: nothing. */
  get due(): number | null {
    return this.#running === null || this.#running.next > this.#last ? null : this.#running.midnight;
  }

  get #last(): number {
    return Math.max(...this.masterOf.keys());
  }

  assign(count: number): void {
    const { midnight, tiers, tokens, next } = this.#running!;
    for (let account = next; account < next + count; account += 1) {
      if (this.masterOf.get(account) !== account) continue;
      const volume = this.#volumeBefore(account, midnight);
      const own = tokens.get(account) ?? 0n;
      let rates = none;
      for (const tier of tiers) {
        const isReached =
          (tier.volume !== null && volume >= tier.volume) || (tier.tokens !== null && own >= tier.tokens);
        if (isReached) rates = { maker: tier.makerFeePpm, taker: tier.takerFeePpm };
      }
      this.#reached.set(account, rates);
    }
    this.#running!.next = next + count;
  }

  /** What an account pays where a pair asks for this. */
  rate(account: number, role: 'maker' | 'taker', ofPair: number): number {
    const own = this.own.get(account)?.[role] ?? null;
    const ofTier = (this.#reached.get(this.masterOf.get(account)!) ?? none)[role];
    const rate = own === null ? (ofTier === null ? ofPair : ofTier) : own;
    return Math.min(rate, ofPair);
  }

  #volumeBefore(master: number, midnight: number): bigint {
    return this.#trades
      .filter(({ at }) => at < midnight && at >= midnight - 30 * day)
      .filter(({ parties }) => parties.some((each) => this.masterOf.get(each) === master))
      .reduce((sum, { worth }) => sum + worth, 0n);
  }
}
