import { createPrng, type Prng } from '#base/prng.ts';
import { futuresWalletOf } from '#model/account.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command } from '#model/command.ts';
import type { ContractListing } from '#model/contract.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { OrderKind, OrderRequest, Side } from '#model/order.ts';
import type { AccountId, Balance, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine, type StateMachine } from '#engine/create-engine.ts';
import { bitcoinTerms } from '../bitcoin-contract.ts';
import { contractAsset, contractOpening, firstTrader } from '../oracle/contract-opening.ts';
import { freeMargin } from '#engine/futures/equity.ts';

/** Decimals of the settle asset: a tick of one contract is worth ten units. */
const settleScale = 6;
const coin = 10n ** 6n;
/** The index, in ticks; it never moves. */
export const indexTicks = 600_000;
const unitsPerTick = 10;
const insured = 500_000n * coin;
const contracts = [0, 1].map((id) => as<SymbolId>(id));
const user = (index: number): AccountId => as<AccountId>(firstTrader + index);
/** Two who share what they win, a maker and a trader who do not know them. */
const pair = [user(0), user(1)] as const;
const [maker, holder] = [user(2), user(3)];
const settle = as<never>(contractAsset.settle as never);

type Rows = readonly (readonly [number, number, number])[];
const tiers = (rows: Rows): ContractListing['tiers'] =>
  rows.map(([maxLots, maintenancePpm, initialPpm]) => ({
    ...{ maxLots: as<never>(maxLots as never), maintenancePpm, initialPpm, maxLeverage: 1_000_000 / initialPpm },
  }));
/** The first ones are those of BTC_USDT in the sandbox; the last ones hold as little as rates can say. */
const tierSets: readonly Rows[] = [
  [
    [50_000, 1_000, 2_000],
    [60_000, 4_000, 5_000],
    [250_000, 5_000, 10_000],
    [1_200_000, 10_000, 20_000],
    [4_500_000, 50_000, 100_000],
  ],
  [
    [6_000, 5_000, 10_000],
    [25_000, 10_000, 20_000],
    [4_500_000, 50_000, 100_000],
  ],
  [[4_500_000, 1_000, 1_000]],
];

function termsOf(chance: Prng, hasOthers: boolean, base: string): ContractListing {
  const [makerFeePpm, takerFeePpm] = chance.below(2) === 0 || hasOthers ? [0, 0] : [100, 400];
  return {
    ...bitcoinTerms,
    ...{ name: `${base}_USDT`, base: as(contractAsset.base), settle, makerFeePpm, takerFeePpm, fundingHours: 1 },
    liquidationFeePpm: pick(chance, [0, 400]),
    tiers: tiers(pick(chance, tierSets)),
  };
}

const pick = <Value>(chance: Prng, values: readonly Value[]): Value => values[chance.below(values.length)] as Value;

/** What one try came to. */
export interface CollusionResult {
  /** What the two have less than they brought, counted at the index; below zero they won. */
  readonly lost: bigint;
  readonly trades: number;
  readonly takeovers: number;
  readonly deleveragings: number;
  readonly refusals: number;
}

/**
 * Two who work together, against a fund of 500,000 and, in every other try, against two who trade with little leverage
 * and never worse than the index. They move last price and middle of the book where they want them, trade with each
 * other at any price, and take out what they can.
 */
