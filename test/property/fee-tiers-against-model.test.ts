import { expect, test } from 'vitest';
import { houseAccountCount } from '#model/account.ts';
import type { FeeTier } from '#model/fee-tier.ts';
import type { Event } from '#model/event-record.ts';
import { type AccountId, as, type AssetId, type Balance, type SymbolId } from '#model/units.ts';
import { feeRatesOf } from '#engine/queries/engine-queries.ts';
import { Chance } from '../fuzz/chance.ts';
import { NaiveFeeTiers, type NaiveTier } from '../oracle/naive-fee-tiers.ts';
import { coin, coinToken, coinUsd, RebateDesk, takerPpm, token, tokenUsd, usd } from '../scenario/rebate-desk.ts';

const seeds = Array.from({ length: 8 }, (_, seed) => seed);
const stepsEach = 500;
const hourMs = 3_600_000;
/** What a coin of the quote asset is worth in USD: the desk says so. */
const worth: Readonly<Record<number, bigint>> = { [coinUsd]: 1n, [tokenUsd]: 1n, [coinToken]: 2n };
const symbols = [coinUsd, tokenUsd, coinToken] as const;
const makerPpm = 50_000;

/** An engine and the model side by side, of people with few tokens. */
class Pair {
  readonly desk = new RebateDesk();
  readonly chance: Chance;
  readonly model = new NaiveFeeTiers(houseAccountCount);
  readonly accounts: AccountId[] = [];
  met = { tiers: 0, reached: 0, self: 0, washed: 0 };

  constructor(seed: number) {
    this.chance = new Chance(seed);
    const { desk } = this;
    desk.isAudited = false;
    desk.run({ kind: 'configureFeeToken', token, valuedIn: usd, discountPpm: 0 });
    this.model.masterOf.set(desk.maker, desk.maker);
    for (const name of ['alice', 'bob', 'carol', 'dave']) this.#add(desk.open(name), null);
    for (const [name, master] of [
      ['deskone11', 0],
      ['desktwo22', 0],
      ['bobsdesk1', 1],
    ] as const)
      this.#add(desk.openSubAccount(this.accounts[master]!, name), this.accounts[master]!);
    for (const symbol of symbols) {
      const { id: _, ...listed } = desk.engine.state.books[symbol]!.rules;
      desk.run({ kind: 'configureSymbol', symbol: { ...listed, makerFeePpm: makerPpm } });
    }
    desk.at += hourMs;
    desk.run({ kind: 'advanceClock' });
  }

