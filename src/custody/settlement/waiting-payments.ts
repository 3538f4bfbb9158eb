import { formatDecimal } from '#base/decimal.ts';
import { lesserOf, sumOf } from '#base/whole-numbers.ts';
import type { AssetRules } from '#model/asset.ts';
import { as, type AssetId, type Balance } from '#model/units.ts';
import type { FundsPurpose, LackingFunds, Signing } from '#custody/custody.ts';
import { feeToLedger } from '#custody/settlement/chain-amounts.ts';
import type { NetworkListing, SettlementParts } from '#custody/settlement/network-settlement.ts';

/** A coin that the hot wallet of a network has too little of, as the ledger counts it. */
export interface FundsLack {
  /** `null`: it is not listed on the network, as the native coin may be where tokens alone are. */
  readonly asset: AssetId | null;
  /** What is missing at least, rounded up; 0 where the asset is `null`. */
  readonly missing: Balance;
  /** `networkFee`: only fees lack it. */
  readonly purpose: FundsPurpose;
  /** How many withdrawals wait for it. */
  readonly withdrawals: number;
}

/** What is lacking, as people read it: `0.5 ETH for network fees`. `assets`: by id. */
export function lackText({ asset, missing, purpose }: FundsLack, assets: readonly AssetRules[]): string {
  const listed = asset === null ? null : assets[asset]!;
  const coin = listed === null ? 'the native coin' : `${formatDecimal(missing, listed.scale)} ${listed.code}`;
  return purpose === 'networkFee' ? `${coin} for network fees` : coin;
}

/** Why a payment is not made now. */
interface Reason {
  readonly text: string;
  readonly lacks: LackingFunds | null;
}

/**
 * Withdrawals of one network that are not paid now, each with its reason, as of the last poll. Lacking funds is a state
 * of the network: told of when it begins and when it ends, once a coin, and over as soon as money arrives. Kept in
 * memory, because each poll finds it anew. DEC-OPR-290, DEC-OPR-291.
 */
export class WaitingPayments {
  private readonly parts: SettlementParts;
  private readonly reasons = new Map<number, Reason>();
  private listing: NetworkListing = { networks: [], assets: [] };
  /** Contracts of coins whose lack was told of. */
  private toldOf: ReadonlySet<string | null> = new Set();

  constructor(parts: SettlementParts) {
    this.parts = parts;
  }

  /** Why a withdrawal is not paid now; `null`: nothing of that is known. */
  reasonOf(withdrawal: number): string | null {
    return this.reasons.get(withdrawal)?.text ?? null;
  }

  /** What a withdrawal waits for; `null`: not for funds. */
  shortfallOf(withdrawal: number): FundsLack | null {
    const lacks = this.reasons.get(withdrawal)?.lacks ?? null;
    return lacks === null ? null : this.onLedger([lacks]);
  }

  /** Every coin that withdrawals wait for. */
  lacks(): readonly FundsLack[] {
    return [...this.byCoin().values()].map((waiting) => this.onLedger(waiting));
  }

  /** A poll begins; all but these withdrawals are forgotten. */
  begin(listing: NetworkListing, withdrawals: ReadonlySet<number>): void {
    this.listing = listing;
    for (const withdrawal of this.reasons.keys()) if (!withdrawals.has(withdrawal)) this.reasons.delete(withdrawal);
  }

  /** Notes whether custody signs a withdrawal now. */
  noteSigning(withdrawal: number, signing: Signing): void {
    if (signing.kind === 'refused' && signing.until === 'later')
      this.note(withdrawal, signing.reason, signing.lacks ?? null);
    else this.note(withdrawal, null);
  }

  /** Notes why a withdrawal is not paid now, and tells of it once; `null`: it is, or nothing of that is known. */
  note(withdrawal: number, reason: string | null, lacks: LackingFunds | null = null): void {
    const isNew = reason !== this.reasonOf(withdrawal);
    if (reason === null) this.reasons.delete(withdrawal);
    else this.reasons.set(withdrawal, { text: reason, lacks });
    if (reason !== null && lacks === null && isNew)
      this.parts.notice(`Withdrawal ${withdrawal} on ${this.parts.custody.network} waits: ${reason}.`);
  }

  /** The poll is over: tells of coins that are lacking since it, and of those that are not any more. */
  end(): void {
    const { notice, custody } = this.parts;
    const wallet = `The hot wallet of ${custody.network}`;
    const lacking = this.byCoin();
    for (const [contract, waiting] of lacking) {
      if (this.toldOf.has(contract)) continue;
      const lack = lackText(this.onLedger(waiting), this.listing.assets);
      notice(`${wallet} lacks ${lack}: withdrawals wait for funds, and go on by themselves when money arrives.`);
    }
    for (const contract of this.toldOf) {
      if (lacking.has(contract)) continue;
      const asset = this.assetOf(contract);
      const coin = asset === null ? 'the native coin' : this.listing.assets[asset]!.code;
      notice(`${wallet} does not lack ${coin} any more.`);
    }
    this.toldOf = new Set(lacking.keys());
  }

  /** By contract: what each withdrawal lacks that waits for that coin. */
  private byCoin(): ReadonlyMap<string | null, readonly LackingFunds[]> {
    const coins = new Map<string | null, LackingFunds[]>();
    for (const { lacks } of this.reasons.values()) {
      if (lacks === null) continue;
      const waiting = coins.get(lacks.contract);
      if (waiting === undefined) coins.set(lacks.contract, [lacks]);
      else waiting.push(lacks);
    }
    return coins;
  }

  /** What withdrawals lack together of one coin: what all of them need, less what the wallet has. */
  private onLedger(waiting: readonly LackingFunds[]): FundsLack {
    const { contract } = waiting[0]!;
    const asset = this.assetOf(contract);
    // The least is the newest: what is signed in a poll leaves less for the rest.
    const available = waiting.map((lacks) => lacks.available).reduce(lesserOf);
    const missing = sumOf(waiting.map(({ needed }) => needed)) - available;
    const scale = this.listing.networks.find((each) => each.contract === contract)?.scale ?? 0;
    return {
      asset,
      missing: asset === null ? as<Balance>(0n) : feeToLedger(missing, scale, this.listing.assets[asset]!.scale),
      purpose: waiting.some(({ purpose }) => purpose === 'amount') ? 'amount' : 'networkFee',
      withdrawals: waiting.length,
    };
  }

  private assetOf(contract: string | null): AssetId | null {
    return this.listing.networks.find((each) => each.contract === contract)?.asset ?? null;
  }
}
