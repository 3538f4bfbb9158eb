import { expect } from 'vitest';
import { formatDecimal, parseDecimal } from '#base/decimal.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import { createEventRecorder } from '#model/event-record.ts';
import type { OrderKind, OrderRequest, OrderView, StpMode } from '#model/order.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { AccountId, AssetId, Balance, OrderNumber } from '#model/units.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { createEngine, restoreEngine } from '#engine/create-engine.ts';
import { balancesOf, houseBalance, levelsOf } from '#engine/queries/engine-queries.ts';
import { listingOf } from '../permissive-listing.ts';

const assets = ['BTC', 'USDT', 'TKN'] as const;
const scale = 8;
const priceDecimals = 2;
const quantityDecimals = 4;

const listings = ['BTCUSDT', 'TKNUSDT', 'TKNBTC'].map((name) =>
  listingOf({
    name,
    base: as(assets.indexOf(name.slice(0, 3) as 'BTC')),
    quote: as(assets.indexOf(name.slice(3) as 'BTC')),
    priceDecimals,
    quantityDecimals,
    makerFeePpm: 0,
    takerFeePpm: 0,
  }),
);

const people = ['alice', 'bob', 'carol', 'dave', 'alice2', 'alice3'] as const;
const kindWords: Record<string, OrderKind> = {
  limit: 'limit',
  maker: 'postOnly',
  ioc: 'immediateOrCancel',
  fok: 'fillOrKill',
  market: 'market',
};

const normalised = (text: string): string => text.trim().replace(/\s+/g, ' ');
const units = (text: string, decimals: number): number => Number(parseDecimal(text, decimals));

/**
 * A small exchange that is told what happens in lines of text, each with what must come of it:
 *
 *     bob   sell limit 1 @ 100           => new
 *     alice buy market for 50            => filled: 0.5@100
 *     alice BTC                          => 10.5
 *     book                               => | 0.5@100
 *
 * Everyone starts with 10 BTC, 10,000 USDT and no TKN. `alice2` and `alice3` are sub-accounts of alice. The engine is
 * audited after every line and restored from its own snapshot now and then.
 */
export class TradingStory {
  engine: StateMachine = createEngine();
  #at = 1_700_000_000_000;
  #lines = 0;

  constructor() {
    for (const code of assets) {
      this.run({
        kind: 'configureAsset',
        asset: { code, fullName: code, scale, cap: as(2n ** 61n), coinId: '0'.repeat(32) },
      });
    }
    for (const symbol of listings) this.run({ kind: 'configureSymbol', symbol });
    people.forEach((name, index) => {
      const master = name.startsWith('alice') && name !== 'alice' ? this.account('alice') : null;
      this.run({
        kind: 'openAccount',
        uid: as(10_000_001 + index),
        name,
        master,
        class: 'user',
        kycLevel: 1,
        simulated: false,
      });
      this.run({ kind: 'creditFunds', account: this.account(name), asset: as(0), amount: as(10n * 10n ** 8n) });
      this.run({ kind: 'creditFunds', account: this.account(name), asset: as(1), amount: as(10_000n * 10n ** 8n) });
    });
  }

