import { expect } from 'vitest';
import { futuresWalletOf } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { WalletRules } from '#model/wallet.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { balancesOf } from '#engine/queries/engine-queries.ts';
import { type WalletQueries, walletQueries } from '#sequencer/queries/wallet-queries.ts';
import { listingOf } from '../permissive-listing.ts';

/** Assets of the harness. USDT is what the wallet is valued in, TKN the platform token; NIL has no pair. */
export const assets = {
  USDT: as<AssetId>(0),
  TKN: as<AssetId>(1),
  BTC: as<AssetId>(2),
  DOG: as<AssetId>(3),
  NIL: as<AssetId>(4),
} as const;
/** Decimals of every asset but DOG, whose smallest unit is a whole one. */
const scale = 4;
export const people = {
  alice: as<AccountId>(4),
  bob: as<AccountId>(5),
  carol: as<AccountId>(6),
  child: as<AccountId>(7),
  robot: as<AccountId>(8),
} as const;
type Person = keyof typeof people;
export const uidOf = (name: Person): string => String(90_000_000 + people[name]);

export const openRules: WalletRules = {
  valuedIn: assets.USDT,
  largeDeposit: as<Balance>(10n ** 9n),
  dailyCaps: [1n, 2n, 3n, 4n].map((cap) => as<Balance>(cap * 10n ** 8n)),
  riskHoldAbove: null,
  fourEyesAbove: null,
  adjustFourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs: 0,
  transferable: [assets.USDT],
  dustBelow: as<Balance>(50_000n),
  dustCallMax: as<Balance>(500_000n),
  dustFeePpm: 2000,
};
const listings: readonly SymbolListing[] = (['TKN', 'BTC', 'DOG'] as const).map((base) =>
  listingOf({
    name: `${base}USDT`,
    base: assets[base],
    quote: assets.USDT,
    priceDecimals: 4,
    quantityDecimals: 0,
    makerFeePpm: 0,
    takerFeePpm: 0,
  }),
);

/** An exchange whose wallet is configured: three people, a sub-account of alice, and a simulated participant. */
export class WalletHarness {
  engine: StateMachine = createEngine();
  at = 1_700_000_000_000;
  #commands = 0;

  /** `hasToken`: whether there is a platform token. */
  constructor(rules: WalletRules | null = openRules, hasToken = true) {
    for (const [code, id] of Object.entries(assets)) {
      const asset = { code, fullName: code, scale: code === 'DOG' ? 0 : scale, cap: as<Balance>(2n ** 61n) };
      this.run({ kind: 'configureAsset', asset: { ...asset, coinId: String(id).repeat(32) } });
    }
    for (const symbol of listings) this.run({ kind: 'configureSymbol', symbol });
    if (hasToken) this.run({ kind: 'configureFeeToken', token: assets.TKN, valuedIn: assets.USDT, discountPpm: 0 });
    for (const name of Object.keys(people) as Person[]) {
      this.run({
        kind: 'openAccount',
        uid: as(Number(uidOf(name))),
        name,
        master: name === 'child' ? people.alice : null,
        class: 'user',
        kycLevel: 1,
        simulated: name === 'robot',
      });
    }
    if (rules !== null) this.run({ kind: 'configureWallet', rules });
  }

  get questions(): WalletQueries {
    return walletQueries(this.engine);
  }

  /** Applies a command and answers its events. The state is audited after each, and restored from an image at times. */
  run(command: Command): Event[] {
    const recorder = createEventRecorder();
    this.engine.apply({ seq: as(this.engine.seq + 1), epoch: as(0), at: as(this.at), command }, recorder);
    expect(audit(this.engine.state)).toEqual([]);
    this.#commands += 1;
    if (this.#commands % 23 === 0) this.restore();
    return recorder.events;
  }

  /** Goes on with an engine made from an image of this one. */
  restore(): void {
    const image = this.engine.snapshot();
    this.engine = restoreEngine(image, this.engine.digest());
    expect(Buffer.compare(this.engine.snapshot(), image)).toBe(0);
  }

  /** The last event of a command that is no posting, as a word: its kind, or why it was refused. */
  say(command: Command): string {
    const told = this.run(command).findLast((event) => event.kind !== 'posted');
    return told?.kind === 'commandRefused' ? told.reason : (told?.kind ?? 'nothing');
  }

  give(account: AccountId, asset: AssetId, amount: bigint): void {
    expect(this.run({ kind: 'creditFunds', account, asset, amount: as<Balance>(amount) })).toHaveLength(2);
  }

  /** Makes this the last price of a pair with USDT, in ticks, and what rules take the asset to be worth. */
  price(base: 'TKN' | 'BTC' | 'DOG', ticks: number): void {
    this.give(people.carol, assets[base], base === 'DOG' ? 1n : 10n ** 4n);
    this.give(people.carol, assets.USDT, BigInt(ticks));
    const symbol = listings.findIndex(({ name }) => name === `${base}USDT`);
    for (const side of ['sell', 'buy'] as const) {
      const kind = 'limit';
      const terms = { symbol: as<never>(symbol as never), side, kind, price: as<never>(ticks as never) } as const;
      const rest = { quantity: as<never>(1 as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
      this.run({ kind: 'placeOrder', account: people.carol, order: { ...terms, ...rest } });
    }
    expect(this.engine.state.books[symbol]!.lastPrice).toBe(ticks);
    this.setPrice(base, ticks);
  }

  /** Sets the reference price of a whole coin in ticks. */
  setPrice(base: 'TKN' | 'BTC' | 'DOG', ticks: number): void {
    const price = { asset: assets[base], digits: as<Balance>(BigInt(ticks)), decimals: 4, validMs: 10 ** 12 };
    expect(this.say({ kind: 'setReferencePrice', ...price, reason: 'test' })).toBe('referencePriceSet');
  }

  /** Changes the rules of a pair. */
  relist(base: 'TKN' | 'BTC' | 'DOG', changes: Partial<SymbolListing>): void {
    const listing = listings.find(({ name }) => name === `${base}USDT`)!;
    expect(this.say({ kind: 'configureSymbol', symbol: { ...listing, ...changes } })).toBe('symbolConfigured');
  }

  free(account: AccountId, asset: AssetId): bigint {
    return balancesOf(this.engine.state, account).find((row) => row.asset === asset)?.free ?? 0n;
  }

  futures(account: AccountId, asset: AssetId): bigint {
    return this.free(futuresWalletOf(account), asset);
  }
}