  #add(account: AccountId, master: AccountId | null): void {
    this.accounts.push(account);
    this.model.masterOf.set(account, master ?? account);
  }

  tokensOf(account: number): bigint {
    return this.desk.free(as<AccountId>(account), token);
  }

  run(command: Parameters<RebateDesk['run']>[0]): Event[] {
    this.model.pass(this.desk.at, (account) => this.tokensOf(account));
    return this.desk.run(command);
  }

  step(): void {
    const { chance, desk } = this;
    const draw = chance.below(20);
    if (draw < 9) this.#trade();
    else if (draw < 12) desk.at += chance.below(60) * hourMs;
    else if (draw < 15) this.#assign();
    else if (draw === 15) this.#set();
    else if (draw === 16) this.#own();
    else if (draw === 17) this.#move();
    else if (draw === 18) desk.restore();
    else this.run({ kind: 'advanceClock' });
  }

  /** Two accounts trade, or one with itself; each pays what the model says. */
  #trade(): void {
    const { chance, desk, model } = this;
    const [maker, taker] = [chance.pick(this.accounts), chance.pick(this.accounts)];
    const symbol = chance.pick(symbols);
    const lots = 1 + chance.below(5000);
    const terms = { symbol, price: as<never>(1 as never), quantity: as<never>(lots as never) };
    const order = { ...terms, kind: 'limit', budget: null, clientOrderId: null, stpMode: 'none' } as const;
    this.run({ kind: 'placeOrder', account: maker, order: { ...order, side: 'sell' } });
    const events = this.run({ kind: 'placeOrder', account: taker, order: { ...order, side: 'buy' } });
    const trade = events.find((event) => event.kind === 'tradeExecuted')!.trade;
    const share = (ppm: number): number => Math.ceil((lots * ppm) / 1_000_000);
    expect([trade.takerFee, trade.makerFee]).toEqual([
      share(model.rate(taker, 'taker', takerPpm)),
      share(model.rate(maker, 'maker', makerPpm)),
    ]);
    model.trade(desk.at, taker, maker, BigInt(lots) * worth[symbol]!);
    if (taker === maker) this.met.self += 1;
    else if (model.masterOf.get(taker) === model.masterOf.get(maker)) this.met.washed += 1;
  }

  /** The job, which may be ended in the middle; sometimes with what is refused. */
  #assign(): void {
    const { chance, model } = this;
    this.run({ kind: 'advanceClock' });
    for (let left = chance.below(6); left > 0; left -= 1) {
      const { due } = model;
      const day = as<never>((due ?? 0) as never);
      const count = 1 + chance.below(4);
      const told = this.run({ kind: 'assignFeeTiers', day, count }).at(-1)!;
      expect(told.kind).toBe(due === null ? 'commandRefused' : 'feeTiersAssigned');
      if (due !== null) model.assign(count);
    }
  }

  #set(): void {
    const { chance, desk, model } = this;
    const isOff = chance.in(0.1);
    const tiers: NaiveTier[] = [];
    const count = chance.below(4);
    for (let tier = 1; tier <= count; tier += 1) {
      const volume = chance.in(0.8) ? BigInt(tier * (2000 + chance.below(8000))) : null;
      const tokens = volume === null || chance.in(0.4) ? 2n ** 56n + BigInt(tier * 4000) : null;
      const cheap = 1_000_000 >> (3 + 2 * tier);
      tiers.push({ volume, tokens, makerFeePpm: cheap, takerFeePpm: 2 * cheap });
    }
    const rising = tiers.every((each, index) =>
      tiers.slice(0, index).every((low) => (low.volume ?? -1n) < (each.volume ?? 2n ** 60n)),
    );
    const table = { valuedIn: usd, tiers: tiers.map(engineTier) };
    const told = this.run({ kind: 'setFeeTiers', table: isOff ? null : table }).at(-1)!;
    expect(told.kind).toBe(isOff || rising ? 'feeTiersSet' : 'commandRefused');
    if (told.kind !== 'feeTiersSet') return;
    model.set(isOff ? null : tiers, desk.at);
    this.met.tiers += 1;
  }

  #own(): void {
    const account = this.chance.pick(this.accounts);
    const rate = (): number | null => this.chance.pick([null, null, 0, 7000, 90_000, 900_000]);
    const rates = { maker: rate(), taker: rate() };
    const terms = { makerFeePpm: rates.maker, takerFeePpm: rates.taker, openOrdersMax: 500 };
    this.run({ kind: 'setTradingRules', account, ...terms });
    this.model.own.set(account, rates);
  }

  /** Tokens go to an account. */
  #move(): void {
    const amount = as<Balance>(BigInt(1 + this.chance.below(20_000)));
    this.run({ kind: 'creditFunds', account: this.chance.pick(this.accounts), asset: token as AssetId, amount });
  }

  check(): void {
    const { engine } = this.desk;
    for (const account of this.accounts)
      for (const symbol of symbols) {
        const rates = feeRatesOf(engine.state, account, symbol as SymbolId);
        const wanted = {
          makerPpm: this.model.rate(account, 'maker', makerPpm),
          takerPpm: this.model.rate(account, 'taker', takerPpm),
        };
        expect(rates).toEqual(wanted);
        if (wanted.takerPpm < takerPpm && !this.model.own.has(account)) this.met.reached += 1;
      }
  }
}

const engineTier = ({ volume, tokens, makerFeePpm, takerFeePpm }: NaiveTier): FeeTier => ({
  volume: volume as Balance | null,
  tokens: tokens === null ? null : { asset: token, amount: as<Balance>(tokens) },
  makerFeePpm,
  takerFeePpm,
});

test.each(seeds)(
  'DEC-OPR-211, DEC-OPR-212, DEC-OPR-214: every commission is what the model says, seed %i',
  (seed) => {
    const pair = new Pair(seed);
    for (let step = 0; step < stepsEach; step += 1) {
      pair.step();
      pair.check();
    }
    expect(Object.values(pair.met).every((count) => count > 0)).toBe(true);
    const { engine } = pair.desk;
    expect(pair.desk.replayed().digest()).toBe(engine.digest());
    expect(pair.desk.house('fees', coin)).toBeGreaterThan(0n);
  },
  60_000,
);