  /** Applies a command and answers its events. */
  run(command: Command): Event[] {
    const recorder = createEventRecorder();
    this.engine.apply({ seq: as(this.engine.seq + 1), epoch: as(0), at: as(this.#at), command }, recorder);
    return recorder.events;
  }

  /** What rules take a whole coin to be worth, in whole USDT. The wallet needs no rules for it. */
  setReferencePrice(asset: number, digits: bigint): void {
    const price = { asset: as<AssetId>(asset), digits: as<Balance>(digits), decimals: 0, validMs: 10 ** 12 };
    this.run({ kind: 'setReferencePrice', ...price, reason: 'test' });
  }

  account(name: string): AccountId {
    return as(4 + people.indexOf(name as 'alice'));
  }

  wait(ms: number): void {
    this.#at += ms;
  }

  /** Changes the rules of BTCUSDT and answers the events. */
  relist(changes: Partial<SymbolListing>): Event[] {
    return this.run({ kind: 'configureSymbol', symbol: { ...(listings[0] as SymbolListing), ...changes } });
  }

  /** Makes a prevention group of alice with these members, and answers its id. */
  group(...members: string[]): number {
    const events = this.run({
      kind: 'createStpGroup',
      master: this.account('alice'),
      name: `group ${members.join(' ')}`,
    });
    const [changed] = events;
    if (changed?.kind !== 'stpGroupChanged') throw new Error('no group was made');
    const ids = members.map((name) => this.account(name));
    const { group } = changed.group;
    this.run({ kind: 'addToStpGroup', master: this.account('alice'), group, members: ids });
    return group;
  }

  /** Tells the story: one line at a time, each compared with what stands behind `=>`. */
  tell(text: string): this {
    for (const line of text.split('\n').map(normalised)) {
      if (line === '' || line.startsWith('--')) continue;
      const [said = '', expected = ''] = line.split('=>').map(normalised);
      expect(`${said} => ${this.say(said)}`).toBe(`${said} => ${expected}`);
      expect(audit(this.engine.state)).toEqual([]);
      this.#lines += 1;
      if (this.#lines % 5 === 0) this.engine = restoreEngine(this.engine.snapshot());
    }
    return this;
  }

  /** What comes of one line. */
  say(line: string): string {
    const words = line.split(' ');
    const [first = '', second = ''] = words;
    if (first === 'book') return this.#book();
    if (first === 'house') return formatDecimal(houseBalance(this.engine.state, as(1), this.#asset(second)), scale);
    if (first === 'wait') {
      this.wait(units(second, 3));
      return '';
    }
    if (assets.includes(second as 'BTC')) return this.#balance(first, second);
    if (second === 'cancel') return this.#cancel(first, words[2] ?? '');
    if (second === 'gets') {
      const amount = as<never>(parseDecimal(words[2] ?? '', scale) as never);
      this.run({ kind: 'creditFunds', account: this.account(first), asset: this.#asset(words[3] ?? ''), amount });
      return '';
    }
    return this.#place(first, parseOrder(words.slice(1)));
  }

  #asset(code: string): never {
    return as<never>(assets.indexOf(code as 'BTC') as never);
  }

  #balance(name: string, code: string): string {
    const row = balancesOf(this.engine.state, this.account(name)).find(({ asset }) => asset === this.#asset(code));
    const held = row?.held ?? 0n;
    return `${formatDecimal(row?.free ?? 0n, scale)}${held > 0n ? ` + ${formatDecimal(held, scale)} held` : ''}`;
  }

  #book(): string {
    const side = (which: 'buy' | 'sell'): string =>
      levelsOf(this.engine.state, as(0), which)
        .map(([price, lots]) => priced(lots, price))
        .join(' ');
    return normalised(`${side('buy')} | ${side('sell')}`);
  }

  #cancel(name: string, which: string): string {
    const account = this.account(name);
    if (which === 'all') {
      const events = this.run({ kind: 'cancelOrders', account, symbols: [as(0)] });
      return events.flatMap((event) => (event.kind === 'orderClosed' ? [`#${event.order.order}`] : [])).join(' ');
    }
    const ref = which.startsWith('#') ? { order: as<OrderNumber>(Number(which.slice(1))) } : { clientOrderId: which };
    const events = this.run({ kind: 'cancelOrder', account, symbol: as(0), ref });
    const closed = events.find((event) => event.kind === 'orderClosed');
    if (closed?.kind === 'orderClosed') return closed.order.status;
    const refused = events.find((event) => event.kind === 'cancelRefused');
    return refused?.kind === 'cancelRefused' ? `refused ${refused.reason}` : 'nothing';
  }

  #place(name: string, order: OrderRequest): string {
    return outcomeOf(this.run({ kind: 'placeOrder', account: this.account(name), order }));
  }
}

const priced = (lots: number, price: number): string =>
  `${formatDecimal(lots, quantityDecimals)}@${formatDecimal(price, priceDecimals)}`;

/** What became of the order that a command placed, in one line. */
export function outcomeOf(events: readonly Event[]): string {
  const refused = events.find((event) => event.kind === 'orderRefused');
  if (refused?.kind === 'orderRefused') return `refused ${refused.reason}`;
  const repeated = events.find((event) => event.kind === 'orderRepeated');
  if (repeated?.kind === 'orderRepeated') return `repeats #${repeated.order.order} ${repeated.order.status}`;
  const accepted = events.find((event) => event.kind === 'orderAccepted');
  if (accepted?.kind !== 'orderAccepted') return 'nothing';
  let last: OrderView = accepted.order;
  const others: string[] = [];
  for (const event of events) {
    if (event.kind !== 'orderFilled' && event.kind !== 'orderClosed') continue;
    if (event.order.order === last.order) last = event.order;
    else if (event.kind === 'orderClosed' && event.order.closeReason !== 'filled') {
      others.push(`; #${event.order.order} ${event.order.status} ${event.order.closeReason}`);
    }
  }
  const why = last.closeReason === null || last.closeReason === 'filled' ? '' : ` ${last.closeReason}`;
  const trades = events.flatMap((event) =>
    event.kind === 'tradeExecuted' ? [priced(event.trade.lots, event.trade.price)] : [],
  );
  return `${last.status}${why}${trades.length > 0 ? `: ${trades.join(' ')}` : ''}${others.join('')}`;
}

/** `buy limit 1 @ 100 id=a stp=cancelMaker on TKNUSDT`, `sell market 2`, `buy market for 50`; `-` leaves a term out. */
export function parseOrder(words: readonly string[]): OrderRequest {
  const [side = '', kind = ''] = words;
  const after = (word: string): string | undefined => {
    const at = words.indexOf(word);
    return at < 0 ? undefined : words[at + 1];
  };
  const option = (name: string): string | undefined =>
    words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  const price = after('@');
  const budget = after('for');
  const quantity = words[2];
  const hasQuantity = quantity !== undefined && /^[\d.]+$/.test(quantity);
  return {
    symbol: as(
      Math.max(
        0,
        listings.findIndex(({ name }) => name === after('on')),
      ),
    ),
    side: side as 'buy' | 'sell',
    kind: kindWords[kind] ?? (kind as OrderKind),
    price: price === undefined || price === '-' ? null : as(units(price, priceDecimals)),
    quantity: hasQuantity ? as(units(quantity, quantityDecimals)) : null,
    budget: budget === undefined ? null : as(units(budget, scale)),
    clientOrderId: ClientOrderId.of(option('id') ?? null),
    stpMode: (option('stp') ?? 'none') as StpMode,
  };
}
