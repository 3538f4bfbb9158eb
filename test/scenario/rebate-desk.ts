import { expect } from 'vitest';
import { house } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { createEventRecorder, noopSink, type Event } from '#model/event-record.ts';
import { rebateDayMs, rebateDayOf, type RebateAccrual } from '#model/rebate.ts';
import type { SymbolListing } from '#model/symbol.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId, AssetId, SymbolId, TimestampMs, Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { houseBalance } from '#engine/queries/engine-queries.ts';
import { type RebateQueries, rebateQueries } from '#sequencer/queries/rebate-queries.ts';
import { listingOf } from '../permissive-listing.ts';
import { openRules } from './wallet-harness.ts';

/** Assets by id. Everything is a whole unit, and costs 1 USD unless said otherwise. */
export const usd = as<AssetId>(0);
export const coin = as<AssetId>(1);
export const token = as<AssetId>(2);
/** Pairs by id. */
export const coinUsd = as<SymbolId>(0);
export const tokenUsd = as<SymbolId>(1);
export const coinToken = as<SymbolId>(2);
/** Of what a taker receives; makers pay nothing unless said otherwise. */
export const takerPpm = 100_000;

const pairs = [
  ['COINUSD', coin, usd],
  ['TKNUSD', token, usd],
  ['COINTKN', coin, token],
] as const;

/** What a buy of a trade is, unless said otherwise: on COINUSD, at 1 USD. */
interface Buy {
  readonly symbol?: SymbolId;
  readonly price?: number;
  readonly seller?: AccountId;
}

/** A small exchange of whole units, where a market maker sells to people who were invited. */
export class RebateDesk {
  engine: StateMachine = createEngine();
  readonly entries: { readonly at: number; readonly command: Command }[] = [];
  at = rebateDayOf(as(1_700_000_000_000)) + rebateDayMs / 2;
  readonly maker: AccountId;
  /** Whether the state is audited after each command; off while many are prepared. */
  isAudited = true;
  /** What everybody gets of every asset. */
  plenty = 2n ** 56n;
  #uids = 10_000_000;

  constructor() {
    for (const [id, code] of ['USD', 'COIN', 'TKN'].entries()) {
      const asset = { code, fullName: code, scale: 0, cap: as<never>((2n ** 61n) as never), coinId: '0'.repeat(32) };
      this.run({ kind: 'configureAsset', asset: { ...asset, coinId: String(id).repeat(32) } });
    }
    for (const [name, base, quote] of pairs) {
      const decimals = { priceDecimals: 0, quantityDecimals: 0, maxNotional: as<never>((2 ** 53 - 1) as never) };
      const fees = { makerFeePpm: 0, takerFeePpm: takerPpm };
      this.run({ kind: 'configureSymbol', symbol: listingOf({ name, base, quote, ...decimals, ...fees }) });
    }
    this.run({ kind: 'configureWallet', rules: { ...openRules, valuedIn: usd } });
    this.price(coin, 1);
    this.price(token, 2);
    this.maker = this.open('maker');
  }