export class Collusion {
  readonly #engine: StateMachine = createEngine();
  readonly #chance: Prng;
  readonly #hasOthers: boolean;
  readonly #start: readonly bigint[];
  #at = 1_700_000_000_000;
  #position = 0;
  /** Takeovers and deleveraging are rounded to the tick in favour of one side: less than a tick of what they took. */
  #rounding = 0n;
  #counts = { trades: 0, takeovers: 0, deleveragings: 0, refusals: 0 };
  readonly #sink = {
    ...noopSink,
    tradeExecuted: () => void (this.#counts.trades += 1),
    orderRefused: () => void (this.#counts.refusals += 1),
    fact: (fact: { readonly kind: string; readonly takeover?: { readonly reason: string; readonly lots: number } }) => {
      if (fact.kind !== 'positionTaken') return;
      this.#rounding += BigInt(unitsPerTick * Math.abs(fact.takeover!.lots));
      if (fact.takeover!.reason === 'liquidation') this.#counts.takeovers += 1;
      else this.#counts.deleveragings += 1;
    },
  };

  constructor(seed: number) {
    this.#chance = createPrng(seed);
    this.#hasOthers = this.#chance.below(2) === 0;
    const listed = ['ONE', 'TWO'].map((base) => termsOf(this.#chance, this.#hasOthers, base));
    for (const command of contractOpening(settleScale, listed)) this.#do(command);
    for (const contract of contracts) this.#do({ kind: 'fundInsurance', contract, amount: as<Balance>(insured) });
    const scale = 1 + 4 * this.#chance.next();
    for (const account of [...pair, maker, holder]) {
      const coins = account === maker || account === holder ? 900_000 : 10 ** (scale + this.#chance.next());
      this.#transfer(account, 'futures', BigInt(Math.floor(coins)) * coin);
      for (const contract of contracts) this.#setLeverage(account, contract);
    }
    this.#update(1000);
    if (this.#hasOthers) this.#openOthers();
    this.#start = [...pair, maker, holder].map((account) => this.#worth(account));
  }

  /** Plays a try to its end. @throws Error when somebody lost to the two. */
  run(): CollusionResult {
    const phases = 2 + this.#chance.below(4);
    for (let phase = 0; phase < phases; phase += 1) {
      const target = this.#target();
      const contract = pick(this.#chance, contracts);
      if (this.#chance.below(3) === 0) this.#swing(contract);
      else if (this.#chance.below(3) > 0) this.#movePrice(contract, target);
      for (let step = 3 + this.#chance.below(8); step > 0; step -= 1) this.#step(contract, target);
      this.#takeOut();
      this.#update(this.#pause());
      this.#check();
    }
    for (let second = 0; second < 3; second += 1) {
      this.#update(61_000);
      this.#takeOut();
      this.#check();
    }
    const lost = pair.reduce((sum, account, index) => sum + this.#start[index]! - this.#worth(account), 0n);
    return { lost, ...this.#counts };
  }

  #do(command: Command): void {
    this.#position += 1;
    this.#engine.apply(
      { seq: as<Seq>(this.#position), at: as<TimestampMs>(this.#at), epoch: as(0), command },
      this.#sink as EventSink,
    );
  }

  #setLeverage(account: AccountId, contract: SymbolId): void {
    const isOther = account === maker || account === holder;
    const leverage = isOther ? 4 : pick(this.#chance, [1, 5, 20, 50, 100, 200, 500, 1000]);
    const mode = isOther ? 'isolated' : pick(this.#chance, ['cross', 'isolated'] as const);
    this.#do({ kind: 'setLeverage', account, contract, mode, leverage });
  }

  /** The maker is short and the holder long, bought at the index; the maker quotes both sides of it. */
  #openOthers(): void {
    for (const contract of contracts) {
      const lots = 1 + this.#chance.below(40_000);
      this.#order(maker, contract, { side: 'sell', price: indexTicks, lots, kind: 'limit' });
      this.#order(holder, contract, { side: 'buy', price: indexTicks, lots, kind: 'limit' });
      for (const away of [1, 60, 3000, 30_000]) {
        if (this.#chance.below(2) === 0) continue;
        const some = 1 + this.#chance.below(10_000);
        this.#order(maker, contract, { side: 'buy', price: indexTicks - away, lots: some, kind: 'limit' });
        this.#order(maker, contract, { side: 'sell', price: indexTicks + away, lots: some, kind: 'limit' });
      }
    }
  }

  /** A price to work at: the ends of band and fair price, the index, or anything between. */
  #target(): number {
    const share = pick(this.#chance, [
      ...[900, 900.5, 1099.5, 1100, 990, 1010, 989.9, 1010.1, 1000, 995, 1005],
      900 + 200 * this.#chance.next(),
      985 + 30 * this.#chance.next(),
    ]);
    return Math.round((indexTicks * share) / 1000);
  }

  /** Quotes around a price, trades one contract there, and waits until nothing else is in the average of the middle. */
  #movePrice(contract: SymbolId, target: number): void {
    const [one, other] = this.#chance.below(2) === 0 ? pair : ([pair[1], pair[0]] as const);
    this.#order(one, contract, { side: 'sell', price: target, lots: 1, kind: 'limit' });
    this.#order(other, contract, { side: 'buy', price: target, lots: 1, kind: 'limit' });
    this.#order(one, contract, { side: 'sell', price: target + 1, lots: 1, kind: 'limit' });
    this.#order(other, contract, { side: 'buy', price: target - 1, lots: 1, kind: 'limit' });
    this.#update(301_000);
  }

  /**
   * The fair price to one end, a trade there by which one of the two would be liquidated at the other end, money out,
   * and the fair price to the other end; then they wait for what the fund sells.
   */
  #swing(contract: SymbolId): void {
    const away = pick(this.#chance, [9, 10, 10, 10, 11, 30, 95]);
    const [top, bottom] = [1000 + away, 1000 - pick(this.#chance, [away, 10, 0])].map((share) =>
      Math.round((indexTicks * share) / 1000),
    ) as [number, number];
    const [from, to, side, opposite] =
      this.#chance.below(2) === 0 ? ([top, bottom, 'buy', 'sell'] as const) : ([bottom, top, 'sell', 'buy'] as const);
    const [victim, winner] = this.#chance.below(2) === 0 ? pair : ([pair[1], pair[0]] as const);
    this.#setLeverage(victim, contract);
    this.#movePrice(contract, from);
    const price = pick(this.#chance, [from, from, indexTicks, Math.round((from + indexTicks) / 2)]);
    const isFirst = this.#chance.below(2) === 0;
    const isMoved = this.#chance.below(4) === 0;
    let lots = Math.floor(Math.min(...pair.map((account) => this.#coins(account))) * 70);
    for (; lots > 0 && this.#lotsOf(victim, contract) === 0; lots = Math.floor(lots / 2)) {
      this.#order(victim, contract, { side, price, lots, kind: 'limit' });
      if (isFirst) this.#takeOut();
      if (isMoved) this.#movePrice(contract, to);
      this.#order(winner, contract, { side: opposite, price, lots, kind: 'immediateOrCancel' });
      this.#do({ kind: 'cancelOrders', account: victim, symbols: [contract] });
    }
    if (this.#chance.below(2) === 0) this.#takeOut();
    this.#movePrice(contract, to);
    this.#order(winner, contract, {
      side,
      price: pick(this.#chance, [to, indexTicks, this.#target()]),
      lots,
      kind: 'limit',
    });
    this.#update(1000);
    this.#check();
  }

  #step(contract: SymbolId, target: number): void {
    const account = pick(this.#chance, pair);
    const dice = this.#chance.below(100);
    const side = pick(this.#chance, ['buy', 'sell'] as const);
    if (dice < 30) this.#crossTrade(contract, target);
    else if (dice < 65) {
      const kind = pick(this.#chance, ['limit', 'limit', 'immediateOrCancel', 'market', 'postOnly'] as const);
      const price = this.#chance.below(2) === 0 ? target : this.#target();
      this.#order(account, contract, { side, price, lots: this.#lots(account), kind });
    } else if (dice < 80) {
      const kind = pick(this.#chance, ['market', 'immediateOrCancel'] as const);
      const price = this.#chance.below(2) === 0 ? target : this.#target();
      this.#order(account, contract, { side, price, lots: this.#lots(account), kind }, 'reducePosition');
    } else if (dice < 85) this.#do({ kind: 'cancelOrders', account, symbols: contracts });
    else if (dice < 90) this.#setLeverage(account, contract);
    else if (dice < 94) this.#takeOut();
    else this.#update(this.#pause());
  }

  /** One rests, the other takes, as much as both can pay; what the first order does not hold may leave in between. */
  #crossTrade(contract: SymbolId, target: number): void {
    const [one, other] = this.#chance.below(2) === 0 ? pair : ([pair[1], pair[0]] as const);
    const price = this.#chance.below(2) === 0 ? target : this.#target();
    const [side, opposite] = pick(this.#chance, [
      ['buy', 'sell'],
      ['sell', 'buy'],
    ] as const);
    for (let lots = this.#lots(one), tries = 0; lots > 0 && tries < 5; lots = Math.floor(lots / 3), tries += 1) {
      this.#order(one, contract, { side, price, lots, kind: 'limit' });
      if (this.#chance.below(3) === 0) this.#takeOut();
      this.#order(other, contract, { side: opposite, price, lots, kind: 'limit' });
    }
  }

  /** About what an account's money buys at some leverage. */
  #lots(account: AccountId): number {
    const coins = this.#coins(account);
    const leverage = pick(this.#chance, [0.3, 1, 5, 10, 30, 70, 150, 400, 900]);
    return Math.max(1, Math.min(4_500_000, Math.floor((coins * leverage * 0.9) / 6)));
  }

  /** What an account may order with. */
  #coins(account: AccountId): number {
    return Number(freeMargin(this.#engine.state, account, settle) / coin);
  }

  #lotsOf(account: AccountId, contract: SymbolId): number {
    return this.#engine.state.positions.find(account, contract)?.lots ?? 0;
  }

  #order(
    account: AccountId,
    contract: SymbolId,
    { side, price, lots, kind }: { side: Side; price: number; lots: number; kind: OrderKind },
    by: 'placeOrder' | 'reducePosition' = 'placeOrder',
  ): void {
    const order: OrderRequest = {
      ...{ symbol: contract, side, kind, price: kind === 'market' ? null : as<never>(price as never) },
      ...{
        quantity: as<never>(lots as never),
        budget: null,
        clientOrderId: ClientOrderId.of(null),
        stpMode: 'none' as const,
      },
    };
    this.#do({ kind: by, account, order });
  }

  #transfer(account: AccountId, to: 'spot' | 'futures', amount: bigint): void {
    const from = to === 'spot' ? 'futures' : 'spot';
    const what = { asset: settle, amount: as<Balance>(amount), clientTranId: null };
    if (amount > 0n) this.#do({ kind: 'transferFunds', account, from, to, ...what });
  }

  /** All or a part of what may leave the futures wallets. */
  #takeOut(): void {
    for (const account of pair) {
      if (this.#chance.below(3) === 0) continue;
      const most = freeMargin(this.#engine.state, account, settle);
      this.#transfer(account, 'spot', this.#chance.below(2) === 0 ? most : most / 2n);
    }
  }

  /** Without others there is funding, too. */
  #pause(): number {
    return pick(this.#chance, [1000, 1000, 61_000, 301_000, this.#hasOthers ? 1000 : 3_600_000]);
  }

  #update(after: number): void {
    // Others would pay and get funding by their own choice: the cycle never ends with them.
    const hourMs = 3_600_000;
    const next = this.#at + after;
    const ends = Math.floor(next / hourMs) > Math.floor(this.#at / hourMs);
    this.#at = this.#hasOthers && ends ? this.#at + 1 : next;
    const price = indexTicks * 10 ** 7;
    this.#do({ kind: 'updateIndices', prices: contracts.map((contract) => ({ contract, price })) });
  }

  /** All that an account has, its positions at the index. */
  #worth(account: AccountId): bigint {
    const { ledger, positions } = this.#engine.state;
    const { balances } = ledger;
    const [spot, futures] = [account, futuresWalletOf(account)].map((owner) => balances.row(owner, settle));
    const money = balances.free.get(spot!) + balances.free.get(futures!) + balances.held.get(futures!);
    return positions
      .of(account)
      .reduce((sum, { lots, cost }) => sum + BigInt(lots) * BigInt(unitsPerTick * indexTicks) - cost, money);
  }

  #check(): void {
    const { state } = this.#engine;
    const { balances } = state.ledger;
    for (const contract of contracts) {
      const { insurer } = state.contracts.at(contract);
      const fund = balances.free.get(balances.row(futuresWalletOf(insurer), settle));
      if (fund < insured) throw new Error(`the fund of ${contract} lost ${insured - fund}`);
    }
    const now = [...pair, maker, holder].map((account) => this.#worth(account));
    const lost = now.map((worth, index) => this.#start[index]! - worth);
    const [first, second, ofMaker, ofHolder] = lost as [bigint, bigint, bigint, bigint];
    if (first + second < -this.#rounding) throw new Error(`the two won ${-first - second}`);
    if (ofMaker > this.#rounding) throw new Error(`the maker lost ${ofMaker}`);
    if (ofHolder > this.#rounding) throw new Error(`the holder lost ${ofHolder}`);
  }
}