  /** Applies a command and answers its events; the state is audited after each. */
  run(command: Command): Event[] {
    const recorder = createEventRecorder();
    this.entries.push({ at: this.at, command });
    this.engine.apply(this.#entry(this.engine, command, this.at), recorder);
    if (this.isAudited) expect(audit(this.engine.state)).toEqual([]);
    return recorder.events;
  }

  /** Changes commissions of COINUSD. */
  fees(changes: Partial<Pick<SymbolListing, 'makerFeePpm' | 'takerFeePpm'>>): void {
    const { id: _id, ...symbol } = this.engine.state.books[coinUsd]!.rules;
    expect(this.say({ kind: 'configureSymbol', symbol: { ...symbol, ...changes } })).toBe('symbolConfigured');
  }

  /** What rules take a coin to be worth, in USD. */
  price(asset: AssetId, digits: number): void {
    const price = { asset, digits: as<never>(BigInt(digits) as never), decimals: 0, validMs: 10 ** 12 };
    this.run({ kind: 'setReferencePrice', ...price, reason: 'test' });
  }

  /** Why a command is refused, or what it tells last. */
  say(command: Command): string {
    const told = this.run(command).findLast((event) => event.kind !== 'posted');
    return told?.kind === 'commandRefused' ? told.reason : (told?.kind ?? 'nothing');
  }

  /** Goes on with an engine made from an image of this one. */
  restore(): void {
    const image = this.engine.snapshot();
    this.engine = restoreEngine(image, this.engine.digest());
    expect(Buffer.compare(this.engine.snapshot(), image)).toBe(0);
  }

  /** An engine that applied the same entries from the beginning. */
  replayed(): StateMachine {
    const engine = createEngine();
    for (const { at, command } of this.entries) engine.apply(this.#entry(engine, command, at), noopSink);
    return engine;
  }

  get questions(): RebateQueries {
    return rebateQueries(this.engine);
  }

  /** Start of the day that it is. */
  get today(): TimestampMs {
    return rebateDayOf(as(this.at));
  }

  /** Opens the account of a person with plenty of every asset; `by`: a code, or who invited it by its refer code. */
  open(name: string, by: AccountId | string | null = null, accountClass: 'user' | 'broker' = 'user'): AccountId {
    this.#uids += 1;
    const person = { uid: as<Uid>(this.#uids), name, class: accountClass, kycLevel: 1, simulated: false } as const;
    const inviteCode = typeof by === 'number' ? referCodeOf(by) : by;
    this.run({ kind: 'registerAccount', ...person, email: null, mobile: null, inviteCode });
    return this.#fund();
  }

  /** Opens a sub-account with plenty of every asset. */
  openSubAccount(master: AccountId, name: string): AccountId {
    expect(this.say({ kind: 'openSubAccount', master, name, note: '', passwordHash: null, atMost: 9 })).toBe(
      'subAccountChanged',
    );
    return this.#fund();
  }

  /** Somebody buys from the market maker; answers what accrued. */
  buy(buyer: AccountId, lots: number, { symbol = coinUsd, price = 1, seller = this.maker }: Buy = {}): RebateAccrual[] {
    const terms = { symbol, price: as<never>(price as never), quantity: as<never>(lots as never) };
    const order = { ...terms, kind: 'limit', budget: null, clientOrderId: null, stpMode: 'none' } as const;
    this.run({ kind: 'placeOrder', account: seller, order: { ...order, side: 'sell' } });
    const events = this.run({ kind: 'placeOrder', account: buyer, order: { ...order, side: 'buy' } });
    expect(events.some(({ kind }) => kind === 'tradeExecuted')).toBe(true);
    return events.flatMap((event) => (event.kind === 'rebateAccrued' ? [event.accrual] : []));
  }

  /** Sets rates of an inviter for spot: referral, sub-affiliate, third, kickback. */
  rates(inviter: AccountId, [referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm]: readonly number[]): string {
    const terms = { referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm } as never as Record<'referralPpm', number>;
    return this.say({ kind: 'setRebateRates', inviter, product: 'spot', ...terms } as never);
  }

  settle(day: number): Extract<Event, { kind: 'rebatesSettled' }> | undefined {
    return this.run({ kind: 'settleRebates', day: as(day) }).find((event) => event.kind === 'rebatesSettled');
  }

  reject(beneficiary: AccountId, source: AccountId | null, day: number): string {
    return this.say({ kind: 'rejectRebates', beneficiary, source, day: as(day) });
  }

  /** What the house has of an asset. */
  house(account: 'fees' | 'rebates', asset: AssetId = coin): bigint {
    return houseBalance(this.engine.state, house[account], asset);
  }

  free(account: AccountId, asset: AssetId = coin): bigint {
    return houseBalance(this.engine.state, account, asset);
  }

  #fund(): AccountId {
    const account = as<AccountId>(this.engine.state.accounts.size - 1);
    for (const asset of [usd, coin, token])
      this.run({ kind: 'creditFunds', account, asset, amount: as<never>(this.plenty as never) });
    return account;
  }

  #entry(engine: StateMachine, command: Command, at: number) {
    return {
      seq: as<never>((engine.seq + 1) as never),
      epoch: as<never>(0 as never),
      at: as<never>(at as never),
      command,
    };
  }
}
